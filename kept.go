package seshat

import (
	"context"
	"errors"
	"io/fs"
	"path/filepath"
	"strings"
	"sync"

	"github.com/seshat-dev/seshat/agent"
	"github.com/seshat-dev/seshat/catalog"
	"github.com/seshat-dev/seshat/internal/archive"
	"github.com/seshat-dev/seshat/internal/config"
	"github.com/seshat-dev/seshat/internal/own"
)

// shelf is the archive that a library reads, open from the first question on that
// wants it.
type shelf struct {
	mu   sync.Mutex
	open *archive.Archive
}

// sources lists what the archive in a folder has now. The error is fs.ErrNotExist
// where there is none.
func (s *shelf) sources(ctx context.Context, dir string) (*archive.Archive, []archive.Source, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.open == nil {
		a, err := archive.Open(dir)
		if err != nil {
			return nil, nil, err
		}
		s.open = a
	}
	list, err := s.open.Sources(ctx)
	return s.open, list, err
}

func (s *shelf) close() (err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.open != nil {
		err = s.open.Close()
		s.open = nil
	}
	return err
}

// Close lets go of the archive, which the Library opens when a question needs it. The
// Library can be asked again.
func (l *Library) Close() error {
	if l.shelf == nil {
		return nil
	}
	return l.shelf.close()
}

// disk gives the library without what only the archive holds: what is kept is what lies
// on the disk.
func (l *Library) disk() *Library {
	d := *l
	d.shelf = nil
	return &d
}

// archiveFolder gives the folder of the archive, made or not; or nothing.
func (l *Library) archiveFolder() string {
	dir := config.DataDir(l.opts.GOOS, l.opts.Home, l.opts.WorkDir, l.opts.Vars)
	if !filepath.IsAbs(dir) {
		return ""
	}
	return filepath.Join(dir, archiveName)
}

// keptView is what the archive has, as one question sees it: files that are shown in
// the folders that they were kept from, as if they were still there.
type keptView struct {
	l       *Library
	archive *archive.Archive
	list    []archive.Source
	folders []*keptFolder

	mu    sync.Mutex
	gone  map[string]error       // by data folder, why it could not be opened on the disk
	shown map[*keptFolder]string // where they were shown
	files map[int64]agent.File   // that were opened, by the ids of their sources
	hurt  map[string]error       // by path, which bytes of a file cannot be had
}

// keptFolder is a folder that files were kept from.
type keptFolder struct {
	agent   string
	dir     string // where it is shown
	real    string // likewise, links followed
	foreign bool   // of another machine, and so never on this disk
	data    bool   // a data folder, not a side place
	sources []*archive.Source
}

// kept reads what the archive has. It is nil where there is no archive.
func (l *Library) kept(ctx context.Context) (*keptView, error) {
	dir := ""
	if l.shelf != nil {
		dir = l.archiveFolder()
	}
	if dir == "" {
		return nil, nil
	}
	machine, err := own.KnownMachine(filepath.Dir(dir))
	k := &keptView{l: l, gone: map[string]error{}, shown: map[*keptFolder]string{}, files: map[int64]agent.File{}, hurt: map[string]error{}}
	var list []archive.Source
	if err == nil {
		k.archive, list, err = l.shelf.sources(ctx, dir)
	}
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil
	case err != nil:
		return nil, err
	}
	k.list = list
	k.sort(list, machine)
	return k, nil
}

// sort puts sources, which are in the order of their keys, into their folders. What
// another machine has with the very same bytes is left to this one.
func (k *keptView) sort(list []archive.Source, machine string) {
	if machine == "" && len(list) > 0 && list[0].Machine == list[len(list)-1].Machine {
		machine = list[0].Machine // the id is lost, and there is only one that it can have been
	}
	type content struct {
		agent, session string
		sha256         [32]byte
	}
	here := map[content]bool{}
	for i := range list {
		for _, v := range list[i].Versions {
			if s := &list[i]; s.Machine == machine {
				here[content{s.Agent, s.Session, v.SHA256}] = true
			}
		}
	}
	var folder *keptFolder
	var last archive.Key
	for i := range list {
		s := &list[i]
		foreign := s.Machine != machine
		if len(s.Versions) == 0 || foreign && here[content{s.Agent, s.Session, current(s).SHA256}] || k.l.adapter(s.Agent) == nil {
			continue
		}
		if at := (archive.Key{Machine: s.Machine, Agent: s.Agent, Dir: s.Dir}); folder == nil || last != at {
			folder, last = &keptFolder{agent: s.Agent, dir: s.Dir, foreign: foreign}, at
			if foreign {
				folder.dir = k.l.foreignFolder(at)
			} else {
				folder.real = own.Followed(s.Dir)
			}
			k.folders = append(k.folders, folder)
		}
		folder.sources = append(folder.sources, s)
		folder.data = folder.data || k.searched(s)
	}
}

// current is the newest version of a source.
func current(s *archive.Source) archive.Version { return s.Versions[len(s.Versions)-1] }

// searched reports whether a source would be searched by default in a data folder.
func (k *keptView) searched(s *archive.Source) bool {
	store := k.l.adapter(s.Agent).Catalog().Match(catalog.Data, s.Name)
	return store != nil && store.Coverage == catalog.Search
}

// adapter gives the adapter of a chosen agent, or nil.
func (l *Library) adapter(name string) agent.Adapter {
	for _, a := range l.adapters {
		if a.Name() == name {
			return a
		}
	}
	return nil
}

// foreignFolder gives the folder in which that of another machine is shown. It is on no
// disk.
func (l *Library) foreignFolder(of archive.Key) string {
	machine := of.Machine
	if !filepath.IsLocal(machine) || strings.ContainsAny(machine, `/\`) {
		machine = "=" + shortHash(machine)
	}
	return filepath.Join(l.archiveFolder(), "machines", machine, shortHash(of.Agent+"\x00"+of.Dir))
}

// at gives what was kept from a folder that an agent opens, however its path is spelt.
func (k *keptView) at(name, dir string) (of []*keptFolder) {
	real := ""
	for _, f := range k.folders {
		if f.agent != name {
			continue
		}
		if f.dir != dir && !f.foreign && real == "" {
			real = own.Followed(dir)
		}
		if f.dir == dir || !f.foreign && f.real == real {
			of = append(of, f)
		}
	}
	return of
}

// damaged notes that bytes of a file cannot be had.
func (k *keptView) damaged(path string, err error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.hurt[path] == nil {
		k.hurt[path] = err
	}
}

// hurtBy says which bytes of a source could not be had so far; nil where all could.
func (k *keptView) hurtBy(src *agent.Source) error {
	if k == nil || !src.Info.Archived {
		return nil
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.hurt[src.Path]
}
