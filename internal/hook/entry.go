package hook

import (
	"errors"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Program is the seshat that an entry starts.
type Program struct {
	Path string // absolute
	GOOS string // platform, as runtime.GOOS spells it
}

// words follow the program in an entry. By them, and the program's name, an entry is
// known as seshat's.
var words = []string{"archive", "hook", "run"}

// timeout is how many seconds Claude Code may wait for the entry, where it would
// otherwise give all that run at the end of a session 1.5 between them. It takes a
// small part of one; a disk that was asleep takes longer.
const timeout = 5

// Check says why no entry can start the program, or nil.
func (p Program) Check() error {
	switch {
	case !utf8.ValidString(p.Path):
		return errors.New("its path is not UTF-8, which settings cannot hold; move the program, and install the hook again")
	case p.GOOS == "windows" && strings.Contains(p.Path, "${"):
		return errors.New("its path holds ${, which Claude Code takes for a placeholder; move the program, and install the hook again")
	}
	return nil
}

// handler is the entry as Claude Code wants it. Where there is one shell that everybody
// has, the command is for it: all versions know that. On Windows Claude Code takes the
// shell that it finds, and no command suits them all, so that none is asked (since
// 2.1.139). [official documentation: hooks]
func (p Program) handler() object {
	h := object{{"type", quote("command")}}
	if p.GOOS == "windows" {
		args := array{}
		for _, w := range words {
			args = append(args, quote(w))
		}
		h = append(h, field{"command", quote(p.Path)}, field{"args", args})
	} else {
		h = append(h, field{"command", quote(p.command())})
	}
	return append(h, field{"timeout", strconv.Itoa(timeout)})
}

// command is the line for the shell.
func (p Program) command() string { return shellQuote(p.Path) + " " + strings.Join(words, " ") }

// group is the entry with what Claude Code wants around it.
func (p Program) group() object { return object{{"hooks", array{p.handler()}}} }

// Snippet is what to put into settings by hand.
func (p Program) Snippet(events []string) string {
	var all object
	for _, e := range events {
		all = append(all, field{e, array{p.group()}})
	}
	return pretty(object{{"hooks", all}})
}

// shellQuote quotes a word for a POSIX shell. No ${ is left in it: Claude Code fills in
// placeholders before the shell sees them.
func shellQuote(s string) string {
	s = strings.ReplaceAll(s, "'", `'\''`)
	return "'" + strings.ReplaceAll(s, "${", "$''{") + "'"
}

// shellWords takes a command apart as a POSIX shell does. ok is false for what is more
// than words, or would mean something else in another environment.
func shellWords(command string) (out []string, ok bool) {
	var word strings.Builder
	in := false
	for i := 0; i < len(command); i++ {
		switch c := command[i]; {
		case c == ' ' || c == '\t':
			if in {
				out = append(out, word.String())
				word.Reset()
			}
			in = false
			continue
		case c == '\'':
			end := strings.IndexByte(command[i+1:], '\'')
			if end < 0 {
				return nil, false
			}
			word.WriteString(command[i+1 : i+1+end])
			i += end + 1
		case c == '"':
			n, quoted, ok := doubleQuoted(command[i+1:])
			if !ok {
				return nil, false
			}
			word.WriteString(quoted)
			i += n
		case c == '\\' && i+1 < len(command) && command[i+1] != '\n':
			i++
			word.WriteByte(command[i])
		case strings.IndexByte("\\|&;<>()$`#*?[]{}\n\r", c) >= 0:
			return nil, false
		default:
			word.WriteByte(c)
		}
		in = true
	}
	if in {
		out = append(out, word.String())
	}
	return out, true
}

// doubleQuoted reads up to the closing quote, and gives how many bytes that took.
func doubleQuoted(s string) (n int, word string, ok bool) {
	var w strings.Builder
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c == '"':
			return i + 1, w.String(), true
		case c == '$' || c == '`':
			return 0, "", false
		case c == '\\' && i+1 < len(s) && strings.IndexByte("\\\"$`", s[i+1]) >= 0:
			i++
			w.WriteByte(s[i])
		default:
			w.WriteByte(c)
		}
	}
	return 0, "", false
}

// starts gives the program that a handler starts, when the handler is seshat's: it
// runs a program with seshat's words and nothing else, and the program's name is
// seshat's, or the one that this program goes by.
func (p Program) starts(command string, args []string, withArgs bool) (program string, ours bool) {
	argv := append([]string{command}, args...)
	if !withArgs {
		var ok bool
		if argv, ok = shellWords(command); !ok || len(argv) == 0 {
			return "", false
		}
	}
	if !slices.Equal(argv[1:], words) {
		return "", false
	}
	name := base(argv[0])
	return argv[0], strings.Contains(strings.ToLower(name), "seshat") || name == base(p.Path)
}

// base gives the last component of a path of whatever platform.
func base(path string) string { return path[strings.LastIndexAny(path, `/\`)+1:] }
