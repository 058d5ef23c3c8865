package claude

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/seshat-dev/seshat/agent"
	"github.com/seshat-dev/seshat/internal/rootfs"
	"github.com/seshat-dev/seshat/record"
)

// The session that the worlds of the reader's tests are about, and its folder.
const (
	mine   = "11111111-1111-4111-8111-111111111111"
	folder = "projects/-srv-app/"
	script = folder + mine + ".jsonl"
)

// moment gives a minute of the day on which all tests play, touched the time of
// all files.
func moment(minute int) time.Time { return time.Date(2026, 1, 2, 3, minute, 0, 0, time.UTC) }

var touched = time.Date(2026, 2, 3, 4, 5, 6, 0, time.UTC)

// obj is a JSON object. drop as a value takes a member away.
type obj = map[string]any

type drop struct{}

// js writes a value as Claude Code does, with < and > as they are.
func js(v any) string {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		panic(err)
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// ln is a line with the usual envelope; members are keys and values in turn.
func ln(typ, uuid string, minute int, members ...any) string {
	o := obj{
		"type": typ, "uuid": uuid, "parentUuid": nil, "sessionId": mine, "cwd": "/srv/app", "gitBranch": "main",
		"timestamp": moment(minute).Format("2006-01-02T15:04:05.000Z"), "isSidechain": false, "version": "2.1.200",
	}
	return js(change(o, members...))
}

func change(o obj, members ...any) obj {
	for i := 0; i < len(members); i += 2 {
		if _, gone := members[i+1].(drop); gone {
			delete(o, members[i].(string))
			continue
		}
		o[members[i].(string)] = members[i+1]
	}
	return o
}

// usr is a user line; content is a string or a list of blocks.
func usr(uuid string, minute int, content any, members ...any) string {
	return ln("user", uuid, minute, append([]any{"message", obj{"role": "user", "content": content}}, members...)...)
}

// ast is a line of the answer msg_<uuid>, ans of the answer with that id.
func ast(uuid string, minute int, content any, members ...any) string {
	return ans("msg_"+uuid, uuid, minute, content, members...)
}

func ans(id, uuid string, minute int, content any, members ...any) string {
	return ln("assistant", uuid, minute, append([]any{"message", obj{"id": id, "role": "assistant", "model": "model-a", "content": content}}, members...)...)
}

func list(blocks ...any) []any { return blocks }

func txt(s string) obj   { return obj{"type": "text", "text": s} }
func think(s string) obj { return obj{"type": "thinking", "thinking": s, "signature": "c2ln"} }
func use(id, tool string, input any) obj {
	return obj{"type": "tool_use", "id": id, "name": tool, "input": input}
}
func res(id string, content any) obj {
	return obj{"type": "tool_result", "tool_use_id": id, "content": content}
}
func png(data string) obj {
	return obj{"type": "image", "source": obj{"type": "base64", "media_type": "image/png", "data": data}}
}

func text(lines ...string) string { return strings.Join(lines, "\n") + "\n" }

// disk is a data folder with files by name.
func disk(files map[string]string) *rootfs.Memory {
	m := &rootfs.Memory{Folder: "/home/sam/.claude"}
	for name, data := range files {
		m.File(name, data, touched)
	}
	return m
}

// world is the environment in which those folders are all there is.
func world(roots ...*rootfs.Memory) agent.Env {
	return agent.Env{Home: "/home/sam", GOOS: "linux", WorkDir: "/home/sam", TempDir: "/tmp", Open: func(dir string) (agent.Root, error) {
		for _, m := range roots {
			if m.Folder == dir {
				return m, nil
			}
		}
		return nil, &fs.PathError{Op: "open", Path: dir, Err: fs.ErrNotExist}
	}}
}

var made = sync.OnceValues(New)

func adapter(t testing.TB) *Adapter {
	t.Helper()
	a, err := made()
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// discovered gives the sources of an environment by path.
func discovered(t testing.TB, env agent.Env) map[string]*agent.Source {
	t.Helper()
	inv, err := adapter(t).Discover(context.Background(), env)
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]*agent.Source{}
	for _, s := range inv.Sources {
		out[s.Path] = s
	}
	return out
}

// at gives the source of that name in a data folder.
func at(t testing.TB, m *rootfs.Memory, name string) *agent.Source {
	t.Helper()
	src := discovered(t, world(m))[m.Folder+"/"+name]
	if src == nil {
		t.Fatalf("%s is no source", name)
	}
	return src
}

// prototypes are sources by name, to make others like them without discovery.
var prototypes sync.Map

// like gives the source of that name in a data folder as discovery gives it.
func like(t testing.TB, m *rootfs.Memory, name string) *agent.Source {
	t.Helper()
	p, ok := prototypes.Load(name)
	if !ok {
		p = at(t, disk(map[string]string{name: js(obj{"sessionId": mine})}), name)
		prototypes.Store(name, p)
	}
	src := *p.(*agent.Source)
	info, err := m.Stat(name)
	if err != nil {
		t.Fatal(err)
	}
	src.Root, src.Info = m, info
	return &src
}

// found is what a source gave.
type found struct {
	records []*record.Record
	damage  []agent.Damage
	unknown []agent.Unknown
}

func readFrom(t testing.TB, src *agent.Source, plan agent.Plan) found {
	t.Helper()
	var f found
	for it, err := range adapter(t).Read(context.Background(), src, plan) {
		switch {
		case err != nil:
			t.Fatalf("%s: %v", src.Name, err)
		case it.Record != nil:
			f.records = append(f.records, it.Record)
		case it.Damage != nil:
			f.damage = append(f.damage, *it.Damage)
		case it.Unknown != nil:
			f.unknown = append(f.unknown, *it.Unknown)
		}
	}
	return f
}

// readLines reads a transcript of those lines.
func readLines(t testing.TB, lines ...string) found {
	t.Helper()
	return readFrom(t, at(t, disk(map[string]string{script: text(lines...)}), script), agent.Plan{Titles: true})
}

// summary summarises a transcript of those lines, with other files beside it.
func summary(t testing.TB, beside map[string]string, lines ...string) agent.Summary {
	t.Helper()
	m := disk(beside)
	m.File(script, text(lines...), touched)
	sum, err := adapter(t).Summarize(context.Background(), at(t, m, script))
	if err != nil {
		t.Fatal(err)
	}
	return sum
}

// tell gives a record in one line: its line, id, kind, tool, flags and text.
func tell(r *record.Record) string {
	s := fmt.Sprintf("%d %s %s", r.Line, r.ID, r.Kind)
	if r.Tool != "" {
		s += " " + r.Tool
	}
	for _, f := range r.Flags.Names() {
		s += " +" + f
	}
	return s + ": " + r.Text
}

func (f found) tell() []string {
	var out []string
	for _, r := range f.records {
		out = append(out, tell(r))
	}
	return out
}

// rule is a transcript of a few lines and the records that it must give.
type rule struct {
	name  string
	lines []string
	want  []string
}

func checkRules(t *testing.T, rules []rule) {
	t.Helper()
	for _, c := range rules {
		t.Run(c.name, func(t *testing.T) {
			t.Helper()
			f := readLines(t, c.lines...)
			checkSame(t, f.tell(), c.want)
			for _, r := range f.records {
				if r.Role != record.RoleOf(r.Kind) || r.Agent != Name || r.Store != storeSession || r.Session != mine || r.Path != "/home/sam/.claude/"+script {
					t.Errorf("a wrong place or role: %+v", r)
				}
			}
			if len(f.damage) > 0 {
				t.Errorf("damage: %+v", f.damage)
			}
		})
	}
}

func checkSame(t *testing.T, got, want []string) {
	t.Helper()
	if !slices.Equal(got, want) {
		t.Errorf("got\n\t%s\nwant\n\t%s", strings.Join(got, "\n\t"), strings.Join(want, "\n\t"))
	}
}
