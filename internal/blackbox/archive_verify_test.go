package blackbox

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A damaged spot is found, named with whom it hurts, and hurts nobody else.
func TestVerifyNamesWhatIsHurt(t *testing.T) {
	t.Parallel()
	h := withArchive(t)
	h.Run("archive", "verify").exits(t, 2) // there is no archive
	one, two := h.Claude("/srv/app", S1, U("m1", "", "first needle")), h.Claude("/srv/app", S2, U("n1", "", "second needle"))
	h.archive(t, 0)
	if r := h.Run("archive", "verify").exits(t, 0); r.Stdout != "2 files sound, 0 damaged spots\n" {
		t.Errorf("%q", r.Stdout)
	}
	// Every byte of every pack turned over, one after the other: what is kept of one file
	// can be hurt, or nobody, but never both files.
	packs, err := filepath.Glob(filepath.Join(h.base, dataName, "archive", "packs", "*.pack"))
	if err != nil || len(packs) != 1 {
		t.Fatal(packs, err)
	}
	whole, err := os.ReadFile(packs[0])
	if err != nil {
		t.Fatal(err)
	}
	hurt, lost := map[string]bool{}, 0
	for at := 20; at < len(whole); at += 97 {
		b := bytes.Clone(whole)
		b[at] ^= 0x10
		if err := os.WriteFile(packs[0], b, 0o600); err != nil {
			t.Fatal(err)
		}
		r := h.Run("archive", "verify", "--json")
		a := oneObject(t, r)
		names := map[string]bool{}
		for _, f := range as[struct{ Path, Session, Reason string }](t, a) {
			if names[f.Path] = true; f.Path != "" {
				hurt[f.Path] = true
			}
		}
		if len(a.items) != a.summary.Matches || (r.Code == 3) != (len(a.items) > 0) || names[h.Tilde(one)] && names[h.Tilde(two)] {
			t.Errorf("byte %d hurts %v", at, names)
		}
		// What is sound is given back all the same: a spot that hurts a file is in its bytes,
		// or in what is there twice.
		out := h.Run("archive", "export", filepath.Join(h.base, fmt.Sprint("out", at)), "--json")
		for _, f := range as[exported](t, oneObject(t, out)) {
			if f.Reason == "" {
				continue
			}
			if lost++; !names[f.Source] || out.Code != 2 || !strings.Contains(f.Reason, "damaged in the archive") {
				t.Errorf("byte %d: %+v", at, f)
			}
		}
	}
	if !hurt[h.Tilde(one)] || !hurt[h.Tilde(two)] || lost < 2 {
		t.Errorf("some byte of each file stands in the pack, and turning over hurt only %v, lost %d", hurt, lost)
	}
	if r := h.Run("archive", "verify").exits(t, 3); !strings.Contains(r.Stdout, "damaged: ") {
		t.Errorf("%s", r.Stdout)
	}
}
