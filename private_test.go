package seshat_test

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/seshat-dev/seshat"
	"github.com/seshat-dev/seshat/agent"
	"github.com/seshat-dev/seshat/internal/rootfs"
	"github.com/seshat-dev/seshat/record"
)

// Law 2 for the folders that others stand instead of today: neither a .git nor a link
// leads into a private store of the usual folder, of one that a variable names, or of
// one that the config adds.
func TestPrivateStoresOfFoldersThatAreNotLookedAt(t *testing.T) {
	for name, c := range map[string]struct {
		store  string // the data folder that the private store is in
		config string
		change func(o *seshat.Options, used string)
	}{
		"the usual, beside a variable": {".claude", "", func(o *seshat.Options, used string) { o.Vars["CLAUDE_CONFIG_DIR"] = used }},
		"the usual, beside a flag":     {".claude", "", func(o *seshat.Options, used string) { o.Roots = []string{"claude=" + used} }},
		"a variable's, beside a flag": {"profile", "", func(o *seshat.Options, used string) {
			o.Roots, o.Vars["CLAUDE_CONFIG_DIR"] = []string{"claude=" + used}, filepath.Join(o.Home, "profile")
		}},
		"the config's, beside a flag": {"second", "[agents.claude]\nroots = [\"~/second\"]\n", func(o *seshat.Options, used string) { o.Roots = []string{"claude=" + used} }},
	} {
		t.Run(name, func(t *testing.T) {
			home, err := filepath.EvalSymlinks(t.TempDir())
			if err != nil {
				t.Fatal(err)
			}
			write := func(name, data string) string {
				t.Helper()
				path := filepath.Join(home, name)
				if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(path, []byte(data), 0o600); err != nil {
					t.Fatal(err)
				}
				return path
			}
			env := filepath.Dir(write(c.store+"/session-env/HEAD", "ref: refs/heads/private\n"))
			write(c.store+"/session-env/commondir", "/srv/stolen/.git\n")
			write(c.store+"/session-env/worktrees/x/gitdir", "/srv/stolen/.git\n")
			chats := filepath.Dir(write(c.store+"/security/"+two+".jsonl", chat(two, "/srv/app", 5, "private prompt", "private reply")))
			repo := filepath.Dir(write("repo/.git", "gitdir: "+env+"\n"))
			write("used/projects/-repo/"+one+".jsonl", chat(one, repo, 10, "public prompt", "public reply"))
			for name, target := range map[string]string{"used/projects/-repo/" + two + ".jsonl": filepath.Join(chats, two+".jsonl"), "used/projects/-all": chats} {
				if err := os.Symlink(target, filepath.Join(home, name)); err != nil {
					t.Skip(err)
				}
			}
			w := &world{}
			l := library(t, w, c.config, func(o *seshat.Options) {
				o.Home, o.WorkDir = home, home
				o.Open = func(dir string) (agent.Root, error) {
					root, err := rootfs.Live(dir)
					if err != nil {
						return nil, err
					}
					return noting{root, w}, nil
				}
				c.change(o, filepath.Join(home, "used"))
			})
			got, _ := records(t, l, seshat.Selection{Scope: record.ScopeAll})
			if want := []string{"prompt public prompt", "reply public reply"}; !slices.Equal(got, want) {
				t.Errorf("records %q, want %q", got, want)
			}
			if _, _, err := l.Projects(context.Background(), seshat.SessionQuery{}); err != nil {
				t.Fatal(err)
			}
			if len(w.opened) == 0 {
				t.Error("nothing was opened at all")
			}
			for _, path := range w.opened {
				if real, err := filepath.EvalSymlinks(path); err == nil && strings.HasPrefix(real, filepath.Join(home, c.store)+"/") {
					t.Errorf("law 2: %s was opened", path)
				}
			}
		})
	}
}
