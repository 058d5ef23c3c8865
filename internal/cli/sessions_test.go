package cli

import (
	"slices"
	"testing"

	"github.com/seshat-dev/seshat/record"
)

func TestShortHandles(t *testing.T) {
	var list []record.Session
	for _, s := range [][2]string{
		{"abcdefgh-1", ""}, {"abcdefgh-2", ""}, {"abcdefgh-22", ""}, {"abc", ""}, {"12345678-9", ""}, {"same-same-same", "@1"}, {"same-same-same", "@2"},
		{"twice-or-more", ""}, {"twice-or-more", ""}, {"twice-or-less", ""}, {"", ""},
	} {
		list = append(list, record.Session{ID: s[0], Handle: "claude:" + s[0] + s[1]})
	}
	want := []string{
		"abcdefgh-1", "abcdefgh-2", "abcdefgh-22", "abc", "12345678", "claude:same-same-same@1", "claude:same-same-same@2",
		"twice-or-m", "twice-or-m", "twice-or-l", "",
	}
	if got := shortHandles(list); !slices.Equal(got, want) {
		t.Errorf("got\n%q, want\n%q", got, want)
	}
}
