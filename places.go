package seshat

import (
	"context"
	"slices"
	"strings"

	"github.com/seshat-dev/seshat/agent"
	"github.com/seshat-dev/seshat/internal/project"
	"github.com/seshat-dev/seshat/internal/search"
	"github.com/seshat-dev/seshat/record"
)

// places knows where the sessions of a world ran, and which projects these places
// are. It lives as long as one question.
type places struct {
	*project.Resolver
	l        *Library
	w        *world
	heads    map[*agent.Source]agent.Head    // of transcripts, as far as they were read
	settled  map[*agent.Source]record.Origin // where more than the head was asked
	families map[string]project.Found        // projects of sessions, where they are chosen by project
	beside   map[string][]search.Source      // a source of each session, by the folder it lies in, likewise
}

func (l *Library) newPlaces(ctx context.Context, w *world) *places {
	p := &places{l: l, w: w, heads: map[*agent.Source]agent.Head{}, settled: map[*agent.Source]record.Origin{}}
	c := project.Config{FS: l.gitDisk(), Home: l.opts.Home, GOOS: l.opts.GOOS, Known: func() []string { return p.known(ctx) }}
	for _, rule := range l.config.Projects {
		if rule.Problem() == "" {
			c.Rules = append(c.Rules, project.Rule{Prefix: l.abs(rule.Prefix), Root: l.abs(rule.Root)})
		}
	}
	p.Resolver = project.New(c)
	return p
}

// abs resolves the path of a rule or a filter: one that is written for another
// platform stays as it is.
func (l *Library) abs(path string) string {
	if project.Windows(path) {
		return path
	}
	return l.env("").Abs(path)
}

// known gives the working folders of all sessions, each once.
func (p *places) known(ctx context.Context) []string {
	var unread []search.Source
	for _, s := range p.w.sources {
		alone := s.Subagent != "" && p.w.shared[s.Agent+":"+s.Session] == 0
		if _, known := p.heads[s.Source]; !known && (s.Transcript() || alone) && s.Problem == "" {
			unread = append(unread, s)
		}
	}
	work := func(ctx context.Context, s search.Source, emit func(agent.Head) error) error {
		head, _ := s.Adapter.Head(ctx, s.Source) // reading it says what is wrong with it
		return emit(head)
	}
	_ = search.Ordered(ctx, unread, p.l.opts.Workers, work, func(s search.Source, head agent.Head) error {
		p.heads[s.Source] = head
		return nil
	})
	var dirs []string
	seen := map[string]bool{"": true}
	for _, s := range p.w.sources { // in their order, so that the answer is always the same
		if cwd := p.heads[s.Source].CWD; !seen[cwd] {
			seen[cwd] = true
			dirs = append(dirs, cwd)
		}
	}
	return dirs
}

// link notes the worktrees that a transcript tells of.
func (p *places) link(worktrees []agent.Worktree) {
	for _, w := range worktrees {
		p.Link(w.Path, w.Repo)
	}
}

// settle asks everything that stands near some transcripts where they ran.
func (p *places) settle(ctx context.Context, srcs ...search.Source) {
	srcs = slices.DeleteFunc(srcs, func(s search.Source) bool {
		_, done := p.settled[s.Source]
		return done || s.Problem != ""
	})
	if len(srcs) == 0 {
		return
	}
	p.known(ctx)
	near := agent.Near{CWD: func(src *agent.Source) string { return p.heads[src].CWD }}
	for _, s := range p.w.sources {
		near.Sources = append(near.Sources, s.Source)
	}
	work := func(ctx context.Context, s search.Source, emit func(record.Origin) error) error {
		return emit(s.Adapter.Locate(ctx, s.Source, near))
	}
	_ = search.Ordered(ctx, srcs, p.l.opts.Workers, work, func(s search.Source, o record.Origin) error {
		p.settled[s.Source] = o
		p.Link(o.Worktree, o.Repo)
		return nil
	})
}

// begin completes where a session began, where its transcript does not say.
func (p *places) begin(ctx context.Context, s search.Source, o *record.Origin) {
	if o.CWD != "" || o.CWDHash != "" {
		return
	}
	p.settle(ctx, s)
	if found := p.settled[s.Source]; found.CWD != "" {
		branch := o.Branch
		if *o = found; branch != "" {
			o.Branch = branch
		}
	}
}

// complete puts into an origin what is known of its place.
func (p *places) complete(o *record.Origin) project.Found {
	f := p.Of(*o)
	if o.CWD == "" && o.CWDHash != "" && f.Root != "" {
		o.CWD, o.CWDHash = p.Folder(o.CWDHash), ""
	}
	if f.Repo {
		o.Repo, o.Worktree = f.Root, f.Worktree
	}
	if o.Branch == "" {
		o.Branch = f.Branch
	}
	return f
}

// locate completes the origin of a record. What a subagent's own place does not
// tell, the file beside its transcript may.
func (p *places) locate(ctx context.Context, s search.Source, r *record.Record) {
	if s.Subagent != "" && r.Origin.CWD != "" && !p.Of(r.Origin).Sure {
		p.settle(ctx, s)
	}
	p.complete(&r.Origin)
}

// listed gives a session with its project.
func (p *places) listed(s record.Session) listed {
	f := p.complete(&s.Origin)
	s.Project = f.Project
	out := listed{Session: s, project: f}
	if s.Origin.Branch != "" {
		out.branches = []string{s.Origin.Branch}
	}
	return out
}

// key gives what all places of one project have in common.
func (p *places) key(o record.Origin) string { return p.Of(o).Key }

// begun finds the projects of all sessions, and where each session began.
func (p *places) begun(ctx context.Context) map[string]record.Origin {
	p.known(ctx)
	var first []search.Source // of each session, the source that tells
	at := map[string]int{}
	for _, s := range p.w.sources {
		if s.Family == "" || !s.Transcript() && s.Subagent == "" {
			continue
		}
		i, known := at[s.Family]
		switch {
		case !known:
			at[s.Family] = len(first)
			first = append(first, s)
		case p.tells(s) > p.tells(first[i]):
			first[i] = s
		}
	}
	p.settle(ctx, slices.DeleteFunc(slices.Clone(first), func(s search.Source) bool {
		return p.Of(record.Origin{CWD: p.heads[s.Source].CWD}).Sure
	})...)
	origins := map[string]record.Origin{}
	p.families, p.beside = map[string]project.Found{}, map[string][]search.Source{}
	for _, s := range first { // when all have said what they know of worktrees
		o := p.settled[s.Source]
		if o.CWD == "" && o.CWDHash == "" {
			o = record.Origin{CWD: p.heads[s.Source].CWD}
		}
		origins[s.Family], p.families[s.Family] = o, p.Of(o)
		p.beside[folderOf(s)] = append(p.beside[folderOf(s)], s)
	}
	return origins
}

// tells ranks the sources of a session by what they tell of its place.
func (p *places) tells(s search.Source) int {
	n := 0
	if p.heads[s.Source].CWD != "" {
		n += 2
	}
	if s.Transcript() {
		n++
	}
	return n
}

// around gives the project of a source that belongs to no session's transcripts:
// that of what it holds, else of the session or of all sessions in its folder.
func (p *places) around(s search.Source, o record.Origin) project.Found {
	f := p.Of(o)
	if f.Key != "" || s.Store.Role == promptHistory {
		return f
	}
	several := false
	for i, other := range p.beside[folderOf(s)] {
		found := p.families[other.Family]
		if s.Session != "" && other.Session == s.Session {
			return found
		}
		several = several || i > 0 && f.Key != found.Key
		f = found
	}
	if several {
		return project.Found{} // the folder's name stands for all of them
	}
	return f
}

// folderOf names the folder of a project that a source lies in.
func folderOf(s search.Source) string {
	parts := strings.SplitN(s.Name, "/", 3)
	return s.Root.Dir() + "\x00" + strings.Join(parts[:min(2, len(parts))], "/")
}
