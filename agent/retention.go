package agent

import "time"

// Cleaning is the question that Adapter.Retention answers.
type Cleaning struct {
	Sources []*Source // all that discovery found of the agent
	Folders []string  // where sessions ran, of whatever agent: an agent may be started there, and the folder may hold settings
	// Brief gives what is known of a transcript already, or nil. It may be nil.
	Brief func(*Source) *Brief
	// Wanted reports whether the fate of a source is asked for; nil asks for all.
	Wanted func(*Source) bool
}

// Wants reports whether the fate of a source is asked for.
func (c Cleaning) Wants(src *Source) bool { return c.Wanted == nil || c.Wanted(src) }

// Retention is what an agent's own clean-up will do with its sources.
type Retention struct {
	Fates    []Fate    // of the sources that it will delete, in the order of the sources
	Edits    []Edit    // changes of settings that keep more
	Problems []Problem // settings that cannot be read or meant, each with what was assumed
	Notes    []Problem // settings that are read and mean something else than they seem to
	Unseen   []string  // what can move the dates and is on no disk, in words for people
}

// Fate is what a clean-up will do with one source. Nothing is deleted on a date:
// the clean-up runs when the agent starts.
type Fate struct {
	Source  *Source
	Session string // id of the session that the source belongs to, if any
	Family  string // the Family of that session's transcript, if it is known
	Span
	Reason string // why, in words for people, without a folder
	Rule   Rule   // the setting that decides
	Keep   *Edit  // the change of that setting that keeps the source, if one does
	Where  string // the folder in which the agent has to start; empty where any will do
	Event  string // what deletes it where that is not a start of the agent, in words for people
}

// Span is from when on a clean-up may delete a source. Where what decides is not
// sure, Earliest counts it as swept.
type Span struct {
	Earliest time.Time
	Latest   time.Time // from then on it is certain; zero where nothing bounds it
}

// Certain is the span of what goes at the first start from a moment on.
func Certain(from time.Time) Span { return Span{from, from} }

// Rule is a setting with its value, and the file that it stands in.
type Rule struct {
	Setting string // for example "cleanupPeriodDays 30"; empty where no setting decides
	Path    string // absolute; empty where the agent's default holds
}

// Edit is a change of settings: what to put into a file so that more is kept.
type Edit struct {
	Path string
	JSON string // to be merged into the file; empty where an edit is not the person's to make
	Why  string // what it does, or who else can do it
}

// Both gives the fate of a source that two clocks run for: whichever deletes it
// first does. One without a date does not run.
func (f Fate) Both(g Fate) Fate {
	if f.Earliest.IsZero() || !g.Earliest.IsZero() && g.Earliest.Before(f.Earliest) {
		f, g = g, f
	}
	if f.Latest.IsZero() || !g.Latest.IsZero() && g.Latest.Before(f.Latest) {
		f.Latest = g.Latest
	}
	return f
}

// Either gives the fate of a source of which it is not known which of two rules
// holds; one without a date never deletes it.
func (f Fate) Either(g Fate) Fate {
	if f.Earliest.IsZero() || !g.Earliest.IsZero() && g.Earliest.Before(f.Earliest) {
		f, g = g, f
	}
	switch {
	case g.Earliest.IsZero() || g.Latest.IsZero():
		f.Latest = time.Time{}
	case !f.Latest.IsZero() && g.Latest.After(f.Latest):
		f.Latest = g.Latest
	}
	return f
}

// Clock is what stands in a transcript itself and decides how long its agent keeps
// it.
type Clock struct {
	Updated time.Time // when the agent says that the session was last used; zero when it does not
	Refused string    // why the agent does not take the file for a session, in words for people; empty when it does
}
