package seshat

import (
	"context"
	"errors"
	"io/fs"
	"slices"
	"sort"
	"strings"

	"github.com/seshat-dev/seshat/agent"
	"github.com/seshat-dev/seshat/catalog"
	"github.com/seshat-dev/seshat/internal/archive"
	"github.com/seshat-dev/seshat/internal/own"
	"github.com/seshat-dev/seshat/internal/rootfs"
	"github.com/seshat-dev/seshat/internal/search"
	"github.com/seshat-dev/seshat/record"
)

// manner is how the archive treats the files of a store.
type manner int

const (
	notKept     manner = iota
	withSession        // kept with the session that it belongs to, and where that is gone too
	ofSession          // kept with the session that it belongs to, if that is there
	alone              // kept on its own
	referred           // kept where something that is kept refers to it
)

// keeping knows how the stores of the chosen agents are kept.
type keeping map[string]agent.Keeping

func (l *Library) keeping() keeping {
	k := keeping{}
	for _, a := range l.all {
		k[a.Name()] = a.Keeping()
	}
	return k
}

// of gives the manner of a store. What is private is never kept.
func (k keeping) of(s *catalog.Store, include []string) manner {
	has := k[s.Agent]
	if s.Coverage == catalog.Private {
		return notKept
	}
	for word, id := range has.Asked {
		if id == s.ID && slices.Contains(include, word) {
			return ofSession
		} else if id == s.ID {
			return notKept
		}
	}
	switch {
	case s.Family == catalog.FamilyYes:
		return withSession
	case s.Family == catalog.FamilyRef:
		return referred
	case slices.Contains(has.Alone, s.ID):
		return alone
	}
	return notKept
}

// ArchiveIncludes lists the words for what is archived only when it is asked for.
func ArchiveIncludes() []string {
	all, err := adapters()
	if err != nil {
		return nil
	}
	var words []string
	for _, a := range all {
		for word := range a.Keeping().Asked {
			words = append(words, word)
		}
	}
	sort.Strings(words)
	return words
}

// keepFile is a file that the archive is to hold.
type keepFile struct {
	search.Source
	manner manner
	key    archive.Key
	label  archive.Label
}

// keepSet is what a run is about.
type keepSet struct {
	w     *world
	files []keepFile
	tally *search.Tally // of what choosing could not look into
}

// chooseKept finds the files that a run keeps, in the order of discovery. wide also
// looks where settings lead to.
func (l *Library) chooseKept(ctx context.Context, q ArchiveQuery, machine string, wide bool) (*keepSet, error) {
	c := &keepSet{tally: &search.Tally{}}
	wanted := func(search.Source) bool { return true }
	var err error
	if q.narrow() || len(l.config.Exclude) > 0 {
		c.w, wanted, c.tally, err = l.narrowed(ctx, q)
	} else if c.w, err = l.discover(ctx, wide); err == nil {
		for _, p := range c.w.problems {
			if l.mayHold(p) {
				c.tally.Problem(p)
			}
		}
	}
	if err != nil {
		return nil, err
	}
	how := l.keeping()
	for _, s := range c.w.sources {
		m := how.of(s.Store, q.Include)
		if m == notKept || m != referred && !wanted(s) || m == ofSession && !c.w.present(s.Agent+":"+s.Adapter.Belongs(s.Source)) {
			continue
		}
		for _, src := range c.filesOf(s.Source) {
			s.Source = src
			c.files = append(c.files, keepFile{
				Source: s, manner: m,
				key:   archive.Key{Machine: machine, Agent: s.Agent, Dir: src.Root.Dir(), Name: src.Name},
				label: archive.Label{Store: s.Store.ID, Session: s.Adapter.Belongs(src), Subagent: s.Subagent, Family: string(s.Store.Family)},
			})
		}
	}
	return c, nil
}

// mayHold reports whether a place that could not be looked into may hold what is kept:
// one that is read by default, or that lies in a data folder.
func (l *Library) mayHold(p agent.Problem) bool {
	return p.Reach == catalog.Search || p.Reach != catalog.Private && !own.Outside(p.Path, l.dataFolders())
}

// filesOf gives the files that a source stands for: itself, or all regular files below a
// folder that is one row of the catalogue. Links in it are not followed.
func (c *keepSet) filesOf(src *agent.Source) []*agent.Source {
	if !strings.HasSuffix(src.Name, "/") || src.Problem != "" {
		return []*agent.Source{src}
	}
	var out []*agent.Source
	var walk func(dir string, depth int)
	walk = func(dir string, depth int) {
		entries, err := src.Root.List(dir)
		if err == nil && depth > maxFolders {
			err = errTooDeep
		}
		if err != nil {
			if !errors.Is(err, fs.ErrNotExist) {
				c.tally.Problem(agent.Problem{Path: rootfs.Path(src.Root, dir), Reason: agent.Reason(err)})
			}
			return
		}
		for _, e := range entries {
			name := dir + "/" + e.Name
			switch {
			case e.Mode.IsDir():
				walk(name, depth+1)
			case e.Mode.IsRegular():
				file := *src
				file.Name, file.Path, file.Info = name, rootfs.Path(src.Root, name), e
				out = append(out, &file)
			}
		}
	}
	walk(strings.TrimSuffix(src.Name, "/"), 0)
	return out
}

// maxFolders is how deep a folder that is one row is walked.
const maxFolders = 64

var errTooDeep = errors.New("too many folders inside each other")

// narrowed lists the sessions that a run is about, and gives the test for what is kept
// of them.
//
// Prompt logs, memory and registries are of no session. Where projects are chosen they
// are kept when all sessions of their folder are of these, so that what is said of other
// projects stays out; a prompt log of the whole machine is of none. Where the config
// excludes projects they stay out when all sessions of their folder do.
func (l *Library) narrowed(ctx context.Context, q ArchiveQuery) (*world, func(search.Source) bool, *search.Tally, error) {
	sq := SessionQuery{All: true, Here: q.Here, Since: q.Since, projects: q.Projects, wide: true}
	w, list, tally, err := l.list(ctx, sq)
	if err != nil {
		return nil, nil, nil, err
	}
	families, ids := map[string]bool{}, map[string]bool{}
	for _, s := range list {
		if len(q.Only) == 0 || slices.Contains(q.Only, s.Kind) {
			families[s.family], ids[s.Agent+":"+s.ID] = true, true
		}
	}
	began := w.places.begun(ctx)
	ofProject := w.places.wanted(sq.selection())
	byProject := sq.selection().byProject()
	keepAlone := func(s search.Source) bool {
		in, out := 0, 0
		for _, other := range w.places.beside[folderOf(s)] {
			if f := w.places.families[other.Family]; l.excluded(f, began[other.Family].CWD) || byProject && !ofProject(f) {
				out++
			} else {
				in++
			}
		}
		if byProject {
			return in > 0 && out == 0
		}
		return in > 0 || out == 0
	}
	wanted := func(s search.Source) bool {
		if s.Family != "" {
			return families[s.Family]
		}
		if id := s.Adapter.Belongs(s.Source); id != "" {
			return ids[s.Agent+":"+id]
		}
		return keepAlone(s)
	}
	return w, wanted, tally, nil
}

// ArchiveKinds lists the kinds of sessions that a run can be narrowed to.
func ArchiveKinds() []record.SessionKind {
	return []record.SessionKind{record.KindInteractive, record.KindPrint, record.KindBackground, record.KindSubagent}
}
