// Package corpus makes homes for measuring: trees of transcripts as coding agents
// leave them, of any size, with things to find in them that are counted while they
// are planted.
//
// A reader may rely on this:
//
//   - The bytes of a tree depend on the [Spec] alone: not on the machine, the
//     number of goroutines, or the time.
//   - A tree has exactly the number of transcripts that was asked for, and its
//     size within a few hundredths, unless it is so small that the needles alone
//     fill it.
//   - [Tree] says how many lines `seshat grep -c` has to count in all for each
//     query: text lines of records, copies, twins and superseded prompts left out.
//     The numbers are counted while writing; nothing is read back.
//   - All text is put together from word lists of this package. The shape is that
//     of real transcripts: how long lines are, which share of the bytes is text a
//     person reads, what tools return, what is there twice, and where.
//
// It writes only below the folder that it is given.
package corpus

import "fmt"

// Spec says what tree to make.
type Spec struct {
	Agent string // "claude" or "gemini"
	Seed  uint64
	Bytes int64 // of all transcripts together, about
	Files int   // how many transcripts, subagents' and forks included
}

// Named gives the tree of that agent and size that figures are published for:
// 2m (for tests), 200m, 1g or 7g.
func Named(agent, size string) (Spec, error) {
	sizes := map[string]Spec{
		"2m":   {Bytes: 2_000_000, Files: 8},
		"200m": {Bytes: 200_000_000, Files: 137},
		"1g":   {Bytes: 1_055_000_000, Files: 722},
		"7g":   {Bytes: 7_000_000_000, Files: 9000},
	}
	s, ok := sizes[size]
	if !ok {
		return s, fmt.Errorf("there is no tree of size %q: 2m, 200m, 1g and 7g are known", size)
	}
	if agent != "claude" && agent != "gemini" {
		return s, fmt.Errorf("there is no tree of agent %q: claude and gemini are known", agent)
	}
	s.Agent, s.Seed = agent, 1
	return s, nil
}

// Query is something to look for in a tree.
type Query struct {
	Name    string   // short, for tables
	Pattern string   // as grep takes it
	Flags   []string // of both seshat grep and rg: -i, -F, -w
	Want    int64    // how many text lines of records match
}

// Tree is what was written.
type Tree struct {
	Spec    Spec
	Files   int   // transcripts
	Bytes   int64 // of transcripts
	Lines   int64 // of transcripts
	Queries []Query
}
