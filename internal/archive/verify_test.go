package archive

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
)

// A version of many frames, alone in the archive or beside others, is verified frame by
// frame and as a whole: the frame that is hurt is named, and no other.
func TestVerifyManyFrames(t *testing.T) {
	ctx := context.Background()
	var content strings.Builder
	for i := range 100 {
		fmt.Fprintf(&content, "line %014d\n", i) // 20 bytes: 5 in a frame of 100
	}
	for _, others := range []int{0, 9} {
		dir := t.TempDir()
		w := must(write(dir, "here", clock(), osDisk{}, "WAL", small))(t)
		put(t, w, "long", content.String())
		for i := range others {
			put(t, w, fmt.Sprint("other ", i), strings.ReplaceAll(content.String(), "line", fmt.Sprintf("l%03d", i)))
		}
		commit(t, w)
		a := w.Archive()
		var told int64
		if faults := must(a.Verify(ctx, func(done, total int64) { told = total - done }))(t); len(faults) > 0 || told != 0 {
			t.Fatalf("%d others: %+v, and %d bytes were not told of", others, faults, told)
		}
		s := sourceNamed(t, a, "long")
		pieces := must(placedPieces(ctx, a.db, s.ID, 1))(t)
		if len(pieces) != 20 {
			t.Fatalf("%d frames, want 20", len(pieces))
		}
		hurt := pieces[7]
		w.Close()
		inPlace(t, filepath.Join(dir, packFolder, packName(hurt.at.Pack)), func(b []byte) []byte {
			b[hurt.at.Offset+hurt.at.Stored/2] ^= 1
			return b
		}, func() {
			a := must(Open(dir))(t)
			defer a.Close()
			faults := must(a.Verify(ctx, nil))(t)
			if len(faults) != 1 || faults[0].Key != s.Key || faults[0].Offset != 700 || faults[0].Length != 100 {
				t.Errorf("%d others, bytes 700 to 800 are hurt: %+v", others, faults)
			}
		})
	}
}

// What only one of the two hashes tells is found: of a frame that holds other bytes than
// its name says, and of frames that are whole but not those of the version.
func TestVerifyHashes(t *testing.T) {
	ctx := context.Background()
	content := strings.Repeat(strings.Repeat("x", 99)+"\n", 3) + strings.Repeat(strings.Repeat("y", 99)+"\n", 3)
	for _, c := range []struct{ change, want string }{
		{"UPDATE frame SET sha256 = zeroblob(32) WHERE sha256 = (SELECT sha256 FROM piece WHERE offset = 0); UPDATE piece SET sha256 = zeroblob(32) WHERE sha256 = (SELECT sha256 FROM piece WHERE offset = 0)", errHash.Error()},
		{"UPDATE version SET sha256 = zeroblob(32)", "its frames are whole but it does not have the hash that it should"},
		{"UPDATE piece SET sha256 = (SELECT sha256 FROM piece WHERE offset = 0) WHERE offset = 300", "its frames are whole but it does not have the hash that it should"},
	} {
		w := must(write(t.TempDir(), "here", clock(), osDisk{}, "WAL", small))(t)
		put(t, w, "a", content)
		commit(t, w)
		if _, err := w.db.ExecContext(ctx, c.change); err != nil {
			t.Fatal(err)
		}
		var reasons []string
		for _, f := range must(w.Archive().Verify(ctx, nil))(t) {
			reasons = append(reasons, f.Reason)
		}
		if !strings.Contains(strings.Join(reasons, "\n"), c.want) {
			t.Errorf("%s: %q, want %q among them", c.change, reasons, c.want)
		}
		w.Close()
	}
}

func sourceNamed(t *testing.T, a *Archive, name string) *Source {
	t.Helper()
	list := must(a.Sources(context.Background()))(t)
	for i := range list {
		if list[i].Name == name {
			return &list[i]
		}
	}
	t.Fatalf("no source is called %s", name)
	return nil
}
