// Package shell writes commands that a person can paste into a shell.
//
// A reader may rely on this. A command that comes out starts the program with the very
// words that were given, in the shell that it was written for, and does nothing else,
// whatever the words hold. It is one line of visible characters: what could move a
// cursor or turn the direction of text is spelt out where the shell has a way to, and
// refused where it has none. Line ends at the very end of a word are lost in sh.
package shell

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Shell is a family of shells.
type Shell string

// The shells.
const (
	POSIX      Shell = "sh"
	PowerShell Shell = "powershell"
	CMD        Shell = "cmd"
)

// Shells lists them.
func Shells() []Shell { return []Shell{POSIX, PowerShell, CMD} }

// Of is the shell of a platform.
func Of(goos string) Shell {
	if goos == "windows" {
		return PowerShell
	}
	return POSIX
}

// Command is a program to be started.
type Command struct {
	Dir  string      // where; the current folder when empty
	Vars [][2]string // environment variables, with values; an empty value stands for none
	Args []string    // the program and its arguments
}

// Line writes a command for a shell. The error names the word that cannot be written.
func (s Shell) Line(c Command) (string, error) {
	switch s {
	case PowerShell:
		return powershell(c)
	case CMD:
		return cmd(c)
	}
	return posix(c), nil
}

// posix writes for sh, bash, zsh and dash.
func posix(c Command) string {
	var b strings.Builder
	if c.Dir != "" {
		// A name's own line ends at its end would be cut off by the shell.
		dir := c.Dir
		if odd(dir) {
			dir += "/."
		}
		b.WriteString("cd " + posixWord(dir) + " && ")
	}
	for _, v := range c.Vars {
		b.WriteString(v[0] + "=" + posixWord(v[1]) + " ")
	}
	for i, arg := range c.Args {
		if i > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(posixWord(arg))
	}
	return b.String()
}

// posixWord writes one word.
func posixWord(word string) string {
	switch {
	case odd(word):
		return `"$(printf '` + octal(word) + `')"`
	case word != "" && strings.Trim(word, plain) == "" && word[0] != '~' && word[0] != '=':
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}

// plain are the characters that mean themselves in every shell.
const plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-=./:@+,"

// octal writes a word for printf, in single quotes, with what is not visible as octal
// numbers.
func octal(word string) string {
	var b strings.Builder
	for i := 0; i < len(word); {
		r, n := utf8.DecodeRuneInString(word[i:])
		switch {
		case r == '%':
			b.WriteString("%%")
		case r == '\\', r == '\'', r == '-' && i == 0, hidden(r, n): // a dash ahead would make it a flag
			for _, c := range []byte(word[i : i+n]) {
				fmt.Fprintf(&b, `\%03o`, c)
			}
		default:
			b.WriteString(word[i : i+n])
		}
		i += n
	}
	return b.String()
}

// odd reports whether a word holds what must not reach a terminal as it is.
func odd(word string) bool {
	for i := 0; i < len(word); {
		r, n := utf8.DecodeRuneInString(word[i:])
		if hidden(r, n) {
			return true
		}
		i += n
	}
	return false
}

// hidden reports whether a character of n bytes is none that can be seen: a control, a
// mark of direction, a separator of lines, or no character at all.
func hidden(r rune, n int) bool {
	return r == utf8.RuneError && n == 1 || !unicode.IsPrint(r)
}

// powershell writes for PowerShell.
func powershell(c Command) (string, error) {
	var parts []string
	if c.Dir != "" {
		dir, err := powershellWord(c.Dir)
		if err != nil {
			return "", err
		}
		parts = append(parts, "Set-Location -LiteralPath "+dir)
	}
	for _, v := range c.Vars {
		value, err := powershellWord(v[1])
		if err != nil {
			return "", err
		}
		parts = append(parts, "$env:"+v[0]+" = "+value)
	}
	var words []string
	for _, arg := range c.Args {
		word, err := powershellWord(arg)
		if err != nil {
			return "", err
		}
		// What goes on to a program is cut at its own quotes.
		if strings.Contains(arg, `"`) {
			return "", fmt.Errorf("PowerShell has no safe way to write %q", arg)
		}
		words = append(words, word)
	}
	if len(words) > 0 && words[0][0] == '\'' {
		words[0] = "& " + words[0]
	}
	return strings.Join(append(parts, strings.Join(words, " ")), "; "), nil
}

// powershellWord writes one word. The typographic quotes end a quoted word too.
func powershellWord(word string) (string, error) {
	switch {
	case odd(word):
		return "", fmt.Errorf("PowerShell has no safe way to write %q", word)
	case word != "" && strings.Trim(word, plain) == "" && !strings.ContainsAny(word, "@,") && unicode.IsLetter(rune(word[0])):
		return word, nil
	}
	r := strings.NewReplacer("'", "''", "‘", "‘‘", "’", "’’", "‚", "‚‚", "‛", "‛‛")
	return "'" + r.Replace(word) + "'", nil
}

// cmd writes for the command prompt of Windows.
func cmd(c Command) (string, error) {
	var parts, words []string
	if c.Dir != "" {
		if err := cmdCheck(c.Dir); err != nil {
			return "", err
		}
		parts = append(parts, `cd /d "`+c.Dir+`"`)
	}
	for _, v := range c.Vars {
		if err := cmdCheck(v[1]); err != nil {
			return "", err
		}
		parts = append(parts, `set "`+v[0]+"="+v[1]+`"`)
	}
	for _, arg := range c.Args {
		if err := cmdCheck(arg); err != nil {
			return "", err
		}
		if arg == "" || strings.Trim(arg, plain) != "" || strings.ContainsAny(arg, "=,") {
			if strings.HasSuffix(arg, `\`) {
				return "", fmt.Errorf("the command prompt has no safe way to write %q", arg)
			}
			arg = `"` + arg + `"`
		}
		words = append(words, arg)
	}
	return strings.Join(append(parts, strings.Join(words, " ")), " && "), nil
}

// cmdCheck refuses what the command prompt reads inside of quotes too.
func cmdCheck(word string) error {
	if odd(word) || strings.ContainsAny(word, `"%!^`) {
		return fmt.Errorf("the command prompt has no safe way to write %q", word)
	}
	return nil
}
