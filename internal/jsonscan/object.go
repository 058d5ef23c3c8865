package jsonscan

import "bytes"

// Fields is an object taken apart once, for callers that ask for several members.
type Fields []field

type field struct {
	key []byte
	val Value
}

// Fields takes an object apart. A value that is none has no fields.
func (v Value) Fields() Fields {
	if v.Kind() != Object {
		return nil
	}
	fields := make(Fields, 0, 8)
	for key, val := range v.members() {
		fields = append(fields, field{key, val})
	}
	return fields
}

// Get gives the member of that name, the last one where it is repeated, or nil.
func (f Fields) Get(name string) Value {
	for i := len(f) - 1; i >= 0; i-- {
		if string(f[i].key) == name || bytes.IndexByte(f[i].key, '\\') >= 0 && decode(f[i].key) == name {
			return f[i].val
		}
	}
	return nil
}
