// Package gemini reads what Gemini CLI leaves on a disk.
//
// A reader may rely on this. A chat file is an event log: it is folded as Gemini
// CLI's own loader folds it, and what the fold drops is given all the same,
// flagged. A message that was rewound, and the older text of one that was written
// again, is superseded; one that a rewritten history left out is replaced. Files
// that Gemini CLI itself cannot read are read, and a damage says so. Which text a
// person typed is decided message by message: context, hook output and tool
// results are never prompts.
package gemini

import (
	"context"
	"iter"
	"slices"

	"github.com/seshat-dev/seshat/agent"
	"github.com/seshat-dev/seshat/catalog"
	"github.com/seshat-dev/seshat/record"
)

// Name is the agent's word.
const Name = "gemini"

// Store ids that code refers to.
const (
	storeChats           = "gemini.tmp.chats"
	storeSubagents       = "gemini.tmp.subagent_chats"
	storeLegacy          = "gemini.tmp.chats_legacy"
	storeLogs            = "gemini.tmp.logs"
	storeLogBackups      = "gemini.tmp.logs_backups"
	storeShell           = "gemini.tmp.shell_history"
	storeCheckpoints     = "gemini.tmp.checkpoints"
	storeToolCheckpoints = "gemini.tmp.tool_checkpoints"
	storeOutputs         = "gemini.tool_outputs"
	storePlans           = "gemini.tmp.plans"
	storeProjects        = "gemini.projects"
	storeMarker          = "gemini.project_marker"
	storeContext         = "gemini.project_context"
)

// Adapter reads Gemini CLI. It holds nothing but its catalogue.
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
	return slices.Concat(projectStores(), productStores(), dataStores(), extensionStores())
}

// Name gives the agent's word.
func (*Adapter) Name() string { return Name }

// Catalog lists the stores of Gemini CLI.
func (a *Adapter) Catalog() *catalog.Catalog { return a.cat }

// passOf gives the pass that reads a store, or nil.
func passOf(s *catalog.Store) agent.Pass {
	switch s.ID {
	case storeChats, storeSubagents, storeLegacy:
		return passChat
	case storeLogs:
		return passLogs
	case storeShell:
		return passShell
	case storeCheckpoints, storeToolCheckpoints:
		return passCheckpoint
	}
	if s.Readable() {
		return passDocument
	}
	return nil
}

// Read yields the records of a source of any store that is searched or
// inspected. Other stores give agent.ErrNoReader.
func (a *Adapter) Read(ctx context.Context, src *agent.Source, plan agent.Plan) iter.Seq2[agent.Item, error] {
	plan.Candidate = agent.Loose(plan.Candidate)
	return passOf(src.Store).Items(ctx, src, plan)
}

// Remember names no session: whatever Gemini CLI remembers beside the chats is a
// prompt log, whose records name their sessions.
func (*Adapter) Remember(context.Context, *agent.Source) ([]record.Session, error) { return nil, nil }
