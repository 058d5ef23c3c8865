package secret

import "strings"

// Mask gives a text with a marker in the place of every credential, such as
// [secret:github-token]. It is for the words around findings: names, paths, errors.
func Mask(text string) string {
	found := Find(text)
	if len(found) == 0 {
		return text
	}
	var b strings.Builder
	past := 0
	for _, f := range found {
		b.WriteString(text[past:f.From])
		b.WriteString("[secret:" + f.Rule.ID + "]")
		past = f.To
	}
	b.WriteString(text[past:])
	return b.String()
}
