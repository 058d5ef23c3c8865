package hook

import (
	"bytes"
	"slices"
	"strings"
	"unicode"
	"unicode/utf16"
)

// What is put into settings, before it is laid out.
type (
	object []field
	field  struct {
		name  string
		value any // an object, an array, or a string that is JSON
	}
	array []any
)

// layout is how the text around a place is laid out.
type layout struct {
	lined  bool   // each member stands on a line of its own
	eol    string // what ends a line
	indent string // what a line at the place begins with
	unit   string // what each level adds to that
	colon  string // between a key and its value
	gap    string // behind a comma, where no line ends there
}

// write lays a value out.
func (l layout) write(w *strings.Builder, v any) {
	switch v := v.(type) {
	case string:
		w.WriteString(v)
	case object:
		l.list(w, "{", "}", len(v), func(in layout, i int) {
			w.WriteString(quote(v[i].name) + l.colon)
			in.write(w, v[i].value)
		})
	case array:
		l.list(w, "[", "]", len(v), func(in layout, i int) { in.write(w, v[i]) })
	}
}

// list lays out what stands between two brackets.
func (l layout) list(w *strings.Builder, open, closing string, n int, item func(in layout, i int)) {
	in := l
	in.indent += l.unit
	w.WriteString(open)
	for i := range n {
		switch {
		case i > 0 && !l.lined:
			w.WriteString("," + l.gap)
		case i > 0:
			w.WriteByte(',')
		}
		if l.lined {
			w.WriteString(l.eol + in.indent)
		}
		item(in, i)
	}
	if l.lined && n > 0 {
		w.WriteString(l.eol + l.indent)
	}
	w.WriteString(closing)
}

// plain is the layout of text that stands nowhere yet.
var plain = layout{lined: true, eol: "\n", unit: "  ", colon: ": ", gap: " "}

// pretty lays a value out for people.
func pretty(v any) string {
	var w strings.Builder
	plain.write(&w, v)
	return w.String() + "\n"
}

// settled gives the layout of a whole text: what its top object shows, else what is
// usual.
func settled(b []byte, top []member) layout {
	l := plain
	if bytes.Contains(b, []byte("\r\n")) {
		l.eol = "\r\n"
	}
	if len(top) == 0 {
		return l
	}
	first := top[0]
	_, indent, lined := lastLine(before(b, first.name.from))
	if l.lined = lined; indent != "" {
		l.unit = indent
	}
	return l.colonOf(b, first)
}

// colonOf takes over how a member has its colon. Where no space is left behind that,
// none is behind a comma.
func (l layout) colonOf(b []byte, m member) layout {
	colon := string(b[m.name.to:m.val.from])
	if strings.Contains(colon, "\n") {
		return l
	}
	l.colon, l.gap = colon, ""
	if !strings.HasSuffix(colon, ":") {
		l.gap = " "
	}
	return l
}

// before gives the white space before an index.
func before(b []byte, i int) string {
	from := i
	for from > 0 && space(b, from-1) > from-1 {
		from--
	}
	return string(b[from:i])
}

// lastLine takes white space apart at its last line end: how that is written, and
// what follows it.
func lastLine(gap string) (eol, indent string, lined bool) {
	i := strings.LastIndexByte(gap, '\n')
	if i < 0 {
		return "", "", false
	}
	if i > 0 && gap[i-1] == '\r' {
		return "\r\n", gap[i+1:], true
	}
	return "\n", gap[i+1:], true
}

// beside gives the layout behind the last of n values with the given white space before
// it, and the text that goes behind the comma.
func (l layout) beside(gap string, n int) (layout, string) {
	eol, indent, lined := lastLine(gap)
	l.lined = lined
	switch {
	case !lined && n == 1: // that white space stands behind no comma
		return l, l.gap
	case !lined:
		return l, gap
	}
	l.eol, l.indent = eol, indent
	return l, eol + indent
}

// addMember puts a member into an object, behind those that are there.
func (l layout) addMember(b []byte, in span, top bool, name string, v any) []byte {
	all := members(b, in)
	var w strings.Builder
	if len(all) == 0 {
		l.fill(&w, top, func(l layout) {
			w.WriteString(quote(name) + l.colon)
			l.write(&w, v)
		})
		return slices.Insert(slices.Clone(b), in.from+1, []byte(w.String())...)
	}
	last := all[len(all)-1]
	l, sep := l.beside(before(b, last.name.from), len(all))
	l = l.colonOf(b, last)
	w.WriteString("," + sep + quote(name) + l.colon)
	l.write(&w, v)
	return slices.Insert(slices.Clone(b), last.val.to, []byte(w.String())...)
}

// addElement puts an element into an array, behind those that are there.
func (l layout) addElement(b []byte, in span, v any) []byte {
	all := elements(b, in)
	var w strings.Builder
	if len(all) == 0 {
		l.fill(&w, false, func(l layout) { l.write(&w, v) })
		return slices.Insert(slices.Clone(b), in.from+1, []byte(w.String())...)
	}
	last := all[len(all)-1]
	l, sep := l.beside(before(b, last.from), len(all))
	w.WriteString("," + sep)
	l.write(&w, v)
	return slices.Insert(slices.Clone(b), last.to, []byte(w.String())...)
}

// spared marks brackets that were there, with nothing in them, before the entry came:
// one space behind the opening one, which nothing that is laid out here has otherwise.
// By it Remove tells them from brackets that came with the entry. In the top object,
// which is there always, the entry stands on lines of its own.
const spared = " "

// fill writes what goes into an empty pair of brackets.
func (l layout) fill(w *strings.Builder, top bool, value func(layout)) {
	if top {
		l.lined, l.indent = true, l.unit
		w.WriteString(l.eol + l.indent)
		value(l)
		w.WriteString(l.eol)
		return
	}
	l.lined = false
	w.WriteString(spared)
	value(l)
	w.WriteString(spared)
}

// cut takes one of several values out, with the comma that it came with.
func cut(b []byte, all []span, i int) []byte {
	if i > 0 {
		return slices.Delete(slices.Clone(b), all[i-1].to, all[i].to)
	}
	return slices.Delete(slices.Clone(b), all[0].from, all[1].from)
}

// empty takes the only value out of brackets, and reports whether the brackets were
// there before it: then what is left is what they held.
func empty(b []byte, in, only span, top bool) (left []byte, stays bool) {
	gap := before(b, only.from)
	end := only.to
	rest := b[only.to : in.to-1]
	switch {
	case top && bytes.HasPrefix(rest, []byte("\r\n")):
		end += 2
	case top && bytes.HasPrefix(rest, []byte("\n")):
		end++
	case top:
	case gap != spared:
		return nil, false
	case bytes.HasPrefix(rest, []byte(spared)):
		end += len(spared)
	}
	return slices.Delete(slices.Clone(b), only.from-len(gap), end), true
}

// quote writes a text as a JSON string in which nothing can steer a terminal.
func quote(s string) string {
	var w strings.Builder
	w.WriteByte('"')
	for _, r := range s {
		switch {
		case r == '"' || r == '\\':
			w.WriteByte('\\')
			w.WriteRune(r)
		case unicode.IsPrint(r):
			w.WriteRune(r)
		case r > 0xffff:
			high, low := utf16.EncodeRune(r)
			escape(&w, high)
			escape(&w, low)
		default:
			escape(&w, r)
		}
	}
	w.WriteByte('"')
	return w.String()
}

func escape(w *strings.Builder, unit rune) {
	const digits = "0123456789abcdef"
	w.WriteString(`\u`)
	for shift := 12; shift >= 0; shift -= 4 {
		w.WriteByte(digits[unit>>shift&0xf])
	}
}
