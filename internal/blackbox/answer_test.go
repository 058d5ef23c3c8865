package blackbox

import (
	"bytes"
	"encoding/json"
	"io"
	"slices"
	"strings"
	"testing"
)

// app is the folder of the project /srv/app.
const app = ".claude/projects/-srv-app/"

// answer is what --json and --ndjson print, taken apart.
type answer struct {
	items   []json.RawMessage
	summary summary
	raw     json.RawMessage // of the summary
}

type summary struct {
	Schema       string
	Matches      int
	Sources      struct{ Read, Failed int }
	DamagedLines int `json:"damaged_lines"`
	Pending      int
	Hidden       struct{ Print, Subagent, Superseded, Copy, Excluded int }
	Complete     bool
	Warnings     []warning
}

type warning struct {
	Path   string
	Line   int
	Reason string
}

// record, session and source hold what tests ask of the objects.
type record struct {
	Schema, Agent, Store, Handle, Session, ID, Parent, Kind, Role, Time, Model, Tool, Title, Path, Text string
	Line                                                                                                int
	Flags                                                                                               []string
	Origin                                                                                              origin
	Subagent                                                                                            *struct{ ID, Type string }
}

type session struct {
	Schema, Agent, Handle, ID, Kind, State, Title, Path, Started, Expires string
	LastActive                                                            string `json:"last_active"`
	Project                                                               struct{ Name, Root, Worktree string }
	Origin                                                                origin
	Counts                                                                struct{ Prompts, Replies int }
	Subagents                                                             int
}

type origin struct {
	CWD, Repo, Worktree, Branch string
	CWDHash                     string `json:"cwd_hash"`
}

type project struct {
	Schema, Name, Root string
	Worktrees          []struct {
		Path, Branch string
		Gone         bool
	}
	Agents, Decided []string
	Sessions        int
	LastActive      string `json:"last_active"`
}

type source struct {
	Schema, Agent, Store, Path, MTime, State string
	Bytes                                    int64
}

// ndjson takes NDJSON apart: objects, and the summary on the last line.
func ndjson(t *testing.T, r Result) answer {
	t.Helper()
	text, ended := strings.CutSuffix(r.Stdout, "\n")
	if !ended {
		t.Fatalf("NDJSON does not end with a line break: %q (stderr %q)", tail(r.Stdout), r.Stderr)
	}
	var a answer
	for line := range strings.SplitSeq(text, "\n") {
		if !json.Valid([]byte(line)) {
			t.Fatalf("not a JSON line: %q", tail(line))
		}
		a.items = append(a.items, json.RawMessage(line))
	}
	a.raw = a.items[len(a.items)-1]
	a.items = a.items[:len(a.items)-1]
	decode(t, a.raw, &a.summary)
	if a.summary.Schema != "seshat.summary/1" {
		t.Fatalf("the last line is no summary: %s", a.raw)
	}
	return a
}

// oneObject takes the answer of --json apart.
func oneObject(t *testing.T, r Result) answer {
	t.Helper()
	var o struct {
		Schema  string
		Items   []json.RawMessage
		Summary json.RawMessage
	}
	decode(t, []byte(r.Stdout), &o)
	if o.Schema == "" || o.Items == nil {
		t.Fatalf("the answer has no schema or no items: %.300s", r.Stdout)
	}
	if got := keys(t, []byte(r.Stdout)); !slices.Equal(got, []string{"schema", "items", "summary"}) {
		t.Errorf("the keys of an answer are %q", got)
	}
	a := answer{items: o.Items, raw: o.Summary}
	decode(t, a.raw, &a.summary)
	return a
}

func decode(t *testing.T, b []byte, into any) {
	t.Helper()
	if err := json.Unmarshal(b, into); err != nil {
		t.Fatalf("%v in %q", err, tail(string(b)))
	}
}

// as reads the items of an answer as values of one type.
func as[T any](t *testing.T, a answer) []T {
	t.Helper()
	out := make([]T, len(a.items))
	for i, item := range a.items {
		decode(t, item, &out[i])
	}
	return out
}

// keys lists the keys of a JSON object in their order.
func keys(t *testing.T, b []byte) []string {
	t.Helper()
	d := json.NewDecoder(bytes.NewReader(b))
	var out []string
	depth, key := 0, true
	for {
		tok, err := d.Token()
		if err == io.EOF {
			return out
		}
		if err != nil {
			t.Fatal(err)
		}
		switch tok {
		case json.Delim('{'), json.Delim('['):
			depth++
			key = depth == 1
			continue
		case json.Delim('}'), json.Delim(']'):
			depth--
		default:
			if depth == 1 && key {
				out = append(out, tok.(string))
				key = false
				continue
			}
		}
		key = depth == 1
	}
}

// records asks for every record and gives those of one home, with the summary.
func (h *Home) records(t *testing.T, args ...string) ([]record, summary) {
	t.Helper()
	a := ndjson(t, h.Run(append([]string{"records"}, args...)...))
	return as[record](t, a), a.summary
}

// sessions lists the sessions.
func (h *Home) sessions(t *testing.T, args ...string) ([]session, summary) {
	t.Helper()
	a := oneObject(t, h.Run(append([]string{"sessions", "--json"}, args...)...))
	return as[session](t, a), a.summary
}

// projects lists the projects.
func (h *Home) projects(t *testing.T, args ...string) ([]project, summary) {
	t.Helper()
	a := ndjson(t, h.Run(append([]string{"projects", "--ndjson"}, args...)...))
	return as[project](t, a), a.summary
}

// sources lists what find finds, paths absolute.
func (h *Home) sources(t *testing.T, args ...string) ([]source, summary) {
	t.Helper()
	a := ndjson(t, h.Run(append([]string{"find", "--ndjson", "--absolute-path"}, args...)...))
	return as[source](t, a), a.summary
}

// texts gives the texts of records of the given kinds, in order.
func texts(recs []record, kinds ...string) []string {
	out := []string{}
	for _, r := range recs {
		if len(kinds) == 0 || slices.Contains(kinds, r.Kind) {
			out = append(out, r.Text)
		}
	}
	return out
}

// lines splits an output that ends with a line break into its lines.
func lines(s string) []string {
	if s == "" {
		return nil
	}
	return strings.Split(strings.TrimSuffix(s, "\n"), "\n")
}

func tail(s string) string {
	if len(s) > 500 {
		return "..." + s[len(s)-500:]
	}
	return s
}

// hits greps for a plain text and gives the lines that came out.
func (h *Home) hits(text string, args ...string) []string {
	h.t.Helper()
	return lines(h.Run(append([]string{"grep", "-F", "--no-heading", text}, args...)...).Stdout)
}

// exits fails the test when a run ended otherwise.
func (r Result) exits(t *testing.T, code int) Result {
	t.Helper()
	if r.Code != code {
		t.Errorf("exit code %d, want %d\nstdout: %s\nstderr: %s", r.Code, code, tail(r.Stdout), tail(r.Stderr))
	}
	return r
}

// warned reports whether a summary names a place with a line.
func (s summary) warned(path string, line int) bool {
	return slices.ContainsFunc(s.Warnings, func(w warning) bool { return w.Path == path && w.Line == line })
}
