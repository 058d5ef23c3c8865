package claude

import (
	"bytes"
	"context"
	"errors"
	"iter"
	"sync"
	"time"

	"github.com/seshat-dev/seshat/agent"
	"github.com/seshat-dev/seshat/internal/jsonscan"
	"github.com/seshat-dev/seshat/internal/lines"
)

// recordStarts are how a record of a transcript begins. They find the whole
// record that a cut one runs into on the same line.
var recordStarts = []string{`{"parentUuid"`, `{"type"`, `{"uuid"`, `{"sessionId"`}

// line is the envelope of one record of a transcript. A member of the wrong
// type counts as absent. What it holds beside texts is valid only until the next
// line is parsed.
type line struct {
	typ, uuid, session      string
	cwd, branch             string
	entrypoint, sessionKind string
	agentID, originKind     string
	promptSource            string
	parentID                jsonscan.Value // parentUuid
	supersedes              jsonscan.Value // supersedesUuids
	time                    time.Time
	sidechain, meta         bool
	compact, hidden         bool // isCompactSummary, isVisibleInTranscriptOnly
	apiError, interrupted   bool
	plan                    bool // planContent: the text was generated
	message                 jsonscan.Node
	result                  jsonscan.Value
	raw                     jsonscan.Value // the whole object
}

// parent gives the uuid of the line before this one, as the agent wrote it.
func (l line) parent() string { return l.parentID.Text() }

// parser takes the lines of one file apart. Members that repeat from line to line
// are decoded once.
type parser struct {
	flat bool // members alone are asked for
	tree jsonscan.Tree
	one  [1]jsonscan.Value // the object of a whole line
	seen [wordCount]struct {
		raw  jsonscan.Value
		text string
	}
}

// The members that repeat.
const (
	wordType = iota
	wordSession
	wordCWD
	wordBranch
	wordEntrypoint
	wordKind
	wordAgent
	wordCount
)

// word gives the text of a member, the same one as on the last line where it is
// the same.
func (r *parser) word(which int, v jsonscan.Node) string {
	raw, last := v.Value(), &r.seen[which]
	if !bytes.Equal(raw, last.raw) {
		last.raw, last.text = append(last.raw[:0], raw...), raw.Text()
	}
	return last.text
}

// lineDepth is how deep a line is taken apart: its members, the message's, the
// blocks of its content and their members.
const lineDepth = 4

// deep is how deep lines are taken apart.
func (r *parser) deep() int {
	if r.flat {
		return 1
	}
	return lineDepth
}

// line reads an object that was not taken apart yet.
func (r *parser) line(v jsonscan.Value) line {
	r.tree.Parse(v, r.deep())
	return r.parsed(v)
}

// parsed reads the object that was taken apart last.
func (r *parser) parsed(v jsonscan.Value) line {
	l := line{raw: v}
	for key, val := range r.tree.Root().Members() {
		switch string(key) {
		case "type":
			l.typ = r.word(wordType, val)
		case "uuid":
			l.uuid = val.Text()
		case "parentUuid":
			l.parentID = val.Value()
		case "sessionId":
			l.session = r.word(wordSession, val)
		case "cwd":
			l.cwd = r.word(wordCWD, val)
		case "gitBranch":
			l.branch = r.word(wordBranch, val)
		case "entrypoint":
			l.entrypoint = r.word(wordEntrypoint, val)
		case "sessionKind":
			l.sessionKind = r.word(wordKind, val)
		case "agentId":
			l.agentID = r.word(wordAgent, val)
		case "origin":
			l.originKind = val.Get("kind").Text()
		case "promptSource":
			l.promptSource = val.Text()
		case "supersedesUuids":
			l.supersedes = val.Value()
		case "timestamp":
			l.time = val.Value().Time()
		case "isSidechain":
			l.sidechain = val.True()
		case "isMeta":
			l.meta = val.True()
		case "isCompactSummary":
			l.compact = val.True()
		case "isVisibleInTranscriptOnly":
			l.hidden = val.True()
		case "isApiErrorMessage":
			l.apiError = val.True()
		case "interruptedMessageId":
			l.interrupted = val.Text() != ""
		case "planContent":
			l.plan = val.Text() != ""
		case "message":
			l.message = val
		case "toolUseResult":
			l.result = val.Value()
		}
	}
	return l
}

// physical is one line of a file with the objects that stand on it.
type physical struct {
	lines.Line
	objects []jsonscan.Value
	damage  *agent.Damage // nil when the line is one whole object or blank
	parser  *parser       // with the line's object taken apart where apart is set
	apart   bool
}

// each yields the objects on the line, read one after the other.
func (p physical) each() iter.Seq2[int, line] {
	return func(yield func(int, line) bool) {
		for i, obj := range p.objects {
			l := line{}
			if p.apart {
				l = p.parser.parsed(obj)
			} else {
				l = p.parser.line(obj)
			}
			if !yield(i, l) {
				return
			}
		}
	}
}

// scanFile visits the lines of a JSONL file that an agent appends to, blank ones
// left out, until visit fails; errStop ends the scan and is no error.
func scanFile(ctx context.Context, f agent.File, visit func(physical) error) error {
	return new(parser).scan(ctx, f, visit)
}

func (r *parser) scan(ctx context.Context, f agent.File, visit func(physical) error) error {
	for l, err := range lines.Scan(f, f.Info().Size) {
		if err != nil {
			return err
		}
		if l.No%256 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		if l.Blank() {
			continue
		}
		if err := visit(r.physical(l)); err != nil {
			if err == errStop {
				return nil
			}
			return err
		}
	}
	return nil
}

// errStop ends a scan early.
var errStop = errors.New("stop")

// physical looks at what stands on a line.
func (r *parser) physical(l lines.Line) physical {
	p := physical{Line: l, parser: r}
	v, rest, strict, ok := r.tree.Parse(l.Text, r.deep())
	if p.apart = ok && strict && v.Kind() == jsonscan.Object && len(bytes.TrimSpace(rest)) == 0; p.apart {
		p.objects = append(r.one[:0], v)
		return p
	}
	var whole bool
	if p.objects, whole = jsonscan.Objects(l.Text, recordStarts...); whole {
		return p
	}
	p.damage = &agent.Damage{Line: l.No, Bytes: int64(len(l.Text)), Reason: damageReason(l, len(p.objects))}
	p.damage.Pending = !l.Ended && len(p.objects) == 0
	return p
}

func damageReason(l lines.Line, salvaged int) string {
	switch {
	case salvaged > 1:
		return "several records stand on one line; all whole ones were read"
	case salvaged == 1:
		return "the line is damaged; one whole record was read from it"
	case !l.Ended:
		return "the last line is not finished; it may still be written"
	}
	return "the line is not one JSON object; its text was not read"
}

// flatParsers are for looks at heads, of which there are many, each at a few lines.
var flatParsers = sync.Pool{New: func() any { return &parser{flat: true} }}

// headLines bounds how far a look at the head of a file goes.
const headLines = 200

// head visits the objects at the head of a source until visit returns false.
func head(ctx context.Context, f agent.File, limit int, visit func(line) bool) error {
	r := flatParsers.Get().(*parser)
	err := r.scan(ctx, f, func(p physical) error {
		for _, l := range p.each() {
			if !visit(l) {
				return errStop
			}
		}
		if limit > 0 && p.No >= limit {
			return errStop
		}
		return nil
	})
	flatParsers.Put(r)
	return err
}

// readHead gives the first time in a transcript, wherever that stands, and the
// first working folder that stands near its head.
func readHead(ctx context.Context, f agent.File) (agent.Head, error) {
	h := headSeeker{Head: agent.Head{Info: f.Info()}}
	err := head(ctx, f, 0, func(l line) bool {
		h.see(l)
		return !h.done
	})
	return h.Head, err
}

// headSeeker finds in the lines of a transcript what its head tells.
type headSeeker struct {
	agent.Head
	seen int
	told bool // a line with a uuid was seen
	done bool // no further line matters
}

func (h *headSeeker) see(l line) {
	if h.seen++; h.Time.IsZero() {
		h.Time = l.time
	}
	if !h.told {
		h.told, h.Background = l.uuid != "", l.sessionKind == "bg"
	}
	if h.CWD == "" {
		h.CWD = l.cwd
	}
	h.done = !h.Time.IsZero() && (h.CWD != "" || h.seen >= headLines)
}

// headSession gives the session that a sibling subagent transcript names.
func headSession(src *agent.Source) (session string) {
	withFile(src, func(f agent.File) {
		_ = head(context.Background(), f, headLines, func(l line) bool {
			session = l.session
			return session == ""
		})
	})
	return session
}

// withFile opens a source for a look at it. A source that cannot be opened tells
// nothing here; reading it will say why.
func withFile(src *agent.Source, use func(agent.File)) {
	f, err := src.Open()
	if err != nil {
		return
	}
	defer f.Close()
	use(f)
}
