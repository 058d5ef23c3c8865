package shell

import (
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"unicode"
)

var words = []string{
	"claude", "--resume=4d7d11a9", "", " ", "a b", "it's", `say "hi"`, "$(id)", "`id`", "a;b", "a&&b", "a|b", "*", "?", "~", "~root", "!x", "#x", "-rf", "--", `back\slash`, `\`, "50%", "%s%n", "a\nb", "a\n\n\nx",
	"tab\there", "\x1b[2J", "\xff\xfe", "\u202egnp.exe", "\u0085", "café 新聞", "=x", "{a,b}", "'", "''", `'\''`, "\u2028",
}

// What a shell makes of a line is what was given, word by word.
func TestPOSIXGivesWordsBack(t *testing.T) {
	for _, name := range []string{"sh", "dash", "bash", "zsh"} {
		path, err := exec.LookPath(name)
		if err != nil {
			continue
		}
		for _, word := range words {
			checkPOSIX(t, path, word)
		}
	}
}

func checkPOSIX(t *testing.T, shell, word string) {
	t.Helper()
	line, err := POSIX.Line(Command{Args: []string{"printf", "%s/", word, "end"}, Vars: [][2]string{{"SOME", word}}})
	if err != nil {
		t.Fatal(err)
	}
	visible(t, line)
	out, err := exec.Command(shell, "-c", line).CombinedOutput()
	if want := word + "/end/"; err != nil || string(out) != want {
		t.Errorf("%s: %q gives %q, %v, want %q", shell, line, out, err, want)
	}
	// The variable reaches the program.
	line, _ = POSIX.Line(Command{Args: []string{shell, "-c", `printf '%s/' "$SOME"`}, Vars: [][2]string{{"SOME", word}}})
	if out, err := exec.Command(shell, "-c", line).CombinedOutput(); err != nil || string(out) != word+"/" {
		t.Errorf("%s: %q gives %q, %v", shell, line, out, err)
	}
}

// A line goes into a folder of any name.
func TestPOSIXGoesThere(t *testing.T) {
	sh, err := exec.LookPath("sh")
	if err != nil {
		t.Skip("no sh here:", err)
	}
	base, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for _, word := range append(words, "ends in\n", "\n\n") {
		if word == "" || strings.ContainsAny(word, "/\x00") {
			continue
		}
		dir := filepath.Join(base, "p", word)
		if os.MkdirAll(dir, 0o700) != nil {
			continue // no name on this disk
		}
		if err := os.WriteFile(filepath.Join(dir, "here"), []byte(word), 0o600); err != nil {
			t.Fatal(err)
		}
		line, _ := POSIX.Line(Command{Dir: dir, Args: []string{"cat", "here"}})
		visible(t, line)
		if out, err := exec.Command(sh, "-c", line).CombinedOutput(); err != nil || string(out) != word {
			t.Errorf("%q gives %q, %v", line, out, err)
		}
	}
}

func visible(t *testing.T, line string) {
	t.Helper()
	for _, r := range line {
		if r == unicode.ReplacementChar || !unicode.IsPrint(r) {
			t.Errorf("%q holds %q", line, r)
		}
	}
}

// Random words, of what shells and terminals read in a way of their own.
func TestPOSIXGivesRandomWordsBack(t *testing.T) {
	sh, err := exec.LookPath("sh")
	if err != nil {
		t.Skip("no sh here:", err)
	}
	pieces := append(words, "a", "-", "\xc3", "\x8b", "\\0", "0", "7", "$", "\r", "\x7f", "😀", "e\u0301")
	r := rand.New(rand.NewPCG(1, 1))
	for range 200 {
		var word strings.Builder
		for range 1 + r.IntN(5) {
			word.WriteString(pieces[r.IntN(len(pieces))])
		}
		if w := word.String(); !strings.HasSuffix(w, "\n") { // a shell cuts line ends off
			checkPOSIX(t, sh, w)
		}
	}
}

func TestPowerShellAndPrompt(t *testing.T) {
	c := Command{Dir: `C:\Users\it's me`, Vars: [][2]string{{"CLAUDE_CONFIG_DIR", `D:\c d`}, {"NONE", ""}}, Args: []string{"claude", "-p", "--resume=4d7d11a9", "what's $x?"}}
	for s, want := range map[Shell]string{
		PowerShell: `Set-Location -LiteralPath 'C:\Users\it''s me'; $env:CLAUDE_CONFIG_DIR = 'D:\c d'; $env:NONE = ''; claude '-p' '--resume=4d7d11a9' 'what''s $x?'`,
		CMD:        `cd /d "C:\Users\it's me" && set "CLAUDE_CONFIG_DIR=D:\c d" && set "NONE=" && claude -p "--resume=4d7d11a9" "what's $x?"`,
	} {
		if got, err := s.Line(c); err != nil || got != want {
			t.Errorf("%s: %s, %v\nwant %s", s, got, err, want)
		}
	}
	if got, err := PowerShell.Line(Command{Args: []string{"p", "a’b‘c"}}); err != nil || got != "p 'a’’b‘‘c'" {
		t.Errorf("%s, %v", got, err)
	}
	if got, err := PowerShell.Line(Command{Args: []string{`C:\a b\claude.exe`}}); err != nil || got != `& 'C:\a b\claude.exe'` {
		t.Errorf("%s, %v", got, err)
	}
	for s, bad := range map[Shell][]string{PowerShell: {"a\nb", "\x1b", `say "x"`}, CMD: {"a\nb", "%PATH%", "!x!", `"`, "^", "\x1b", `ends with a space and \`}} {
		for _, word := range bad {
			if got, err := s.Line(Command{Args: []string{"p", word}}); err == nil {
				t.Errorf("%s writes %q as %s", s, word, got)
			}
		}
	}
}
