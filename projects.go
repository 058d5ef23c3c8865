package seshat

import (
	"context"
	"slices"
	"sort"
	"strings"
	"time"

	"github.com/seshat-dev/seshat/internal/project"
	"github.com/seshat-dev/seshat/record"
)

// Worktree is one working tree beside a repository's main one.
type Worktree = project.Worktree

// Project is a repository, or a folder, with the sessions that worked on it.
type Project struct {
	Name       string
	Root       string     // empty where only a worktree tells of the repository
	Worktrees  []Worktree // that git lists or sessions ran in
	Agents     []string
	Sessions   int
	Archived   int          // of these, the ones that only the archive has
	Decided    []project.By // how each of the sessions' places was found to be of it
	LastActive time.Time
}

// JSON gives the value that encoding/json writes as a seshat.project/1 object.
func (p *Project) JSON(h record.Home) any {
	type worktree struct {
		Path   string `json:"path"`
		Branch string `json:"branch,omitempty"`
		Gone   bool   `json:"gone,omitempty"`
	}
	trees := make([]worktree, len(p.Worktrees))
	for i, w := range p.Worktrees {
		trees[i] = worktree{h.Short(w.Path), w.Branch, w.Gone}
	}
	return struct {
		Schema     string       `json:"schema"`
		Name       string       `json:"name"`
		Root       string       `json:"root,omitempty"`
		Worktrees  []worktree   `json:"worktrees"`
		Agents     []string     `json:"agents"`
		Sessions   int          `json:"sessions"`
		Archived   int          `json:"archived,omitempty"`
		Decided    []project.By `json:"decided"`
		LastActive record.Stamp `json:"last_active,omitzero"`
	}{record.ProjectSchema, p.Name, h.Short(p.Root), trees, p.Agents, p.Sessions, p.Archived, p.Decided, record.Stamp(p.LastActive)}
}

// Projects lists the projects that sessions worked on, the last active first. All
// sessions count, however they were run. Those whose place nothing tells have none.
func (l *Library) Projects(ctx context.Context, q SessionQuery) ([]*Project, *record.Answer, error) {
	q.All = true
	w, list, tally, err := l.list(ctx, q)
	if err != nil {
		return nil, nil, err
	}
	byKey := map[string]*Project{}
	trees := map[string]map[string]string{} // by project, the worktrees with a branch of each
	var out []*Project
	for _, s := range list {
		f := s.project
		if f.Key == "" {
			continue
		}
		p := byKey[f.Key]
		if p == nil {
			p = &Project{Name: f.Name, Root: f.Root}
			byKey[f.Key], trees[f.Key] = p, map[string]string{}
			out = append(out, p)
		}
		p.add(s)
		if _, known := trees[f.Key][f.Worktree]; f.Worktree != "" && !known {
			trees[f.Key][f.Worktree] = s.Origin.Branch
		}
	}
	for key, p := range byKey {
		p.Worktrees = w.places.Worktrees(p.Root, trees[key])
	}
	sort.SliceStable(out, func(i, j int) bool {
		if a, b := out[i].LastActive, out[j].LastActive; !a.Equal(b) {
			return a.After(b)
		}
		return out[i].Root < out[j].Root
	})
	tally.Match(len(out))
	x := l.redaction()
	for _, p := range out {
		p.redact(x)
	}
	return out, x.answer(tally.Answer()), nil
}

func (p *Project) redact(x *redaction) {
	p.Name, p.Root = x.line(p.Name), x.line(p.Root)
	for i := range p.Worktrees {
		w := &p.Worktrees[i]
		w.Path, w.Branch = x.line(w.Path), x.line(w.Branch)
	}
}

// add counts a session, the newest first.
func (p *Project) add(s *listed) {
	if p.Sessions++; s.State == record.StateArchived {
		p.Archived++
	}
	if !slices.Contains(p.Agents, s.Agent) {
		p.Agents = append(p.Agents, s.Agent)
		sort.Strings(p.Agents)
	}
	if s.LastActive.After(p.LastActive) {
		p.LastActive = s.LastActive
	}
	if p.Root != s.project.Root && capitals(s.project.Root) > capitals(p.Root) {
		p.Name, p.Root = s.project.Name, s.project.Root // where case is lost, who kept it knows better
	}
	if !slices.Contains(p.Decided, s.project.By) {
		p.Decided = append(p.Decided, s.project.By)
		slices.SortFunc(p.Decided, func(a, b project.By) int {
			return slices.Index(project.Ways(), a) - slices.Index(project.Ways(), b)
		})
	}
}

// capitals counts the characters of a path that lower case would change.
func capitals(p string) int {
	lower, n := []rune(strings.ToLower(p)), 0
	for i, r := range []rune(p) {
		if i < len(lower) && lower[i] != r {
			n++
		}
	}
	return n
}
