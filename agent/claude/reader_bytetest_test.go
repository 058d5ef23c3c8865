package claude

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/seshat-dev/seshat/agent"
	"github.com/seshat-dev/seshat/record"
)

// contains is the plainest byte test: the line holds the word.
func contains(word string) agent.ByteTest {
	return agent.LineTest(func(line []byte) bool { return bytes.Contains(line, []byte(word)) })
}

// The byte test changes nothing: records that hold a word are the same, in the
// same order, whether lines without that word were passed over or not.
func TestByteTestChangesNothing(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	for range 300 {
		name, data := script, randomTranscript(rng)
		if rng.IntN(4) == 0 {
			name, data = "history.jsonl", randomHistory(rng)
		}
		src := like(t, disk(map[string]string{name: data}), name)
		all := readFrom(t, src, agent.Plan{Titles: true})
		for _, word := range vocabulary {
			f := readFrom(t, src, agent.Plan{Titles: true, Candidate: contains(word)})
			if got, want := holding(f.records, word), holding(all.records, word); got != want {
				t.Fatalf("%s in\n%s\nwith the byte test\n\t%s\nwithout\n\t%s", word, data, got, want)
			}
			if !strings.Contains(data, word) {
				continue // nothing is wanted of the file, not even its damage
			}
			if len(f.damage) != len(all.damage) {
				t.Fatalf("%d damaged lines with the byte test, %d without, in\n%s", len(f.damage), len(all.damage), data)
			}
			for i, d := range f.damage {
				if d.Line != all.damage[i].Line || d.Cleared == strings.Contains(strings.Split(data, "\n")[d.Line-1], word) {
					t.Fatalf("%s: damage %+v in\n%s", word, d, data)
				}
			}
		}
	}
}

func holding(records []*record.Record, word string) string {
	var out []string
	for _, r := range records {
		if strings.Contains(r.Text, word) {
			out = append(out, fmt.Sprintf("%s | %s %v %v %q %+v %+v", tell(r), r.Handle, r.Time, r.Model, r.Title, r.Origin, r.Subagent))
		}
	}
	return strings.Join(out, "\n\t")
}

var vocabulary = []string{"gateway", "deploy", "cave", "needle", "branch"}

// phrase is a few words, each beginning with the one before it now and then, as a
// growing answer does.
func phrase(rng *rand.Rand) string {
	var words []string
	for range 1 + rng.IntN(3) {
		words = append(words, vocabulary[rng.IntN(len(vocabulary))])
	}
	return strings.Join(words, " ")
}

// randomTranscript makes lines of few ids, so that ids repeat, answers grow and
// queued prompts become records.
func randomTranscript(rng *rand.Rand) string {
	pick := func(list ...string) string { return list[rng.IntN(len(list))] }
	id := func() string { return pick("u1", "u2", "u3", "u4", "u5", "u6", "") }
	var lines []string
	for range rng.IntN(14) {
		minute := rng.IntN(60)
		var line string
		switch rng.IntN(12) {
		case 0, 1:
			line = usr(id(), minute, phrase(rng))
		case 2, 3, 4:
			line = ans(pick("m1", "m2"), id(), minute, list(txt(phrase(rng)), use(pick("t1", "t2"), "Bash", obj{"command": phrase(rng)})))
		case 5:
			line = usr(id(), minute, list(res(pick("t1", "t2"), phrase(rng)), txt(phrase(rng))))
		case 6:
			line = enqueue(minute, phrase(rng))
		case 7:
			line = operation(pick("dequeue", "remove", "popAll"), minute)
			if rng.IntN(2) == 0 {
				line = operation("remove", minute, "content", phrase(rng))
			}
		case 8:
			line = queuedCommand(id(), minute, phrase(rng))
		case 9:
			line = usr(id(), minute, phrase(rng), "isSidechain", true)
		case 10:
			line = ast(id(), minute, list(think(phrase(rng))), "supersedesUuids", list(id()), "timestamp", nil)
		default:
			line = named("aiTitle", phrase(rng)) + pick("", usr(id(), minute, phrase(rng)))
		}
		if rng.IntN(20) == 0 {
			line = line[:rng.IntN(len(line))]
		}
		lines = append(lines, line)
	}
	return strings.Join(lines, "\n")
}

func randomHistory(rng *rand.Rand) string {
	var lines []string
	for range 1 + rng.IntN(8) {
		o := obj{"display": phrase(rng), "pastedContents": obj{}, "timestamp": moment(rng.IntN(3)).UnixMilli(), "project": "/srv/app", "sessionId": mine}
		if rng.IntN(3) == 0 {
			o["display"], o["pastedContents"] = "[Pasted text #1]", obj{"1": obj{"id": 1, "type": "text", "content": phrase(rng)}}
		}
		if rng.IntN(6) == 0 {
			delete(o, "sessionId")
		}
		lines = append(lines, js(o))
	}
	return strings.Join(lines, "\n")
}

// A transcript that was just looked through in vain is not read again, unless all of its
// records are wanted.
func TestBarrenIsNotReadAgain(t *testing.T) {
	src := like(t, disk(map[string]string{script: text(usr("u1", 1, "a needle"))}), script)
	for _, c := range []struct {
		plan agent.Plan
		want int
	}{
		{agent.Plan{Candidate: contains("needle"), Bare: true}, 1},
		{agent.Plan{Candidate: contains("needle"), Bare: true, Barren: true}, 0},
		{agent.Plan{Candidate: contains("needle"), Every: true, Barren: true}, 1},
	} {
		if f := readFrom(t, src, c.plan); len(f.records) != c.want {
			t.Errorf("%+v gives %d records, want %d", c.plan, len(f.records), c.want)
		}
	}
}
