package claude

import (
	"path"
	"strings"

	"github.com/seshat-dev/seshat/agent"
	"github.com/seshat-dev/seshat/internal/jsonscan"
	"github.com/seshat-dev/seshat/internal/rootfs"
	"github.com/seshat-dev/seshat/record"
)

// subagentMeta is what the file beside a subagent's transcript tells. Its model
// is the alias that was asked for, never the model that answered.
type subagentMeta struct {
	description, name, agentType, parent, model string
	worktree, branch                            string // where it worked, if in a worktree of its own
}

// metaName names the file beside a subagent's transcript.
func metaName(src *agent.Source) string {
	return strings.TrimSuffix(src.Name, ".jsonl") + ".meta.json"
}

func readMeta(src *agent.Source) subagentMeta {
	v := readSmall(src.Root, metaName(src))
	return subagentMeta{
		description: v.Get("description").Text(),
		name:        v.Get("name").Text(),
		agentType:   v.Get("agentType").Text(),
		parent:      v.Get("parentAgentId").Text(),
		model:       v.Get("model").Text(),
		worktree:    v.Get("worktreePath").Text(),
		branch:      v.Get("worktreeBranch").Text(),
	}
}

func (m subagentMeta) title() string {
	if m.description != "" {
		return m.description
	}
	return m.name
}

func (m subagentMeta) ref(id string) *record.SubagentRef {
	return &record.SubagentRef{ID: id, Type: m.agentType, Parent: m.parent, Model: m.model}
}

// sidecarName names the file beside a session's transcript that holds its name.
func sidecarName(src *agent.Source) string {
	dir := src.Name[:strings.LastIndexByte(src.Name, '/')+1]
	return path.Clean(dir+src.Session) + "/custom-title.json"
}

// sidecarTitle gives the name that stands in a file of its own beside the
// session's transcript.
func sidecarTitle(src *agent.Source) string {
	return readSmall(src.Root, sidecarName(src)).Get("customTitle").Text()
}

// readSmall reads a small JSON object of the catalogue. One that is missing or
// broken tells nothing.
func readSmall(root agent.Root, name string) jsonscan.Value {
	b, err := rootfs.ReadSmall(root, name)
	if err != nil {
		return nil
	}
	objects, _ := jsonscan.Objects(b)
	if len(objects) == 0 {
		return nil
	}
	return objects[0]
}
