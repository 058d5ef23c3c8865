package cli

import (
	"fmt"
	"strings"

	"github.com/seshat-dev/seshat/internal/term"
)

// piece is a safe part of a line with its style.
type piece struct {
	text  string
	style term.Style
}

// lit makes one line of a text safe and sets what was looked for off.
func lit(text string, ranges [][]int, style term.Style) []piece {
	var out []piece
	add := func(text string, style term.Style) {
		if text != "" {
			out = append(out, piece{term.Line(text), style})
		}
	}
	at := 0
	for _, r := range ranges {
		add(text[at:r[0]], style)
		add(text[r[0]:r[1]], term.Hit)
		at = r[1]
	}
	add(text[at:], style)
	return out
}

// line prints pieces behind an indent. On a terminal they are cut to fit.
func (p *searchPrinter) line(indent string, pieces []piece) {
	if p.width > 0 {
		pieces = fit(pieces, max(10, p.width-len(indent)))
	}
	fmt.Fprint(p.a.out, indent)
	for _, x := range pieces {
		fmt.Fprint(p.a.out, p.a.paint.Paint(x.style, x.text))
	}
	fmt.Fprintln(p.a.out)
}

// fit cuts pieces to a number of columns. The first that was looked for stays in sight.
func fit(pieces []piece, columns int) []piece {
	pieces = insight(pieces, columns)
	left, rest := columns, wide(pieces)
	for i, x := range pieces {
		w := term.Width(x.text)
		rest -= w
		switch {
		case w < left, w == left && rest == 0:
			left -= w
			continue
		case rest > 0:
			x.text += " " // what follows goes too, so that the ellipsis is due
		}
		return append(pieces[:i:i], piece{term.Cut(x.text, left), x.style})
	}
	return pieces
}

// insight shortens what stands before the first piece that was looked for, where that
// would not fit.
func insight(pieces []piece, columns int) []piece {
	for i, x := range pieces {
		if x.style != term.Hit {
			continue
		}
		room := columns
		if i < len(pieces)-1 {
			room-- // for the ellipsis
		}
		if i == 0 || wide(pieces[:i+1]) <= room {
			return pieces
		}
		var before strings.Builder
		for _, x := range pieces[:i] {
			before.WriteString(x.text)
		}
		return append([]piece{{term.CutStart(before.String(), columns/4), pieces[i-1].style}}, pieces[i:]...)
	}
	return pieces
}

func wide(pieces []piece) (columns int) {
	for _, x := range pieces {
		columns += term.Width(x.text)
	}
	return columns
}
