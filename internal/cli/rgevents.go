package cli

import (
	"encoding/base64"
	"fmt"
	"time"
	"unicode/utf8"

	"github.com/seshat-dev/seshat"
	"github.com/seshat-dev/seshat/record"
)

// events prints matches in the schema of ripgrep's JSON output, so that programs
// written for it can read them.
type events struct {
	a       *app
	start   time.Time
	path    string
	inFile  eventStats
	all     eventStats
	printed uint64
}

// eventStats are ripgrep's figures of a search.
type eventStats struct {
	Elapsed      eventTime `json:"elapsed"`
	Searches     int       `json:"searches"`
	WithMatch    int       `json:"searches_with_match"`
	Bytes        int64     `json:"bytes_searched"`
	BytesPrinted uint64    `json:"bytes_printed"`
	MatchedLines int       `json:"matched_lines"`
	Matches      int       `json:"matches"`
}

type eventTime struct {
	Secs  int64  `json:"secs"`
	Nanos int64  `json:"nanos"`
	Human string `json:"human"`
}

func eventTimeOf(d time.Duration) eventTime {
	return eventTime{int64(d / time.Second), int64(d % time.Second), fmt.Sprintf("%.6fs", d.Seconds())}
}

// eventText is a text, or its bytes where it is not UTF-8.
type eventText struct {
	Text  *string `json:"text,omitempty"`
	Bytes string  `json:"bytes,omitempty"`
}

func eventTextOf(s string) eventText {
	if !utf8.ValidString(s) {
		return eventText{Bytes: base64.StdEncoding.EncodeToString([]byte(s))}
	}
	return eventText{Text: &s}
}

type event struct {
	Type string `json:"type"`
	Data any    `json:"data"`
}

type eventLine struct {
	Path       eventText      `json:"path"`
	Lines      eventText      `json:"lines"`
	LineNumber int            `json:"line_number"`
	Offset     int64          `json:"absolute_offset"`
	Submatches []eventSubject `json:"submatches"`
}

type eventSubject struct {
	Match eventText `json:"match"`
	Start int       `json:"start"`
	End   int       `json:"end"`
}

func newEvents(a *app, start time.Time) *events { return &events{a: a, start: start} }

func (e *events) print(kind string, data any) error {
	b, err := encode(event{kind, data})
	if err != nil {
		return err
	}
	n, err := e.a.out.Write(b)
	e.printed += uint64(n)
	return err
}

func (e *events) match(m *seshat.Match) error {
	if m.Record.Path != e.path {
		if err := e.endFile(); err != nil {
			return err
		}
		e.path = m.Record.Path
		e.inFile = eventStats{Searches: 1, WithMatch: 1, Bytes: m.Bytes}
		if err := e.print("begin", map[string]any{"path": eventTextOf(e.path)}); err != nil {
			return err
		}
	}
	for i := range m.Lines {
		if err := e.line(&m.Lines[i]); err != nil {
			return err
		}
	}
	return nil
}

func (e *events) line(l *seshat.Line) error {
	data := eventLine{Path: eventTextOf(e.path), Lines: eventTextOf(l.Text + "\n"), LineNumber: l.No, Offset: l.Offset, Submatches: []eventSubject{}}
	if l.Context {
		return e.print("context", data)
	}
	for _, r := range l.Ranges {
		if r[1] <= len(l.Text) {
			data.Submatches = append(data.Submatches, eventSubject{eventTextOf(l.Text[r[0]:r[1]]), r[0], r[1]})
		}
	}
	e.inFile.MatchedLines++
	e.inFile.Matches += len(data.Submatches)
	return e.print("match", data)
}

func (e *events) endFile() error {
	if e.path == "" {
		return nil
	}
	e.inFile.BytesPrinted = e.printed
	e.inFile.Elapsed = eventTimeOf(time.Since(e.start))
	e.all.WithMatch++
	e.all.MatchedLines += e.inFile.MatchedLines
	e.all.Matches += e.inFile.Matches
	err := e.print("end", map[string]any{"path": eventTextOf(e.path), "binary_offset": nil, "stats": e.inFile})
	e.path = ""
	return err
}

// end prints ripgrep's own summary, and seshat's on stderr.
func (e *events) end(ans *record.Answer, took time.Duration) error {
	if err := e.endFile(); err != nil {
		return err
	}
	e.all.Searches, e.all.Bytes, e.all.BytesPrinted = ans.Sources.Read, ans.Bytes, e.printed
	e.all.Elapsed = eventTimeOf(took)
	if err := e.print("summary", map[string]any{"elapsed_total": eventTimeOf(took), "stats": e.all}); err != nil {
		return err
	}
	if err := e.a.out.Flush(); err != nil {
		return err
	}
	b, err := encode(ans.JSON(e.a.path))
	if err != nil {
		return err
	}
	if !e.a.quiet {
		e.a.progress.clear()
		_, _ = e.a.p.Stderr.Write(b)
	}
	return exitOf(ans)
}
