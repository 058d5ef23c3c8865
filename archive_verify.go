package seshat

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/seshat-dev/seshat/internal/archive"
	"github.com/seshat-dev/seshat/internal/own"
	"github.com/seshat-dev/seshat/record"
)

// ArchiveFault is one damaged spot in the archive.
type ArchiveFault struct {
	Machine, Agent, Store, Session string // whom it hurts; empty where nobody
	Path                           string // the path that the file was kept from
	Version                        int
	Offset, Length                 int64  // which bytes of the version are lost
	Pack                           string // the file of the archive that is damaged
	Reason                         string
}

// VerifyArchive holds everything in the archive against its hashes. The answer's matches
// are faults.
func (l *Library) VerifyArchive(ctx context.Context, progress func(ArchiveProgress)) ([]ArchiveFault, *record.Answer, error) {
	a, err := l.openArchive()
	if err != nil {
		return nil, nil, err
	}
	defer a.Close()
	told := func(done, total int64) {
		if progress != nil {
			progress(ArchiveProgress{done, total})
		}
	}
	found, err := a.Verify(ctx, told)
	if err != nil {
		return nil, nil, err
	}
	sources, err := a.Sources(ctx)
	if err != nil {
		return nil, nil, err
	}
	byKey := make(map[archive.Key]*archive.Source, len(sources))
	for i := range sources {
		byKey[sources[i].Key] = &sources[i]
	}
	ans := &record.Answer{Matches: len(found), Complete: true}
	ans.Sources.Read = len(sources)
	faults := make([]ArchiveFault, len(found))
	hurt := map[archive.Key]bool{}
	for i, f := range found {
		faults[i] = ArchiveFault{Machine: f.Key.Machine, Agent: f.Key.Agent, Version: f.Version, Offset: f.Offset, Length: f.Length, Pack: f.Pack, Reason: f.Reason}
		if s := byKey[f.Key]; s != nil {
			faults[i].Store, faults[i].Session, faults[i].Path = s.Store, s.Session, keyPath(s.Key)
			hurt[f.Key] = true
		}
	}
	ans.Sources.Read, ans.Sources.Failed = len(sources)-len(hurt), len(hurt)
	return l.redaction().faults(faults), ans, nil
}

// RepackArchive makes the archive smaller and gives how many bytes it took before and
// takes now.
func (l *Library) RepackArchive(ctx context.Context, progress func(ArchiveProgress)) (before, after int64, err error) {
	if a, err := l.openArchive(); err != nil { // none is made only to be repacked
		return 0, 0, err
	} else if err := a.Close(); err != nil {
		return 0, 0, err
	}
	w, _, err := l.writeArchive()
	if err != nil {
		return 0, 0, err
	}
	defer w.Close()
	done, err := w.Repack(ctx, func(done, total int64) {
		if progress != nil {
			progress(ArchiveProgress{done, total})
		}
	})
	if err != nil {
		return 0, 0, err
	}
	return done.Before, done.After, w.Close()
}

// RebuiltArchive tells what RebuildArchive could save.
type RebuiltArchive struct {
	Files    int
	Nameless int    // of these, how many have lost their names
	Broken   int    // versions of which too little is left
	Aside    string // where the old manifest lies now; empty when there was none
}

// RebuildArchive makes the archive's manifest anew from what the packs say themselves,
// where it is damaged or gone. The old one is put aside.
func (l *Library) RebuildArchive(ctx context.Context) (RebuiltArchive, error) {
	dir, err := l.ArchiveDir()
	if err != nil {
		return RebuiltArchive{}, err
	}
	if _, err := os.Stat(dir); errors.Is(err, fs.ErrNotExist) {
		return RebuiltArchive{}, ErrNoArchive
	}
	machine, err := own.Machine(filepath.Dir(dir))
	if err != nil {
		return RebuiltArchive{}, err
	}
	done, err := archive.Rebuild(ctx, dir, machine, time.Now)
	return RebuiltArchive{done.Sources, done.Nameless, done.Broken, l.redaction().line(done.Aside)}, err
}
