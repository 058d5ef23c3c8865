package config_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/seshat-dev/seshat/internal/config"
)

// load reads a config with that content.
func load(t *testing.T, content string) (config.Config, string, error) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "config.toml")
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
	c, err := config.Load(path, true)
	return c, path, err
}

func TestLoad(t *testing.T) {
	c, path, err := load(t, `
exclude = ["~/secret/*", "/srv/app"]

[agents.claude]
roots = ["~/.claude-work"]

[agents.gemini]
roots = []

[[projects]]
prefix = "~/code/shop.worktrees"
root = "~/code/shop"

[[projects]]
prefix = 'D:\old'
root = 'C:\new'
`)
	if err != nil {
		t.Fatal(err)
	}
	want := config.Config{
		Agents:  map[string]config.Agent{"claude": {Roots: []string{"~/.claude-work"}}, "gemini": {Roots: []string{}}},
		Exclude: []string{"~/secret/*", "/srv/app"},
		Projects: []config.Project{
			{Prefix: "~/code/shop.worktrees", Root: "~/code/shop"},
			{Prefix: `D:\old`, Root: `C:\new`},
		},
		Path: path,
	}
	if !reflect.DeepEqual(c, want) {
		t.Errorf("got %+v\nwant %+v", c, want)
	}
}

func TestLoadEmpty(t *testing.T) {
	for _, content := range []string{"", "\n", "# nothing\n", "\ufeff# nothing\n"} {
		c, path, err := load(t, content)
		if err != nil || !reflect.DeepEqual(c, config.Config{Path: path}) {
			t.Errorf("%q gives %+v, %v", content, c, err)
		}
	}
}

func TestLoadMissing(t *testing.T) {
	for _, path := range []string{filepath.Join(t.TempDir(), "config.toml"), filepath.Join(t.TempDir(), "none", "config.toml")} {
		c, err := config.Load(path, false)
		if err != nil || !reflect.DeepEqual(c, config.Config{}) {
			t.Errorf("a missing config gives %+v, %v", c, err)
		}
		_, err = config.Load(path, true)
		if !errors.Is(err, fs.ErrNotExist) || !strings.Contains(err.Error(), path) {
			t.Errorf("a missing config that was asked for gives %v", err)
		}
	}
}

func TestLoadUnreadable(t *testing.T) {
	dir := t.TempDir() // a folder is no config, whether asked for or not
	for _, asked := range []bool{false, true} {
		if _, err := config.Load(dir, asked); err == nil || !strings.Contains(err.Error(), dir) {
			t.Errorf("a folder gives %v", err)
		}
	}
}

func TestLoadUnknownKeys(t *testing.T) {
	c, _, err := load(t, `
colour = "blue"
exclude = ["x"]
[archive]
max_size = "1 GB"
maxsize = "2 GB"
[agents.claude]
root = "/x"
[themes.dark]
background = 1
[[projects]]
prefix = "/a"
name = "a"
`)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"colour", "archive.maxsize", "agents.claude.root", "themes.dark.background", "projects.name"} {
		if !slices.Contains(c.Unknown, want) {
			t.Errorf("%s is not among the unknown keys %q", want, c.Unknown)
		}
	}
	for _, known := range []string{"exclude", "agents.claude", "projects", "projects.prefix", "archive.max_size"} {
		if slices.Contains(c.Unknown, known) {
			t.Errorf("%s is called unknown", known)
		}
	}
	if !slices.Equal(c.Exclude, []string{"x"}) {
		t.Errorf("the known keys give %+v", c)
	}
}

func TestLoadSyntaxErrors(t *testing.T) {
	for content, line := range map[string]string{
		"exclude = [":                        "line 1",
		"# fine\nallow_reveal = true\n= 1\n": "line 3",
		"a = 1\n\n\n[archive x]\n":           "line 4",
		"a = 1\na = 2\n":                     "line 2",
		"exclude = [\"a\nb\"]":               "line 1",
	} {
		c, path, err := load(t, content)
		if err == nil {
			t.Errorf("%q is accepted: %+v", content, c)
			continue
		}
		if msg := err.Error(); !strings.Contains(msg, line) || !strings.Contains(msg, path) {
			t.Errorf("%q: the error %q does not name the file and %s", content, msg, line)
		}
	}
}

// A value of the wrong type is an error too, with its place.
func TestLoadWrongTypes(t *testing.T) {
	for content, line := range map[string]string{
		"exclude = \"x\"\n":                "line 1",
		"[agents.claude]\nroots = \"x\"\n": "line 2",
	} {
		_, path, err := load(t, content)
		if err == nil {
			t.Errorf("%q is accepted", content)
			continue
		}
		if msg := err.Error(); !strings.Contains(msg, path) || !strings.Contains(msg, line) {
			t.Errorf("%q: the error %q does not name the file and %s", content, msg, line)
		}
	}
}

func TestDir(t *testing.T) {
	join := filepath.Join
	for _, c := range []struct {
		goos string
		vars map[string]string
		want string
	}{
		{"linux", nil, join("/home/sam", ".config", "seshat")},
		{"freebsd", nil, join("/home/sam", ".config", "seshat")},
		{"linux", map[string]string{"XDG_CONFIG_HOME": "/xdg"}, join("/xdg", "seshat")},
		{"linux", map[string]string{"XDG_CONFIG_HOME": ""}, join("/home/sam", ".config", "seshat")},
		{"linux", map[string]string{"APPDATA": "/appdata"}, join("/home/sam", ".config", "seshat")},
		{"darwin", nil, join("/home/sam", "Library", "Application Support", "seshat")},
		{"darwin", map[string]string{"XDG_CONFIG_HOME": "/xdg"}, join("/xdg", "seshat")},
		{"windows", map[string]string{"APPDATA": "/appdata"}, join("/appdata", "seshat")},
		{"windows", map[string]string{"APPDATA": "/appdata", "XDG_CONFIG_HOME": "/xdg"}, join("/xdg", "seshat")},
	} {
		if got := config.Dir(c.goos, "/home/sam", c.vars); got != c.want {
			t.Errorf("%s with %v: %s, want %s", c.goos, c.vars, got, c.want)
		}
	}
}

func TestFile(t *testing.T) {
	for _, c := range []struct {
		vars  map[string]string
		want  string
		asked bool
	}{
		{nil, filepath.Join("/home/sam", ".config", "seshat", "config.toml"), false},
		{map[string]string{"SESHAT_CONFIG": ""}, filepath.Join("/home/sam", ".config", "seshat", "config.toml"), false},
		{map[string]string{"SESHAT_CONFIG": "/mine.toml", "XDG_CONFIG_HOME": "/xdg"}, "/mine.toml", true},
	} {
		if got, asked := config.File("linux", "/home/sam", c.vars); got != c.want || asked != c.asked {
			t.Errorf("%v: %s, %v; want %s, %v", c.vars, got, asked, c.want, c.asked)
		}
	}
}

func TestCacheDir(t *testing.T) {
	for _, c := range []struct {
		goos, home, vars, want string
	}{
		{"linux", "/home/sam", "", "/home/sam/.cache/seshat"},
		{"linux", "/home/sam", "XDG_CACHE_HOME=/var/cache", "/var/cache/seshat"},
		{"linux", "/home/sam", "XDG_CACHE_HOME=cache", "/home/sam/.cache/seshat"}, // a relative one counts as unset
		{"linux", "", "", ""},
		{"linux", "", "XDG_CACHE_HOME=/var/cache", "/var/cache/seshat"},
		{"darwin", "/Users/sam", "", "/Users/sam/Library/Caches/seshat"},
		{"darwin", "/Users/sam", "XDG_CACHE_HOME=/var/cache", "/var/cache/seshat"},
		{"windows", "/home/sam", "LOCALAPPDATA=/local", "/local/seshat/cache"},
		{"windows", "/home/sam", "", "/home/sam/.cache/seshat"},
		{"linux", "/home/sam", "SESHAT_CACHE_DIR=/mine/../own", "/own"},
		{"linux", "/home/sam", "SESHAT_CACHE_DIR=own", "/work/own"},
		{"linux", "", "SESHAT_CACHE_DIR=/own", "/own"},
	} {
		vars := map[string]string{}
		if name, value, ok := strings.Cut(c.vars, "="); ok {
			vars[name] = value
		}
		if got := config.CacheDir(c.goos, c.home, "/work", vars); filepath.ToSlash(got) != c.want {
			t.Errorf("%+v: %q", c, got)
		}
	}
}

// A rule that cannot be meant says why.
func TestProjectProblem(t *testing.T) {
	for rule, want := range map[config.Project]string{
		{Prefix: "/srv/a", Root: "/srv/b"}:         "",
		{Prefix: "~/a", Root: "~"}:                 "",
		{Prefix: `c:\a`, Root: "C:/b"}:             "",
		{Prefix: `\\host\share\a`, Root: "/srv/b"}: "",
		{Prefix: "/srv/a"}:                         "root is missing",
		{Root: "/srv/a"}:                           "prefix is missing",
		{Prefix: "a", Root: "/srv/a"}:              `prefix = "a" is not an absolute path and does not start with ~/`,
		{Prefix: "/srv/a", Root: "./b"}:            `root = "./b" is not an absolute path and does not start with ~/`,
		{Prefix: "~sam/a", Root: "/srv/a"}:         `prefix = "~sam/a" is not an absolute path and does not start with ~/`,
		{Prefix: "/", Root: "/srv/a"}:              `prefix = "/" is everything there is`,
	} {
		if got := rule.Problem(); got != want {
			t.Errorf("%+v: %q, want %q", rule, got, want)
		}
	}
}

func TestDataDir(t *testing.T) {
	for _, c := range []struct {
		goos, home string
		vars       map[string]string
		want       string
	}{
		{"linux", "/home/sam", nil, "/home/sam/.local/share/seshat"},
		{"darwin", "/Users/sam", nil, "/Users/sam/Library/Application Support/seshat"},
		{"linux", "/home/sam", map[string]string{"XDG_DATA_HOME": "/data"}, "/data/seshat"},
		{"linux", "/home/sam", map[string]string{"XDG_DATA_HOME": "data"}, "/home/sam/.local/share/seshat"},
		{"linux", "/home/sam", map[string]string{"XDG_DATA_HOME": "/data", "SESHAT_DATA_DIR": "/own"}, "/own"},
		{"linux", "/home/sam", map[string]string{"SESHAT_DATA_DIR": "own"}, "/work/own"},
		{"linux", "", nil, ""},
	} {
		if got := filepath.ToSlash(config.DataDir(c.goos, c.home, "/work", c.vars)); got != c.want {
			t.Errorf("on %s with %v: %q, want %q", c.goos, c.vars, got, c.want)
		}
	}
}
