package cli

import (
	"fmt"
	"strings"
	"time"

	"github.com/seshat-dev/seshat"
	"github.com/seshat-dev/seshat/internal/term"
	"github.com/seshat-dev/seshat/record"
)

// grepPrinter prints matches as ripgrep does.
type grepPrinter struct {
	a       *app
	g       *grepFlags
	number  bool
	header  bool
	path    string // of the source that matches are printed of
	lines   int    // matching ones of that source
	last    int    // index of the last line printed of the last record; -2 for none
	groups  bool   // context was asked for, so groups of lines are set apart
	sources int
	gone    int // of these, the ones that only the archive has
	records int
	total   int
}

func (a *app) grepPrinter(g *grepFlags) *grepPrinter {
	return &grepPrinter{
		a: a, g: g, last: -2,
		number: (g.number || a.tty || g.column) && !g.noNumber,
		header: (g.heading || a.tty) && !g.noHeading && !g.vimgrep,
		groups: g.before > 0 || g.after > 0 || g.context > 0,
	}
}

func (p *grepPrinter) match(m *seshat.Match) error {
	if m.Record.Path != p.path {
		p.endSource()
		p.beginSource(m.Record.Path, m.Record.Flags&record.Archived != 0)
	}
	p.records += m.Of
	p.total += m.Count
	if !p.g.only {
		p.lines += m.Count
	}
	for i := range m.Lines {
		if p.g.only {
			p.lines += len(m.Lines[i].Ranges)
		}
	}
	if p.g.count || p.g.list {
		return nil
	}
	fresh := true
	for i := range m.Lines {
		l := &m.Lines[i]
		if p.groups && !p.g.only && p.last >= -1 && (fresh || l.Index > p.last+1) {
			fmt.Fprintln(p.a.out, "--")
		}
		fresh, p.last = false, l.Index
		p.line(l)
	}
	if p.a.tty {
		return p.a.out.Flush()
	}
	return nil
}

func (p *grepPrinter) beginSource(path string, archived bool) {
	p.path, p.lines = path, 0
	mark := ""
	if archived {
		mark = p.a.paint.Paint(term.Dim, " (archived)")
		p.gone++
	}
	switch {
	case p.g.list:
		fmt.Fprintln(p.a.out, term.Line(path))
	case p.g.count:
	case p.header:
		if p.sources > 0 {
			fmt.Fprintln(p.a.out)
		}
		p.last = -2 // the heading sets the groups apart
		fmt.Fprintln(p.a.out, p.a.paint.Paint(term.Place, term.Line(p.a.path(path)))+mark)
	}
	p.sources++
}

func (p *grepPrinter) endSource() {
	if p.g.count && p.lines > 0 {
		fmt.Fprintf(p.a.out, "%s:%d\n", p.a.paint.Paint(term.Place, term.Line(p.a.path(p.path))), p.lines)
	}
}

// line prints one line of a record, or what matches in it.
func (p *grepPrinter) line(l *seshat.Line) {
	switch {
	case p.g.vimgrep && !p.g.only:
		for _, r := range l.Ranges {
			p.prefix(l, r[0])
			fmt.Fprintln(p.a.out, p.a.highlight(l))
		}
		if len(l.Ranges) == 0 {
			p.prefix(l, 0)
			fmt.Fprintln(p.a.out, p.a.highlight(l))
		}
	case p.g.only:
		for _, r := range l.Ranges {
			if r[0] < r[1] && r[1] <= len(l.Text) {
				p.prefix(l, r[0])
				fmt.Fprintln(p.a.out, p.a.paint.Paint(term.Hit, term.Text(l.Text[r[0]:r[1]])))
			}
		}
	default:
		column := 0
		if len(l.Ranges) > 0 {
			column = l.Ranges[0][0]
		}
		p.prefix(l, column)
		fmt.Fprintln(p.a.out, p.a.highlight(l))
	}
}

// prefix prints what stands before the text of a line: path, number, column.
func (p *grepPrinter) prefix(l *seshat.Line, column int) {
	sep := ":"
	if l.Context {
		sep = "-"
	}
	if !p.header {
		path := p.a.path(p.path)
		if p.g.vimgrep {
			path = p.path
		}
		fmt.Fprint(p.a.out, p.a.paint.Paint(term.Place, term.Line(path)), sep)
	}
	if p.number || p.g.vimgrep {
		fmt.Fprint(p.a.out, p.a.paint.Paint(term.Count, fmt.Sprint(l.No)), sep)
	}
	if (p.g.column || p.g.vimgrep) && !l.Context {
		fmt.Fprint(p.a.out, column+1, sep)
	}
}

// highlight makes a line safe and sets its matches off.
func (a *app) highlight(l *seshat.Line) string {
	text := strings.TrimSuffix(l.Text, "\r")
	if !a.paint {
		return term.Text(text)
	}
	var out strings.Builder
	at := 0
	for _, r := range l.Ranges {
		from, to := min(r[0], len(text)), min(r[1], len(text))
		if from < at || from == to {
			continue
		}
		out.WriteString(term.Text(text[at:from]))
		out.WriteString(a.paint.Paint(term.Hit, term.Text(text[from:to])))
		at = to
	}
	out.WriteString(term.Text(text[at:]))
	return out.String()
}

func (p *grepPrinter) end(ans *record.Answer, took time.Duration) error {
	p.endSource()
	if p.g.stats {
		fmt.Fprintf(p.a.out, "\n%s matched in %s\n%s with a match, %s read\n%s read\n%s\n",
			plural(p.total, "line"), plural(p.records, "record"), plural(p.sources, "file"), plural(ans.Sources.Read, "file"),
			bytesText(ans.Bytes), took.Round(time.Millisecond))
	}
	err := p.a.finish(ans)
	p.a.goneNote(p.gone)
	return err
}

// goneNote says that some of the paths that were printed lead to nothing on the disk.
func (a *app) goneNote(files int) {
	switch {
	case files == 1:
		a.note("1 file is only in the archive, not on disk any more; seshat show reads it all the same")
	case files > 1:
		a.note("%d files are only in the archive, not on disk any more; seshat show reads them all the same", files)
	}
}
