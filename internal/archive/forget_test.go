package archive

import (
	"bytes"
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"
)

// traces gives the files below a folder that hold a text, packed or not.
func traces(t *testing.T, dir, text string) (found []string) {
	t.Helper()
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		b, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		if bytes.Contains(append(b, unpack(t, b)...), []byte(text)) {
			found = append(found, filepath.Base(path))
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// unpack gives what the frames in a pack hold, whether the manifest names them or not.
func unpack(t *testing.T, pack []byte) (content []byte) {
	t.Helper()
	d := must(zstd.NewReader(nil))(t)
	defer d.Close()
	_, _ = walk(bytes.NewReader(pack), int64(len(pack)), func(r walked) error {
		if h, err := parseFrameHeader(r.Body); err == nil && r.Kind == frameRecord {
			from := int(r.at) + r.Size
			if raw, err := d.DecodeAll(pack[from:min(len(pack), from+int(h.Stored))], nil); err == nil {
				content = append(content, raw...)
			}
		}
		return nil
	})
	return content
}

// freshPack commits and sees that what follows goes into a new pack.
func freshPack(t *testing.T, w *Writer) {
	t.Helper()
	commit(t, w)
	if err := w.packing.close(); err != nil {
		t.Fatal(err)
	}
	w.packing.fresh = true
}

// Nothing is left of what was forgotten, neither content nor names, and what another
// source needs too is.
func TestForget(t *testing.T) {
	ctx := context.Background()
	dir := t.TempDir()
	w := must(write(dir, "here", clock(), osDisk{}, "WAL", small))(t)
	defer func() { w.Close() }()
	shared := strings.Repeat("shared by both\n", 6) // one frame of 90 bytes
	gone := put(t, w, "the-name-of-it", shared+strings.Repeat("the word is needle\n", 5))
	commit(t, w)
	if _, err := w.Put(ctx, keyOf("fork"), Label{Session: "s2"}, strings.NewReader(shared+strings.Repeat("other words\n", 8)), 186, live(186)); err != nil {
		t.Fatal(err)
	}
	freshPack(t, w) // with the new name, and nothing else
	if err := w.Move(gone.ID, keyOf("other-name")); err != nil {
		t.Fatal(err)
	}
	// A put that fails leaves frames that no version needs; here in a pack of their own.
	freshPack(t, w)
	if _, err := w.Put(ctx, keyOf("broken"), Label{Session: "s3"}, strings.NewReader(strings.Repeat("half a needle\n", 30)), 1000, live(1000)); err == nil {
		t.Fatal("a file that is shorter than it was said to be is kept")
	}
	commit(t, w)
	if got := traces(t, dir, "needle"); len(got) == 0 {
		t.Fatal("the test cannot see what is there")
	}
	done, err := w.Forget(ctx, []int64{gone.ID, 99}, "asked for")
	if err != nil || done.Sources != 1 || done.Bytes != 185 || done.Freed <= 0 {
		t.Errorf("%+v, %v", done, err)
	}
	for _, text := range []string{"needle", "the-name-of-it", "other-name"} {
		if got := traces(t, dir, text); len(got) > 0 {
			t.Errorf("%s is still in %v", text, got)
		}
	}
	if got := contents(t, w.Archive()); len(got) != 1 || !strings.HasPrefix(got["fork"][0], shared) {
		t.Errorf("%q", got)
	}
	for session, want := range map[string]bool{"s1": true, "s2": false, "s3": false, "": false} {
		if got := w.Archive().Forgotten("claude", session); got != want {
			t.Errorf("forgotten %q: %v", session, got)
		}
	}
	faults, err := w.Archive().Verify(ctx, nil)
	if err != nil || len(faults) > 0 {
		t.Errorf("%v, %v", faults, err)
	}
}

// A tombstone of a session is for all of it; one source of several has its own.
func TestTombstones(t *testing.T) {
	ctx := context.Background()
	dir := t.TempDir()
	w := newWriter(t, dir)
	a, b := put(t, w, "a", "a"), put(t, w, "b", "b")
	key := keyOf("a")
	key.Machine = "here"
	if _, err := w.Forget(ctx, []int64{a.ID}, ""); err != nil {
		t.Fatal(err)
	}
	if r := w.Archive(); r.Forgotten("claude", "s1") || !r.ForgottenKey(key) {
		t.Error("one source of a session")
	}
	if _, err := w.Forget(ctx, []int64{b.ID}, "why"); err != nil {
		t.Fatal(err)
	}
	if r := w.Archive(); !r.Forgotten("claude", "s1") {
		t.Error("the last source of a session")
	}
	if list := must(w.Archive().Tombstones(ctx))(t); len(list) != 2 || list[0].Session != "s1" || list[0].Why != "why" {
		t.Errorf("%+v", list)
	}
	// Numbers are not given twice.
	if got := put(t, w, "c", "c"); got.ID != 3 {
		t.Errorf("%+v", got)
	}
}

// When a run breaks off before the old packs are removed, the next one removes them.
func TestForgetBrokenOff(t *testing.T) {
	dir, d := t.TempDir(), newShakyDisk()
	w := must(write(dir, "here", clock(), d, "WAL", small))(t)
	gone := put(t, w, "a", "the word is needle\n")
	put(t, w, "b", "other\n")
	commit(t, w)
	d.fault, d.after, d.left = errPower, true, 4 // a new pack, its content, two syncs: then the old pack is removed
	if _, err := w.Forget(context.Background(), []int64{gone.ID}, ""); err == nil {
		t.Fatal("forgetting did not break off")
	}
	w.Close()
	d.left = -1
	if !slices.ContainsFunc(packsOf(d), func(b []byte) bool { return bytes.Contains(unpack(t, b), []byte("needle")) }) {
		t.Fatal("the old pack is gone already: the test breaks off too late")
	}
	w = must(write(dir, "here", clock(), d, "WAL", small))(t)
	defer w.Close()
	if got := contents(t, w.Archive()); len(got) != 1 {
		t.Errorf("the manifest was not switched before: %q", got)
	}
	for _, b := range packsOf(d) {
		if bytes.Contains(append(b, unpack(t, b)...), []byte("needle")) {
			t.Error("the old pack is still there")
		}
	}
}

func packsOf(d *shakyDisk) (list [][]byte) {
	for _, f := range d.files {
		list = append(list, slices.Clone(f.data))
	}
	return list
}

// A masked version goes on to stand for its file.
func TestMask(t *testing.T) {
	ctx := context.Background()
	dir := t.TempDir()
	w := newWriter(t, dir)
	p := put(t, w, "log", "a secret one\n")
	put(t, w, "other", "nothing\n")
	commit(t, w)
	if err := maskAll(ctx, w, p.ID); err != nil {
		t.Fatal(err)
	}
	if got := traces(t, dir, "secret"); len(got) > 0 {
		t.Errorf("still in %v", got)
	}
	if got := put(t, w, "log", "a secret one\n"); !got.Same {
		t.Errorf("the file as it was: %+v", got)
	}
	if got := put(t, w, "log", "a secret one\nmore\n"); got.Added != 5 || got.Version != 1 {
		t.Errorf("the file grew: %+v", got)
	}
	commit(t, w)
	if got := contents(t, w.Archive())["log"]; !equal(got, []string{"a ****** one\nmore\n"}) {
		t.Errorf("%q", got)
	}
	if s := must(w.Archive().Sources(ctx))(t); !s[0].Versions[0].Masked || s[1].Versions[0].Masked {
		t.Errorf("%+v", s)
	}
	if faults, err := w.Archive().Verify(ctx, nil); err != nil || len(faults) > 0 {
		t.Errorf("%v, %v", faults, err)
	}
}

// What was put and not committed takes no room when the writer is closed.
func TestTakenBack(t *testing.T) {
	dir := t.TempDir()
	sizes := func() (sizes []int64) {
		for _, n := range []int64{1, 2} {
			size := int64(-1)
			if fi, err := os.Stat(filepath.Join(dir, packFolder, packName(n))); err == nil {
				size = fi.Size()
			}
			sizes = append(sizes, size)
		}
		return sizes
	}
	w := newWriter(t, dir)
	put(t, w, "a", "one\n")
	w.Close()
	if got := sizes(); !slices.Equal(got, []int64{-1, -1}) {
		t.Errorf("a new pack: %v", got)
	}
	w = newWriter(t, dir)
	put(t, w, "a", "one\n")
	commit(t, w)
	before := sizes()
	w.Close()
	w = newWriter(t, dir)
	put(t, w, "a", "one\ntwo\n")
	w.Close()
	if got := sizes(); !slices.Equal(got, before) || before[0] <= 0 || before[1] != -1 {
		t.Errorf("a pack that is there: %v, before %v", got, before)
	}
	if got := contents(t, newWriter(t, dir).Archive()); !equal(got["a"], []string{"one\n"}) {
		t.Errorf("%q", got)
	}
}
