package secret

// class is a set of ASCII characters that a part of a token is made of.
type class uint16

// The sets that classes are put together from.
const (
	lowHex class = 1 << iota // a to f
	lowRest
	upHex // A to F
	upRest
	digits
	underscore
	dash
	dot
	slashPlus
	equals
	tilde
	colon
	percent

	lower    = lowHex | lowRest
	upper    = upHex | upRest
	alnum    = lower | upper | digits
	lowerHex = lowHex | digits
	anyHex   = lowHex | upHex | digits
	word     = alnum | underscore
	url64    = word | dash
	std64    = alnum | slashPlus | equals
)

// classOf tells of every byte which sets it belongs to.
var classOf = func() (t [256]class) {
	for c := byte('a'); c <= 'z'; c++ {
		t[c], t[c-'a'+'A'] = lowRest, upRest
		if c <= 'f' {
			t[c], t[c-'a'+'A'] = lowHex, upHex
		}
	}
	for c := '0'; c <= '9'; c++ {
		t[c] = digits
	}
	for c, set := range map[byte]class{'_': underscore, '-': dash, '.': dot, '/': slashPlus, '+': slashPlus, '=': equals, '~': tilde, ':': colon, '%': percent} {
		t[c] = set
	}
	return t
}()

// has reports whether a byte is of a class.
func (c class) has(b byte) bool { return classOf[b]&c != 0 }

// end gives where the run of a class from a place on ends, though not behind limit.
func (c class) end(s string, from, limit int) int {
	limit = min(limit, len(s))
	for from < limit && classOf[s[from]]&c != 0 {
		from++
	}
	return from
}

// start gives where the run of a class before a place begins, though not before limit.
func (c class) start(s string, to, limit int) int {
	limit = max(limit, 0)
	for to > limit && classOf[s[to-1]]&c != 0 {
		to--
	}
	return to
}

// all reports whether a text is of a class.
func (c class) all(s string) bool { return c.end(s, 0, len(s)) == len(s) }

// starts reports whether a token may begin at a place: no letter or digit stands
// before it, unless that ends an escape (\n as text, %3D, a code for colours).
func starts(s string, at int) bool {
	if at == 0 || !alnum.has(s[at-1]) {
		return true
	}
	switch before := s[:at]; {
	case at >= 2 && s[at-2] == '\\':
		return s[at-1] == 'n' || s[at-1] == 't' || s[at-1] == 'r'
	case at >= 3 && s[at-3] == '%':
		return anyHex.has(s[at-1]) && anyHex.has(s[at-2])
	case s[at-1] == 'm':
		return coloured(before)
	}
	return false
}

// coloured reports whether a text ends in a terminal's code for colours.
func coloured(s string) bool {
	i := len(s) - 1
	for i > 0 && len(s)-i < 20 && (digits.has(s[i-1]) || s[i-1] == ';') {
		i--
	}
	return i >= 2 && s[i-1] == '[' && (s[i-2] == 0x1b || s[i-2] == 'b' || s[i-2] == '3')
}
