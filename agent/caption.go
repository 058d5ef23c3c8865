package agent

import (
	"context"
	"time"

	"github.com/seshat-dev/seshat/record"
)

// Glancer is an adapter that tells parts of a transcript's brief more quickly than
// Brief does. It never tells anything else.
type Glancer interface {
	// Caption tells how a transcript's session is called and where it ran.
	Caption(ctx context.Context, src *Source) (Caption, error)
	// LastActive tells when the last record of a transcript was made.
	LastActive(ctx context.Context, src *Source) (time.Time, error)
}

// Caption is the part of a brief by which sessions that were found are put in order.
type Caption struct {
	Title       string
	TitleSource record.TitleSource
	Kind        record.SessionKind
	State       record.SessionState
	Told
}

// CaptionOf gives the caption that is in a brief.
func CaptionOf(b *Brief) Caption {
	s := &b.Session
	return Caption{s.Title, s.TitleSource, s.Kind, s.State, Told{s.Origin, b.Worktrees}}
}
