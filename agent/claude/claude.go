// Package claude reads what Claude Code leaves on a disk.
//
// A reader may rely on this. Transcripts are read in line order and nothing
// walks the parentUuid chain, which dangles and forks in healthy files. A line
// that is not one whole JSON object is reported with its number and salvaged as
// far as possible. Which text a person typed is decided line by line: injected
// text, command output and tool results are never prompts.
package claude

import (
	"context"
	"iter"
	"slices"

	"github.com/seshat-dev/seshat/agent"
	"github.com/seshat-dev/seshat/catalog"
	"github.com/seshat-dev/seshat/internal/jsonscan"
	"github.com/seshat-dev/seshat/internal/lines"
)

// Name is the agent's word.
const Name = "claude"

// Store ids that code refers to.
const (
	storeHistory  = "claude.history"
	storeSession  = "claude.projects.session"
	storeSubagent = "claude.projects.subagent"
)

// Adapter reads Claude Code. It holds nothing but its catalogue.
type Adapter struct{ cat *catalog.Catalog }

// New gives the adapter.
func New() (*Adapter, error) {
	cat, err := catalog.New(allStores())
	if err != nil {
		return nil, err
	}
	return &Adapter{cat: cat}, nil
}

// allStores gives the rows of the catalogue, in the order of lists.
func allStores() []catalog.Store {
	return slices.Concat(projectStores(), dataStores(), extensionStores(), leftoverStores(), elsewhereStores())
}

// Name gives the agent's word.
func (*Adapter) Name() string { return Name }

// Catalog lists the stores of Claude Code.
func (a *Adapter) Catalog() *catalog.Catalog { return a.cat }

// Read yields the records of any store that is searched or inspected. The old
// database alone gives agent.ErrNoReader.
func (a *Adapter) Read(ctx context.Context, src *agent.Source, plan agent.Plan) iter.Seq2[agent.Item, error] {
	if src.Store.Format != catalog.JSONL {
		plan.Candidate = agent.Loose(plan.Candidate)
	}
	return passOf(src.Store).Items(ctx, src, plan)
}

// passOf gives the pass that reads a store, or nil.
func passOf(s *catalog.Store) agent.Pass {
	switch {
	case s.ID == storeSession || s.ID == storeSubagent:
		return passTranscript
	case s.ID == storeHistory:
		return passHistory
	case s.Readable() && s.Format != catalog.SQLite:
		return passDocument
	}
	return nil
}

// Head reads the head of a source.
func (a *Adapter) Head(ctx context.Context, src *agent.Source) (agent.Head, error) {
	f, err := src.Open()
	if err != nil {
		return agent.Head{}, err
	}
	defer f.Close()
	if src.Store.ID == storeHistory {
		return agent.Head{}, nil
	}
	return readHead(ctx, f)
}

// Holds reports whether a transcript has a line with one of the uuids.
func (a *Adapter) Holds(ctx context.Context, src *agent.Source, ids map[string]bool) (bool, error) {
	f, err := src.Open()
	if err != nil {
		return false, err
	}
	defer f.Close()
	text := lines.NewChunks(f, f.Info().Size)
	defer text.Close()
	return text.Holds(ctx, agent.LineTest(func(line []byte) bool { return jsonscan.Mentions(line, "uuid", ids) }).Next)
}

// IDs gives the uuids of the lines that can hold records.
func (a *Adapter) IDs(ctx context.Context, src *agent.Source) ([]agent.Identified, error) {
	f, err := src.Open()
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var ids []agent.Identified
	err = head(ctx, f, 0, func(l line) bool {
		if l.uuid != "" && recordTypes[l.typ] {
			ids = append(ids, agent.Identified{ID: l.uuid, Time: l.time})
		}
		return true
	})
	return ids, err
}
