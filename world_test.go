package seshat_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/seshat-dev/seshat"
	"github.com/seshat-dev/seshat/agent"
	"github.com/seshat-dev/seshat/internal/rootfs"
	"github.com/seshat-dev/seshat/record"
)

// Sessions that the worlds of the tests hold.
const (
	one   = "11111111-1111-4111-8111-111111111111"
	two   = "22222222-2222-4222-8222-222222222222"
	three = "33333333-3333-4333-8333-333333333333"
	four  = "44444444-4444-4444-8444-444444444444"
)

const claudeDir = "/home/sam/.claude"

// at gives a moment of the day that all tests play on.
func at(minute int) time.Time { return time.Date(2026, 1, 2, 3, minute, 0, 0, time.UTC) }

// object is a JSON object; line writes it on a line of its own.
type object map[string]any

func line(o object) string {
	b, err := json.Marshal(o)
	if err != nil {
		panic(err)
	}
	return string(b) + "\n"
}

// env gives the members that lines of the conversation share.
func env(typ, session, cwd, uuid string, minute int) object {
	return object{
		"type": typ, "uuid": uuid, "parentUuid": nil, "sessionId": session, "cwd": cwd, "gitBranch": "main",
		"timestamp": at(minute).Format("2006-01-02T15:04:05.000Z"), "isSidechain": false, "version": "2.1.200",
	}
}

func (o object) with(key string, val any) object {
	o[key] = val
	return o
}

// user is what a person typed, assistant what the agent answered.
func user(session, cwd, uuid string, minute int, text string) object {
	return env("user", session, cwd, uuid, minute).with("message", object{"role": "user", "content": text})
}

func assistant(session, cwd, uuid string, minute int, blocks ...any) object {
	return env("assistant", session, cwd, uuid, minute).with("message", object{"id": "msg_" + uuid, "role": "assistant", "model": "test-model-1", "content": blocks})
}

func text(s string) object { return object{"type": "text", "text": s} }

func lines(objects ...object) string {
	var b strings.Builder
	for _, o := range objects {
		b.WriteString(line(o))
	}
	return b.String()
}

// world is folders by their absolute paths. It notes what is opened.
type world struct {
	dirs map[string]agent.Root

	mu     sync.Mutex
	opened []string
}

func newWorld(dirs ...*rootfs.Memory) *world {
	w := &world{dirs: map[string]agent.Root{}}
	for _, m := range dirs {
		w.dirs[m.Folder] = m
	}
	return w
}

func (w *world) open(dir string) (agent.Root, error) {
	root, ok := w.dirs[filepath.Clean(dir)]
	if !ok {
		return nil, &fs.PathError{Op: "open", Path: dir, Err: fs.ErrNotExist}
	}
	return noting{root, w}, nil
}

type noting struct {
	agent.Root
	w *world
}

func (n noting) Open(name string) (agent.File, error) {
	n.w.mu.Lock()
	defer n.w.mu.Unlock()
	n.w.opened = append(n.w.opened, rootfs.Path(n.Root, name))
	return n.Root.Open(name)
}

// options are those of a library over a world with that config.
func options(t *testing.T, w *world, config string) seshat.Options {
	t.Helper()
	dir := t.TempDir()
	opts := seshat.Options{
		Home: "/home/sam", GOOS: "linux", WorkDir: "/home/sam", TempDir: "/tmp", Agents: []string{"claude"},
		Workers: 3, Vars: map[string]string{"XDG_CONFIG_HOME": dir}, Open: w.open,
	}
	if config != "" {
		opts.Config = filepath.Join(dir, "config.toml")
		if err := os.WriteFile(opts.Config, []byte(config), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return opts
}

// library opens a Library over a world with that config. change, if any, adjusts
// the options.
func library(t *testing.T, w *world, config string, change func(*seshat.Options)) *seshat.Library {
	t.Helper()
	opts := options(t, w, config)
	if change != nil {
		change(&opts)
	}
	l, err := seshat.Open(opts)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// claudeRoot is a data folder with files by name.
func claudeRoot(files map[string]string) *rootfs.Memory {
	m := &rootfs.Memory{Folder: claudeDir}
	for name, data := range files {
		m.File(name, data, at(59))
	}
	return m
}

// chat is a session with a prompt and a reply of its own, the first at a minute.
func chat(session, cwd string, minute int, prompt, reply string) string {
	id := session[:1] + "0000000-0000-4000-8000-00000000000"
	return lines(user(session, cwd, id+"1", minute, prompt), assistant(session, cwd, id+"2", minute+1, text(reply)))
}

// threeChats is a world of three sessions in two projects; the newest was begun
// first.
func threeChats() *rootfs.Memory {
	return claudeRoot(map[string]string{
		"projects/-srv-app/" + one + ".jsonl":     chat(one, "/srv/app", 10, "alpha question", "alpha answer"),
		"projects/-srv-app/" + two + ".jsonl":     chat(two, "/srv/app", 5, "beta question", "beta answer") + line(user(two, "/srv/app", "20000000-0000-4000-8000-000000000003", 40, "beta again")),
		"projects/-srv-other/" + three + ".jsonl": chat(three, "/srv/other", 20, "gamma question", "gamma answer"),
	})
}

// records gives "kind text" of every record of a selection.
func records(t *testing.T, l *seshat.Library, q seshat.Selection) ([]string, *record.Answer) {
	t.Helper()
	var out []string
	ans, err := l.Records(context.Background(), q, func(r *record.Record) error {
		out = append(out, fmt.Sprintf("%s %s", r.Kind, r.Text))
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return out, ans
}

// failing is a file system whose files break off: reading behind that offset is
// an error.
type failing struct {
	agent.Root
	name string
	from int64
	err  error
}

func (f failing) Open(name string) (agent.File, error) {
	file, err := f.Root.Open(name)
	if err != nil || name != f.name {
		return file, err
	}
	return failingFile{file, f}, nil
}

type failingFile struct {
	agent.File
	f failing
}

func (f failingFile) ReadAt(p []byte, off int64) (int, error) {
	if off+int64(len(p)) <= f.f.from {
		return f.File.ReadAt(p, off)
	}
	n := 0
	if off < f.f.from {
		n, _ = f.File.ReadAt(p[:f.f.from-off], off)
	}
	return n, f.f.err
}

// rounds is how often a property is tried: less where races are looked for, of which one
// round shows as much as the next.
func rounds(n int) int {
	if testing.Short() {
		return max(3, n/5)
	}
	return n
}
