package gemini

import (
	"context"

	"github.com/seshat-dev/seshat/agent"
	"github.com/seshat-dev/seshat/record"
)

// Locate tells where a chat ran. Where neither a marker nor the registry says so,
// it is the one of the folders that the chat names whose hash is the project's.
func (a *Adapter) Locate(ctx context.Context, src *agent.Source, _ agent.Near) record.Origin {
	if o := originOf(src, ""); o.CWD != "" || !isChat(src) {
		return o
	}
	sum, err := a.Summarize(ctx, src)
	if err != nil {
		return record.Origin{}
	}
	return sum.Session.Origin
}
