package jsonscan

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// MaxNesting bounds how deep the strings of a value are looked for; deeper ones
// are given as the JSON they stand in.
const MaxNesting = 100

// maxNumbered is how many elements of a list are numbered. Longer numbers would be
// words that stand in no file, of a kind that people look for.
const maxNumbered = 100

// AppendStrings appends a line "key: text" for each string in a value, with the
// path to it as the key, so that every string occurs. A string at the top has no
// key, and elements of a list behind the hundredth no number.
func AppendStrings(out []string, key string, v Value) []string {
	return appendStrings(out, key, v, 0)
}

func appendStrings(out []string, key string, v Value, depth int) []string {
	switch v.Kind() {
	case String:
		if key == "" {
			return append(out, v.Text())
		}
		return append(out, key+": "+v.Text())
	case Object, Array:
		if depth >= MaxNesting {
			return append(out, key+": "+string(v))
		}
	}
	for name, member := range v.Members() {
		if key != "" {
			name = key + "." + name
		}
		out = appendStrings(out, name, member, depth+1)
	}
	i := 0
	for elem := range v.Elems() {
		no := ""
		if i < maxNumbered {
			no = strconv.Itoa(i)
		}
		out = appendStrings(out, key+"["+no+"]", elem, depth+1)
		i++
	}
	return out
}

// MainFirst gives all strings of a value as one text: a member of that name first
// and bare, then every other string as a line "key: text".
func MainFirst(v Value, main string) string {
	if v.Kind() == String {
		return v.Text()
	}
	var first string
	var rest []string
	for key, val := range v.Members() {
		if key == main && first == "" && val.Kind() == String {
			first = val.Text()
			continue
		}
		rest = AppendStrings(rest, key, val)
	}
	if v.Kind() == Array {
		rest = AppendStrings(rest, "", v)
	}
	if first != "" {
		rest = append([]string{first}, rest...)
	}
	return strings.Join(rest, "\n")
}

// Part is a string of a value as MainFirst gives it: a line with its key where it has
// one, still as it is written.
type Part struct {
	Key  string
	Text Value
}

// MainFirstParts gives what MainFirst joins, part by part, without decoding it. ok is
// false where a key is written with escapes, or is out of the ordinary otherwise.
func MainFirstParts(v Value, main string) (parts []Part, ok bool) {
	switch v.Kind() {
	case String:
		return []Part{{"", v}}, true
	case Array:
		return nil, false
	}
	var first []Part // the main one
	ok = true
	for raw, val := range v.members() {
		key := string(raw)
		if key == main && val.Kind() == String {
			if first != nil {
				return nil, false
			}
			first = []Part{{"", val}}
			continue
		}
		parts = appendParts(parts, key, val, 0, &ok)
	}
	if first != nil && len(first[0].Text.Inside()) > 0 {
		parts = append(first, parts...)
	}
	return parts, ok
}

func appendParts(out []Part, key string, v Value, depth int, ok *bool) []Part {
	*ok = *ok && !strings.Contains(key, `\`) && utf8.ValidString(key)
	switch v.Kind() {
	case String:
		return append(out, Part{key, v})
	case Object, Array:
		*ok = *ok && depth < MaxNesting
		if !*ok {
			return out
		}
	}
	for raw, member := range v.members() {
		name := string(raw)
		if key != "" {
			name = key + "." + name
		}
		out = appendParts(out, name, member, depth+1, ok)
	}
	i := 0
	for elem := range v.Elems() {
		no := ""
		if i < maxNumbered {
			no = strconv.Itoa(i)
		}
		out = appendParts(out, key+"["+no+"]", elem, depth+1, ok)
		i++
	}
	return out
}
