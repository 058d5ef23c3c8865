package claude

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"regexp"
	"strings"
	"time"

	"github.com/seshat-dev/seshat/agent"
	"github.com/seshat-dev/seshat/internal/jsonscan"
	"github.com/seshat-dev/seshat/internal/lines"
	"github.com/seshat-dev/seshat/internal/needle"
	"github.com/seshat-dev/seshat/record"
)

// passHistory gives the prompts and commands of history.jsonl, pastes put in.
func passHistory(ctx context.Context, src *agent.Source, f agent.File, plan agent.Plan, emit func(agent.Item) error) error {
	if plan.Candidate != nil && !plan.Every {
		return passMatching(ctx, src, f, plan, emit)
	}
	h := history{src: src, file: f, seen: map[uint64]bool{}}
	return scanFile(ctx, f, func(p physical) error {
		passes := plan.Passes(p.Text) || refersToPaste(p.objects)
		if p.damage != nil {
			p.damage.Cleared = !passes
			if err := emit(agent.Item{Damage: p.damage}); err != nil {
				return err
			}
		}
		return h.line(ctx, p, passes || plan.Every, emit)
	})
}

// passMatching gives the prompts and commands of the entries that pass the byte test.
// Of others those are taken apart that do not look whole.
func passMatching(ctx context.Context, src *agent.Source, f agent.File, plan agent.Plan, emit func(agent.Item) error) error {
	if plan.Bare {
		text := lines.NewChunks(f, f.Info().Size)
		any, err := text.Holds(ctx, historyTest{plan.Candidate}.Next)
		if text.Close(); err != nil || !any {
			return err
		}
	}
	h := history{src: src, file: f, seen: map[uint64]bool{}}
	var r parser
	for l, err := range lines.Scan(f, f.Info().Size) {
		if err != nil {
			return err
		}
		if l.No%256 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		passes := plan.Passes(l.Text) || pasteMark.Holds(l.Text)
		if !passes && (l.Blank() || wholeByEnds(l.Text)) {
			h.passed = true
			continue
		}
		p := r.physical(l)
		if p.damage != nil {
			p.damage.Cleared = !passes
			if err := emit(agent.Item{Damage: p.damage}); err != nil {
				return err
			}
		}
		if err := h.line(ctx, p, passes, emit); err != nil {
			return err
		}
	}
	return nil
}

// pasteMark stands in every entry whose pasted text lies in a file of its own, where
// what is looked for may be.
var pasteMark = needle.NewWords(`"contentHash"`)

// historyTest is a byte test that entries with such pastes pass.
type historyTest struct{ agent.ByteTest }

func (t historyTest) Next(b []byte, from int) int {
	if pasteMark.Holds(b[from:]) {
		return from
	}
	return t.ByteTest.Next(b, from)
}

// history is one pass over the prompt log.
type history struct {
	src  *agent.Source
	file agent.File
	last time.Time       // the last time seen in line order
	seen map[uint64]bool // entries that a race wrote twice

	passed bool // lines were passed over since then
}

// line gives the records of a line that are wanted.
func (h *history) line(ctx context.Context, p physical, wanted bool, emit func(agent.Item) error) error {
	for i, obj := range p.objects {
		if t := millis(obj.Get("timestamp")); !t.IsZero() {
			h.last, h.passed = t, false
		}
		if !wanted {
			continue
		}
		r, err := h.record(ctx, obj, p.No)
		if err != nil {
			return err
		}
		if r == nil {
			continue
		}
		r.Path, r.Line, r.Offset = h.src.Path, p.No, p.Offset
		if r.ID = fmt.Sprintf("L%d", p.No); i > 0 {
			r.ID = fmt.Sprintf("L%d#%d", p.No, i)
		}
		if err := emit(agent.Item{Record: r}); err != nil {
			return err
		}
	}
	return nil
}

// record gives the record of an entry on a line, or nil when it is none or is there
// twice.
func (h *history) record(ctx context.Context, obj jsonscan.Value, no int) (*record.Record, error) {
	r := historyRecord(h.src, obj)
	if r == nil {
		return nil, nil
	}
	if !r.Time.IsZero() {
		key := hash(r.Session + "\x00" + r.Time.String() + "\x00" + r.Text)
		if h.seen[key] {
			return nil, nil
		}
		h.seen[key] = true
		return r, nil
	}
	if h.passed {
		if err := h.lookBack(ctx, no); err != nil {
			return nil, err
		}
	}
	if h.last.IsZero() {
		if err := h.lookAhead(ctx); err != nil {
			return nil, err
		}
	}
	r.Time = h.last
	return r, nil
}

// lookBack finds the last time before a line.
func (h *history) lookBack(ctx context.Context, no int) error {
	h.passed = false
	return scanFile(ctx, h.file, func(p physical) error {
		if p.No >= no {
			return errStop
		}
		for _, obj := range p.objects {
			if t := millis(obj.Get("timestamp")); !t.IsZero() {
				h.last = t
			}
		}
		return nil
	})
}

// lookAhead finds a time for the entries at the head of the log that have none.
func (h *history) lookAhead(ctx context.Context) error {
	h.last = h.file.Info().MTime
	return scanFile(ctx, h.file, func(p physical) error {
		for _, obj := range p.objects {
			if t := millis(obj.Get("timestamp")); !t.IsZero() {
				h.last = t
				return errStop
			}
		}
		return nil
	})
}

func historyRecord(src *agent.Source, obj jsonscan.Value) *record.Record {
	display := obj.Get("display").Text()
	if display == "" {
		return nil
	}
	kind, text := typed(expandPastes(src.Root, display, obj.Get("pastedContents")))
	return &record.Record{
		Agent: Name, Store: src.Store.ID, Session: obj.Get("sessionId").Text(), Kind: kind, Role: record.User,
		Time: millis(obj.Get("timestamp")), Origin: record.Origin{CWD: obj.Get("project").Text()}, Text: text,
	}
}

// millis reads a time in Unix milliseconds.
func millis(v jsonscan.Value) time.Time {
	ms, ok := v.Int()
	if !ok || ms <= 0 || ms > 253402300799999 { // the end of the year 9999
		return time.Time{}
	}
	return time.UnixMilli(ms).UTC()
}

// placeholder is what a paste is shown as in a prompt.
var placeholder = regexp.MustCompile(`\[(?:Pasted text|\.\.\.Truncated text) #(\d+)(?: \+\d+ lines)?(?:\.\.\.)?\]`)

// expandPastes puts the pasted texts in the place of their placeholders. One
// whose text is lost, and one that a person typed, stays as it is; what was
// inserted is not looked at again.
func expandPastes(root agent.Root, display string, pastes jsonscan.Value) string {
	if pastes.Kind() != jsonscan.Object {
		return display
	}
	return placeholder.ReplaceAllStringFunc(display, func(mark string) string {
		paste := pastes.Get(placeholder.FindStringSubmatch(mark)[1])
		if paste.Get("type").Text() != "text" {
			return mark
		}
		if content := paste.Get("content"); content.Kind() == jsonscan.String {
			return content.Text()
		}
		if text, ok := cachedPaste(root, paste.Get("contentHash").Text()); ok {
			return text
		}
		return mark
	})
}

// pasteHash is the shape of a paste's name: 16 hex digits.
var pasteHash = regexp.MustCompile(`^[0-9a-fA-F]{16}$`)

// cachedPaste reads a paste from the cache. Its name is the head of the SHA-256
// of its text, so another text under that name is not the paste.
func cachedPaste(root agent.Root, hash string) (string, bool) {
	if !pasteHash.MatchString(hash) {
		return "", false
	}
	f, err := root.Open("paste-cache/" + hash + ".txt")
	if err != nil {
		return "", false
	}
	defer f.Close()
	text, err := agent.Whole(f)
	if err != nil {
		return "", false
	}
	sum := sha256.Sum256(text)
	return string(text), strings.EqualFold(hex.EncodeToString(sum[:8]), hash)
}

// refersToPaste reports whether a prompt holds text that lies elsewhere, where
// the bytes of its line cannot tell whether it matches.
func refersToPaste(objects []jsonscan.Value) bool {
	for _, obj := range objects {
		for _, paste := range obj.Get("pastedContents").Members() {
			if paste.Get("contentHash").Kind() == jsonscan.String {
				return true
			}
		}
	}
	return false
}
