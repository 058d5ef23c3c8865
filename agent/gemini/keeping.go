package gemini

import (
	"strings"

	"github.com/seshat-dev/seshat/agent"
)

// Keeping tells what an archive keeps of Gemini CLI beside what belongs to sessions. A
// chat names an older tool output or plan by its path.
func (*Adapter) Keeping() agent.Keeping {
	chats := []string{storeChats, storeLegacy, storeSubagents}
	return agent.Keeping{
		Alone: []string{storeLogs, "gemini.tmp.logs_backups", storeCheckpoints, "gemini.tmp.project_memory", storeProjects},
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
