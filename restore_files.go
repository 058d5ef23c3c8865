package seshat

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/seshat-dev/seshat/agent"
	"github.com/seshat-dev/seshat/catalog"
	"github.com/seshat-dev/seshat/internal/archive"
	"github.com/seshat-dev/seshat/internal/restore"
	"github.com/seshat-dev/seshat/internal/retention"
	"github.com/seshat-dev/seshat/internal/rootfs"
	"github.com/seshat-dev/seshat/internal/search"
	"github.com/seshat-dev/seshat/record"
)

// primaryChat is the role of transcripts.
const primaryChat = "primary_chat"

// keptFrom gives what was kept from the folder that a source was found in.
func (w *world) keptFrom(src search.Source) []*keptFolder {
	if w.kept == nil {
		return nil
	}
	return w.kept.at(src.Agent, src.Root.Dir())
}

// returnable reports whether a kept file may be written into a data folder at all: its
// place there is of a store that belongs to sessions.
func (l *Library) returnable(s *archive.Source) bool {
	store := l.adapter(s.Agent).Catalog().Match(catalog.Data, s.Name)
	return store != nil && store.Family == catalog.FamilyYes && store.Coverage != catalog.Private
}

// plainList names kept files for a message.
func plainList(list []*archive.Source) string {
	var names []string
	for i, s := range list {
		if i == 5 {
			names = append(names, fmt.Sprintf("%d more", len(list)-i))
			break
		}
		names = append(names, s.Name)
	}
	return strings.Join(names, ", ")
}

// files makes the order, what its agent needs beside before everything that was kept.
func (b *bringing) files(ctx context.Context) error {
	ret := b.needs
	b.order.Target = b.target
	for _, add := range ret.Add {
		b.order.Files = append(b.order.Files, restore.File{
			Name: add.Name, Size: int64(len(add.Data)), Sum: sha256.Sum256([]byte(add.Data)),
			Open: func() (io.ReadCloser, error) { return io.NopCloser(strings.NewReader(add.Data)), nil },
		})
		b.sources = append(b.sources, nil)
	}
	for _, s := range b.kept {
		if ret.Without[s.Name] {
			continue
		}
		f, err := b.file(ctx, s, ret.Tails[s.Name])
		if err != nil {
			return err
		}
		b.order.Files = append(b.order.Files, f)
		b.sources = append(b.sources, s)
	}
	return nil
}

// file gives what is put back of a kept file.
func (b *bringing) file(ctx context.Context, s *archive.Source, tail []byte) (restore.File, error) {
	v := current(s)
	kept := b.w.kept.archive.File(s, v)
	content := func() io.Reader { return io.NewSectionReader(kept, 0, v.Size) }
	f := restore.File{Name: s.Name, Size: v.Size, Sum: v.SHA256}
	if len(tail) > 0 {
		sum := sha256.New()
		if _, err := io.Copy(sum, io.MultiReader(content(), bytes.NewReader(tail))); err != nil {
			return f, err
		}
		f.Size, f.Sum = v.Size+int64(len(tail)), [sha256.Size]byte(sum.Sum(nil))
	}
	f.Open = func() (io.ReadCloser, error) {
		return io.NopCloser(io.MultiReader(content(), bytes.NewReader(tail))), ctx.Err()
	}
	return f, nil
}

// bare gives the order's files as they were kept, without what is added behind them: one
// that was put back before begins with that.
func (b *bringing) bare() []restore.File {
	files := slices.Clone(b.order.Files)
	for i, s := range b.sources {
		if s != nil {
			v := current(s)
			files[i].Size, files[i].Sum = v.Size, v.SHA256
		}
	}
	return files
}

// decide says what becomes of each file, and leaves in the order those that are written.
func (b *bringing) decide(ctx context.Context, out *Restored) error {
	there := b.script != nil && b.stateOf(b.script) != restore.Free || b.script == nil && b.onDisk()
	if b.q.Force && slices.Contains(b.states, restore.Other) {
		if err := b.l.notRunningIn(ctx, b.lead, b.root); err != nil {
			return err
		}
	}
	var files []restore.File
	var sources []*archive.Source
	for i, f := range b.order.Files {
		s := b.sources[i]
		full := filepath.Join(b.target, filepath.FromSlash(f.Name))
		did := ""
		switch state := b.states[i]; {
		case s == nil && (state != restore.Free || !b.writesAny()):
			continue
		case s == nil:
			did = RestoreAdds
		case state == restore.Free:
			did = RestoreWrites
		case state == restore.Other && b.q.Force:
			fi, err := os.Stat(full)
			if err != nil || !fi.Mode().IsRegular() {
				return errors.Join(fmt.Errorf("%s cannot be replaced: it is no file", full), err)
			}
			f.Over, did = fi, RestoreReplaces
		case state == restore.Other && (s == b.script || !there):
			return fmt.Errorf("%s stands there with other content than what was kept, so %s is not put back; --force replaces it once it is archived, --target DIR puts the session elsewhere", full, b.lead.Session)
		case state == restore.Other:
			did = RestoreLeaves
		case b.q.Touch:
			did = RestoreTouches
			b.touch = append(b.touch, f.Name)
		case state == restore.Grown:
			did = RestoreGrown
		default:
			did = RestoreSame
		}
		if did == RestoreAdds || did == RestoreWrites || did == RestoreReplaces {
			files, sources = append(files, f), append(sources, s)
		}
		out.Items = append(out.Items, RestoreItem{Path: full, Did: did, Size: f.Size})
		if s != nil && len(b.needs.Tails[s.Name]) > 0 && (did == RestoreWrites || did == RestoreReplaces) {
			out.note("one line with the date of now is added to %s: %s", full, b.needs.TailWhy)
		}
		if s != nil && current(s).Masked && did != RestoreLeaves {
			out.note("%s is not what it was: something in it was masked in the archive", full)
		}
	}
	b.order.Files, b.sources = files, sources
	return nil
}

// writesAny reports whether something that was kept is written.
func (b *bringing) writesAny() bool {
	for i, s := range b.sources {
		if s != nil && (b.states[i] == restore.Free || b.states[i] == restore.Other && b.q.Force) {
			return true
		}
	}
	return false
}

func (b *bringing) stateOf(s *archive.Source) restore.State {
	for i, other := range b.sources {
		if other == s {
			return b.states[i]
		}
	}
	return restore.Free
}

// run writes what is to be written.
func (b *bringing) run(ctx context.Context) error {
	if len(b.touch) > 0 {
		if err := restore.Touch(b.target, b.touch, time.Now()); err != nil {
			return err
		}
	}
	if len(b.order.Files) == 0 {
		return nil
	}
	js, err := b.l.journals()
	if err != nil {
		return err
	}
	if !b.replaces() {
		return js.Run(ctx, b.order)
	}
	w, _, err := b.l.writeArchive()
	if err != nil {
		return fmt.Errorf("what would be replaced cannot be archived before, so nothing is replaced: %w", err)
	}
	if err = b.keepReplaced(ctx, w); err == nil {
		b.order.Taken = func(f restore.File, old *os.File) error { return b.keepLate(ctx, w, f, old) }
		err = js.Run(ctx, b.order)
	}
	return errors.Join(err, w.Close())
}

func (b *bringing) replaces() bool {
	for _, f := range b.order.Files {
		if f.Over != nil {
			return true
		}
	}
	return false
}

// keepReplaced archives what gives way as it is before anything is written.
func (b *bringing) keepReplaced(ctx context.Context, w *archive.Writer) error {
	for i, f := range b.order.Files {
		if f.Over == nil {
			continue
		}
		file, err := b.root.Open(f.Name)
		if err != nil {
			return err
		}
		info := file.Info()
		err = b.keep(ctx, w, b.sources[i], file, info)
		if err = errors.Join(err, file.Close()); err != nil {
			return fmt.Errorf("%s cannot be archived, so it is not replaced: %w", rootfs.Path(b.root, f.Name), err)
		}
	}
	return w.Commit(ctx)
}

// keepLate archives what was written into a file until it gave way.
func (b *bringing) keepLate(ctx context.Context, w *archive.Writer, f restore.File, old *os.File) error {
	fi, err := old.Stat()
	if err != nil {
		return err
	}
	for _, s := range b.sources {
		if s == nil || s.Name != f.Name {
			continue
		}
		info := agent.Info{Name: fi.Name(), Mode: fi.Mode(), Size: fi.Size(), MTime: fi.ModTime()}
		if err := b.keep(ctx, w, s, old, info); err != nil {
			return err
		}
	}
	return w.Commit(ctx)
}

// keep archives a file that gives way, without what was scrubbed from the archive.
func (b *bringing) keep(ctx context.Context, w *archive.Writer, s *archive.Source, file io.ReaderAt, info agent.Info) error {
	marks, err := b.l.marks()
	if err == nil {
		file, err = withoutScrubbed(ctx, marks, file, info.Size)
	}
	if err == nil {
		_, err = w.Put(ctx, b.keyOf(s), s.Label, file, info.Size, info)
	}
	return err
}

// keyOf is the key of a file where it is put.
func (b *bringing) keyOf(s *archive.Source) archive.Key {
	return archive.Key{Agent: s.Agent, Dir: b.root.Dir(), Name: s.Name}
}

// nearEnd is how near the end of a session is when it is worth saying.
const nearEnd = 7 * 24 * time.Hour

// dates says when the agent will delete what is there now.
func (b *bringing) dates(ctx context.Context, out *Restored) error {
	if !b.own || b.q.DryRun {
		return nil
	}
	w, err := b.l.disk().discover(ctx, true)
	if err != nil {
		return err
	}
	told, err := b.l.retentions(ctx, w, func(src *agent.Source) bool { return src.Agent == b.lead.Agent && src.Session == b.lead.Session })
	if err != nil {
		return err
	}
	var fates [][]agent.Fate
	for _, r := range told {
		fates = append(fates, r.Fates)
	}
	for key, at := range retention.Sessions(fates...) {
		if key.Agent == b.lead.Agent && (out.Expires.IsZero() || at.Before(out.Expires)) {
			out.Expires = at
		}
	}
	if !out.Expires.IsZero() && time.Until(out.Expires) < nearEnd {
		also := ""
		if b.needs.Touch && out.Changed() == 0 {
			also = ", and --touch gives it the date of now"
		}
		out.note("%s will delete it at its first start after %s; seshat expiring tells how to keep it longer%s", b.lead.Agent, out.Expires.Local().Format("2006-01-02 15:04"), also)
	}
	return nil
}

// restoredJSON is a seshat.restored/1 object: what became of one file.
type restoredJSON struct {
	Schema  string `json:"schema"`
	Agent   string `json:"agent"`
	Session string `json:"session"`
	Path    string `json:"path"`
	Did     string `json:"did"`
	Bytes   int64  `json:"bytes"`
}

// JSON gives the values that encoding/json writes as seshat.restored/1 objects.
func (r *Restored) JSON(h record.Home) []any {
	var out []any
	for _, it := range r.Items {
		out = append(out, restoredJSON{record.RestoredSchema, r.Session.Agent, r.Session.ID, h.Short(it.Path), it.Did, it.Size})
	}
	return out
}
