package claude

import "github.com/seshat-dev/seshat/record"

// sidechains follows the subagents whose lines stand inside the parent's
// transcript, as versions up to about 2.0.27 wrote them. Each begins with a line
// that has no parent; the call that launched it is the nearest earlier one with
// the same prompt. A line belongs where its parent does, or else to the
// sidechain that was opened last: a dangling parent loses nothing.
type sidechains struct {
	launched []launch
	of       map[string]*sidechain // by uuid of each line
	last     *sidechain
	count    int
}

type launch struct {
	id, prompt string
	relation   relation
}

type sidechain struct {
	ref   record.SubagentRef
	title string
}

func newSidechains() sidechains { return sidechains{of: map[string]*sidechain{}} }

func (s *sidechains) launch(id, prompt string, r relation) {
	s.launched = append(s.launched, launch{id, fold(prompt), r})
}

// add notes a sidechain line; text is that of a user line.
func (s *sidechains) add(l line, text string) {
	chain := s.of[l.parent()]
	switch {
	case chain != nil:
	case l.parent() == "" && l.typ == "user" || s.last == nil:
		chain = s.open(l, fold(text))
	default:
		chain = s.last
	}
	s.last = chain
	if l.uuid != "" {
		s.of[l.uuid] = chain
	}
}

func (s *sidechains) open(l line, text string) *sidechain {
	s.count++
	chain := &sidechain{ref: record.SubagentRef{ID: l.uuid}}
	if l.agentID != "" {
		chain.ref.ID = l.agentID
	}
	for i := len(s.launched) - 1; i >= 0 && text != ""; i-- {
		if c := s.launched[i]; c.prompt == text {
			chain.ref = record.SubagentRef{ID: c.id, Type: c.relation.agentType, Model: c.relation.model}
			chain.title = c.relation.title
			break
		}
	}
	return chain
}
