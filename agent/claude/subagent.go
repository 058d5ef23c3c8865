package claude

import (
	"context"
	"path"
	"strings"

	"github.com/seshat-dev/seshat/agent"
	"github.com/seshat-dev/seshat/record"
)

// describeSubagent tells what a subagent is and what it was asked: from the file
// beside its transcript, else from the parent's transcript, if that still exists.
func describeSubagent(ctx context.Context, src *agent.Source) (*record.SubagentRef, string) {
	meta := readMeta(src)
	title := meta.title()
	if title == "" || meta.agentType == "" {
		r := parentRelation(ctx, src)
		if title == "" {
			title = r.title
		}
		if meta.agentType == "" {
			meta.agentType = r.agentType
		}
		if meta.model == "" {
			meta.model = r.model
		}
	}
	return meta.ref(src.Subagent), title
}

// parentName names the transcript of a subagent's session, or is empty where that
// is not known.
func parentName(src *agent.Source) string {
	parts := strings.Split(src.Name, "/")
	if src.Session == "" || len(parts) < 3 {
		return ""
	}
	return path.Join(parts[0], parts[1], src.Session+".jsonl")
}

// parentRelation looks a subagent up in its parent's transcript.
func parentRelation(ctx context.Context, src *agent.Source) relation {
	parent := *src
	if parent.Subagent, parent.Name = "", parentName(src); parent.Name == "" {
		return relation{}
	}
	var r relation
	withFile(&parent, func(f agent.File) {
		if o, err := readOutline(ctx, &parent, f); err == nil {
			r = o.relation[src.Subagent]
		}
	})
	return r
}
