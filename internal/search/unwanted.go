package search

import (
	"bytes"

	"github.com/seshat-dev/seshat/internal/jsonscan"
)

// Unwanted gives a byte test that refuses a line if it is one valid object with a
// text under that name which nobody wants. Any other line passes, so that damage is
// never taken for unwanted.
func Unwanted(member string, unwanted func(text string) bool) func(line []byte) bool {
	return func(line []byte) bool {
		v, rest, strict, ok := jsonscan.First(line)
		if !ok || !strict || len(bytes.TrimSpace(rest)) > 0 || v.Kind() != jsonscan.Object {
			return true
		}
		text := v.Get(member).Text()
		return text == "" || !unwanted(text)
	}
}
