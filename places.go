package seshat

import (
	"context"
	"maps"
	"slices"
	"strings"
	"sync"

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
	ctx      context.Context                 // of the question
	heads    map[*agent.Source]agent.Head    // of transcripts, as far as they were read
	dirs     []string                        // the working folders that these tell, when all were read
	learned  bool                            // what follows is known
	firsts   []search.Source                 // of each session, the source that tells where it ran
	told     map[*agent.Source]agent.Told    // what these, and all transcripts, say of their places
	heard    sync.Map                        // likewise, what a reading for something else told meanwhile
	settled  map[*agent.Source]record.Origin // where more than the transcript was asked
	families map[string]project.Found        // projects of sessions, where they are chosen by project
	beside   map[string][]search.Source      // a source of each session, by the folder it lies in, likewise
}

func (l *Library) newPlaces(ctx context.Context, w *world) *places {
	p := &places{
		l: l, w: w, ctx: ctx, heads: map[*agent.Source]agent.Head{}, settled: map[*agent.Source]record.Origin{},
	}
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

// saw notes the heads of some transcripts. The map is the caller's no more.
func (p *places) saw(heads map[*agent.Source]agent.Head) {
	if len(p.heads) == 0 {
		p.heads = heads
		return
	}
	maps.Copy(p.heads, heads)
}

// readHeads reads the heads of all transcripts that were not read yet.
func (p *places) readHeads(ctx context.Context) {
	var unread []search.Source
	for _, s := range p.w.sources {
		alone := s.Subagent != "" && !p.w.led[s.Family]
		if _, known := p.heads[s.Source]; known || !s.Transcript() && !alone || s.Problem != "" {
			continue
		}
		if e := p.w.memory.current(s); e != nil {
			p.heads[s.Source] = e.Head
			continue
		}
		unread = append(unread, s)
	}
	work := func(ctx context.Context, s search.Source, emit func(agent.Head) error) error {
		head, _ := s.Adapter.Head(ctx, s.Source) // reading it says what is wrong with it
		return emit(head)
	}
	_ = search.Ordered(ctx, unread, p.l.opts.Workers, work, func(s search.Source, head agent.Head) error {
		p.heads[s.Source] = head
		return nil
	})
}

// known gives the working folders of all sessions, each once.
func (p *places) known(ctx context.Context) []string {
	if p.dirs != nil {
		return p.dirs
	}
	p.readHeads(ctx)
	seen := map[string]bool{"": true}
	for _, s := range p.w.sources { // in their order, so that the answer is always the same
		if cwd := p.heads[s.Source].CWD; !seen[cwd] {
			seen[cwd] = true
			p.dirs = append(p.dirs, cwd)
		}
	}
	return p.dirs
}

// Of gives the project of a place, when all transcripts have said what they know of
// worktrees: no answer depends on which of them were read before.
func (p *places) Of(o record.Origin) project.Found {
	p.learn()
	return p.Resolver.Of(o)
}

// learn reads what all transcripts say of where their sessions ran, as far as earlier
// runs did not keep it, and notes the worktrees that they tell of. It is done once,
// and only for a question that asks for projects.
func (p *places) learn() {
	if p.learned {
		return
	}
	p.learned = true
	p.readHeads(p.ctx)
	p.firsts = p.first()
	asked := make([]search.Source, 0, len(p.firsts))
	for _, s := range p.firsts {
		if !s.Transcript() {
			asked = append(asked, s)
		}
	}
	for _, s := range p.w.sources { // in their order, so that the answer is always the same
		if s.Transcript() {
			asked = append(asked, s)
		}
	}
	p.told = make(map[*agent.Source]agent.Told, len(asked))
	var unread []search.Source
	for _, s := range asked {
		if b := p.w.memory.known(s); b != nil {
			p.told[s.Source] = agent.Told{Origin: b.Session.Origin, Worktrees: b.Worktrees}
		} else if t, heard := p.heard.Load(s.Source); heard {
			p.told[s.Source] = t.(agent.Told)
		} else if s.Problem == "" {
			unread = append(unread, s)
		}
	}
	work := func(ctx context.Context, s search.Source, emit func(agent.Told) error) error {
		return emit(s.Adapter.Place(ctx, s.Source))
	}
	_ = search.Ordered(p.ctx, unread, p.l.opts.Workers, work, func(s search.Source, t agent.Told) error {
		p.told[s.Source] = t
		return nil
	})
	for _, s := range asked {
		for _, w := range p.told[s.Source].Worktrees {
			p.Link(w.Path, w.Repo)
		}
	}
}

// hear notes what a reading for something else told of a transcript's place. It may be
// called from many goroutines.
func (p *places) hear(src *agent.Source, t agent.Told) { p.heard.Store(src, t) }

// first gives of each session the source that tells where it ran: the one that a
// list of sessions takes it from. A subagent speaks only where no transcript is left.
func (p *places) first() []search.Source {
	firsts := make([]search.Source, 0, len(p.w.led))
	at := make(map[string]int, len(p.w.led))
	for _, s := range p.w.sources {
		if s.Family == "" || s.Problem != "" || !s.Transcript() && (s.Subagent == "" || p.w.led[s.Family]) {
			continue
		}
		i, known := at[s.Family]
		switch {
		case !known:
			at[s.Family] = len(firsts)
			firsts = append(firsts, s)
		case search.Before(s, p.heads[s.Source], firsts[i], p.heads[firsts[i].Source]):
			firsts[i] = s
		}
	}
	return firsts
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
	p.readHeads(ctx)
	near := agent.Near{CWD: func(src *agent.Source) string { return p.heads[src].CWD }}
	near.Told = func(src *agent.Source) (agent.Told, bool) {
		t, known := p.told[src]
		return t, known
	}
	for _, s := range p.w.sources {
		near.Sources = append(near.Sources, s.Source)
	}
	work := func(ctx context.Context, s search.Source, emit func(record.Origin) error) error {
		return emit(s.Adapter.Locate(ctx, s.Source, near))
	}
	_ = search.Ordered(ctx, srcs, p.l.opts.Workers, work, func(s search.Source, o record.Origin) error {
		p.settled[s.Source] = o
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
// tell, the file beside its transcript may; that file speaks of no other's place.
func (p *places) locate(ctx context.Context, s search.Source, r *record.Record) {
	if s.Subagent != "" && r.Origin.CWD != "" && !p.Of(r.Origin).Sure {
		p.settle(ctx, s)
		o := r.Origin
		if o.Repo, o.Worktree = p.settled[s.Source].Repo, p.settled[s.Source].Worktree; p.Of(o).By == project.ByAgent {
			r.Origin = o
		}
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

// key gives what all places of one project have in common. Prompts are compared by
// it, which is no reason to read more than is read anyway.
func (p *places) key(o record.Origin) string { return p.Resolver.Of(o).Key }

// begun finds the projects of all sessions, and where each session began.
func (p *places) begun(ctx context.Context) map[string]record.Origin {
	p.learn()
	p.settle(ctx, slices.DeleteFunc(slices.Clone(p.firsts), func(s search.Source) bool {
		o := p.told[s.Source].Origin
		return o.CWD != "" || o.CWDHash != ""
	})...)
	origins := map[string]record.Origin{}
	p.families, p.beside = map[string]project.Found{}, map[string][]search.Source{}
	for _, s := range p.firsts {
		o := p.told[s.Source].Origin
		p.begin(ctx, s, &o)
		origins[s.Family], p.families[s.Family] = o, p.Of(o)
		p.beside[folderOf(s)] = append(p.beside[folderOf(s)], s)
	}
	return origins
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
