package cli

import (
	"io"
	"strings"
	"time"

	"github.com/seshat-dev/seshat/internal/term"
)

// cell is a safe text in a table with its style.
type cell struct {
	text  string
	style term.Style
}

// minute writes a time to the minute, in the person's zone, and one that is not
// known as a dash.
func minute(t time.Time) string {
	if t.IsZero() {
		return "-"
	}
	return t.Local().Format("2006-01-02 15:04")
}

// projectName writes a project's name for a list.
func projectName(name string) string { return term.Cut(term.Line(name), 24) }

// table prints rows in aligned columns. On a terminal the last column is cut to
// fit.
type table struct {
	paint term.Painter
	width int // of the terminal; 0 when there is none
	rows  [][]cell
}

func (t *table) add(cells ...cell) { t.rows = append(t.rows, cells) }

func (t *table) print(w io.Writer) {
	for _, line := range t.lines() {
		_, _ = io.WriteString(w, line+"\n")
	}
}

// lines gives the rows as they are printed.
func (t *table) lines() []string {
	out := make([]string, 0, len(t.rows))
	var widths []int
	for _, row := range t.rows {
		for i, c := range row {
			if i == len(widths) {
				widths = append(widths, 0)
			}
			if i < len(row)-1 { // the last of a row stands as it is
				widths[i] = max(widths[i], term.Width(c.text))
			}
		}
	}
	for _, row := range t.rows {
		var line strings.Builder
		used := 0
		for i, c := range row {
			text := c.text
			if i < len(row)-1 {
				text = term.Pad(text, widths[i]) + "  "
				used += widths[i] + 2
			} else if t.width > 0 {
				text = term.Cut(text, max(10, t.width-used))
			}
			line.WriteString(t.paint.Paint(c.style, text))
		}
		out = append(out, strings.TrimRight(line.String(), " "))
	}
	return out
}
