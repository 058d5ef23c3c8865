package gemini

import (
	"context"

	"github.com/seshat-dev/seshat/agent"
	"github.com/seshat-dev/seshat/internal/jsonscan"
	"github.com/seshat-dev/seshat/internal/lines"
)

// Holds reports whether a chat has a message with one of the ids.
func (*Adapter) Holds(ctx context.Context, src *agent.Source, ids map[string]bool) (bool, error) {
	f, err := src.Open()
	if err != nil {
		return false, err
	}
	defer f.Close()
	for l, err := range lines.Scan(f, f.Info().Size) {
		if err == nil {
			err = ctx.Err()
		}
		if err != nil {
			return false, err
		}
		if jsonscan.Mentions(l.Text, "id", ids) {
			return true, nil
		}
	}
	return false, nil
}

// IDs gives the ids of a chat's messages.
func (a *Adapter) IDs(ctx context.Context, src *agent.Source) ([]agent.Identified, error) {
	var ids []agent.Identified
	for item, err := range a.Read(ctx, src, agent.Plan{}) {
		if err != nil {
			return ids, err
		}
		if r := item.Record; r != nil && r.Named() && !r.Preamble {
			ids = append(ids, agent.Identified{ID: r.ID, Time: r.Time})
		}
	}
	return ids, nil
}
