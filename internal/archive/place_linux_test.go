package archive

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestMountedAt(t *testing.T) {
	table := `22 1 254:0 / / rw,relatime - ext4 /dev/vda rw
30 22 0:30 / /home rw shared:1 - nfs4 server:/home rw
31 30 0:31 / /home/me/a\040b rw - fuse.sshfs x: rw
32 22 0:32 / /mnt rw - tmpfs tmpfs rw
33 22 0:33 / /mnt rw - cifs //server/share rw
broken
`
	for path, want := range map[string]string{
		"/": "ext4", "/var/x": "ext4", "/home": "nfs4", "/home/me/x": "nfs4", "/homes": "ext4", "/home/me/a b/c": "fuse.sshfs", "/mnt/x": "cifs",
	} {
		if got := mountedAt([]byte(table), path); got != want {
			t.Errorf("%s: %q, want %q", path, got, want)
		}
	}
}

func TestJournalFor(t *testing.T) {
	if journal, err := journalFor(t.TempDir()); journal != "WAL" || err != nil {
		t.Errorf("a folder of this machine: %q, %v", journal, err)
	}
	dir := filepath.Join(t.TempDir(), "Dropbox")
	link := filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(dir, link); err != nil {
		t.Fatal(err)
	}
	for _, d := range []string{filepath.Join(dir, "archive"), link} {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			t.Fatal(err)
		}
		if _, err := Write(d, "here", clock()); err == nil || !strings.Contains(err.Error(), "Dropbox") {
			t.Errorf("%s: %v", d, err)
		}
	}
	if names, _ := os.ReadDir(dir); len(names) > 0 {
		t.Errorf("made in the folder: %v", names)
	}
}

// Everything works with the journal that is used on a network, too.
func TestOtherJournal(t *testing.T) {
	dir := t.TempDir()
	w := newWriterOn(t, dir, "DELETE")
	put(t, w, "a", "one\n")
	commit(t, w)
	a := must(Open(dir))(t)
	defer a.Close()
	put(t, w, "a", "one\ntwo\n")
	put(t, w, "b", "b")
	commit(t, w)
	if got := contents(t, a); !equal(got["a"], []string{"one\ntwo\n"}) || !equal(got["b"], []string{"b"}) {
		t.Errorf("%q", got)
	}
	if _, err := w.Forget(context.Background(), []int64{2}, ""); err != nil {
		t.Fatal(err)
	}
	if got := contents(t, a); len(got) != 1 {
		t.Errorf("%q", got)
	}
	if _, err := os.Stat(filepath.Join(dir, manifestName+"-wal")); err == nil {
		t.Error("there is a write-ahead log")
	}
}
