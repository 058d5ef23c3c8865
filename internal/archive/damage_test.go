package archive

import (
	"bytes"
	"context"
	"errors"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
)

// filled makes an archive of some sources and gives what it holds.
func filled(t *testing.T, dir string) map[string][]string {
	t.Helper()
	w := must(write(dir, "here", clock(), osDisk{}, "WAL", small))(t)
	m := newModel()
	rng := rand.New(rand.NewPCG(5, 5))
	for _, name := range []string{"a", "b", "c", "a", "d", "b", "a"} {
		content := change(rng, m.current(name), "")
		m.put(name, content)
		put(t, w, name, content)
		commit(t, w)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return m.contents()
}

// inPlace changes a file by a function, runs another, and puts back what was there.
func inPlace(t *testing.T, path string, change func([]byte) []byte, then func()) {
	t.Helper()
	whole := must(os.ReadFile(path))(t)
	defer func() {
		if err := os.WriteFile(path, whole, 0o600); err != nil {
			t.Fatal(err)
		}
	}()
	if err := os.WriteFile(path, change(slices.Clone(whole)), 0o600); err != nil {
		t.Fatal(err)
	}
	then()
}

// A bit of a pack that changed hurts the frame that it lies in and no other, and the
// error names whom; so does the end of a pack that is missing.
func TestDamagedPack(t *testing.T) {
	dir := t.TempDir()
	want := filled(t, dir)
	pack := filepath.Join(dir, packFolder, packName(1))
	size := int(must(os.Stat(pack))(t).Size())
	rng := rand.New(rand.NewPCG(3, 3))
	for n := range 60 {
		at := rng.IntN(size)
		hurts := func(p placed) bool { return p.at.Pack == 1 && int(p.at.Offset+p.at.Stored) > at }
		damage := func(b []byte) []byte { return b[:at] }
		if n%3 > 0 {
			hurts = func(p placed) bool {
				return p.at.Pack == 1 && int(p.at.Offset) <= at && at < int(p.at.Offset+p.at.Stored)
			}
			damage = func(b []byte) []byte { b[at] ^= 1 << rng.IntN(8); return b }
		}
		inPlace(t, pack, damage, func() { checkDamage(t, dir, want, hurts, n%3 > 0) })
	}
	inPlace(t, pack, func(b []byte) []byte { return b }, func() {
		if err := os.Remove(pack); err != nil {
			t.Fatal(err)
		}
		checkDamage(t, dir, want, func(p placed) bool { return p.at.Pack == 1 }, false)
	})
}

// checkDamage reads everything: what may be hurt is right or an error that names it,
// and everything else is right. mayBeWhole tells that damage may not matter, as where it
// hits a checksum.
func checkDamage(t *testing.T, dir string, want map[string][]string, hurts func(placed) bool, mayBeWhole bool) {
	t.Helper()
	ctx := context.Background()
	a := must(Open(dir))(t)
	defer a.Close()
	var hurt []Fault
	for _, s := range must(a.Sources(ctx))(t) {
		for i, v := range s.Versions {
			f := a.File(&s, v)
			for _, p := range must(placedPieces(ctx, a.db, s.ID, v.Number))(t) {
				got := make([]byte, p.Raw)
				_, err := f.ReadAt(got, p.Offset)
				var damage *DamageError
				switch {
				case err == nil && string(got) == want[s.Name][i][p.Offset:][:p.Raw] && (mayBeWhole || !hurts(p)):
				case errors.As(err, &damage) && hurts(p) && damage.ID == s.ID && damage.Key == s.Key && damage.Version == v.Number && damage.Offset == p.Offset && damage.Length == p.Raw:
					hurt = append(hurt, *damage)
				default:
					t.Fatalf("%s, version %d, bytes %d to %d: %q, %v", s.Name, v.Number, p.Offset, p.Offset+p.Raw, got, err)
				}
			}
		}
	}
	faults := must(a.Verify(ctx, nil))(t)
	for _, h := range hurt {
		if !slices.Contains(faults, h) {
			t.Fatalf("verify does not tell of %+v but of %+v", h, faults)
		}
	}
	for _, f := range faults {
		if f.ID != 0 && !slices.Contains(hurt, f) {
			t.Fatalf("verify tells of %+v", f)
		}
	}
}

// Whatever bit of the manifest changes, no wrong byte comes out under a name, and Verify
// does not call it well when something is amiss.
func TestDamagedManifest(t *testing.T) {
	dir := t.TempDir()
	want := filled(t, dir)
	path := filepath.Join(dir, manifestName)
	size := int(must(os.Stat(path))(t).Size())
	rng := rand.New(rand.NewPCG(4, 4))
	runs := 200
	if testing.Short() {
		runs = 80
	}
	for n := range runs {
		at, bit := rng.IntN(size), rng.IntN(8)
		damage := func(b []byte) []byte { b[at] ^= 1 << bit; return b }
		if n%8 == 0 {
			damage = func(b []byte) []byte { return b[:at] }
		}
		inPlace(t, path, damage, func() {
			amiss, err := readDamaged(dir, want)
			if err != nil {
				t.Fatalf("byte %d, bit %d: %v", at, bit, err)
			}
			a, err := Open(dir)
			if err != nil {
				return
			}
			defer a.Close()
			if faults, err := a.Verify(context.Background(), nil); amiss && err == nil && len(faults) == 0 {
				t.Fatalf("byte %d, bit %d: verify finds nothing", at, bit)
			}
		})
	}
}

// readDamaged reads all that can be read. amiss tells that something is not as it was;
// the error is a wrong byte.
func readDamaged(dir string, want map[string][]string) (amiss bool, err error) {
	a, err := Open(dir)
	if err != nil {
		return true, nil
	}
	defer a.Close()
	list, err := a.Sources(context.Background())
	if err != nil || len(list) != len(want) {
		return true, nil
	}
	for _, s := range list {
		versions := want[s.Name]
		amiss = amiss || len(versions) != len(s.Versions)
		for _, v := range s.Versions {
			got, err := io.ReadAll(io.NewSectionReader(a.File(&s, v), 0, min(v.Size, 1<<20)))
			if err != nil || v.Number < 1 || v.Number > len(versions) {
				amiss = true
				continue
			}
			if string(got) != versions[v.Number-1] {
				return true, errors.New("a wrong byte of " + s.Name)
			}
		}
	}
	return amiss, nil
}

// The packs alone tell all that is needed.
func TestRebuild(t *testing.T) {
	ctx := context.Background()
	for seed := range uint64(2) {
		dir := t.TempDir()
		w := must(write(dir, "here", clock(), osDisk{}, "WAL", small))(t)
		m := newModel()
		rng := rand.New(rand.NewPCG(seed, 8))
		for range 25 {
			if err := step(rng, m, w); err != nil {
				t.Fatal(err)
			}
		}
		before := must(w.Archive().Sources(ctx))(t)
		tombs := must(w.Archive().Tombstones(ctx))(t)
		w.Close()
		if err := os.WriteFile(filepath.Join(dir, manifestName), []byte("no database"), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := Open(dir); err == nil {
			t.Fatal("a damaged manifest is opened")
		}
		done, err := Rebuild(ctx, dir, "here", clock())
		if err != nil || done.Sources != len(m.files) || done.Nameless+done.Broken != 0 || done.Aside == "" {
			t.Fatalf("%+v, %v", done, err)
		}
		a := must(Open(dir))(t)
		defer a.Close()
		if err := sameContents(t, a, m); err != nil {
			t.Fatal(err)
		}
		after := must(a.Sources(ctx))(t)
		for i, s := range after {
			if s.Key != before[i].Key || s.Label != before[i].Label || !slices.Equal(s.Versions, before[i].Versions) {
				t.Errorf("%+v, before %+v", s, before[i])
			}
		}
		if got := must(a.Tombstones(ctx))(t); !slices.Equal(got, tombs) {
			t.Errorf("%+v, before %+v", got, tombs)
		}
	}
}

func TestNewerFormat(t *testing.T) {
	dir := t.TempDir()
	w := newWriter(t, dir)
	if _, err := w.db.Exec("PRAGMA user_version = 2"); err != nil {
		t.Fatal(err)
	}
	w.Close()
	_, err := Open(dir)
	_, err2 := Write(dir, "here", clock())
	for _, err := range []error{err, err2} {
		if err == nil || !strings.Contains(err.Error(), "use a newer seshat") {
			t.Errorf("%v", err)
		}
	}
}

// All files are for nobody else to read, those of SQLite too.
func TestModes(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("Windows has no such modes")
	}
	dir := filepath.Join(t.TempDir(), "data", "archive")
	w := newWriter(t, dir)
	put(t, w, "a", "a")
	commit(t, w)
	seen := map[string]bool{}
	err := filepath.WalkDir(filepath.Dir(dir), func(path string, d os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		seen[d.Name()] = true
		fi, err := d.Info()
		if want := map[bool]os.FileMode{true: 0o700, false: 0o600}[d.IsDir()]; err == nil && fi.Mode().Perm() != want {
			t.Errorf("%s: %v", path, fi.Mode())
		}
		return err
	})
	if err != nil || !seen[manifestName+"-wal"] || !seen[manifestName+"-shm"] || !seen[lockName] || !seen[packName(1)] {
		t.Errorf("%v, %v", seen, err)
	}
}

func FuzzRecords(f *testing.F) {
	h := frameHeader{Source: uid{1}, Version: 2, Offset: 3, Raw: 4, Stored: 5, SHA256: [32]byte{6}}
	s := sourceState{Source: uid{1}, Seq: 2, Key: Key{Agent: "a", Name: "\xff"}}
	v := versionState{Source: uid{1}, Version: Version{Number: 1, Size: 7, Masked: true}, Pieces: []piece{{Raw: 7}}}
	tomb := Tombstone{Agent: "a", Session: "s"}
	for _, b := range [][]byte{h.append(nil), s.append(nil), v.append(nil), tomb.append(nil), appendPackHeader(nil, uid{9})} {
		f.Add(b)
		f.Add(append(b, b...))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		// What can be read is written as it was, in a record with a right checksum.
		for kind := byte(1); kind <= tombRecord; kind++ {
			again := appendRecord(nil, kind, func(to []byte) []byte { return append(to, b...) })
			r, _, err := parseRecord(again)
			if err != nil || r.Kind != kind || !bytes.Equal(r.Body, b) || r.Size != len(again) {
				t.Fatalf("%+v, %v", r, err)
			}
			if got := rewritten(kind, b); got != nil && !bytes.Equal(got, again) {
				t.Fatalf("%x is read, and written as %x", again, got)
			}
		}
		var end int64
		damaged, err := walk(bytes.NewReader(b), int64(len(b)), func(r walked) error {
			if r.at < end {
				t.Fatal("goes backwards")
			}
			end = r.at + int64(r.Size)
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range damaged {
			if d.from >= d.to || d.to > int64(len(b)) {
				t.Fatalf("%+v", d)
			}
		}
		newCollected().record(1, int64(len(b)), walked{record: record{Kind: 2, Body: b}})
	})
}

// rewritten reads the body of a record and writes it again; nil when it cannot be read.
func rewritten(kind byte, body []byte) []byte {
	switch kind {
	case frameRecord:
		if h, err := parseFrameHeader(body); err == nil {
			return h.append(nil)
		}
	case sourceRecord:
		if s, err := parseSourceState(body); err == nil {
			return s.append(nil)
		}
	case versionRecord:
		if v, err := parseVersionState(body); err == nil && v.Masked && body[len(uid{})+8+4+8+32+8+4+8] == 1 {
			return v.append(nil)
		}
	case tombRecord:
		if t, err := parseTombstone(body); err == nil {
			return t.append(nil)
		}
	}
	return nil
}
