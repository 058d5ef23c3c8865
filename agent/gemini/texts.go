package gemini

import (
	"context"
	"path"
	"strings"

	"github.com/seshat-dev/seshat/agent"
	"github.com/seshat-dev/seshat/record"
)

// passDocument gives a file of text as one record: a plan, a memory, a tool's
// output. An empty one is no record.
func passDocument(_ context.Context, src *agent.Source, f agent.File, plan agent.Plan, emit func(agent.Item) error) error {
	text, err := readText(f)
	if err != nil || strings.TrimSpace(text) == "" || !plan.Every && !plan.Passes([]byte(text)) {
		return err
	}
	return emit(agent.Item{Record: &record.Record{
		Agent: Name, Store: src.Store.ID, Session: src.Session, ID: "L1", Kind: record.Document, Role: record.RoleOf(record.Document),
		Time: f.Info().MTime, Title: documentTitle(src, text), Origin: originOf(src, ""), Path: src.Path, Line: 1,
		Text: strings.TrimSuffix(text, "\n"), Verbatim: true,
	}})
}

func readText(f agent.File) (string, error) {
	b, err := agent.Whole(f)
	return strings.ToValidUTF8(string(b), "\ufffd"), err
}

// documentTitle is the title or name in a document's front matter, else the name
// of its file.
func documentTitle(src *agent.Source, text string) string {
	if strings.HasSuffix(src.Name, ".md") {
		front := frontMatter(text)
		for _, key := range []string{"title", "name"} {
			if front[key] != "" {
				return front[key]
			}
		}
	}
	return path.Base(src.Name)
}

// frontMatter gives the plain members at the top of a Markdown file. Of the YAML
// there only "key: value" is understood.
func frontMatter(text string) map[string]string {
	text = strings.ReplaceAll(strings.TrimPrefix(text, "\ufeff"), "\r\n", "\n")
	rest, ok := strings.CutPrefix(text, "---\n")
	if !ok {
		return nil
	}
	front, _, ok := strings.Cut("\n"+rest, "\n---")
	if !ok {
		return nil
	}
	members := map[string]string{}
	for line := range strings.SplitSeq(front, "\n") {
		if key, value, ok := strings.Cut(line, ":"); ok && key == strings.TrimSpace(key) {
			members[key] = unquote(strings.TrimSpace(value))
		}
	}
	return members
}

// unquote takes the quotes off a value that stands in a pair of them.
func unquote(s string) string {
	if len(s) > 1 && s[0] == s[len(s)-1] && (s[0] == '"' || s[0] == '\'') {
		return s[1 : len(s)-1]
	}
	return s
}

// passShell gives the commands that were typed in shell mode. One of several
// lines goes on behind a backslash; nothing tells when it ran, or in which session.
func passShell(_ context.Context, src *agent.Source, f agent.File, plan agent.Plan, emit func(agent.Item) error) error {
	text, err := readText(f)
	if err != nil {
		return err
	}
	origin := originOf(src, "")
	for line, command := range shellCommands(text) {
		if !plan.Every && !plan.Passes([]byte(command)) {
			continue
		}
		err := emit(agent.Item{Record: &record.Record{
			Agent: Name, Store: src.Store.ID, ID: numbered(line, 0), Kind: record.Command, Role: record.User,
			Time: f.Info().MTime, Origin: origin, Path: src.Path, Line: line, Text: "! " + command,
		}})
		if err != nil {
			return err
		}
	}
	return nil
}

// shellCommands yields the commands of a shell history with their first lines.
func shellCommands(text string) func(yield func(int, string) bool) {
	return func(yield func(int, string) bool) {
		var open []string
		first, no := 1, 0
		for line := range strings.SplitSeq(text, "\n") {
			no++
			if len(open) == 0 {
				first = no
			}
			line = strings.TrimSuffix(line, "\r")
			more := strings.HasSuffix(line, `\`)
			if open = append(open, strings.TrimSuffix(line, `\`)); more {
				continue
			}
			command := strings.TrimSpace(strings.Join(open, "\n"))
			if open = nil; command != "" && !yield(first, command) {
				return
			}
		}
		if command := strings.TrimSpace(strings.Join(open, "\n")); command != "" {
			yield(first, command)
		}
	}
}
