package term

import (
	"os"
	"strings"

	"github.com/clipperhouse/displaywidth"
	"golang.org/x/term"
)

// Style is how a piece of text is set off on a terminal.
type Style string

// The styles, as SGR parameters.
const (
	Plain Style = ""
	Bold  Style = "1"
	Dim   Style = "2"
	Title Style = "1;36"
	Place Style = "35" // a path
	Count Style = "32" // a line number
	Hit   Style = "1;31"
	Warn  Style = "33"
)

// Painter colours text, or leaves it alone.
type Painter bool

// Paint sets a safe text off in a style.
func (p Painter) Paint(s Style, text string) string {
	if !bool(p) || s == Plain || text == "" {
		return text
	}
	return "\x1b[" + string(s) + "m" + text + "\x1b[0m"
}

// IsTerminal reports whether a file is a terminal.
func IsTerminal(f *os.File) bool { return term.IsTerminal(int(f.Fd())) }

// Columns gives the width of a terminal, or 0 when f is none.
func Columns(f *os.File) int {
	w, _, err := term.GetSize(int(f.Fd()))
	if err != nil || w < 1 {
		return 0
	}
	return w
}

// Width is how many columns a safe text takes on a terminal.
func Width(s string) int { return displaywidth.String(s) }

// Cut shortens a safe text to a number of columns, with an ellipsis where it was
// longer. It never cuts inside a character as people see it.
func Cut(s string, columns int) string {
	if columns <= 0 || Width(s) <= columns {
		return s
	}
	return displaywidth.TruncateString(s, columns, "…")
}

// CutStart shortens a safe text to its last columns, with an ellipsis where it began
// earlier. It never cuts inside a character as people see it.
func CutStart(s string, columns int) string {
	if columns <= 0 || Width(s) <= columns {
		return s
	}
	for g := displaywidth.StringGraphemes(s); Width(s) > columns-1 && g.Next(); {
		s = s[len(g.Value()):]
	}
	return "…" + s
}

// Pad fills a safe text up to a number of columns with spaces.
func Pad(s string, columns int) string {
	return s + strings.Repeat(" ", max(0, columns-Width(s)))
}
