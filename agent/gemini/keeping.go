package gemini

import (
	"context"
	"strings"

	"github.com/seshat-dev/seshat/agent"
	"github.com/seshat-dev/seshat/catalog"
)

// Keeping tells what an archive keeps of Gemini CLI beside what belongs to sessions. A
// chat names an older tool output or plan by its path.
func (*Adapter) Keeping() agent.Keeping {
	chats := []string{storeChats, storeLegacy, storeSubagents}
	return agent.Keeping{
		Alone: []string{storeLogs, storeLogBackups, storeCheckpoints, "gemini.tmp.project_memory", storeProjects},
		Refs: map[string]agent.Reference{
			"gemini.tool_outputs_loose": {In: chats, After: []string{"tool-outputs"}, Names: agent.NameAndStem},
			"gemini.tmp.plans_legacy":   {In: chats, After: []string{"plans"}, Names: agent.NameAndStem},
		},
	}
}

// Belongs gives the id of the session that a source goes with: its own, or the one
// whose folder it lies in.
func (*Adapter) Belongs(src *agent.Source) string {
	parts := strings.Split(src.Name, "/")
	switch {
	case src.Session != "":
		return src.Session
	case len(parts) > 4 && parts[0] == "tmp" && (parts[3] == "tracker" || parts[3] == "tasks"): // tmp/<project>/<session>/tracker/...
		return parts[2]
	}
	return ""
}

// Prompts finds what was typed in some sessions in logs.json: the text of an entry, and
// the id beside it.
func (*Adapter) Prompts(_ context.Context, store *catalog.Store, f agent.File, of map[string]bool) (found []agent.Stretch, err error) {
	if store.ID != storeLogs && store.ID != storeLogBackups {
		return nil, nil
	}
	data, err := agent.Whole(f)
	if err != nil {
		return nil, err
	}
	entries, _ := logEntries(data)
	for _, e := range entries {
		if !of[e.Get("sessionId").Text()] {
			continue
		}
		for _, name := range []string{"message", "sessionId"} {
			if at := within(data, e.Get(name), 0, 0); at.length > 2 {
				found = append(found, agent.Stretch{From: at.offset + 1, To: at.offset + int64(at.length) - 1}) // between the quotes
			}
		}
	}
	return found, nil
}

// Lone gives the name that a chat has by the hash of the project that stands in it. So
// Gemini CLI itself called the folders of projects.
func (*Adapter) Lone(ctx context.Context, name string, f agent.File) string {
	chat := strings.HasPrefix(name, "session-") && (strings.HasSuffix(name, ".json") || strings.HasSuffix(name, ".jsonl"))
	if !chat {
		return ""
	}
	if m := metaIn(ctx, f); m.session != "" && isHash(m.hash) {
		return "tmp/" + m.hash + "/chats/" + name
	}
	return ""
}
