package seshat_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/seshat-dev/seshat"
	"github.com/seshat-dev/seshat/agent"
	"github.com/seshat-dev/seshat/internal/rootfs"
)

// hookWorld is a home on the disk with files by their names in it, and with the
// machine's settings beside it.
func hookWorld(t *testing.T, files map[string]string) (dir string, opts seshat.Options) {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for name, data := range files {
		path := filepath.Join(dir, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, []byte(data), 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	return dir, seshat.Options{
		Home: filepath.Join(dir, "home"), GOOS: "linux", WorkDir: filepath.Join(dir, "home"), TempDir: dir,
		Vars: map[string]string{"SESHAT_DATA_DIR": filepath.Join(dir, "data")},
		Open: func(name string) (agent.Root, error) {
			switch rest, system := strings.CutPrefix(name, "/etc/claude-code"); {
			case system && rest == "":
				return rootfs.Live(filepath.Join(dir, "etc"))
			case !strings.HasPrefix(name, dir):
				return nil, fs.ErrNotExist
			}
			return rootfs.Live(name)
		},
	}
}

// Of the settings that turn hooks off the managed ones come first, then those of the
// folder, then the person's own.
func TestHookPrecedence(t *testing.T) {
	const off, on, only = `"disableAllHooks":true`, `"disableAllHooks":false`, `"allowManagedHooksOnly":true`
	for what, c := range map[string]struct {
		files map[string]string
		state seshat.HookState
		rule  string // path of the file that decides, below the world
	}{
		"nothing":                       {nil, seshat.HookInstalled, ""},
		"the person's":                  {map[string]string{"home/.claude/settings.json": off}, seshat.HookBroken, "home/.claude/settings.json"},
		"a machine's":                   {map[string]string{"etc/managed-settings.json": off}, seshat.HookBroken, "etc/managed-settings.json"},
		"a machine's, managed only":     {map[string]string{"etc/managed-settings.json": only}, seshat.HookBroken, "etc/managed-settings.json"},
		"beside a machine's":            {map[string]string{"etc/managed-settings.d/10.json": off}, seshat.HookBroken, "etc/managed-settings.d/10.json"},
		"a server's":                    {map[string]string{"home/.claude/remote-settings.json": off}, seshat.HookBroken, "home/.claude/remote-settings.json"},
		"a machine's over the person's": {map[string]string{"etc/managed-settings.json": on, "home/.claude/settings.json": off}, seshat.HookInstalled, ""},
		"two that are managed":          {map[string]string{"etc/managed-settings.json": on, "home/.claude/remote-settings.json": off}, seshat.HookBroken, "home/.claude/remote-settings.json"},
		"managed only in the person's":  {map[string]string{"home/.claude/settings.json": only}, seshat.HookInstalled, ""},
		"not a truth value":             {map[string]string{"home/.claude/settings.json": `"disableAllHooks":"true"`}, seshat.HookInstalled, ""},
		"the last of two":               {map[string]string{"home/.claude/settings.json": off + "," + on}, seshat.HookInstalled, ""},
	} {
		program := filepath.Join(t.TempDir(), "seshat")
		if err := os.WriteFile(program, nil, 0o700); err != nil {
			t.Fatal(err)
		}
		p := seshat.HookProgram{Path: program, GOOS: "linux"}
		files := map[string]string{"home/.claude/settings.json": "{}"}
		for name, members := range c.files {
			files[name] = "{" + members + "}"
		}
		dir, opts := hookWorld(t, files)
		lib, err := seshat.Open(opts)
		if err != nil {
			t.Fatal(err)
		}
		edits, err := lib.InstallHook(p, seshat.HookEvents(false), true)
		if err != nil || len(edits) != 1 || edits[0].Err != nil || !edits[0].Changed {
			t.Fatalf("%s: %+v, %v", what, edits, err)
		}
		st, err := lib.HookStatus(t.Context(), p)
		if err != nil {
			t.Fatal(err)
		}
		got, _ := strings.CutPrefix(st.Settings[0].Rule.Path, dir+"/")
		got = strings.Replace(got, "/etc/claude-code", "etc", 1)
		if st.State != c.state || got != c.rule {
			t.Errorf("%s: %s by %q, want %s by %q", what, st.State, got, c.state, c.rule)
		}
	}
}

// Several data folders are one state: all of them, none, or something is wrong.
func TestHookInSeveralFolders(t *testing.T) {
	program := filepath.Join(t.TempDir(), "seshat")
	if err := os.WriteFile(program, nil, 0o700); err != nil {
		t.Fatal(err)
	}
	p := seshat.HookProgram{Path: program, GOOS: "linux"}
	dir, opts := hookWorld(t, map[string]string{"one/settings.json": "{}", "two/settings.json": "{}"})
	open := func(names ...string) *seshat.Library {
		opts.Roots = nil
		for _, name := range names {
			opts.Roots = append(opts.Roots, "claude="+filepath.Join(dir, name))
		}
		lib, err := seshat.Open(opts)
		if err != nil {
			t.Fatal(err)
		}
		return lib
	}
	state := func(want seshat.HookState) {
		t.Helper()
		if st, err := open("one", "two").HookStatus(t.Context(), p); err != nil || st.State != want || len(st.Settings) != 2 {
			t.Errorf("%+v, %v; want %s", st, err, want)
		}
	}
	state(seshat.HookMissing)
	if _, err := open("one").InstallHook(p, seshat.HookEvents(false), true); err != nil {
		t.Fatal(err)
	}
	state(seshat.HookBroken)
	edits, err := open("one", "two").InstallHook(p, seshat.HookEvents(false), true)
	if err != nil || edits[0].Changed || !edits[1].Changed {
		t.Errorf("%+v, %v", edits, err)
	}
	state(seshat.HookInstalled)
	if err := os.Remove(program); err != nil {
		t.Fatal(err)
	}
	state(seshat.HookBroken)
}
