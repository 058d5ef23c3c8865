package cli

import (
	"regexp"
	"slices"
	"testing"
	"unicode/utf8"
)

func TestGlobExpression(t *testing.T) {
	for _, c := range []struct {
		glob, name string
		want       bool
	}{
		{"*.jsonl", "a.jsonl", true}, {"*.jsonl", "a.json", false}, {"*", "a/b", false}, {"**", "a/b", true}, {"?", "é", true}, {"?", "ab", false},
		{"[a-c]x", "bx", true}, {"[!a-c]x", "bx", false}, {"[!a-c]x", "dx", true}, {"*.{md,json}", "a.md", true}, {"*.{md,json}", "a.txt", false},
		{"a,b", "a,b", true}, {`\*`, "*", true}, {`\*`, "x", false}, {"a+b(c)", "a+b(c)", true}, {"a.b", "axb", false}, {"}", "}", true},
	} {
		expr, err := globExpression(c.glob)
		if err != nil {
			t.Errorf("%s: %v", c.glob, err)
			continue
		}
		if got := regexp.MustCompile(expr).MatchString(c.name); got != c.want {
			t.Errorf("%s on %s: %v (%s)", c.glob, c.name, got, expr)
		}
	}
	for _, glob := range []string{"[a", "{a,b", "["} {
		if _, err := globExpression(glob); err == nil {
			t.Errorf("%s is taken", glob)
		}
	}
}

func TestWrap(t *testing.T) {
	// "three four" has ten columns.
	if got := wrap("one two three four", 9); !slices.Equal(got, []string{"one two", "three", "four"}) {
		t.Errorf("%q", got)
	}
}

func TestPlainly(t *testing.T) {
	for in, want := range map[string]string{
		"accepts 1 arg(s), received 0": "the command takes 1 argument, not 0; --help shows how it is used",
		"if any flags in the group [count json ndjson] are set none of the others can be; [count json] were all set": "--count and --json cannot be given together",
		`unknown command "foo" for "seshat sessions"`:                                                                `the command takes no argument "foo"`,
		"something else": "something else",
	} {
		if got := plainly(in); got != want {
			t.Errorf("%q reads %q, want %q", in, got, want)
		}
	}
}

func TestTilde(t *testing.T) {
	a := &app{p: Process{Home: "/home/sam"}}
	for in, want := range map[string]string{
		"/home/sam/x": "~/x", "open /home/sam/x: no": "open ~/x: no", `"/home/sam/x"`: `"~/x"`, "claude=/home/sam/a and /home/sam/b": "claude=~/a and ~/b",
		"/mnt/home/sam/x": "/mnt/home/sam/x", "/home/samuel/x": "/home/samuel/x", "/home/sam": "/home/sam", "/mnt/home/sam/a /home/sam/b": "/mnt/home/sam/a ~/b",
	} {
		if got := a.tilde(in); got != want {
			t.Errorf("%s reads %s, want %s", in, got, want)
		}
	}
}

// Every glob is refused or is a regular expression.
func FuzzGlob(f *testing.F) {
	f.Add("*.{md,json}")
	f.Add("[!a-c]?")
	f.Fuzz(func(t *testing.T, glob string) {
		if expr, err := globExpression(glob); err == nil && utf8.ValidString(glob) {
			_, _ = regexp.Compile(expr) // a class may still be wrong, which find reports
		}
	})
}
