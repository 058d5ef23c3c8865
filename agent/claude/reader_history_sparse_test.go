package claude

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/seshat-dev/seshat/agent"
	"github.com/seshat-dev/seshat/record"
)

// Reading only the entries that pass gives what reading all of them gives of those, and
// the damage that the ends of a line tell of.
func TestHistoryOfMatchingEntriesEqualsTheWhole(t *testing.T) {
	rng := rand.New(rand.NewPCG(8, 1))
	for round := range 300 {
		m := disk(map[string]string{"paste-cache/" + hashOf("a needle") + ".txt": "a needle"})
		lines := []string{typedAt(rng.IntN(9), "needle")}
		for range rng.IntN(12) {
			typed := []string{"needle", "other", "needle again"}[rng.IntN(3)]
			l := typedAt(rng.IntN(9), typed)
			switch rng.IntN(7) {
			case 0, 1:
				l = typedAt(0, typed, "timestamp", drop{})
			case 2:
				l = typedAt(rng.IntN(9), "see [Pasted text #1]", "pastedContents", obj{"1": cached(1, hashOf("a needle"))})
			case 3:
				l = []string{"", "garbage", "needle without ends", l[:len(l)-1], l + l}[rng.IntN(5)]
			}
			lines = append(lines, l)
		}
		rng.Shuffle(len(lines), func(i, j int) { lines[i], lines[j] = lines[j], lines[i] })
		m.File("history.jsonl", text(lines...), touched)
		whole := readFrom(t, at(t, m, "history.jsonl"), agent.Plan{Candidate: contains("needle")})
		part := readFrom(t, at(t, m, "history.jsonl"), agent.Plan{Candidate: contains("needle"), Bare: true})
		if got, want := timed(part.records), timed(whole.records); !slices.Equal(got, want) {
			t.Fatalf("round %d, %q: matching entries give\n\t%q\nall\n\t%q", round, lines, got, want)
		}
		told := slices.DeleteFunc(whole.damage, func(d agent.Damage) bool { return d.Cleared && wholeByEnds([]byte(lines[d.Line-1])) })
		if got, want := fmt.Sprint(spots(part.damage)), fmt.Sprint(spots(told)); got != want {
			t.Fatalf("round %d, %q: damage %s, all %s", round, lines, got, want)
		}
	}
}

func timed(records []*record.Record) (out []string) {
	for _, r := range records {
		out = append(out, fmt.Sprintf("%s %s %q", r.ID, r.Time, r.Text))
	}
	return out
}

func spots(damage []agent.Damage) (out []string) {
	for _, d := range damage {
		out = append(out, fmt.Sprintf("%d %v", d.Line, d.Cleared))
	}
	return out
}
