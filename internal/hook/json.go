package hook

import (
	"bytes"
	"encoding/json"
)

// span is a piece of a text, from its first byte to behind its last.
type span struct{ from, to int }

// of gives the bytes of the piece.
func (s span) of(b []byte) []byte { return b[s.from:s.to] }

// member is one of an object: the place of its key, quotes included, and of its value.
type member struct {
	key       string // as it is meant, escapes resolved
	name, val span
}

// The functions below take a text that encoding/json calls valid.

// space gives the index of the first byte from i on that is not white space.
func space(b []byte, i int) int {
	for i < len(b) && (b[i] == ' ' || b[i] == '\t' || b[i] == '\n' || b[i] == '\r') {
		i++
	}
	return i
}

// valueAt gives the value that begins at i.
func valueAt(b []byte, i int) span {
	switch b[i] {
	case '"':
		return span{i, stringEnd(b, i)}
	case '{', '[':
		depth := 0
		for at := i; ; at++ {
			switch b[at] {
			case '"':
				at = stringEnd(b, at) - 1
			case '{', '[':
				depth++
			case '}', ']':
				if depth--; depth == 0 {
					return span{i, at + 1}
				}
			}
		}
	}
	if n := bytes.IndexAny(b[i:], ",]} \t\r\n"); n >= 0 {
		return span{i, i + n}
	}
	return span{i, len(b)}
}

// stringEnd gives the index behind the string that begins at i.
func stringEnd(b []byte, i int) int {
	for i++; b[i] != '"'; i++ {
		if b[i] == '\\' {
			i++
		}
	}
	return i + 1
}

// members lists the members of an object, repeated keys included.
func members(b []byte, object span) (out []member) {
	for i := space(b, object.from+1); b[i] != '}'; {
		name := valueAt(b, i)
		val := valueAt(b, space(b, space(b, name.to)+1))
		out = append(out, member{text(name.of(b)), name, val})
		i = space(b, val.to)
		if b[i] == ',' {
			i = space(b, i+1)
		}
	}
	return out
}

// elements lists the elements of an array.
func elements(b []byte, array span) (out []span) {
	for i := space(b, array.from+1); b[i] != ']'; {
		val := valueAt(b, i)
		out = append(out, val)
		i = space(b, val.to)
		if b[i] == ',' {
			i = space(b, i+1)
		}
	}
	return out
}

// text gives what a string means, or "" when the value is none.
func text(raw []byte) (s string) {
	_ = json.Unmarshal(raw, &s)
	return s
}

// texts gives what an array of strings means. ok is false for any other value.
func texts(raw []byte) (out []string, ok bool) {
	err := json.Unmarshal(raw, &out)
	return out, err == nil && out != nil
}
