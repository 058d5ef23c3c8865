package claude

import (
	"strings"

	"github.com/seshat-dev/seshat/internal/jsonscan"
	"github.com/seshat-dev/seshat/internal/needle"
)

// queue follows the prompts that were typed while the agent was busy. One that
// became a user record or an attachment later is that record; one that was taken
// back without is kept as superseded; any other is kept.
type queue struct {
	waiting []queued
	fates   map[spot]fate // by place of the operation
	records map[spot]bool // places of the records that queued prompts became
	unnamed bool          // a prompt was taken back without being named
}

type queued struct {
	text  string // white space folded
	at    spot
	taken bool
}

// fate is what became of a queued prompt.
type fate int

const (
	fateKept   fate = iota // nothing more is known of it
	fateRecord             // it became a record of its own
	fateTaken              // it was taken back
)

func newQueue() queue { return queue{fates: map[spot]fate{}, records: map[spot]bool{}} }

// fold makes texts comparable that differ in white space.
func fold(text string) string { return strings.Join(strings.Fields(text), " ") }

func (q *queue) operation(v jsonscan.Value, at place) {
	content := fold(v.Get("content").Text())
	switch v.Get("operation").Text() {
	case "enqueue":
		if content != "" {
			q.waiting = append(q.waiting, queued{text: content, at: at.spot()})
		}
	case "remove":
		q.unnamed = q.unnamed || content == ""
		q.take(content)
	case "popAll":
		for i := range q.waiting {
			q.waiting[i].taken = true
		}
	}
}

// queueMarks stand in every line that says what happens in the queue: its type, or an
// escape that may stand for a part of it.
var queueMarks = needle.NewWords("queue-operation", `\u00`)

// says reports whether a line may say what happens in the queue. Of escapes only those
// of small letters and of the hyphen may stand for a part of its type.
func says(line []byte) (queue bool) {
	queueMarks.Each(line, func(word, at int) {
		escaped := line[at:]
		queue = queue || word == 0 ||
			len(escaped) >= len(`\u00XX`) && (escaped[4] == '6' || escaped[4] == '7' || escaped[4] == '2' && escaped[5]|0x20 == 'd')
	})
	return queue
}

// take marks the prompt with that text as taken back, or the oldest one when the
// operation does not name it.
func (q *queue) take(content string) {
	for i := range q.waiting {
		if w := &q.waiting[i]; !w.taken && (content == "" || w.text == content) {
			w.taken = true
			return
		}
	}
}

// became notes the text of a user record or of a queued attachment: the oldest
// queued prompt with that text is that record, even if it was removed from the
// queue to become it.
func (q *queue) became(text string, at place) {
	if len(q.waiting) == 0 {
		return
	}
	text = fold(text)
	for i, w := range q.waiting {
		if w.text == text {
			q.fates[w.at] = fateRecord
			q.records[at.spot()] = true
			q.waiting = append(q.waiting[:i], q.waiting[i+1:]...)
			return
		}
	}
}

// close settles the prompts that are left at the end of the file.
func (q *queue) close() {
	for _, w := range q.waiting {
		if w.taken {
			q.fates[w.at] = fateTaken
		}
	}
	q.waiting = nil
}
