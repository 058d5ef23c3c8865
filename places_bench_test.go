package seshat

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/seshat-dev/seshat/internal/project"
	"github.com/seshat-dev/seshat/internal/rootfs"
	"github.com/seshat-dev/seshat/record"
)

// What projects add to a question about 9,000 sessions that ran in 300 repositories
// of a real disk, half of which are gone.
func BenchmarkProjects(b *testing.B) {
	home := b.TempDir()
	for i := 0; i < 300; i += 2 {
		git := filepath.Join(home, "code", fmt.Sprint("repo", i), ".git")
		if err := os.MkdirAll(git, 0o700); err != nil {
			b.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(git, "HEAD"), []byte("ref: refs/heads/main\n"), 0o600); err != nil {
			b.Fatal(err)
		}
	}
	l, err := Open(Options{Home: home, WorkDir: home, Vars: map[string]string{}, Open: rootfs.Live})
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		r := project.New(project.Config{FS: l.gitDisk(), Home: home, GOOS: "linux"})
		for i := range 9000 {
			r.Of(record.Origin{CWD: filepath.Join(home, "code", fmt.Sprint("repo", i%300), []string{"", "src", "src/pkg"}[i%3]), Branch: "main"})
		}
	}
}
