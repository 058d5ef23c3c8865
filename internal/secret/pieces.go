package secret

import "strings"

// Pieces gives what of a finding is looked for elsewhere: the value, what it spells in
// another way, and of a private key each line.
func Pieces(text string, f Finding) (out []string) {
	for _, v := range appendValues(nil, text, f, "") {
		out = append(out, v.text)
	}
	if f.Rule == privateKey {
		if last := lastLine(text[f.From:f.To]); len(last) >= leastAgain {
			out = append(out, last)
		}
	}
	return out
}

// lastLine gives the last line of a private key, where it is too short to be told by
// itself.
func lastLine(value string) (last string) {
	if i := strings.Index(value, "-----END"); i > 0 {
		value = value[:i]
	}
	eachRun(value, func(from, to int) {
		if last = ""; from > 0 && to-from < leastLine && to >= len(value)-8 {
			last = strings.Clone(value[from:to])
		}
	})
	return last
}

// CutEnd gives where a value of which only the beginning is known may end, from a place on.
func CutEnd(text string, at int) int { return (std64 | url64 | dot | tilde).end(text, at, len(text)) }
