package cli

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/seshat-dev/seshat"
	"github.com/seshat-dev/seshat/internal/term"
	"github.com/seshat-dev/seshat/record"
)

// maxHits is how many records of a session are printed as text.
const maxHits = 3

// searchPrinter prints what a search finds for people.
type searchPrinter struct {
	a        *app
	q        seshat.SearchQuery
	width    int // of the terminal; 0 when there is none
	sessions int // printed, those that match loosely aside
	any      bool
}

func (p *searchPrinter) found(f *seshat.Found) error {
	out := p.a.out
	if p.any {
		fmt.Fprintln(out)
	}
	if p.any = true; !f.Loose {
		p.sessions++
	}
	p.line("", p.title(f))
	fmt.Fprintln(out, p.a.paint.Paint(term.Dim, strings.Join(p.facts(f), " · ")))
	if f.Session.State == record.StatePromptsOnly {
		fmt.Fprintln(out, p.a.paint.Paint(term.Warn, "The transcript is not on disk: only the prompts are left."))
	}
	archived := f.Session.State == record.StateArchived
	if p.q.Explain {
		p.explain("  ", f.Score, f.Why)
	}
	for i := range f.Hits {
		if i == maxHits && !f.Loose {
			fmt.Fprintln(out, p.a.paint.Paint(term.Dim, "  "+plural(len(f.Hits)-maxHits, "more record")))
			break
		}
		p.hit(&f.Hits[i], archived)
	}
	return nil
}

// title is a session's title with what was looked for in it, and with what sets the
// session apart.
func (p *searchPrinter) title(f *seshat.Found) []piece {
	var marks []string
	if f.Loose {
		marks = append(marks, "not all in one record")
	}
	marks = append(marks, sessionMarks(&f.Session)...)
	title := []piece{{"(no title)", term.Title}}
	if f.Session.Title != "" {
		title = lit(f.Session.Title, f.Title, term.Title)
	}
	return append([]piece{{marked(marks), term.Dim}}, title...)
}

func (p *searchPrinter) facts(f *seshat.Found) []string {
	when := f.Session.LastActive
	var out []string
	for _, fact := range []string{f.Session.Project.Name, minute(when), f.Session.Agent, f.Session.Handle} {
		if fact != "" {
			out = append(out, term.Line(fact))
		}
	}
	return out
}

// hit prints a record. archived says that its session is called that already.
func (p *searchPrinter) hit(h *seshat.Hit, archived bool) {
	r := h.Record
	name := h.Name
	if strings.ContainsAny(name, `/\`) {
		name = p.a.path(name)
	}
	head := []string{string(r.Kind)}
	if r.Tool != "" {
		head = append(head, r.Tool)
	}
	if r.Flags&record.Subagent != 0 {
		head = append(head, "subagent")
	}
	if r.Flags&record.Archived != 0 && !archived {
		head = append(head, "archived")
	}
	fmt.Fprintf(p.a.out, "  %s  %s\n", p.a.paint.Paint(term.Count, term.Line(name)), p.a.paint.Paint(term.Dim, term.Line(strings.Join(head, " "))+"  "+minute(r.Time)))
	text := lit(h.Snippet.Text, h.Snippet.Ranges, term.Plain)
	if h.Snippet.Before {
		text = append([]piece{{"…", term.Plain}}, text...)
	}
	if h.Snippet.After {
		text = append(text, piece{"…", term.Plain})
	}
	p.line("    ", text)
	if p.q.Explain {
		p.explain("    ", h.Score, h.Why)
	}
}

func (p *searchPrinter) explain(indent string, score float64, why []seshat.Part) {
	var parts []string
	for _, x := range why {
		parts = append(parts, fmt.Sprintf("%s %.3f", x.Name, x.Value))
	}
	fmt.Fprintln(p.a.out, indent+p.a.paint.Paint(term.Dim, fmt.Sprintf("score %.3f: %s", score, strings.Join(parts, ", "))))
}

// searchJSON prints what a search finds as objects: records, and the sessions that
// only their title speaks for.
func (a *app) searchJSON(cmd *cobra.Command, s *searchFlags, lib *seshat.Library, q seshat.SearchQuery) error {
	items := a.start(s.form)
	ans, err := lib.Search(cmd.Context(), q, func(f *seshat.Found) error {
		if len(f.Hits) == 0 {
			return items.addWith(f.Session.JSON(a.path), extras(f.Loose, q.Explain, f.Score, f.Why))
		}
		for i := range f.Hits {
			h := &f.Hits[i]
			if err := items.addWith(h.Record.JSON(a.path), extras(f.Loose, q.Explain, h.Score, h.Why)); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	a.hints(q.Query, ans.Matches)
	if err := items.endWith(ans.Answer, suggestions(ans)); err != nil && ans.Loose == 0 {
		return err
	}
	return nil
}

// found is what search adds to the objects that it prints.
type found struct {
	Loose bool               `json:"loose,omitempty"`
	Score *float64           `json:"score,omitempty"`
	Why   map[string]float64 `json:"why,omitempty"`
}

func extras(loose, explain bool, score float64, why []seshat.Part) any {
	x := found{Loose: loose}
	if explain {
		x.Score, x.Why = &score, map[string]float64{}
		for _, p := range why {
			x.Why[p.Name] = p.Value
		}
	}
	return x
}

// suggestions is what search adds to the summary where nothing matches.
func suggestions(ans *seshat.SearchAnswer) any {
	var x struct {
		Near   []string `json:"near,omitempty"`
		Titles []string `json:"titles,omitempty"`
	}
	for _, n := range ans.Near {
		x.Near = append(x.Near, n.Word)
	}
	for _, s := range ans.Titles {
		x.Titles = append(x.Titles, s.Handle)
	}
	return x
}

// addWith prints one object with the members of another behind its own.
func (it *items) addWith(v, more any) error {
	b, err := encodeWith(v, more)
	if err != nil {
		return err
	}
	return it.write(b)
}

func encodeWith(v, more any) ([]byte, error) {
	b, err := encode(v)
	if err != nil {
		return nil, err
	}
	m, err := encode(more)
	if err != nil {
		return nil, err
	}
	if m = bytes.TrimSpace(m); len(m) == len("{}") {
		return b, nil
	}
	b = bytes.TrimSuffix(bytes.TrimSpace(b), []byte("}"))
	return append(append(append(b, ','), m[1:]...), '\n'), nil
}

// endWith prints the summary of an answer with further members, and gives its exit
// code.
func (it *items) endWith(ans *record.Answer, more any) error {
	b, err := encodeWith(ans.JSON(it.a.path), more)
	if err != nil {
		return err
	}
	return it.endEncoded(b, ans)
}
