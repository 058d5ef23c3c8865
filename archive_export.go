package seshat

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/seshat-dev/seshat/internal/archive"
	"github.com/seshat-dev/seshat/internal/own"
	"github.com/seshat-dev/seshat/record"
)

// ExportQuery says what ExportArchive writes.
type ExportQuery struct {
	Dir      string                // where to; made when it is not there
	Versions bool                  // older versions too
	Progress func(ArchiveProgress) // told now and then how far it is; may be nil
}

// ExportedFile is a version of a file that was written back.
type ExportedFile struct {
	Machine, Agent, Store, Session string
	Source                         string // the path that it was kept from
	Path                           string // absolute, of what was written
	Version                        int
	Bytes                          int64
	Masked                         bool   // it is not what the file was: something in it was blotted out
	Reason                         string // why it was not written
}

// ExportArchive writes plain files out of the archive, each below DIR/machine/agent and
// the folders it was kept from, with its time; an older version has ~N behind its name.
// Nothing is written outside of the folder, whatever names and links say, and nothing
// that is there is replaced. One that is damaged costs itself. The answer's matches are
// the files that are there now.
func (l *Library) ExportArchive(ctx context.Context, q ExportQuery, visit func(*ExportedFile) error) (*record.Answer, error) {
	a, err := l.openArchive()
	if err != nil {
		return nil, err
	}
	defer a.Close()
	dir := l.env("").Abs(q.Dir)
	kept, err := l.ArchiveDir()
	if err != nil {
		return nil, err
	}
	switch {
	case !l.outsideAgents(dir):
		return nil, usagef("%s lies below a folder of an agent, where seshat writes nothing; name another folder", dir)
	case !own.Outside(dir, []string{kept}):
		return nil, usagef("%s lies in the archive itself; name another folder", dir)
	}
	sources, err := a.Sources(ctx)
	if err != nil {
		return nil, err
	}
	if err := own.MakeFolder(dir); err != nil {
		return nil, err
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	e := &exporter{root: root, dir: dir, a: a, q: q, made: map[string]bool{"": true}}
	x := l.redaction()
	ans, err := e.run(ctx, sources, func(f *ExportedFile) error { return visit(x.exported(f)) })
	return x.answer(ans), err
}

// exporter writes files out of the archive.
type exporter struct {
	root        *os.Root
	dir         string
	a           *archive.Archive
	q           ExportQuery
	made        map[string]bool // folders
	done, total int64
}

func (e *exporter) run(ctx context.Context, sources []archive.Source, visit func(*ExportedFile) error) (*record.Answer, error) {
	ans := &record.Answer{}
	for i := range sources {
		for _, v := range e.versions(&sources[i]) {
			e.total += v.Size
		}
	}
	for i := range sources {
		s := &sources[i]
		for _, v := range e.versions(s) {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			name := exportName(s, v)
			f := &ExportedFile{Machine: s.Machine, Agent: s.Agent, Store: s.Store, Session: s.Session, Source: keyPath(s.Key),
				Path: filepath.Join(e.dir, filepath.FromSlash(name)), Version: v.Number, Bytes: v.Size, Masked: v.Masked}
			if err := e.write(ctx, s, v, name); err != nil {
				f.Reason = err.Error()
				ans.Sources.Failed++
				ans.Warnings = append(ans.Warnings, record.Warning{Path: f.Source, Reason: f.Reason})
			} else {
				ans.Matches++
				ans.Sources.Read++
			}
			if err := visit(f); err != nil {
				return nil, err
			}
			if e.done += v.Size; e.q.Progress != nil {
				e.q.Progress(ArchiveProgress{e.done, e.total})
			}
		}
	}
	ans.Complete = ans.Sources.Failed == 0
	return ans, nil
}

// versions gives the versions of a source that are written.
func (e *exporter) versions(s *archive.Source) []archive.Version {
	if n := len(s.Versions); n > 1 && !e.q.Versions {
		return s.Versions[n-1:]
	}
	return s.Versions
}

// exportName gives the name that a version is written to, below the folder.
func exportName(s *archive.Source, v archive.Version) string {
	parts := []string{s.Machine, s.Agent}
	for part := range strings.SplitSeq(strings.ReplaceAll(s.Dir, `\`, "/"), "/") {
		if part != "" {
			parts = append(parts, part)
		}
	}
	parts = append(parts, strings.Split(s.Name, "/")...)
	if v.Number < current(s).Number {
		parts[len(parts)-1] += fmt.Sprintf("~%d", v.Number)
	}
	for i, part := range parts {
		parts[i] = own.SafeName(part)
	}
	return strings.Join(parts, "/")
}

var errOther = errors.New("another file of that name is there already; export into a folder that is empty")

// write writes a version to a file that is not there yet.
func (e *exporter) write(ctx context.Context, s *archive.Source, v archive.Version, name string) error {
	if err := e.folder(path.Dir(name)); err != nil {
		return err
	}
	from := e.a.File(s, v)
	defer from.Close()
	f, err := e.root.OpenFile(filepath.FromSlash(name), os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if errors.Is(err, fs.ErrExist) {
		return e.same(name, v)
	}
	if err != nil {
		return err
	}
	err = copyVersion(ctx, f, from, v)
	if err == nil {
		err = f.Chmod(0o600) // whatever the umask
	}
	if cerr := f.Close(); err == nil {
		err = cerr
	}
	if err == nil {
		err = e.root.Chtimes(filepath.FromSlash(name), v.MTime, v.MTime)
	}
	if err != nil {
		_ = e.root.Remove(filepath.FromSlash(name))
	}
	return err
}

// copyVersion writes the bytes of a version, and holds them against its hash.
func copyVersion(ctx context.Context, to io.Writer, from io.ReaderAt, v archive.Version) error {
	sum := sha256.New()
	buf := make([]byte, 1<<20)
	for at := int64(0); at < v.Size; {
		if err := ctx.Err(); err != nil {
			return err
		}
		b := buf[:min(int64(len(buf)), v.Size-at)]
		if n, err := from.ReadAt(b, at); n < len(b) {
			return err
		}
		sum.Write(b)
		if _, err := to.Write(b); err != nil {
			return err
		}
		at += int64(len(b))
	}
	if [32]byte(sum.Sum(nil)) != v.SHA256 {
		return errors.New("what the archive gives is not what was kept: its hash is another; seshat archive verify tells more")
	}
	return nil
}

// same reports nothing when a file that is there holds a version already.
func (e *exporter) same(name string, v archive.Version) error {
	if fi, err := e.root.Lstat(filepath.FromSlash(name)); err != nil || !fi.Mode().IsRegular() || fi.Size() != v.Size {
		return errOther
	}
	f, err := e.root.Open(filepath.FromSlash(name))
	if err != nil {
		return err
	}
	defer f.Close()
	sum := sha256.New()
	if _, err := io.Copy(sum, f); err != nil || [32]byte(sum.Sum(nil)) != v.SHA256 {
		return errOther
	}
	return nil
}

// folder makes a folder and those above it, for nobody else to read.
func (e *exporter) folder(name string) error {
	if name == "." || e.made[name] {
		return nil
	}
	if err := e.folder(path.Dir(name)); err != nil {
		return err
	}
	at := filepath.FromSlash(name)
	err := e.root.Mkdir(at, 0o700)
	switch {
	case err == nil:
		err = e.root.Chmod(at, 0o700) // whatever the umask
	case errors.Is(err, fs.ErrExist):
		fi, serr := e.root.Lstat(at)
		if err = serr; err == nil && !fi.IsDir() {
			err = fmt.Errorf("%s is there already and is no folder; export into a folder that is empty", filepath.Join(e.dir, at))
		}
	}
	e.made[name] = err == nil
	return err
}
