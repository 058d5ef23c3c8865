package own

import (
	"path/filepath"
	"strings"
	"testing"
)

func TestSafeName(t *testing.T) {
	long := strings.Repeat("ä", 200) // 400 bytes
	for _, c := range []struct{ name, linux, windows string }{
		{"session.jsonl", "session.jsonl", "session.jsonl"},
		{"checkpoint-a%20b.json", "checkpoint-a%20b.json", "checkpoint-a%20b.json"},
		{"..", "%2E%2E", "%2E%2E"}, {".", "%2E", "%2E"}, {"", "%", "%"},
		{"a/b", "a%2Fb", "a%2Fb"}, {"a\x00b", "a%00b", "a%00b"},
		{`C:\x`, `C:\x`, "C%3A%5Cx"}, {"a\nb", "a\nb", "a%0Ab"}, {"nul.txt", "nul.txt", "%6Eul.txt"}, {"console", "console", "console"},
		{"end.", "end.", "end%2E"}, {"end ", "end ", "end%20"}, {"\xff", "\xff", "%EF%BF%BD~a8100ae6"},
	} {
		if got := safeName(c.name, "linux"); got != c.linux {
			t.Errorf("%q is %q on Linux, want %q", c.name, got, c.linux)
		}
		if got := safeName(c.name, "windows"); got != c.windows {
			t.Errorf("%q is %q on Windows, want %q", c.name, got, c.windows)
		}
	}
	if got := safeName(long, "linux"); len(got) > 255 || !strings.HasPrefix(got, strings.Repeat("ä", 123)+"~") {
		t.Errorf("%d bytes: %q", len(got), got)
	}
}

func FuzzSafeName(f *testing.F) {
	f.Add("..")
	f.Add("a/../b")
	f.Fuzz(func(t *testing.T, name string) {
		for _, goos := range []string{"linux", "windows"} {
			got := safeName(name, goos)
			if got == "" || len(got) > maxName || strings.ContainsAny(got, "/\x00") || !filepath.IsLocal(got) || filepath.Clean(got) != got {
				t.Errorf("%q becomes %q on %s", name, got, goos)
			}
		}
	})
}
