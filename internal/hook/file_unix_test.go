//go:build unix

package hook

import (
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// A FIFO in the place of settings is not waited for.
func TestEditOfAFIFO(t *testing.T) {
	e, path := editor(t), filepath.Join(t.TempDir(), "settings.json")
	if err := syscall.Mkfifo(path, 0o600); err != nil {
		t.Skip(err)
	}
	if _, err := e.Edit(path, installHere); err == nil || !strings.Contains(err.Error(), "not a regular file") {
		t.Errorf("%v", err)
	}
}

// A shell understands a command as it is meant, and as it is read back.
func TestShell(t *testing.T) {
	for _, path := range []string{"/bin/it's $(id) `id` \"x\" \\ seshat", "/a\nb/seshat", "/${HOME}/$HOME/seshat", "/新/;&|<>(){}[]*?~#!%=seshat", "/'${x}'/seshat"} {
		p := Program{Path: path, GOOS: "linux"}
		out, err := exec.Command("sh", "-c", "printf '%s\\0' "+p.command()).Output()
		if want := path + "\x00archive\x00hook\x00run\x00"; err != nil || string(out) != want {
			t.Errorf("sh makes %q of %q, %v", out, p.command(), err)
		}
		if got, ok := shellWords(p.command()); !ok || got[0] != path {
			t.Errorf("%q reads back as %q, %v", p.command(), got, ok)
		}
	}
}

func FuzzShellWords(f *testing.F) {
	for _, s := range []string{"a b", `'a b'"c\"d"\e`, "/x/seshat archive hook run", `a\`, `"\$x\`, "''  \"\""} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, command string) {
		words, ok := shellWords(command)
		if !ok || strings.ContainsRune(command, 0) || len(words) == 0 {
			return
		}
		var again []string
		for _, w := range words {
			again = append(again, shellQuote(w))
		}
		got, ok := shellWords(strings.Join(again, " "))
		if !ok || strings.Join(got, "\x00") != strings.Join(words, "\x00") {
			t.Errorf("%q is %q, and quoted anew %q", command, words, got)
		}
	})
}
