package seshat

import (
	"cmp"
	"context"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/seshat-dev/seshat/agent"
	"github.com/seshat-dev/seshat/catalog"
	"github.com/seshat-dev/seshat/internal/cache"
	"github.com/seshat-dev/seshat/internal/config"
	"github.com/seshat-dev/seshat/internal/own"
	"github.com/seshat-dev/seshat/internal/search"
)

// memory is what earlier runs found out about the sources of a world, and what this
// run does.
type memory struct {
	l    *Library
	dir  string    // of the cache; empty when there is none
	kept *keptView // nil where there is no archive

	// listing says that sessions are listed: what is found out is kept, and a
	// transcript whose head is wanted is briefed at once, so that it is opened once.
	// Where a config excludes projects only the head of a transcript may be read.
	listing bool
	ahead   bool

	shelves map[string]func() *cache.Shelf // by agent
	entries map[*agent.Source]*cache.Entry // those whose brief is believed
	mu      sync.Mutex                     // of what follows
	read    map[*agent.Source]search.Told  // briefs that this run has read
	held    map[string]int                 // by agent, how many of the listed sources have a brief that was kept
	done    int                            // how many were read
	total   int                            // how many there are to read
	listed  []search.Told                  // what was listed
}

// cacheDir gives the folder of the cache, or nothing: nothing is ever written
// below a folder of an agent.
func (l *Library) cacheDir() string {
	if l.opts.Build == "" {
		return ""
	}
	dir := config.CacheDir(l.opts.GOOS, l.opts.Home, l.opts.WorkDir, l.opts.Vars)
	if dir == "" || !filepath.IsAbs(dir) {
		return ""
	}
	if !l.outsideAgents(cache.Folder(dir)) {
		return ""
	}
	return dir
}

// outsideAgents reports whether a folder, made or not, lies in no folder of an agent,
// its links followed or not.
func (l *Library) outsideAgents(dir string) bool {
	data := l.dataFolders()
	for _, d := range data {
		// A repository may hold a folder of that name too.
		base := filepath.Base(d)
		for _, at := range []string{dir, own.Followed(dir)} {
			if strings.HasPrefix(base, ".") && slices.Contains(strings.Split(filepath.ToSlash(at), "/"), base) {
				return false
			}
		}
	}
	return own.Outside(dir, data)
}

// dataFolders lists every folder that an agent may keep its data in.
func (l *Library) dataFolders() []string {
	var data []string
	for _, a := range l.all {
		for _, p := range l.everyPlace(a) {
			if p.Head == catalog.Data || p.Head == catalog.UserData || p.Head == catalog.System {
				data = append(data, p.Dir)
			}
		}
	}
	return data
}

// memory gives what is known, of which nothing is read yet.
func (l *Library) memory(k *keptView) *memory {
	return &memory{l: l, kept: k, shelves: map[string]func() *cache.Shelf{}, read: map[*agent.Source]search.Told{}}
}

// open begins to read what is kept of all sources, and does not wait for it.
func (m *memory) open() {
	m.dir = m.l.cacheDir()
	for _, a := range m.l.adapters {
		var places []string
		for _, p := range a.Places(m.l.env(a.Name())) {
			places = append(places, string(p.Head)+" "+p.Dir)
		}
		shelf := sync.OnceValue(func() *cache.Shelf { return cache.Open(m.dir, m.l.opts.Build, a.Name(), places) })
		m.shelves[a.Name()] = shelf
		if m.dir != "" {
			go func() {
				defer func() { _ = recover() }() // whoever asks for it will hear of it
				shelf()
			}()
		}
	}
}

func (m *memory) shelf(name string) *cache.Shelf { return m.shelves[name]() }

// current gives the entry of a source while that is the same, or nil.
func (m *memory) current(s search.Source) *cache.Entry {
	if len(m.shelves) == 0 {
		m.open()
	}
	return m.shelf(s.Agent).Current(s.Source, s.Adapter.Elsewhere(s.Source))
}

// looks are how so many sources are put in order: by what is known where that will
// do.
func (m *memory) looks(n int) search.Looks {
	if len(m.shelves) == 0 {
		m.open()
	}
	m.entries = make(map[*agent.Source]*cache.Entry, n)
	if m.dir == "" && !m.ahead {
		return search.Looks{}
	}
	return search.Looks{Known: m.head, Head: m.readHead, IDs: m.readIDs}
}

// head gives the head of a source that is known. It is called before anything is
// read.
func (m *memory) head(s search.Source) (agent.Head, bool) {
	e := m.current(s)
	switch {
	case e == nil:
	case !m.listing || !s.Transcript():
		return e.Head, true
	case e.Fits(s.Source, s.Adapter.Beside(s.Source)):
		m.entries[s.Source] = e
		return e.Head, true
	case !m.ahead:
		return e.Head, true
	}
	m.total++
	return agent.Head{}, false
}

// readHead reads the head of a source, and with it the brief where that will be
// wanted.
func (m *memory) readHead(ctx context.Context, s search.Source) (agent.Head, error) {
	if m.ahead && s.Transcript() {
		b, err := m.brief(ctx, s)
		m.note(search.Told{Source: s, Brief: &b, Err: err})
		if m.progress(); err == nil {
			return b.Head, nil
		}
		return s.Adapter.Head(ctx, s.Source)
	}
	began := time.Now()
	h, err := s.Adapter.Head(ctx, s.Source)
	if err == nil && m.listing && m.dir != "" && m.kept.hurtBy(s.Source) == nil {
		m.shelf(s.Agent).Put(s.Source, cache.Entry{Elsewhere: s.Adapter.Elsewhere(s.Source), File: cache.IdentityOf(h.Info), Head: h}, began)
	}
	if m.ahead {
		m.progress()
	}
	return h, err
}

// note keeps a brief for what this run still asks of its source.
func (m *memory) note(t search.Told) {
	m.mu.Lock()
	m.read[t.Source.Source] = t
	m.mu.Unlock()
}

// progress tells that one more source was read.
func (m *memory) progress() {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.done++; m.l.opts.Progress != nil {
		m.l.opts.Progress(m.done, m.total)
	}
}

// brief reads the brief of a source and keeps it.
func (m *memory) brief(ctx context.Context, s search.Source) (agent.Brief, error) {
	if m.dir == "" {
		b, err := s.Adapter.Brief(ctx, s.Source)
		return b, cmp.Or(err, m.kept.hurtBy(s.Source))
	}
	beside := s.Adapter.Beside(s.Source)
	began := time.Now()
	before, ok := cache.LookBeside(s.Source, beside)
	b, err := s.Adapter.Brief(ctx, s.Source)
	err = cmp.Or(err, m.kept.hurtBy(s.Source))
	after, still := cache.LookBeside(s.Source, beside)
	if err != nil || !ok || !still || !slices.Equal(before, after) {
		m.shelf(s.Agent).Drop(s.Path)
		return b, err
	}
	e := cache.Entry{Elsewhere: s.Adapter.Elsewhere(s.Source), File: cache.IdentityOf(b.Head.Info), Beside: before}
	e.SetBrief(b)
	if old := m.current(s); old != nil && old.File == e.File {
		e.Ties = old.Ties // read when it was put in order
	}
	m.shelf(s.Agent).Put(s.Source, e, began)
	return b, nil
}

// readIDs gives the ids of a transcript, which settle the order of sessions that
// began at one time.
func (m *memory) readIDs(ctx context.Context, s search.Source) ([]agent.Identified, error) {
	if e := m.current(s); e != nil && e.Ties != nil {
		return e.Ties, nil
	}
	began := time.Now()
	ids, err := s.Adapter.IDs(ctx, s.Source)
	if err == nil {
		m.amend(s, began, func(e *cache.Entry) { e.Ties = append([]agent.Identified{}, ids...) })
	}
	return ids, err
}

// amend adds to the entry of a source, if the source is still what it was.
func (m *memory) amend(s search.Source, began time.Time, add func(*cache.Entry)) {
	e := m.current(s)
	if e == nil || !m.listing || m.kept.hurtBy(s.Source) != nil {
		return
	}
	if info, err := s.Root.Stat(s.Name); err != nil || cache.IdentityOf(info) != e.File {
		return
	}
	more := *e
	add(&more)
	m.shelf(s.Agent).Put(s.Source, more, began)
}

// briefs gives what is known of sources, in order, and reads what is not. Marks
// come with those that may hold records of another.
func (m *memory) briefs(ctx context.Context, srcs []search.Source) ([]search.Told, error) {
	all := make([]search.Told, len(srcs))
	ids := make([]idSet, len(srcs))
	var unread []search.Source
	var places []int
	m.held = map[string]int{}
	for i, s := range srcs {
		all[i].Source = s
		t, read := m.read[s.Source]
		e := m.believed(s)
		switch {
		case read:
			all[i], ids[i] = t, fresh(t.Brief)
		case e != nil:
			all[i].Brief, all[i].Marks, ids[i] = e.Brief, e.Marks, idSet{each: e.IDs}
			m.held[s.Agent]++
		default:
			unread, places = append(unread, s), append(places, i)
		}
	}
	m.done, m.total = 0, len(unread)
	told, err := search.Briefs(ctx, unread, m.l.opts.Workers, m.brief, m.progress)
	if err != nil {
		return nil, err
	}
	m.listed = all
	for i, t := range told {
		all[places[i]], ids[places[i]] = t, fresh(t.Brief)
		m.read[t.Source.Source] = t
	}
	return all, m.mark(ctx, all, ids)
}

// believed gives the entry of a source whose brief holds, or nil.
func (m *memory) believed(s search.Source) *cache.Entry {
	e := m.entries[s.Source]
	if e != nil || s.Problem != "" {
		return e
	}
	if e = m.current(s); e != nil && e.Fits(s.Source, s.Adapter.Beside(s.Source)) {
		return e
	}
	return nil
}

// known gives the brief of a source where that was read whole or need not be, or nil.
func (m *memory) known(s search.Source) *agent.Brief {
	m.mu.Lock()
	t, read := m.read[s.Source]
	m.mu.Unlock()
	if read {
		if t.Err != nil {
			return nil
		}
		return t.Brief
	}
	if e := m.believed(s); e != nil {
		return e.Brief
	}
	return nil
}

// bySource gives the briefs of what was listed.
func (m *memory) bySource() map[*agent.Source]*agent.Brief {
	briefs := make(map[*agent.Source]*agent.Brief, len(m.listed))
	for i := range m.listed {
		if t := &m.listed[i]; t.Err == nil && t.Brief != nil {
			briefs[t.Source.Source] = t.Brief
		}
	}
	return briefs
}

// mark finds the sources that share an id, and reads the marks of their records
// where they are not known. Among what was kept nothing is shared that is not
// marked.
func (m *memory) mark(ctx context.Context, all []search.Told, ids []idSet) error {
	shared := common(ids)
	var unmarked []int
	for i := range all {
		if shared[i] && all[i].Marks == nil {
			unmarked = append(unmarked, i)
		}
	}
	m.done, m.total = 0, len(unmarked)
	read := func(ctx context.Context, i int, emit func(agent.Summary) error) error {
		s, began := all[i].Source, time.Now()
		sum, err := s.Adapter.Summarize(ctx, s.Source)
		if err == nil {
			m.amend(s, began, func(e *cache.Entry) { e.Marks = kept(sum.Records) })
		} else if all[i].Err == nil {
			all[i].Err = err
		}
		return emit(sum)
	}
	return search.Ordered(ctx, unmarked, m.l.opts.Workers, read, func(i int, sum agent.Summary) error {
		all[i].Marks = kept(sum.Records)
		m.progress()
		return nil
	})
}

// kept gives what claiming needs of marks; it is never nil.
func kept(marks []agent.Marked) []agent.Marked {
	out := make([]agent.Marked, len(marks))
	for i, r := range marks {
		out[i] = agent.Marked{Stamp: r.Stamp, Kind: r.Kind, Count: r.Count}
	}
	return out
}

// idSet is the ids of one brief.
type idSet struct {
	each  func(yield func(uint64) bool)
	fresh bool // it was not compared with the others yet
}

func fresh(b *agent.Brief) idSet {
	return idSet{each: slices.Values(b.IDs), fresh: len(b.IDs) > 0}
}

// crowd is about how many ids are compared at once, which bounds the memory it takes.
const crowd = 1 << 18

// common reports for each set whether it shares an id with another, as far as one
// of the two is fresh.
func common(sets []idSet) []bool {
	shared := make([]bool, len(sets))
	fresh := 0
	for _, s := range sets {
		if s.fresh {
			for range s.each {
				fresh++
			}
		}
	}
	if fresh == 0 {
		return shared
	}
	parts := uint64(1 + fresh/crowd)
	owners := make(map[uint64]int, min(fresh, crowd))
	for part := range parts {
		clear(owners)
		meet(sets, owners, shared, func(id uint64) bool { return id%parts == part })
	}
	return shared
}

// meet notes which sets share an id of those that are asked for. owners is empty.
func meet(sets []idSet, owners map[uint64]int, shared []bool, asked func(id uint64) bool) {
	for i, s := range sets {
		if !s.fresh {
			continue
		}
		for id := range s.each {
			if !asked(id) {
				continue
			}
			if owner, known := owners[id]; !known {
				owners[id] = i
			} else if owner != i {
				shared[owner], shared[i] = true, true
			}
		}
	}
	for i, s := range sets {
		if s.fresh {
			continue
		}
		for id := range s.each {
			if owner, known := owners[id]; known && asked(id) {
				shared[owner], shared[i] = true, true
			}
		}
	}
}

// save keeps what was found out for the next run. Of sources that were not listed,
// such as those of an excluded project, only the head is kept: nothing compared
// their records with those that were.
func (m *memory) save(w *world) {
	if m.dir == "" || m.l.shelf == nil { // what lies on the disk is not all there is
		return
	}
	for name := range m.shelves {
		if shelf := m.shelf(name); !shelf.Settled(m.held[name]) {
			m.forget(w, name)
			_ = shelf.Save() // a run without a cache is only slower
		}
	}
}

// forget drops what is kept of an agent's sources that are not there any more, and
// all but the heads of those that were not listed.
func (m *memory) forget(w *world, name string) {
	var srcs []*agent.Source
	var adapter agent.Adapter
	for _, s := range w.sources {
		if s.Agent == name {
			srcs, adapter = append(srcs, s.Source), s.Adapter
		}
	}
	if adapter == nil {
		return
	}
	listed := make(map[string]bool, len(m.listed))
	for i := range m.listed {
		listed[m.listed[i].Path] = true
	}
	m.shelf(name).Keep(srcs, adapter.Elsewhere)
	m.shelf(name).HeadsOnly(func(path string) bool { return !listed[path] })
}
