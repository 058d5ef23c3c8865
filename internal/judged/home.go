package judged

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"time"
)

// Write writes the sample home below dir: folders 0700, files 0600, each with the
// time of its session's last word as its modification time.
func Write(dir string) error {
	all, err := sessions()
	if err != nil {
		return err
	}
	w := &writer{dir: dir}
	for _, s := range all {
		w.at = s.end()
		switch s.agent {
		case "claude":
			writeClaude(w, s)
		case "gemini":
			writeGemini(w, s)
		default:
			return fmt.Errorf("%s: no agent is called %s", s.name, s.agent)
		}
	}
	writeHistory(w, all)
	writeGeminiLogs(w, all)
	if w.err != nil {
		return fmt.Errorf("write the judged home: %w", w.err)
	}
	return nil
}

// Names gives the names of the sessions that the home holds, by their ids.
func Names() (map[string]string, error) {
	all, err := sessions()
	names := map[string]string{}
	for _, s := range all {
		names[s.id] = s.name
	}
	return names, err
}

// writer writes files below a folder and remembers the first failure.
type writer struct {
	dir string
	at  time.Time
	err error
}

func (w *writer) file(name string, data []byte) {
	if w.err != nil {
		return
	}
	file := filepath.Join(w.dir, filepath.FromSlash(name))
	if w.err = os.MkdirAll(filepath.Dir(file), 0o700); w.err != nil {
		return
	}
	if w.err = os.WriteFile(file, data, 0o600); w.err == nil {
		w.err = os.Chtimes(file, w.at, w.at)
	}
}

// encode writes JSON as agents do, without escapes for HTML.
func (w *writer) encode(b *bytes.Buffer, v any) {
	e := json.NewEncoder(b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil && w.err == nil {
		w.err = err
	}
}

func (w *writer) json(name string, v any) {
	var b bytes.Buffer
	w.encode(&b, v)
	w.file(name, b.Bytes())
}

func (w *writer) lines(name string, lines []object) {
	var b bytes.Buffer
	for _, line := range lines {
		w.encode(&b, line)
	}
	w.file(name, b.Bytes())
}

// said is a prompt with its session.
type said struct {
	*session
	item
}

// prompts gives what people typed in sessions of an agent, oldest first. A fork's
// share was typed in the other session, and print runs are not logged.
func prompts(all []*session, agent string) []said {
	var out []said
	for _, s := range all {
		if s.agent != agent || s.kind == printed {
			continue
		}
		for _, it := range s.items[s.shared:] {
			if it.mark == prompt {
				out = append(out, said{s, it})
			}
		}
	}
	slices.SortStableFunc(out, func(a, b said) int { return cmp.Compare(a.at.UnixMilli(), b.at.UnixMilli()) })
	return out
}

// writeHistory writes the prompt log of Claude Code.
func writeHistory(w *writer, all []*session) {
	var lines []object
	for _, p := range prompts(all, "claude") {
		lines = append(lines, object{"display": p.text, "pastedContents": object{}, "timestamp": p.at.UnixMilli(), "project": p.cwd(), "sessionId": p.session.id})
		w.at = p.at
	}
	w.lines(".claude/history.jsonl", lines)
}

// writeGeminiLogs writes the prompt log of each project of Gemini CLI, the marks of
// where the projects lie, and the registry.
func writeGeminiLogs(w *writer, all []*session) {
	logs, next, roots := map[string][]object{}, map[string]int{}, object{}
	for _, p := range prompts(all, "gemini") {
		logs[p.project] = append(logs[p.project], object{
			"sessionId": p.session.id, "messageId": next[p.session.id], "type": "user", "message": p.text, "timestamp": stamp(p.at),
		})
		next[p.session.id]++
		roots[p.cwd()] = p.project
		w.at = p.at
	}
	for cwd, project := range roots {
		folder := path.Join(".gemini/tmp", project.(string))
		w.json(path.Join(folder, "logs.json"), logs[project.(string)])
		w.file(path.Join(folder, ".project_root"), []byte(cwd))
	}
	w.json(".gemini/projects.json", object{"projects": roots})
}
