package jsonscan

import (
	"bytes"
	"unicode/utf16"
	"unicode/utf8"
)

// decode gives the text that stands between two quotes.
func decode(raw []byte) string {
	i := bytes.IndexByte(raw, '\\')
	if i < 0 {
		return validUTF8(string(raw))
	}
	out := make([]byte, i, len(raw))
	copy(out, raw)
	for i < len(raw) {
		if raw[i] != '\\' {
			next := bytes.IndexByte(raw[i:], '\\')
			if next < 0 {
				next = len(raw) - i
			}
			out = append(out, raw[i:i+next]...)
			i += next
			continue
		}
		var n int
		out, n = unescape(out, raw[i:])
		i += n
	}
	return validUTF8(string(out))
}

// unescape appends what the escape at the start of raw stands for and says how
// long the escape is. An escape that JSON does not know stands for itself.
func unescape(out, raw []byte) ([]byte, int) {
	if len(raw) < 2 {
		return append(out, raw...), len(raw)
	}
	switch c := raw[1]; c {
	case '"', '\\', '/':
		return append(out, c), 2
	case 'b':
		return append(out, '\b'), 2
	case 'f':
		return append(out, '\f'), 2
	case 'n':
		return append(out, '\n'), 2
	case 'r':
		return append(out, '\r'), 2
	case 't':
		return append(out, '\t'), 2
	case 'u':
		if r, n := unicodeEscape(raw); n > 0 {
			return utf8.AppendRune(out, r), n
		}
	}
	return append(out, raw[:1]...), 1
}

// unicodeEscape reads \uXXXX, and a second one where the two make a surrogate
// pair. A surrogate alone is U+FFFD; n is 0 when the digits are wrong.
func unicodeEscape(raw []byte) (r rune, n int) {
	r, ok := hex4(raw)
	if !ok {
		return 0, 0
	}
	if !utf16.IsSurrogate(r) {
		return r, 6
	}
	if low, ok := hex4(raw[6:]); ok {
		if pair := utf16.DecodeRune(r, low); pair != utf8.RuneError {
			return pair, 12
		}
	}
	return utf8.RuneError, 6
}

func hex4(raw []byte) (rune, bool) {
	if len(raw) < 6 || raw[0] != '\\' || raw[1] != 'u' {
		return 0, false
	}
	var r rune
	for _, c := range raw[2:6] {
		switch {
		case '0' <= c && c <= '9':
			c -= '0'
		case 'a' <= c && c <= 'f':
			c -= 'a' - 10
		case 'A' <= c && c <= 'F':
			c -= 'A' - 10
		default:
			return 0, false
		}
		r = r<<4 | rune(c)
	}
	return r, true
}

// validUTF8 puts U+FFFD for every byte that is not UTF-8, as encoding/json does.
func validUTF8(s string) string {
	if utf8.ValidString(s) {
		return s
	}
	return string([]rune(s))
}
