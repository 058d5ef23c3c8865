package claude

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"

	"github.com/seshat-dev/seshat/agent"
	"github.com/seshat-dev/seshat/internal/rootfs"
)

// Return refuses a session whose id stands in another project's folder: with two
// transcripts of one id, Claude Code finds neither from a third folder.
func (a *Adapter) Return(ctx context.Context, _ agent.Env, r agent.Returning) (agent.Return, error) {
	folders, err := r.Root.List("projects")
	if errors.Is(err, fs.ErrNotExist) {
		return agent.Return{Touch: true}, nil
	}
	if err != nil {
		return agent.Return{}, err
	}
	for _, f := range folders {
		name := path.Join("projects", f.Name, r.Session+".jsonl")
		if name == r.Transcript || ctx.Err() != nil {
			continue
		}
		if _, err := r.Root.Lstat(name); err == nil {
			return agent.Return{Refused: fmt.Sprintf("a transcript with this id stands in %s, and with two of them claude opens neither", rootfs.Path(r.Root, name))}, nil
		}
	}
	return agent.Return{Touch: true}, ctx.Err()
}
