package gemini

import (
	"bytes"
	"context"
	"time"

	"github.com/seshat-dev/seshat/agent"
	"github.com/seshat-dev/seshat/internal/jsonscan"
	"github.com/seshat-dev/seshat/internal/lines"
)

// headBytes is how much of a chat is read to see what it is. The metadata line of
// an event log fits, and so do the members before the messages of one object.
const headBytes = 4 << 10

// Head reads the head of a source: the first time in a chat, and where it ran.
// Other sources tell no time there.
func (a *Adapter) Head(ctx context.Context, src *agent.Source) (agent.Head, error) {
	if !isChat(src) {
		return agent.Head{CWD: originOf(src, "").CWD}, nil
	}
	f, err := src.Open()
	if err != nil {
		return agent.Head{}, err
	}
	defer f.Close()
	return readHead(ctx, src, f)
}

func readHead(ctx context.Context, src *agent.Source, f agent.File) (agent.Head, error) {
	t, err := firstTime(ctx, f)
	return agent.Head{Time: t, CWD: originOf(src, "").CWD, Info: f.Info()}, err
}

// firstTime gives the first time in a chat: of a log that of its first record
// that tells one, of one object its start.
func firstTime(ctx context.Context, f agent.File) (first time.Time, err error) {
	if t := leading(headOf(f)); !t.meta.start.IsZero() {
		return t.meta.start, nil
	}
	err = scanHead(ctx, f, func(v jsonscan.Value) bool {
		first = timeIn(v)
		return first.IsZero()
	})
	if !first.IsZero() || err != nil {
		return first, err
	}
	t, err := torsoOf(f)
	first = t.meta.start
	for _, m := range t.messages {
		if first.IsZero() {
			first = m.Get("timestamp").Time()
		}
	}
	return first, err
}

// headOf reads the head of a chat, without a byte order mark. What cannot be read
// is empty.
func headOf(f agent.File) []byte {
	head := make([]byte, headBytes)
	n, _ := f.ReadAt(head, 0)
	return bytes.TrimPrefix(head[:n], bom)
}

// timeIn gives the first time that a record of the log tells.
func timeIn(v jsonscan.Value) time.Time {
	for _, at := range []jsonscan.Value{v.Get("startTime"), v.Get("timestamp"), v.Get("$set").Get("lastUpdated")} {
		if t := at.Time(); !t.IsZero() {
			return t
		}
	}
	for _, list := range []jsonscan.Value{v.Get("$set").Get("messages"), v.Get("messages")} {
		for m := range list.Elems() {
			if t := m.Get("timestamp").Time(); !t.IsZero() {
				return t
			}
		}
	}
	return time.Time{}
}

// scanHead gives the objects of a log to visit until that returns false.
func scanHead(ctx context.Context, f agent.File, visit func(jsonscan.Value) bool) error {
	for l, err := range lines.Scan(f, f.Info().Size) {
		if err != nil {
			return err
		}
		if l.No%256 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		objects, whole := jsonscan.Objects(bytes.TrimPrefix(l.Text, bom), recordStarts...)
		for _, obj := range objects {
			if (whole || isRecord(obj)) && !visit(obj) {
				return nil
			}
		}
	}
	return nil
}

// isRecord reports whether an object on a damaged line is a record of the log and
// not a piece of one.
func isRecord(v jsonscan.Value) bool {
	return isMeta(v) || v.Get("$set").Kind() == jsonscan.Object || v.Get("id").Kind() == jsonscan.String && v.Get("type").Kind() == jsonscan.String
}

// headMeta gives the metadata of a chat as cheaply as it can: from the first
// line, else from the head and the end of one object, else from wherever in the
// file it stands. What cannot be read tells nothing here; reading it will say why.
func headMeta(ctx context.Context, src *agent.Source) (m meta) {
	f, err := src.Open()
	if err != nil {
		return m
	}
	defer f.Close()
	return metaIn(ctx, f)
}

func metaIn(ctx context.Context, f agent.File) (m meta) {
	head := headOf(f)
	line, _, ended := bytes.Cut(head, []byte("\n"))
	if v, rest, _, ok := jsonscan.First(line); ok && (ended || f.Info().Size < headBytes) && len(bytes.TrimSpace(rest)) == 0 && isMeta(v) {
		m.merge(v)
		return m
	}
	if t := leading(head); t.meta.session != "" {
		if m = t.meta; m.kind == "" && endsAsSubagent(f) {
			t, _ := torsoOf(f)
			m.kind = t.meta.kind
		}
		return m
	}
	_ = scanHead(ctx, f, func(v jsonscan.Value) bool {
		switch set := v.Get("$set"); {
		case isMeta(v):
			m.merge(v)
		case set.Kind() == jsonscan.Object && v.Get("id").Kind() != jsonscan.String:
			m.merge(set)
		}
		return m.session == "" || m.hash == ""
	})
	if m.session == "" {
		if t, err := torsoOf(f); err == nil {
			m = t.meta
		}
	}
	return m
}

// endsAsSubagent reports whether the end of one object may say that it is a
// subagent's: there the kind stands, behind the messages.
func endsAsSubagent(f agent.File) bool {
	size := f.Info().Size
	tail := make([]byte, min(size, headBytes))
	n, _ := f.ReadAt(tail, size-int64(len(tail)))
	return containsAny(tail[:n], `"subagent"`)
}

// torsoOf reads a file that is one object, whole or cut.
func torsoOf(f agent.File) (torso, error) {
	data, err := agent.Whole(f)
	if err != nil {
		return torso{}, err
	}
	return leading(bytes.TrimPrefix(data, bom)), nil
}
