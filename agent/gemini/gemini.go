// Package gemini knows what Gemini CLI leaves on a disk.
//
// A reader may rely on this. Every store is found and counted, private ones by
// name only. No store is read yet: each searched source gives agent.ErrNoReader,
// so that an answer over it never claims to be complete.
package gemini

import (
	"context"
	"iter"
	"path/filepath"
	"strings"

	"github.com/seshat-dev/seshat/agent"
	"github.com/seshat-dev/seshat/catalog"
	"github.com/seshat-dev/seshat/internal/rootfs"
	"github.com/seshat-dev/seshat/record"
)

// Name is the agent's word.
const Name = "gemini"

// Adapter knows Gemini CLI. It holds nothing but its catalogue.
type Adapter struct{ cat *catalog.Catalog }

// New gives the adapter.
func New() (*Adapter, error) {
	cat, err := catalog.New(append(projectStores(), dataStores()...))
	if err != nil {
		return nil, err
	}
	return &Adapter{cat: cat}, nil
}

// Name gives the agent's word.
func (*Adapter) Name() string { return Name }

// Catalog lists the stores of Gemini CLI.
func (a *Adapter) Catalog() *catalog.Catalog { return a.cat }

// Read gives agent.ErrNoReader.
func (*Adapter) Read(context.Context, *agent.Source, agent.Plan) iter.Seq2[agent.Item, error] {
	return func(yield func(agent.Item, error) bool) { yield(agent.Item{}, agent.ErrNoReader) }
}

// Head gives agent.ErrNoReader.
func (*Adapter) Head(context.Context, *agent.Source) (agent.Head, error) {
	return agent.Head{}, agent.ErrNoReader
}

// Summarize gives agent.ErrNoReader.
func (*Adapter) Summarize(context.Context, *agent.Source) (agent.Summary, error) {
	return agent.Summary{}, agent.ErrNoReader
}

// Remember names no session yet.
func (*Adapter) Remember(context.Context, *agent.Source) ([]record.Session, error) { return nil, nil }

// Discover finds the sources of every root of Gemini CLI. With env.Wide set it
// also looks at the side places: files beside the data folder, the repositories
// that the registry and the markers name, and the machine-wide settings.
func (a *Adapter) Discover(ctx context.Context, env agent.Env) (*agent.Inventory, error) {
	d := discovery{rootfs.NewCollector(Name, env, a.cat, place)}
	for _, loc := range dataFolders(env) {
		if err := d.Root(ctx, loc); err != nil {
			return nil, err
		}
	}
	if env.Wide {
		if err := d.sidePlaces(ctx); err != nil {
			return nil, err
		}
	}
	return d.Done(), nil
}

// place fills in what a source's name tells about its session.
func place(src *agent.Source) {
	parts := strings.Split(src.Name, "/")
	if src.Store.ID == "gemini.tmp.subagent_chats" && len(parts) == 5 { // tmp/<project>/chats/<session>/<agent>.jsonl
		src.Session = parts[3]
		src.Subagent = strings.TrimSuffix(parts[4], filepath.Ext(parts[4]))
	}
}
