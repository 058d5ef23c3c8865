package archive

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/seshat-dev/seshat/agent"
)

// small limits make many frames and packs of little content.
var small = limits{frame: 100, merged: 400, pack: 2000, commit: 1 << 30, pieces: 1 << 30, repacking: 1000}

// model is what an archive should hold, kept in the plainest way.
type model struct {
	files map[string]*modelFile
}

// modelFile is a source: for each version what the file held and what is kept of it.
type modelFile struct{ live, kept []string }

func newModel() *model { return &model{map[string]*modelFile{}} }

func (m *model) clone() *model {
	c := newModel()
	for name, f := range m.files {
		c.files[name] = &modelFile{slices.Clone(f.live), slices.Clone(f.kept)}
	}
	return c
}

func (m *model) put(name, content string) {
	f := m.files[name]
	if f == nil {
		f = &modelFile{}
		m.files[name] = f
	}
	if n := len(f.live) - 1; n >= 0 && strings.HasPrefix(content, f.live[n]) {
		f.kept[n] += content[len(f.live[n]):]
		f.live[n] = content
		return
	}
	f.live, f.kept = append(f.live, content), append(f.kept, content)
}

// current is what a file holds now.
func (m *model) current(name string) string {
	if f := m.files[name]; f != nil {
		return f.live[len(f.live)-1]
	}
	return ""
}

func (m *model) contents() map[string][]string {
	all := map[string][]string{}
	for name, f := range m.files {
		all[name] = f.kept
	}
	return all
}

func mask(s string) string { return strings.ReplaceAll(s, "secret", "******") }

// step is one change of a model, and of an archive when there is one. It ends with a commit.
func step(rng *rand.Rand, m *model, w *Writer) error {
	ctx := context.Background()
	name := []string{"a.jsonl", "b/c.jsonl", "\xff\x00\n", "d", "e", "f", "g"}[rng.IntN(7)]
	names := slices.Sorted(maps.Keys(m.files))
	known := ""
	if len(names) > 0 {
		known = names[rng.IntN(len(names))]
	}
	switch n := rng.IntN(20); {
	case n == 0 && known != "":
		delete(m.files, known)
		return with(w, known, func(id int64) error { _, err := w.Forget(ctx, []int64{id}, "asked"); return err })
	case n == 1 && known != "":
		for i, kept := range m.files[known].kept {
			m.files[known].kept[i] = mask(kept)
		}
		return with(w, known, func(id int64) error { return maskAll(ctx, w, id) })
	case n == 2:
		if w == nil {
			return nil
		}
		_, err := w.Repack(ctx, nil)
		return err
	case n == 3 && known != "" && m.files[name] == nil:
		m.files[name] = m.files[known]
		delete(m.files, known)
		return with(w, known, func(id int64) error { return errors.Join(w.Move(id, keyOf(name)), w.Commit(ctx)) })
	}
	content := change(rng, m.current(name), m.current(known))
	m.put(name, content)
	if w == nil {
		return nil
	}
	live := agent.Info{Size: int64(len(content)), MTime: time.Unix(1_600_000_000, 0)}
	_, err := w.Put(ctx, keyOf(name), Label{Session: name}, strings.NewReader(content), int64(len(content)), live)
	if err == nil {
		err = w.Commit(ctx)
	}
	return err
}

// change makes new content of a file: most grow.
func change(rng *rand.Rand, now, other string) string {
	switch rng.IntN(8) {
	case 0:
		return now[:rng.IntN(len(now)+1)]
	case 1:
		now = other
	case 2:
		now = ""
	case 3:
		return now
	}
	for range 1 + rng.IntN(6) {
		now += fmt.Sprintf(`{"n":%d,"text":"%s secret"}`+"\n", rng.IntN(50), strings.Repeat("x", rng.IntN(90)))
	}
	return now
}

func with(w *Writer, name string, do func(id int64) error) error {
	if w == nil {
		return nil
	}
	list, err := w.Sources(context.Background())
	if err != nil {
		return err
	}
	for _, s := range list {
		if s.Name == name {
			return do(s.ID)
		}
	}
	return fmt.Errorf("%q is not in the archive", name)
}

func maskAll(ctx context.Context, w *Writer, id int64) error {
	_, err := w.Mask(ctx, []int64{id}, func(_ *Source, v Version, content io.ReaderAt) (io.ReaderAt, error) {
		b, err := io.ReadAll(io.NewSectionReader(content, 0, v.Size))
		if masked := mask(string(b)); err == nil && masked != string(b) {
			return strings.NewReader(masked), nil
		}
		return nil, err
	})
	return err
}

// sameContents reports how an archive differs from a model, damage included.
func sameContents(t *testing.T, a *Archive, m *model) error {
	t.Helper()
	got, err := readAll(a)
	if err != nil {
		return err
	}
	want := m.contents()
	if !maps.EqualFunc(got, want, equal) {
		return fmt.Errorf("got %q\nwant %q", got, want)
	}
	faults, err := a.Verify(context.Background(), nil)
	if err != nil {
		return err
	}
	for _, f := range faults {
		return &f
	}
	return nil
}

func readAll(a *Archive) (map[string][]string, error) {
	got := map[string][]string{}
	list, err := a.Sources(context.Background())
	if err != nil {
		return nil, err
	}
	for _, s := range list {
		for _, v := range s.Versions {
			var b bytes.Buffer
			if _, err := io.Copy(&b, io.NewSectionReader(a.File(&s, v), 0, v.Size)); err != nil {
				return nil, err
			}
			got[s.Name] = append(got[s.Name], b.String())
		}
	}
	return got, nil
}

// Whatever is done to it, an archive holds what the model holds, in the writer, for a
// reader that has been there all along, and after it was opened again.
func TestAgainstModel(t *testing.T) {
	for seed := range uint64(4) {
		rng := rand.New(rand.NewPCG(seed, 7))
		dir := t.TempDir()
		m := newModel()
		var reader *Archive
		var w *Writer
		for n := range 40 {
			if w == nil {
				w = must(write(dir, "here", clock(), osDisk{}, "WAL", small))(t)
			}
			if reader == nil {
				reader = must(Open(dir))(t)
			}
			if err := step(rng, m, w); err != nil {
				t.Fatalf("seed %d, step %d: %v", seed, n, err)
			}
			if err := sameContents(t, reader, m); err != nil {
				t.Fatalf("seed %d, step %d: %v", seed, n, err)
			}
			if rng.IntN(4) == 0 {
				if err := w.Close(); err != nil {
					t.Fatal(err)
				}
				w = nil
			}
		}
		if w != nil {
			w.Close()
		}
		reader.Close()
	}
}
