package gemini

import (
	"context"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/seshat-dev/seshat/agent"
	"github.com/seshat-dev/seshat/internal/rootfs"
	"github.com/seshat-dev/seshat/record"
)

// mtime is when every file of a test was last changed.
var mtime = time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC)

// mainChat is the chat that most tests write.
const mainChat = "tmp/app/chats/session-2026-01-02T03-04-11111111.jsonl"

// world is a data folder in memory.
type world struct {
	t    testing.TB
	mem  *rootfs.Memory
	wide map[string]*rootfs.Memory // further folders, which make discovery wide
}

func newWorld(t testing.TB) *world {
	return &world{t: t, mem: &rootfs.Memory{Folder: "/h/.gemini"}}
}

// file writes a file.
func (w *world) file(name, data string) *world {
	w.mem.File(name, data, mtime)
	return w
}

// beside writes a file into another folder.
func (w *world) beside(dir, name, data string) *world {
	if w.wide == nil {
		w.wide = map[string]*rootfs.Memory{}
	}
	if w.wide[dir] == nil {
		w.wide[dir] = &rootfs.Memory{Folder: dir}
	}
	w.wide[dir].File(name, data, mtime)
	return w
}

// chat writes the main chat: a metadata line, then the given ones.
func (w *world) chat(lines ...string) *world {
	return w.file(mainChat, gm("S1")+"\n"+strings.Join(lines, "\n")+"\n")
}

// discover gives the sources by name.
func (w *world) discover() map[string]*agent.Source {
	w.t.Helper()
	a, err := New()
	if err != nil {
		w.t.Fatal(err)
	}
	inv, err := a.Discover(context.Background(), agent.Env{
		Home: "/h", GOOS: "linux", Wide: w.wide != nil,
		Open: func(dir string) (agent.Root, error) {
			if dir == w.mem.Folder {
				return w.mem, nil
			}
			if m := w.wide[dir]; m != nil {
				return m, nil
			}
			return nil, fs.ErrNotExist
		},
	})
	if err != nil {
		w.t.Fatal(err)
	}
	out := map[string]*agent.Source{}
	for _, src := range inv.Sources {
		name := src.Name
		if dir := src.Root.Dir(); dir != w.mem.Folder {
			name = dir + "/" + name
		}
		out[name] = src
	}
	return out
}

// found is what came out of a source.
type found struct {
	records []*record.Record
	damage  []agent.Damage
	unknown []agent.Unknown
}

// read reads a source.
func (w *world) read(name string, plan agent.Plan) found {
	w.t.Helper()
	src := w.discover()[name]
	if src == nil {
		w.t.Fatalf("%s was not found", name)
	}
	out, err := readSource(src, plan)
	if err != nil {
		w.t.Fatal(err)
	}
	return out
}

func readSource(src *agent.Source, plan agent.Plan) (found, error) {
	var out found
	a, err := New()
	if err != nil {
		return out, err
	}
	for item, err := range a.Read(context.Background(), src, plan) {
		switch {
		case err != nil:
			return out, err
		case item.Record != nil:
			out.records = append(out.records, item.Record)
		case item.Damage != nil:
			out.damage = append(out.damage, *item.Damage)
		case item.Unknown != nil:
			out.unknown = append(out.unknown, *item.Unknown)
		}
	}
	return out, nil
}

// summary summarizes a source.
func (w *world) summary(name string) agent.Summary {
	w.t.Helper()
	a, err := New()
	if err != nil {
		w.t.Fatal(err)
	}
	sum, err := a.Summarize(context.Background(), w.discover()[name])
	if err != nil {
		w.t.Fatal(err)
	}
	return sum
}

// lines spells records: kind, flags, id, line, text.
func (f found) lines() []string {
	var out []string
	for _, r := range f.records {
		kind := string(r.Kind)
		for _, flag := range r.Flags.Names() {
			kind += "+" + flag
		}
		out = append(out, fmt.Sprintf("%s %s:%d %s", kind, r.ID, r.Line, r.Text))
	}
	return out
}

// expect compares records with what a person would compute.
func (f found) expect(t testing.TB, want ...string) {
	t.Helper()
	if got := f.lines(); !slices.Equal(got, want) {
		t.Errorf("records\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

func quote(s string) string { return strings.TrimSuffix(fmt.Sprintf("%q", s), "\n") }

const stamp = `"timestamp":"2026-01-02T03:04:05.000Z"`

// gm is a metadata line, gu a person's message, ga an answer with further members.
func gm(session string) string {
	return `{"sessionId":"` + session + `","projectHash":"app","startTime":"2026-01-02T03:04:00.000Z","lastUpdated":"2026-01-02T03:04:00.000Z","kind":"main"}`
}

func gu(id, text string) string {
	return `{"id":"` + id + `",` + stamp + `,"type":"user","content":[{"text":` + quote(text) + `}]}`
}

func ga(id, text, more string) string {
	return `{"id":"` + id + `",` + stamp + `,"type":"gemini","content":` + quote(text) + more + `,"model":"test-gemini"}`
}

func setMessages(messages ...string) string {
	return `{"$set":{"messages":[` + strings.Join(messages, ",") + `]}}`
}

// call is a tool call with its result.
func call(id, name, args, output string) string {
	return `{"id":"` + id + `","name":"` + name + `","args":` + args + `,"status":"success","result":[{"functionResponse":{"id":"` + id +
		`","name":"` + name + `","response":{"output":` + quote(output) + `}}}]}`
}
