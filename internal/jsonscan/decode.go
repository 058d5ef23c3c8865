package jsonscan

import (
	"encoding/binary"
	"math/bits"
	"unicode/utf16"
	"unicode/utf8"
	"unsafe"
)

// plainEscapes are what the escapes of one letter stand for: 0 where JSON knows none.
var plainEscapes = [256]byte{'"': '"', '\\': '\\', '/': '/', 'b': '\b', 'f': '\f', 'n': '\n', 'r': '\r', 't': '\t'}

// decode gives the text that stands between two quotes. It copies words of eight
// bytes up to the next backslash; no text is longer than what it is written as.
func decode(raw []byte) string {
	if len(raw) == 0 {
		return ""
	}
	out := make([]byte, len(raw))
	i, n := 0, 0
	var all uint64 // of all bytes: their highest bits tell of more than ASCII
	for i < len(raw) {
		if i+8 <= len(raw) {
			w := binary.LittleEndian.Uint64(raw[i:])
			binary.LittleEndian.PutUint64(out[n:], w)
			slash := w ^ (ones * '\\')
			m := (slash - ones) &^ slash & highs
			all |= w
			if m == 0 {
				i, n = i+8, n+8
				continue
			}
			k := bits.TrailingZeros64(m) / 8
			i, n = i+k, n+k
		} else if raw[i] != '\\' {
			all |= uint64(raw[i])
			out[n] = raw[i]
			i, n = i+1, n+1
			continue
		}
		if i+1 < len(raw) && plainEscapes[raw[i+1]] != 0 {
			out[n] = plainEscapes[raw[i+1]]
			i, n = i+2, n+1
			continue
		}
		grown, size := unescape(out[:n], raw[i:])
		n, i = len(grown), i+size
		all |= highs
	}
	text := unsafe.String(&out[0], n)
	if all&highs == 0 {
		return text
	}
	return validUTF8(text)
}

// unescape appends what the escape at the start of raw, none of one letter, stands
// for and says how long it is. An escape that JSON does not know stands for itself.
func unescape(out, raw []byte) ([]byte, int) {
	if r, n := unicodeEscape(raw); n > 0 {
		return utf8.AppendRune(out, r), n
	}
	return append(out, raw[0]), 1
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
