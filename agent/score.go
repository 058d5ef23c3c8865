package agent

import "github.com/seshat-dev/seshat/record"

// TermScorer finds one term in texts that are still JSON. It can be used by several
// readers at once.
type TermScorer interface {
	// Wants reports whether records of a kind are wanted.
	Wants(kind record.Kind) bool
	// Stands tells how the term stands in a text: a prefix and then what the inside of a
	// JSON string stands for.
	Stands(prefix, raw []byte) Standing
	// Names reports whether the term stands in a title.
	Names(title string) bool
}

// Standing is how a term stands in a text.
type Standing struct {
	Count int  // how often
	Whole bool // at least once as a whole word
}

// Scored is what is left of a record of which only is asked how a term stands in it. The
// term is there at least once, and its agent did not take the record back.
type Scored struct {
	// Record tells where it stands, its id, kind and time, and whether it is a subagent's;
	// the rest is missing.
	Record *record.Record
	Mark   Mark
	Standing
	At Stretch // of its line
}
