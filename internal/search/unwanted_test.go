package search_test

import (
	"testing"

	"github.com/seshat-dev/seshat/internal/search"
)

func TestUnwanted(t *testing.T) {
	passes := search.Unwanted("sessionId", func(id string) bool { return id == "here" })
	for line, want := range map[string]bool{
		`{"sessionId":"here"}`: false, `{"sessionId":"h\u0065re","x":1} `: false, `{"sessionId":"gone","sessionId":"here"}`: false,
		`{"sessionId":"gone"}`: true, `{"sessionId":"here","sessionId":"gone"}`: true, `{"x":{"sessionId":"here"}}`: true, `{"sessionId":5}`: true, `{}`: true,
		`{"sessionId":"here"`: true, `{"sessionId":"here"}{}`: true, "{\"sessionId\":\"here\",\"x\":\"\t\"}": true, `[{"sessionId":"here"}]`: true, ``: true, `"here"`: true,
	} {
		if got := passes([]byte(line)); got != want {
			t.Errorf("%s: %v, want %v", line, got, want)
		}
	}
}
