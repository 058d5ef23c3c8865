package secret

import (
	"strings"
	"sync"
)

// Claude Code names the folder of a project by the path that the sessions ran in, with a
// dash for every character that is no letter or digit. Of a token in that path only the
// prefix changes its looks: ghp_... becomes ghp-...

// inFolder are the prefixes of tokens that look different in the name of a folder.
var inFolder = sync.OnceValue(func() table {
	var t table
	var list []string
	for _, rule := range tokens {
		for i := range rule.shapes {
			sh := &rule.shapes[i]
			if name := dashed(sh.prefix); name != sh.prefix {
				list = append(list, strings.ToLower(name))
				t.meanings = append(t.meanings, meaning{rule: rule, shape: sh})
			}
		}
	}
	t.words = newWords(list)
	return t
})

// dashed writes a text as it stands in the name of a folder.
func dashed(s string) string {
	return strings.Map(func(r rune) rune {
		if r < 0x80 && alnum.has(byte(r)) {
			return r
		}
		return '-'
	}, s)
}

// spelt gives a line of the same length in which such prefixes are what they were.
func spelt(line string) string {
	var out []byte
	t := inFolder()
	for at, nth := -1, 0; ; {
		from, after := at, nth
		if at < 0 {
			from, after = 0, -1
		}
		if at, nth = next(t.words, line, from, after); at < 0 {
			break
		}
		begin, prefix := at-t.words.rare[nth], t.meanings[nth].shape.prefix
		if line[begin:begin+len(prefix)] != dashed(prefix) {
			continue
		}
		if out == nil {
			out = []byte(line)
		}
		copy(out[begin:], prefix)
	}
	if out == nil {
		return line
	}
	return string(out)
}
