// Package term writes text of other people's making to terminals, files and JSON.
//
// A reader may rely on this. What Text and Line give holds no control character,
// no escape sequence, no line separator but \n, and nothing that turns the
// direction of writing: each stands as a visible escape. It is valid UTF-8.
// Every face writes content through this package and nothing else.
package term

import (
	"encoding/binary"
	"fmt"
	"strings"
	"unicode/utf8"
	"unsafe"
)

// Text makes a text safe to print. Line breaks and tabs stay.
func Text(s string) string { return safe(s, true) }

// Line makes a text safe to print inside one line: in a title, a path, a table.
func Line(s string) string { return safe(s, false) }

func safe(s string, breaks bool) string {
	i := firstUnsafe(bytesOf(s), breaks)
	if i < 0 {
		return s
	}
	var out strings.Builder
	out.Grow(len(s) + 16)
	out.WriteString(s[:i])
	for s = s[i:]; s != ""; {
		r, n := utf8.DecodeRuneInString(s)
		if unsafeRune(r, n, breaks) {
			out.WriteString(escape(r, s[:n]))
		} else {
			out.WriteString(s[:n])
		}
		s = s[n:]
	}
	return out.String()
}

func firstUnsafe(b []byte, breaks bool) int {
	for i := 0; i < len(b); {
		if i += printable(b[i:]); i == len(b) {
			break
		}
		r, n := utf8.DecodeRune(b[i:])
		if unsafeRune(r, n, breaks) {
			return i
		}
		i += n
	}
	return -1
}

// bytesOf gives the bytes of a text, which must not be changed.
func bytesOf(s string) []byte { return unsafe.Slice(unsafe.StringData(s), len(s)) }

func unsafeRune(r rune, n int, breaks bool) bool {
	switch {
	case r == utf8.RuneError && n == 1:
		return true // a byte that is not UTF-8 can be a C1 control to a terminal
	case r == '\n' || r == '\t':
		return !breaks
	}
	return r < 0x20 || r == 0x7f || formatting(r)
}

// formatting reports whether a character above ASCII steers a terminal or the
// direction of writing: C1 controls, line and paragraph separators, bidi marks,
// embeddings, overrides and isolates.
func formatting(r rune) bool {
	switch {
	case r >= 0x80 && r <= 0x9f, r == 0x2028, r == 0x2029:
		return true
	case r == 0x061c, r == 0x200e, r == 0x200f, r >= 0x202a && r <= 0x202e, r >= 0x2066 && r <= 0x2069:
		return true
	}
	return false
}

func escape(r rune, raw string) string {
	switch r {
	case '\n':
		return `\n`
	case '\t':
		return `\t`
	case '\r':
		return `\r`
	case utf8.RuneError:
		return fmt.Sprintf(`\x%02x`, raw[0])
	}
	if r < 0x80 {
		return fmt.Sprintf(`\x%02x`, r)
	}
	return fmt.Sprintf(`\u%04x`, r)
}

// JSON escapes, in the text of valid JSON, the characters that encoding/json
// leaves as they are but a terminal may obey. They can only stand inside strings.
func JSON(b []byte) []byte {
	if plain(b) {
		return b
	}
	if firstUnsafe(b, true) < 0 {
		return b
	}
	out := make([]byte, 0, len(b)+16)
	for len(b) > 0 {
		r, n := utf8.DecodeRune(b)
		if r == 0x7f || formatting(r) {
			out = fmt.Appendf(out, `\u%04x`, r)
		} else {
			out = append(out, b[:n]...)
		}
		b = b[n:]
	}
	return out
}

// plain reports whether a text is one or more lines of printable ASCII.
func plain(b []byte) bool {
	for len(b) > 0 {
		if b = b[printable(b):]; len(b) > 0 {
			if b[0] != '\n' {
				return false
			}
			b = b[1:]
		}
	}
	return true
}

// printable gives how many printable ASCII characters a text begins with. It looks at
// eight bytes at a time, since nearly all texts are nothing else.
func printable(b []byte) int {
	const ones, tops = 0x0101010101010101, 0x8080808080808080
	i := 0
	for ; i+8 <= len(b); i += 8 {
		x := binary.LittleEndian.Uint64(b[i:])
		del := x ^ 0x7f*ones
		if (x|(x-0x20*ones)|(del-ones)&^del)&tops != 0 {
			break
		}
	}
	for i < len(b) && b[i] >= 0x20 && b[i] < 0x7f {
		i++
	}
	return i
}
