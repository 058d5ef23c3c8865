package claude

import (
	"bytes"
	"context"
	"strings"

	"github.com/seshat-dev/seshat/agent"
	"github.com/seshat-dev/seshat/catalog"
)

// Keeping tells what an archive keeps of Claude Code beside what belongs to sessions.
// A prompt refers to a paste by its hash, a transcript to a plan by its slug or by the
// plan's path.
func (*Adapter) Keeping() agent.Keeping {
	return agent.Keeping{
		Alone: []string{storeHistory, "claude.projects.memory", "claude.agent_memory"},
		Asked: map[string]string{"file-history": "claude.file_history"},
		Refs: map[string]agent.Reference{
			"claude.paste_cache": {In: []string{storeHistory}, After: []string{"contentHash"}, Names: agent.NameAndStem},
			"claude.plans":       {In: []string{storeSession, storeSubagent}, After: []string{`"slug"`, "plans/", `plans\\`}, Names: planNames},
		},
	}
}

// planNames gives what refers to a plan: its name, and the slug of the session. That of
// a subagent is called SLUG-agent-ID.md.
func planNames(base string) []string {
	names := agent.NameAndStem(base)
	if slug, _, ok := strings.Cut(base, "-agent-"); ok && len(names) > 0 && slug != "" {
		names = append(names, slug)
	}
	return names
}

// Belongs gives the id of the session that a source goes with: its own, or the one
// whose folder it lies in.
func (*Adapter) Belongs(src *agent.Source) string {
	parts := strings.Split(src.Name, "/")
	switch {
	case src.Session != "":
		return src.Session
	case src.Store.ID == "claude.file_history" && len(parts) > 2: // file-history/<session>/<hash>@v<version>
		return parts[1]
	case len(parts) > 3 && parts[0] == "projects" && parts[2] != "memory": // projects/<project>/<session>/...
		return parts[2]
	}
	return ""
}

// Prompts finds the entries of some sessions in history.jsonl. A line that is damaged is
// theirs when it names one of them.
func (*Adapter) Prompts(ctx context.Context, store *catalog.Store, f agent.File, of map[string]bool) (found []agent.Stretch, err error) {
	if store.ID != storeHistory {
		return nil, nil
	}
	err = scanFile(ctx, f, func(p physical) error {
		theirs := p.damage != nil && namesAny(p.Text, of)
		for _, obj := range p.objects {
			theirs = theirs || of[obj.Get("sessionId").Text()]
		}
		if theirs {
			found = append(found, agent.Stretch{From: p.Offset, To: p.Offset + int64(len(p.Text))})
		}
		return nil
	})
	return found, err
}

func namesAny(text []byte, ids map[string]bool) bool {
	for id := range ids {
		if bytes.Contains(text, []byte(id)) {
			return true
		}
	}
	return false
}

// Lone gives the name that a transcript has by the folder that it ran in. What Claude
// Code adds to very long names cannot be known; they are cut where it begins.
func (*Adapter) Lone(ctx context.Context, name string, f agent.File) string {
	h, err := readHead(ctx, f)
	if err != nil || h.CWD == "" || !strings.HasSuffix(name, ".jsonl") {
		return ""
	}
	folder := encoded(h.CWD)
	return "projects/" + folder[:min(len(folder), longName)] + "/" + name
}
