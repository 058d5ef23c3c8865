package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/seshat-dev/seshat/internal/bench/corpus"
)

// The test binary stands for both programs: whatever it is asked to count, it
// counts three lines. What it does not know it refuses: were the tests run instead,
// each would start the next.
func TestMain(m *testing.M) {
	args := os.Args[1:]
	switch {
	case len(args) == 0 || strings.HasPrefix(args[0], "-test."):
		os.Exit(m.Run())
	case slices.Contains(args, "-c"):
		fmt.Println("a.jsonl:1\nb.jsonl:2")
	case slices.Contains(args[:min(len(args), 3)], "--version"):
		fmt.Println("measured 1.0")
	case slices.Contains([]string{"sessions", "records", "archive"}, args[0]):
	case slices.Equal(args, []string{"search", "a|b"}):
	case slices.Equal(args, []string{"search", "d"}):
		os.Exit(1)
	default:
		fmt.Fprintln(os.Stderr, "not known here:", args)
		os.Exit(2)
	}
}

// benched runs the command on a tree in which so many lines are planted.
func benched(t *testing.T, planted int64, args ...string) (string, error) {
	t.Helper()
	return benchedWord(t, "a|b", planted, args...)
}

// benchedWord does so with another common word; search finds no d.
func benchedWord(t *testing.T, word string, planted int64, args ...string) (string, error) {
	t.Helper()
	home := filepath.Join(t.TempDir(), "home")
	if err := os.MkdirAll(filepath.Join(home, ".claude"), 0o700); err != nil {
		t.Fatal(err)
	}
	told, err := json.Marshal(corpus.Tree{Spec: corpus.Spec{Agent: "claude"}, Bytes: 1000, Queries: []corpus.Query{
		{Name: "rare literal", Pattern: "a|b", Want: planted},
		{Name: "not timed", Pattern: "c", Flags: []string{"-i"}, Want: planted},
		{Name: "common word", Pattern: word, Want: 3},
	}})
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(home+".json", told, 0o600); err != nil {
		t.Fatal(err)
	}
	session := filepath.Join(home, ".claude", "session")
	if err := os.WriteFile(session, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if _, err := os.Stat(session); err != nil {
			t.Error("the folder of the agent was not put back:", err)
		}
	})
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	err = run(t.Context(), append([]string{"-seshat", self, "-home", home, "-n", "2"}, args...), &out)
	return out.String(), err
}

func TestTable(t *testing.T) {
	self, _ := os.Executable()
	out, err := benched(t, 3, "-rg", self)
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for _, want := range []string{"next to measured 1.0", "| --version |", "| rare literal `a\\|b` |", "| 3 lines |", "first run", "`search a\\|b`, no cache", "`search a\\|b`, after `sessions`", " times `grep -c -i` |", "MB/s of input", "`archive`, first run", "`archive`, again", "`a\\|b`, from the archive alone | ", " times as long as on the disk", "`archive verify`", "`archive repack`", "kept in "} {
		if !strings.Contains(out, want) {
			t.Errorf("the table has no %q:\n%s", want, out)
		}
	}
	if strings.Contains(out, "not timed") {
		t.Errorf("a query that is not timed and right stands in the table:\n%s", out)
	}
}

func TestWithoutRipgrep(t *testing.T) {
	out, err := benched(t, 3, "-rg", "no-such-program")
	if err != nil || !strings.Contains(out, "without ripgrep") {
		t.Errorf("%v\n%s", err, out)
	}
}

func TestWrongCountsFail(t *testing.T) {
	out, err := benched(t, 4, "-rg", "no-such-program")
	if err == nil || !strings.Contains(err.Error(), "3 counts") || strings.Count(out, "**3 lines, 4 are planted**") != 3 {
		t.Errorf("%v\n%s", err, out)
	}
}

func TestSearchThatFindsNothingFails(t *testing.T) {
	out, err := benchedWord(t, "d", 3, "-rg", "no-such-program")
	if err == nil || !strings.Contains(err.Error(), "2 counts") || strings.Count(out, "**nothing found**") != 2 {
		t.Errorf("%v\n%s", err, out)
	}
}

func TestOnlySomeRows(t *testing.T) {
	out, err := benched(t, 4, "-only", "--version")
	if err != nil || !strings.Contains(out, "| --version |") || strings.Count(out, "\n| ") != 2 { // with the head
		t.Errorf("%v\n%s", err, out)
	}
}
