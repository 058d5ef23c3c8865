package jsonscan

import "bytes"

// bom is the UTF-8 byte order mark, which JSON does not allow.
var bom = []byte("\ufeff")

// Objects gives the objects that stand on a line. whole is true when the line is
// one valid JSON object and nothing else.
//
// A damaged line is salvaged: NUL bytes and a byte order mark before a record
// are passed over, several objects back to back are all taken, and where a
// record was cut and others follow on the same line, those are found by the
// starts that the caller knows its records to have, for example {"type". Where a
// record was cut right behind an object inside it, that inner object is given:
// only the caller can tell whether it is a record.
func Objects(line []byte, starts ...string) (objects []Value, whole bool) {
	rest := bytes.TrimPrefix(line, bom)
	whole = len(rest) == len(line)
	for {
		objs, tail, strict := leading(rest)
		objects, whole = append(objects, objs...), whole && strict
		if len(tail) == 0 {
			return objects, whole && len(objects) == 1
		}
		if rest = trailing(tail, starts); rest == nil {
			return objects, false
		}
		whole = false
	}
}

// leading takes the whole objects that b begins with. strict is false when what
// was taken is not valid JSON, or NUL bytes stand between.
func leading(b []byte) (objects []Value, tail []byte, strict bool) {
	strict = true
	for {
		trimmed := bytes.TrimLeft(b, "\x00 \t\r\n")
		strict = strict && bytes.IndexByte(b[:len(b)-len(trimmed)], 0) < 0
		b = trimmed
		if len(b) == 0 || b[0] != '{' {
			return objects, b, strict
		}
		v, rest, s, ok := First(b)
		if !ok {
			return objects, b, strict
		}
		strict = strict && s
		objects, b = append(objects, v), rest
	}
}

// trailing finds the first place in b from which whole objects reach to its end.
// An object inside the cut record does not, for the rest of that record follows
// it. The work is bounded, so that no line costs more than a few passes.
func trailing(b []byte, starts []string) []byte {
	budget := 16*len(b) + 1<<16
	for i := 1; i < len(b) && budget > 0; i++ {
		n := bytes.IndexByte(b[i:], '{')
		if n < 0 {
			return nil
		}
		i += n
		if !startsAny(b[i:], starts) {
			continue
		}
		objs, tail, _ := leading(b[i:])
		if len(objs) > 0 && len(tail) == 0 {
			return b[i:]
		}
		if len(objs) == 0 {
			budget -= len(b) - i
		} else {
			budget -= len(b) - i - len(tail)
		}
	}
	return nil
}

func startsAny(b []byte, starts []string) bool {
	for _, s := range starts {
		if bytes.HasPrefix(b, []byte(s)) {
			return true
		}
	}
	return false
}
