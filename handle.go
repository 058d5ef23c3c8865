package seshat

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"path/filepath"
	"regexp"
	"sort"
	"strconv"
	"strings"

	"github.com/seshat-dev/seshat/agent"
	"github.com/seshat-dev/seshat/internal/search"
	"github.com/seshat-dev/seshat/record"
)

// pathHash is what tells two sources with one id apart: 8 hex digits of the
// SHA-256 of the absolute path.
func pathHash(path string) string { return shortHash(path) }

// shortHash is 8 hex digits of the SHA-256 of a text.
func shortHash(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:4])
}

// sessionHandle names a session: AGENT:ID, and where several have that id, the hash of
// the path behind an @. A subagent that names no session is called by its own id.
func (w *world) sessionHandle(src *agent.Source) string {
	h, shared := src.Agent+":"+src.Session, false
	switch {
	case src.Session != "":
		shared = w.shared[h] > 1
	case src.Subagent != "":
		h = src.Agent + ":" + src.Subagent
		shared = w.subagents[h] > 1 || w.shared[h] > 0
	default:
		return src.Path
	}
	if shared {
		h += "@" + pathHash(src.Path)
	}
	return h
}

// nameRecord gives a record its handle. shared tells that another source has a
// record of that id at an earlier place.
func (w *world) nameRecord(s search.Source, r *record.Record, shared bool) {
	r.Handle = r.Agent + ":" + r.ID
	if shared || !r.Named() {
		r.Handle += "@" + pathHash(s.Path)
	}
}

// Candidate is one thing that a handle may mean.
type Candidate struct {
	Handle string
	Path   string
}

// AmbiguousError says that a handle names several things.
type AmbiguousError struct {
	Handle     string
	Candidates []Candidate // the first of them
	Total      int         // how many there are
}

func (e *AmbiguousError) Error() string {
	return fmt.Sprintf("%q could mean %d things; use one of their handles or paths", e.Handle, max(e.Total, len(e.Candidates)))
}

// NotFoundError says that a handle names nothing.
type NotFoundError struct {
	Handle string
	Unread error // why the archive, which may have it, could not be read; nil where it was
}

func (e *NotFoundError) Error() string {
	if e.Unread != nil {
		return fmt.Sprintf("nothing on disk is called %q, and the archive, which may have it, cannot be read: %v", e.Handle, e.Unread)
	}
	return fmt.Sprintf("nothing is called %q; seshat sessions --all lists what there is", e.Handle)
}

// target is what a handle names: a source, and a line or a record in it.
type target struct {
	source search.Source
	line   int    // 0 for the whole source
	record string // id of a record, or empty
}

// wanted is a handle taken apart.
type wanted struct {
	text  string // as given
	agent string
	id    string
	hash  string
	line  int
	path  string // absolute, when the handle is a path
}

var lineSuffix = regexp.MustCompile(`^(.+):(\d+)$`)

// minPrefix is how many characters of an id are enough to name it.
const minPrefix = 4

// parseHandle takes a handle apart. A path is what holds a slash or names a file
// type; a drive letter is no agent.
func (l *Library) parseHandle(text string) (wanted, error) {
	h := wanted{text: text, id: text}
	if m := lineSuffix.FindStringSubmatch(text); m != nil && !known(l.all, m[1]) {
		if n, err := strconv.Atoi(m[2]); err == nil && n > 0 {
			h.id, h.line = m[1], n
		}
	}
	if strings.ContainsAny(h.id, `/\`) || strings.HasSuffix(h.id, ".jsonl") || strings.HasSuffix(h.id, ".json") {
		h.path = l.env("").Abs(h.id)
		return h, nil
	}
	if name, rest, ok := strings.Cut(h.id, ":"); ok && known(l.all, name) {
		h.agent, h.id = name, rest
	}
	if id, hash, ok := strings.Cut(h.id, "@"); ok && len(hash) == 8 {
		h.id, h.hash = id, hash
	}
	if h.id == "" {
		return h, usagef("%q names nothing: give the first characters of an id, or a path", text)
	}
	return h, nil
}

func (h wanted) fits(s search.Source) bool {
	return (h.agent == "" || h.agent == s.Agent) && (h.hash == "" || h.hash == pathHash(s.Path))
}

// resolve finds what a handle names: a session, a subagent, or a record.
func (l *Library) resolve(ctx context.Context, w *world, text string) (target, error) {
	h, err := l.parseHandle(text)
	if err != nil {
		return target{}, err
	}
	if h.path != "" {
		return w.byPath(h)
	}
	exact, prefix := w.byID(h)
	lostExact, lostPrefix := w.byLostParent(h)
	for _, found := range [][]search.Source{append(onePerSession(exact), lostExact...), append(onePerSession(prefix), lostPrefix...)} {
		if len(found) == 1 {
			return target{source: found[0], line: h.line}, nil
		}
		if len(found) > 1 {
			return target{}, w.ambiguous(h, found)
		}
	}
	return l.byRecord(ctx, w, h)
}

// onePerSession leaves of the transcripts of each session the one that stands for
// it.
func onePerSession(found []search.Source) []search.Source {
	var out []search.Source
	at := map[string]int{}
	for _, s := range found {
		i, known := at[s.Family]
		switch {
		case s.Family == "" || s.Subagent != "" || !known:
			at[s.Family] = len(out)
			out = append(out, s)
		case s.Rank < out[i].Rank:
			out[i] = s
		}
	}
	return out
}

func (w *world) byPath(h wanted) (target, error) {
	for _, s := range w.sources {
		if filepath.Clean(s.Path) == h.path && s.Store.Readable() {
			return target{source: s, line: h.line}, nil
		}
	}
	return target{}, w.notFound(h)
}

// notFound says that a handle names nothing.
func (w *world) notFound(h wanted) error { return &NotFoundError{h.text, w.unread} }

// byID lists the transcripts whose id is the wanted one, and those whose id
// begins with it.
func (w *world) byID(h wanted) (exact, prefix []search.Source) {
	for _, s := range w.sources {
		id := s.Session
		if s.Subagent != "" {
			id = s.Subagent
		}
		if id == "" || !s.Transcript() && s.Subagent == "" || !h.fits(s) {
			continue
		}
		switch {
		case id == h.id, s.Subagent != "" && "agent-"+id == h.id:
			exact = append(exact, s)
		case len(h.id) >= minPrefix && strings.HasPrefix(id, h.id):
			prefix = append(prefix, s)
		}
	}
	return exact, prefix
}

// byLostParent lists, for sessions whose transcript is gone, the first subagent that
// is left of each, by the whole id of the session and by the beginning of one.
func (w *world) byLostParent(h wanted) (exact, prefix []search.Source) {
	seen := map[string]bool{}
	for _, s := range w.sources {
		if s.Subagent == "" || s.Session == "" || w.led[s.Family] || seen[s.Family] || !h.fits(s) {
			continue
		}
		switch {
		case s.Session == h.id:
			exact = append(exact, s)
		case len(h.id) >= minPrefix && strings.HasPrefix(s.Session, h.id):
			prefix = append(prefix, s)
		default:
			continue
		}
		seen[s.Family] = true
	}
	return exact, prefix
}

func (w *world) ambiguous(h wanted, found []search.Source) error {
	e := &AmbiguousError{Handle: h.text}
	for _, s := range found {
		c := Candidate{Handle: w.sessionHandle(s.Source), Path: s.Path}
		if s.Subagent != "" {
			c.Handle = s.Agent + ":" + s.Subagent
			if len(found) > 1 {
				c.Handle += "@" + pathHash(s.Path)
			}
		}
		e.Candidates = append(e.Candidates, c)
	}
	sort.Slice(e.Candidates, func(i, j int) bool { return e.Candidates[i].Path < e.Candidates[j].Path })
	return e
}
