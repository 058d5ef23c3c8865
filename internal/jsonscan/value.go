// Package jsonscan reads JSON the way it is found in other people's files.
//
// A reader may rely on this. A Value is a slice of the original bytes: nothing is
// copied until a string is asked for. Where a text is valid JSON the answers
// equal those of encoding/json, with the last of several equal keys winning.
// Beyond that, invalid UTF-8 and lone surrogates become U+FFFD, unknown escapes
// stand for themselves, raw control characters in strings are taken, and nesting
// may be of any depth: nothing here recurses over its input.
package jsonscan

import (
	"bytes"
	"iter"
	"strconv"
	"time"
)

// Kind is the type of a value.
type Kind byte

// The kinds. Absent is the kind of the nil Value.
const (
	Absent Kind = iota
	Null
	Bool
	Number
	String
	Array
	Object
)

// String gives the name that a summary shows for a kind.
func (k Kind) String() string {
	return [...]string{"absent", "null", "boolean", "number", "string", "array", "object"}[k]
}

// Value is the text of one JSON value without space around it. The nil Value is
// an absent one; all its methods answer as for a value of no kind.
type Value []byte

// Kind tells the type of the value.
func (v Value) Kind() Kind {
	if len(v) == 0 {
		return Absent
	}
	switch v[0] {
	case '{':
		return Object
	case '[':
		return Array
	case '"':
		return String
	case 't', 'f':
		return Bool
	case 'n':
		return Null
	}
	return Number
}

// True reports whether the value is the literal true.
func (v Value) True() bool { return len(v) > 0 && v[0] == 't' }

// Text gives the decoded string, or "" when the value is not a string.
func (v Value) Text() string {
	if v.Kind() != String {
		return ""
	}
	return decode(v[1 : len(v)-1])
}

// Int gives the value as an integer. Fractions are cut off; ok is false when it
// is no number or does not fit.
func (v Value) Int() (n int64, ok bool) {
	if v.Kind() != Number {
		return 0, false
	}
	if n, err := strconv.ParseInt(string(v), 10, 64); err == nil {
		return n, true
	}
	f, err := strconv.ParseFloat(string(v), 64)
	if err != nil || f < -1<<63 || f >= 1<<63 {
		return 0, false
	}
	return int64(f), true
}

// Time reads an RFC 3339 time, in UTC. Anything else is no time.
func (v Value) Time() time.Time {
	if v.Kind() != String || len(v) > 64 {
		return time.Time{}
	}
	if t, ok := millis(v); ok {
		return t
	}
	t, err := time.Parse(time.RFC3339Nano, v.Text())
	if err != nil || t.Year() < 1 || t.Year() > 9999 {
		return time.Time{}
	}
	return t.UTC()
}

// Members yields the keys and values of an object in order, repeated keys
// included.
func (v Value) Members() iter.Seq2[string, Value] {
	return func(yield func(string, Value) bool) {
		for key, val := range v.members() {
			if !yield(decode(key), val) {
				return
			}
		}
	}
}

// members yields raw keys, without their quotes and undecoded.
func (v Value) members() iter.Seq2[[]byte, Value] {
	return func(yield func([]byte, Value) bool) {
		if v.Kind() != Object {
			return
		}
		for i := space(v, 1); v[i] != '}'; {
			end, _ := skipString(v, i)
			key := v[i+1 : end-1]
			i = space(v, space(v, end)+1)
			end, _ = skip(v, i)
			if !yield(key, v[i:end]) {
				return
			}
			if i = space(v, end); v[i] == ',' {
				i = space(v, i+1)
			}
		}
	}
}

// Get gives the member of that name, the last one where it is repeated, or nil.
func (v Value) Get(name string) Value {
	var found Value
	for key, val := range v.members() {
		if string(key) == name || bytes.IndexByte(key, '\\') >= 0 && decode(key) == name {
			found = val
		}
	}
	return found
}

// Elems yields the elements of an array in order.
func (v Value) Elems() iter.Seq[Value] {
	return func(yield func(Value) bool) {
		if v.Kind() != Array {
			return
		}
		for i := space(v, 1); v[i] != ']'; {
			end, _ := skip(v, i)
			if !yield(v[i:end]) {
				return
			}
			if i = space(v, end); v[i] == ',' {
				i = space(v, i+1)
			}
		}
	}
}

// Base64Size gives the number of bytes that a base64 string stands for, without
// reading it.
func (v Value) Base64Size() int64 {
	n := int64(len(v)) - 2
	for i := len(v) - 2; i > 0 && v[i] == '='; i-- {
		n--
	}
	return n * 3 / 4
}

// millis reads a time as JavaScript writes it: "2006-01-02T15:04:05.000Z".
func millis(v Value) (time.Time, bool) {
	const form = `"0000-00-00T00:00:00.000Z"`
	if len(v) != len(form) {
		return time.Time{}, false
	}
	var n [7]int
	field := 0
	for i := 1; i < len(form); i++ {
		switch c := v[i]; {
		case form[i] != '0':
			if c != form[i] {
				return time.Time{}, false
			}
			field++
		case c < '0' || c > '9':
			return time.Time{}, false
		default:
			n[field] = n[field]*10 + int(c-'0')
		}
	}
	t := time.Date(n[0], time.Month(n[1]), n[2], n[3], n[4], n[5], n[6]*1e6, time.UTC)
	// A day or an hour that there is not would have moved.
	return t, n[0] > 0 && t.Day() == n[2] && int(t.Month()) == n[1] && t.Hour() == n[3] && t.Minute() == n[4] && t.Second() == n[5]
}
