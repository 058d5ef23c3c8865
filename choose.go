package seshat

import (
	"context"
	"path/filepath"
	"slices"
	"strings"

	"github.com/seshat-dev/seshat/agent"
	"github.com/seshat-dev/seshat/internal/project"
	"github.com/seshat-dev/seshat/internal/search"
	"github.com/seshat-dev/seshat/record"
)

// order puts sources in order and leaves out those of projects that are excluded or
// not asked for. The project of a subagent is its session's, wherever the subagent
// worked.
func (l *Library) order(ctx context.Context, w *world, q Selection, srcs []search.Source, test agent.ByteTest, tally *search.Tally) ([]search.Source, error) {
	seq, err := w.memory.looks(len(srcs)).Order(ctx, srcs, l.opts.Workers, test)
	if err != nil {
		return nil, err
	}
	w.places.saw(seq.Heads)
	if q.Newest {
		turn(seq.Sources)
	}
	if len(l.config.Exclude) == 0 && !q.byProject() {
		return seq.Sources, nil
	}
	if q.Here {
		w.places.Of(record.Origin{CWD: l.opts.WorkDir}) // a main checkout alone may tell whose a repository kept apart is
	}
	began := w.places.begun(ctx)
	wanted := w.places.wanted(q)
	var kept []search.Source
	for _, s := range seq.Sources {
		f := w.places.families[s.Family]
		switch {
		case s.Family == "":
		case l.excluded(f, began[s.Family].CWD):
			tally.Hidden().Excluded++
			continue
		case !wanted(f) && (f.Key != "" || opens(s)):
			continue // one that cannot be read may be of any project, and will say so
		}
		kept = append(kept, s)
	}
	return kept, nil
}

// turn puts the newest sessions first. The sources of a session stay as they are, and
// those that belong to none stay behind.
func turn(srcs []search.Source) {
	end := len(srcs)
	for end > 0 && srcs[end-1].Family == "" {
		end--
	}
	slices.Reverse(srcs[:end])
	for i := 0; i < end; {
		n := i + 1
		for n < end && srcs[n].Family == srcs[i].Family {
			n++
		}
		slices.Reverse(srcs[i:n])
		i = n
	}
}

// opens reports whether a source can be read at all.
func opens(s search.Source) bool {
	if s.Problem != "" {
		return false
	}
	f, err := s.Open()
	if err != nil {
		return false
	}
	f.Close()
	return true
}

// byProject reports whether only some projects are asked for.
func (q Selection) byProject() bool { return q.Here || len(q.Projects) > 0 }

// checkPlace refuses a choice by place that cannot be meant.
func (l *Library) checkPlace(q Selection) error {
	switch {
	case q.Here && l.opts.WorkDir == "":
		return usagef("--here needs a current folder, and that is not known; give --project instead")
	case slices.Contains(q.Projects, ""), slices.Contains(q.Branches, ""):
		return usagef("a project or a branch is asked for by a name that is empty")
	}
	for _, value := range q.Projects {
		if l.opts.WorkDir == "" && fromHere(value) {
			return usagef("--project %s needs a current folder, and that is not known; give the whole path instead", value)
		}
	}
	return nil
}

// ranOn reports whether a record is of a wanted branch. One that names none is of none.
func (q Selection) ranOn(r *record.Record) bool {
	return len(q.Branches) == 0 || r.Origin.Branch != "" && slices.ContainsFunc(q.Branches, func(b string) bool { return project.Matches(b, r.Origin.Branch) })
}

// wanted gives the test for the projects that are asked for.
func (p *places) wanted(q Selection) func(project.Found) bool {
	if !q.byProject() {
		return func(project.Found) bool { return true }
	}
	var filters []project.Filter
	for _, value := range q.Projects {
		filters = append(filters, p.Filter(p.l.filterPath(value)))
	}
	here := ""
	if q.Here {
		keys := map[string]bool{}
		for _, f := range p.families {
			keys[f.Key] = true
		}
		here = p.Here(p.l.opts.WorkDir, keys)
	}
	return func(f project.Found) bool {
		if q.Here && (f.Key == "" || f.Key != here) {
			return false
		}
		for _, filter := range filters {
			if filter.Match(f) {
				return true
			}
		}
		return len(filters) == 0
	}
}

// filterPath resolves what is asked for where it starts in the current folder.
func (l *Library) filterPath(value string) string {
	if fromHere(value) {
		return l.env("").Abs(value)
	}
	return value
}

// fromHere reports whether a path says that it starts in the current folder.
func fromHere(value string) bool {
	first, _, _ := strings.Cut(filepath.ToSlash(value), "/")
	return first == "." || first == ".."
}

// among leaves of some sessions those of the projects that are asked for.
func (p *places) among(q Selection, list []listed) []listed {
	if !q.byProject() {
		return list
	}
	for _, s := range list { // a folder that only a prompt log names is a project too
		p.families[s.Handle] = s.project
	}
	wanted := p.wanted(q)
	return slices.DeleteFunc(list, func(s listed) bool { return !wanted(s.project) })
}
