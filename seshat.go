// Package seshat finds, reads, lists and keeps the sessions that AI coding agents leave
// on a person's disk.
//
// A reader may rely on this. Below an agent's folders a Library creates, changes and
// locks nothing, but for InstallHook and RemoveHook when they are told to write; what it
// keeps of a list of sessions for the next one lies in a folder of seshat's own and
// changes no answer, and so does the archive, to which only the methods write that say
// so. Every answer comes with a record.Answer that says how complete it is, and a source
// that cannot be read costs only itself. Whatever a Library looks at comes from its
// Options; it asks neither the environment nor the home folder of the process.
//
// What an answer holds is redacted: a marker stands in the place of every credential,
// in texts, titles, names, paths and warnings, unless Reveal was called.
package seshat

import (
	"context"
	"fmt"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"

	"github.com/seshat-dev/seshat/agent"
	"github.com/seshat-dev/seshat/catalog"
	"github.com/seshat-dev/seshat/internal/config"
	"github.com/seshat-dev/seshat/internal/rootfs"
	"github.com/seshat-dev/seshat/internal/search"
	"github.com/seshat-dev/seshat/internal/secret"
	"github.com/seshat-dev/seshat/record"
)

// Options are the world that a Library looks at.
type Options struct {
	Home    string            // the user's home folder, absolute
	GOOS    string            // platform; the running one when empty
	Vars    map[string]string // environment variables
	WorkDir string            // the current folder
	TempDir string            // the system's temporary folder
	Config  string            // config file; the platform's usual one when empty
	Agents  []string          // only these agents; all when empty
	Roots   []string          // AGENT=DIR, each standing instead of the agent's own roots
	Workers int               // how many sources are read at once; one per core and at least 8 when 0
	Open    func(dir string) (agent.Root, error)
	Alive   func(pid int) bool // whether a process runs; the system is asked when nil

	// Build names the program with all that decides how it reads. What one build
	// finds out about transcripts is kept in the cache's folder for the same build;
	// when it is empty nothing is written and nothing believed.
	Build string

	// Progress is told, now and then, how many of the sources of a question are
	// done. It is called from one goroutine at a time.
	Progress func(done, total int)
}

// Library answers questions about the sessions of one world.
type Library struct {
	opts     Options
	all      []agent.Adapter             // every agent that seshat knows
	adapters []agent.Adapter             // the chosen ones
	roots    map[string][]agent.Location // by agent, from flags
	config   config.Config
	exclude  []string                    // the config's globs, absolute and with slashes
	shelf    *shelf                      // of the archive; nil where only the disk counts
	redact   *redactors                  // shared by what is made of this library
	key      func() (*secret.Key, error) // of fingerprints, made when it is first needed
}

// leastReaders is how many sources are read at once on a small machine: what is not
// in memory comes from a disk sooner when several ask for it.
const leastReaders = 8

// UsageError is a mistake in what was asked, not in what was found.
type UsageError string

func (e UsageError) Error() string { return string(e) }

func usagef(format string, args ...any) error { return UsageError(fmt.Sprintf(format, args...)) }

// Open gives a Library. It reads the config and nothing else.
func Open(opts Options) (*Library, error) {
	if opts.GOOS == "" {
		opts.GOOS = runtime.GOOS
	}
	if opts.Workers <= 0 {
		opts.Workers = max(leastReaders, runtime.GOMAXPROCS(0)) // while one waits for the disk, another has work
	}
	if opts.Open == nil {
		opts.Open = rootfs.Live
	}
	if opts.Alive == nil {
		opts.Alive = alive
	}
	all, err := adapters()
	if err != nil {
		return nil, err
	}
	l := &Library{opts: opts, all: all, roots: map[string][]agent.Location{}, shelf: &shelf{}}
	l.key = sync.OnceValues(l.secretKey)
	l.redact = &redactors{Redactor: secret.NewRedactor(sync.OnceValues(l.fingerprintKey))}
	if l.adapters, err = chosen(all, opts.Agents); err != nil {
		return nil, err
	}
	for _, spec := range opts.Roots {
		name, dir, ok := strings.Cut(spec, "=")
		if ok && dir != "" && !known(all, name) {
			return nil, usagef("--root names the agent %q, which seshat does not know; it knows %s", name, strings.Join(agentNames(all), ", "))
		}
		if !ok || dir == "" {
			return nil, usagef("--root takes AGENT=DIR, for example claude=%s, not %q", filepath.Join("DIR", ".claude"), spec)
		}
		dir = l.env("").Abs(dir)
		l.roots[name] = append(l.roots[name], agent.Location{Dir: dir, Named: "--root"})
	}
	file, asked := opts.Config, true
	if file == "" {
		file, asked = config.File(opts.GOOS, opts.Home, opts.Vars)
	}
	l.config, err = config.Load(file, asked)
	for _, glob := range l.config.Exclude {
		l.exclude = append(l.exclude, slashed(l.env("").Abs(glob)))
	}
	return l, err
}

func known(all []agent.Adapter, name string) bool { return slices.Contains(agentNames(all), name) }

func chosen(all []agent.Adapter, names []string) ([]agent.Adapter, error) {
	if len(names) == 0 {
		return all, nil
	}
	var out []agent.Adapter
	for _, a := range all {
		if slices.Contains(names, a.Name()) {
			out = append(out, a)
		}
	}
	for _, n := range names {
		if !known(all, n) {
			return nil, usagef("no agent is called %q; seshat knows %s", n, strings.Join(agentNames(all), ", "))
		}
	}
	return out, nil
}

func agentNames(all []agent.Adapter) []string {
	var names []string
	for _, a := range all {
		names = append(names, a.Name())
	}
	return names
}

// ConfigProblems lists what the config holds that nothing knows or that cannot be
// meant.
func (l *Library) ConfigProblems() []string {
	var out []string
	for _, key := range l.config.Unknown {
		out = append(out, fmt.Sprintf("the config %s has a key that seshat does not know: %s", l.config.Path, key))
	}
	for name := range l.config.Agents {
		if !known(l.all, name) {
			out = append(out, fmt.Sprintf("the config %s names the agent %q, which seshat does not know", l.config.Path, name))
		}
	}
	for _, glob := range l.config.Exclude {
		if _, err := path.Match(glob, ""); err != nil {
			out = append(out, fmt.Sprintf("the config %s excludes nothing by %q, which is not a glob", l.config.Path, glob))
		}
	}
	if _, err := l.config.Archive.Limit(); err != nil {
		out = append(out, fmt.Sprintf("the config %s limits the archive to nothing: %v", l.config.Path, err))
	}
	for i, rule := range l.config.Projects {
		if why := rule.Problem(); why != "" {
			out = append(out, fmt.Sprintf("the config %s has a [[projects]] rule without effect, number %d: %s", l.config.Path, i+1, why))
		}
	}
	return out
}

// env is the world as the adapter of one agent gets it.
func (l *Library) env(name string) agent.Env {
	private := sync.OnceValue(l.privacy) // only where something leads out of a root
	env := agent.Env{
		Home: l.opts.Home, GOOS: l.opts.GOOS, Vars: l.opts.Vars, WorkDir: l.opts.WorkDir, TempDir: l.opts.TempDir,
		Open: l.opts.Open, Private: func(path string, folder bool) bool { return private()(path, folder) },
	}
	if roots := l.roots[name]; len(roots) > 0 {
		env.Roots, env.Replace = roots, true
		return env
	}
	env.Roots = l.addedRoots(name)
	return env
}

// addedRoots gives the data folders that the config adds for an agent.
func (l *Library) addedRoots(name string) []agent.Location {
	var locs []agent.Location
	env := agent.Env{Home: l.opts.Home, WorkDir: l.opts.WorkDir}
	for _, dir := range l.config.Agents[name].Roots {
		locs = append(locs, agent.Location{Dir: env.Abs(dir), Named: "the config"})
	}
	return locs
}

// world is what discovery found, of all agents.
type world struct {
	sources   []search.Source
	problems  []agent.Problem
	unread    error                  // why the archive could not be read
	shared    map[string]int         // sessions by agent and session id
	subagents map[string]int         // subagents by agent and their own id
	led       map[string]bool        // families with a transcript of their own
	archived  map[string]bool        // families of which only the archive has the transcript
	kept      *keptView              // nil where there is no archive
	apart     map[*agent.Source]bool // in folders that agents keep no data in today
	memory    *memory
	places    *places
}

// discover looks at the roots of every chosen agent, and at nothing but the disk. wide
// also looks at side places, which only some questions need.
func (l *Library) discover(ctx context.Context, wide bool) (*world, error) {
	return l.look(ctx, wide, nil)
}

// look looks at the roots of every chosen agent, with what was kept of them.
func (l *Library) look(ctx context.Context, wide bool, k *keptView) (*world, error) {
	w := &world{memory: l.memory(k), kept: k, apart: map[*agent.Source]bool{}}
	for _, a := range l.adapters {
		env := l.env(a.Name())
		env.Wide = wide
		if k != nil {
			if err := k.discover(ctx, a, env, w); err != nil {
				return nil, err
			}
			continue
		}
		inv, err := a.Discover(ctx, env)
		if err != nil {
			return nil, err
		}
		w.add(a, inv)
	}
	if k != nil {
		w.problems = append(w.problems, k.hidden(w, wide)...)
		k.moved(w)
	}
	w.count()
	w.places = l.newPlaces(ctx, w)
	return w, nil
}

// add takes in what discovery found of an agent.
func (w *world) add(a agent.Adapter, inv *agent.Inventory) {
	w.problems = append(w.problems, inv.Problems...)
	for _, src := range inv.Sources {
		w.sources = append(w.sources, search.Source{Source: src, Adapter: a})
	}
}

// count counts the sessions and subagents that have an id, and notes which have a
// transcript. One of which only subagents are left is a session too.
func (w *world) count() {
	n := 0
	for _, s := range w.sources {
		if s.Transcript() {
			n++
		}
	}
	w.shared, w.subagents, w.led = make(map[string]int, n), map[string]int{}, make(map[string]bool, n)
	seen := make(map[string]bool, n)
	for _, s := range w.sources {
		if !s.Transcript() && s.Subagent == "" {
			continue
		}
		if s.Transcript() {
			w.led[s.Family] = true
		}
		if s.Session != "" && !seen[s.Family] {
			seen[s.Family] = true
			w.shared[s.Agent+":"+s.Session]++
		}
		if s.Subagent != "" {
			w.subagents[s.Agent+":"+s.Subagent]++
		}
	}
	w.lose()
}

// lose notes the families of which nothing that speaks for the session is on the disk:
// no transcript, or where there never was one no subagent.
func (w *world) lose() {
	w.archived = map[string]bool{}
	for _, s := range w.sources {
		if s.Info.Archived && inSession(s) {
			w.archived[s.Family] = true
		}
	}
	for _, s := range w.sources {
		if len(w.archived) > 0 && !s.Info.Archived && (s.Transcript() || s.Subagent != "" && !w.led[s.Family]) {
			delete(w.archived, s.Family)
		}
	}
}

// state gives the state of a session, from what its transcripts tell of it.
func (w *world) state(family string, told record.SessionState) record.SessionState {
	if w.archived[family] {
		return record.StateArchived
	}
	return told
}

// fileState is the state of what is its own session: a file outside of transcripts.
func fileState(src *agent.Source) record.SessionState {
	if src.Info.Archived {
		return record.StateArchived
	}
	return record.StateLive
}

// Selection says which sources a question is about.
type Selection struct {
	Stores []string     // only these stores, whatever their coverage
	Scope  record.Scope // which records; ScopeAll also reads inspect stores
	Kinds  []record.Kind

	Projects []string // only these projects: names, or paths, globs allowed
	Here     bool     // only the project of the current folder
	Branches []string // only records of these branches, globs allowed

	Newest     bool // the newest sessions come first; of copies the first that comes is shown
	Superseded bool // also what its agent took back or rewrote
	Copies     bool // also copies of records that stand at an earlier place, flagged
	Also       bool // records name the handles of their copies

	unscanned bool // sources are put in order without the byte test, where that costs more than their heads

	listing bool // sessions are listed: briefs are wanted, not records
	wide    bool // side places are looked at whatever is read
}

// reads reports whether the selection asks for records of a store.
func (q Selection) reads(s *catalog.Store) bool {
	if len(q.Stores) > 0 {
		return s.Readable() && slices.Contains(q.Stores, s.ID)
	}
	return s.Coverage == catalog.Search || q.Scope == record.ScopeAll && s.Coverage == catalog.Inspect
}

// wants reports whether the selection asks for a record of that kind.
func (q Selection) wants(k record.Kind) bool {
	if len(q.Kinds) > 0 {
		return slices.Contains(q.Kinds, k)
	}
	return q.Scope.Has(k) || k == record.Document && len(q.Stores) > 0
}

// selected gives the sources of a question in their order, and a tally that has
// heard of what could not be looked into. With a byte test their order matters only
// where something passes.
func (l *Library) selected(ctx context.Context, q Selection, test agent.ByteTest) (*world, []search.Source, *search.Tally, error) {
	for _, id := range q.Stores {
		if err := l.checkStore(id); err != nil {
			return nil, nil, nil, err
		}
	}
	if err := l.checkPlace(q); err != nil {
		return nil, nil, nil, err
	}
	known := l.memory(nil)
	known.open()
	known.listing, known.ahead = q.listing, q.listing && len(l.config.Exclude) == 0 && !q.byProject()
	w, err := l.everything(ctx, q.Scope == record.ScopeAll || len(q.Stores) > 0 || q.wide)
	if err != nil {
		return nil, nil, nil, err
	}
	known.kept, w.memory = w.kept, known
	tally := &search.Tally{}
	for _, p := range w.problems {
		if p.Reach == catalog.Search || q.Scope == record.ScopeAll {
			tally.Problem(p)
		}
	}
	var picked []search.Source
	for _, s := range w.sources {
		if q.reads(s.Store) {
			picked = append(picked, s)
		}
	}
	ordered, err := l.order(ctx, w, q, picked, test, tally)
	if !known.ahead {
		l.watch(tally, len(ordered))
	}
	return w, ordered, tally, err
}

// watch passes a tally's progress on.
func (l *Library) watch(tally *search.Tally, total int) {
	if l.opts.Progress != nil {
		tally.Progress = func(done int) { l.opts.Progress(done, total) }
	}
}

// checkStore refuses a store that no chosen agent has, or that gives no records.
func (l *Library) checkStore(id string) error {
	s, err := l.Store(id)
	if err == nil && !s.Readable() {
		err = usagef("the store %s is %s only: no records come from it", id, s.Coverage)
	}
	return err
}

// findStore gives the store with that id, or the id that is nearest to it.
func (l *Library) findStore(id string) (*catalog.Store, string) {
	near, best := "", 4
	for _, a := range l.adapters {
		for _, s := range a.Catalog().Stores {
			if s.ID == id {
				return s, ""
			}
			d := Distance(id, s.ID)
			if strings.HasSuffix(s.ID, "."+id) {
				d = 0
			}
			if d < best {
				near, best = s.ID, d
			}
		}
	}
	return nil, near
}

// Distance is the number of single-character edits between two words.
func Distance(a, b string) int {
	x, y := []rune(a), []rune(b)
	row := make([]int, len(y)+1)
	for j := range row {
		row[j] = j
	}
	for i := range x {
		diagonal := row[0]
		row[0] = i + 1
		for j := range y {
			cost := diagonal
			if x[i] != y[j] {
				cost++
			}
			diagonal = row[j+1]
			row[j+1] = min(cost, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(y)]
}
