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
	How  Spelling
}

// MainFirstParts gives what MainFirst joins, part by part, without decoding it. ok is
// false where a key is written with escapes, or is out of the ordinary otherwise.
func MainFirstParts(v Value, main string) (parts []Part, ok bool) {
	return new(Parts).MainFirst(v, main)
}

// Parts makes lists of parts in the same memory: each is valid until the next one is made.
type Parts struct {
	Cursor
	parts []Part
	names map[string]string // keys that were met before
	ok    bool
}

// manyNames bounds how many keys are remembered.
const manyNames = 500

// MainFirst does what MainFirstParts does.
func (p *Parts) MainFirst(v Value, main string) (parts []Part, ok bool) {
	p.Cursor, p.ok = NewCursor(v), true
	switch p.Kind() {
	case String:
		text := p.Skip()
		return append(p.parts[:0], Part{"", text, p.Spelling()}), true
	case Object:
	default:
		return nil, p.Kind() != Array
	}
	parts = append(p.parts[:0], Part{}) // the first is the main one
	found := false
	for more := p.Open('{'); more; more = p.More('}') {
		key := p.name()
		if key == main && p.Kind() == String {
			p.ok = p.ok && !found
			found = true
			parts[0].Text = p.Skip()
			parts[0].How = p.Spelling()
			continue
		}
		parts = p.add(parts, key, 0)
	}
	p.parts = parts
	if len(parts[0].Text.Inside()) == 0 {
		parts = parts[1:]
	}
	return parts, p.ok && !p.bad
}

// name reads a key.
func (p *Parts) name() string {
	key := p.Key()
	name, known := p.names[string(key)]
	if !known {
		if name = string(key); len(p.names) < manyNames {
			if p.names == nil {
				p.names = map[string]string{}
			}
			p.names[name] = name
		}
	}
	return name
}

// add adds the strings of the value at hand.
func (p *Parts) add(out []Part, key string, depth int) []Part {
	p.ok = p.ok && !strings.Contains(key, `\`) && utf8.ValidString(key)
	switch p.Kind() {
	case String:
		text := p.Skip()
		return append(out, Part{key, text, p.Spelling()})
	case Object:
		if !p.shallow(depth) {
			return out
		}
		for more := p.Open('{'); more; more = p.More('}') {
			name := p.name()
			if key != "" {
				name = key + "." + name
			}
			out = p.add(out, name, depth+1)
		}
	case Array:
		if !p.shallow(depth) {
			return out
		}
		i := 0
		for more := p.Open('['); more; more = p.More(']') {
			no := ""
			if i < maxNumbered {
				no = strconv.Itoa(i)
			}
			out = p.add(out, key+"["+no+"]", depth+1)
			i++
		}
	default:
		p.Skip()
	}
	return out
}

// shallow notes whether the members of a value are looked at.
func (p *Parts) shallow(depth int) bool {
	if p.ok = p.ok && depth < MaxNesting; !p.ok {
		p.Skip()
	}
	return p.ok
}
