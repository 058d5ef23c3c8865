package claude

import (
	"bytes"
	"context"
	"path"
	"regexp"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/seshat-dev/seshat/agent"
	"github.com/seshat-dev/seshat/catalog"
	"github.com/seshat-dev/seshat/internal/jsonscan"
	"github.com/seshat-dev/seshat/record"
)

// passDocument gives what stands in a file of an inspect store: a text as one
// document, a JSON file as the documents that its store's shape holds.
func passDocument(_ context.Context, src *agent.Source, f agent.File, plan agent.Plan, emit func(agent.Item) error) error {
	text, err := agent.Whole(f)
	if err != nil {
		return err
	}
	docs, damage := documents(src, text)
	if damage != nil {
		damage.Cleared = !plan.Passes(text)
		if err := emit(agent.Item{Damage: damage}); err != nil {
			return err
		}
	}
	for _, r := range docs {
		r.Agent, r.Store, r.Session, r.Path = Name, src.Store.ID, sessionOfDocument(src), src.Path
		r.Kind, r.Role, r.Time = record.Document, record.RoleOf(record.Document), f.Info().MTime
		if r.Title == "" {
			r.Title = path.Base(src.Name)
		}
		if err := emit(agent.Item{Record: r}); err != nil {
			return err
		}
	}
	return nil
}

// sessionOfDocument gives the session that a document's place names.
func sessionOfDocument(src *agent.Source) string {
	parts := strings.Split(src.Name, "/")
	base := strings.TrimSuffix(path.Base(src.Name), path.Ext(src.Name))
	switch src.Store.ID {
	case "claude.projects.tool_results", "claude.projects.workflows", "claude.projects.session_memory":
		if len(parts) > 3 {
			return parts[2]
		}
	case "claude.tasks":
		if len(parts) == 3 {
			return parts[1]
		}
	case "claude.todos":
		session, _, _ := strings.Cut(base, "-agent-")
		return session
	case "claude.usage_data":
		return base
	}
	return ""
}

// documents gives the documents of a file, with ids and lines.
func documents(src *agent.Source, text []byte) ([]*record.Record, *agent.Damage) {
	format := src.Store.Format
	if src.Store.ID == "claude.plugins_cache" && strings.HasSuffix(src.Name, ".json") {
		format = catalog.Text // a manifest: shown as it is
	}
	if format != catalog.JSON && format != catalog.JSONArray {
		return textDocument(src, string(text)), nil
	}
	shape := shapes[src.Store.ID]
	if shape == nil {
		return nil, nil
	}
	v, rest, _, ok := jsonscan.First(bytes.TrimPrefix(text, bom))
	if !ok || len(bytes.TrimSpace(rest)) > 0 {
		return nil, &agent.Damage{Line: 1, Bytes: int64(len(text)), Reason: "the file is not one JSON value; its text was not read"}
	}
	var docs []*record.Record
	for _, d := range shape(v) {
		if strings.TrimSpace(d.Text) == "" {
			continue
		}
		d.ID, d.Line = "L1", 1
		if n := len(docs); n > 0 {
			d.ID = "L1#" + strconv.Itoa(n)
		}
		docs = append(docs, d)
	}
	return docs, nil
}

var bom = []byte("\ufeff")

// textDocument is a text with its own lines. An empty one is no record.
func textDocument(src *agent.Source, text string) []*record.Record {
	if strings.TrimSpace(text) == "" {
		return nil
	}
	text = strings.ToValidUTF8(text, "\ufffd")
	r := &record.Record{ID: "L1", Line: 1, Text: strings.TrimSuffix(text, "\n"), Verbatim: true}
	switch {
	case src.Store.ID == "claude.projects.workflows" || src.Store.ID == "claude.workflows" || strings.HasSuffix(src.Name, ".js"):
		r.Title = scriptTitle(text)
	case strings.HasSuffix(src.Name, ".md"):
		r.Title = markdownTitle(text)
	}
	return []*record.Record{r}
}

// markdownTitle gives the name in a file's front matter, else its first heading.
func markdownTitle(text string) string {
	text = strings.ReplaceAll(strings.TrimPrefix(text, "\ufeff"), "\r\n", "\n")
	if rest, ok := strings.CutPrefix(text, "---\n"); ok {
		if front, body, ok := strings.Cut(rest, "\n---"); ok {
			var meta struct {
				Name, Title string
			}
			if yaml.Unmarshal([]byte(front), &meta) == nil {
				switch {
				case meta.Title != "":
					return meta.Title
				case meta.Name != "":
					return meta.Name
				}
			}
			text = body
		}
	}
	for line := range strings.SplitSeq(text, "\n") {
		if heading, ok := strings.CutPrefix(line, "# "); ok {
			return strings.TrimSpace(heading)
		}
	}
	return ""
}

// shapes tell, by store, which texts of a JSON file are documents.
var shapes = map[string]func(jsonscan.Value) []*record.Record{
	"claude.tasks":        taskShape,
	"claude.todos":        todoShape,
	"claude.usage_data":   facetShape,
	"claude.teams":        teamShape,
	"claude.team_inboxes": inboxShape,
}

// taskShape is a task. Only a file with a subject is one, and an internal task is
// hidden as its agent hides it.
func taskShape(v jsonscan.Value) []*record.Record {
	subject := v.Get("subject").Text()
	if subject == "" || v.Get("metadata").Get("_internal").True() {
		return nil
	}
	return one(subject, subject, v.Get("description").Text(), prefixed("status", v), prefixed("activeForm", v), prefixed("owner", v))
}

// todoShape is a list of todos, nearly always an empty one.
func todoShape(v jsonscan.Value) []*record.Record {
	var lines []string
	for e := range v.Elems() {
		if text := e.Get("content").Text(); text != "" {
			lines = append(lines, strings.TrimSpace("["+e.Get("status").Text()+"] "+text))
		}
	}
	return one("", lines...)
}

// facetShape is what the agent itself wrote about a session: only these members
// are prose.
func facetShape(v jsonscan.Value) []*record.Record {
	return one("", v.Get("brief_summary").Text(), prefixed("underlying_goal", v), prefixed("friction_detail", v))
}

func teamShape(v jsonscan.Value) []*record.Record {
	lines := []string{v.Get("name").Text(), v.Get("description").Text()}
	for m := range v.Get("members").Elems() {
		lines = append(lines, strings.TrimSpace(m.Get("name").Text()+": "+m.Get("prompt").Text()))
	}
	return one(v.Get("name").Text(), lines...)
}

// inboxShape is a list of messages; each is a document.
func inboxShape(v jsonscan.Value) []*record.Record {
	var docs []*record.Record
	for e := range v.Elems() {
		r := &record.Record{Text: strings.Join(jsonscan.AppendStrings(nil, "", e), "\n"), Title: e.Get("from").Text()}
		docs = append(docs, r)
	}
	return docs
}

// one is a single document of the lines that say something.
func one(title string, lines ...string) []*record.Record {
	var kept []string
	for _, l := range lines {
		if strings.TrimSpace(l) != "" && l != ":" {
			kept = append(kept, l)
		}
	}
	return []*record.Record{{Title: title, Text: strings.Join(kept, "\n")}}
}

// prefixed gives a member as a line "name: text".
func prefixed(name string, v jsonscan.Value) string {
	if text := v.Get(name).Text(); text != "" {
		return name + ": " + text
	}
	return ""
}

// scriptMeta finds the name that a workflow's script declares for itself.
var scriptMeta = regexp.MustCompile(`(?s)meta\s*=\s*\{.*?name:\s*["'\x60]([^"'\x60\n]+)["'\x60]`)

func scriptTitle(text string) string {
	if m := scriptMeta.FindStringSubmatch(text[:min(len(text), 8<<10)]); m != nil {
		return m[1]
	}
	return ""
}
