package corpus

import (
	"regexp"
	"strings"
	"testing"

	"golang.org/x/text/unicode/norm"
)

// counted is one record as a naive reader sees it: who it is, and its text.
type counted struct{ id, text string }

// naive counts the text lines that match a query, records of the same name once.
func naive(records []counted, q Query) int64 {
	pattern := q.Pattern
	for _, flag := range q.Flags {
		switch flag {
		case "-F":
			pattern = regexp.QuoteMeta(pattern)
		case "-i":
			pattern = "(?i)" + pattern
		}
	}
	re := regexp.MustCompile(norm.NFC.String(pattern))
	n := int64(0)
	seen := map[string]bool{}
	for _, r := range records {
		if seen[r.id] {
			continue
		}
		seen[r.id] = true
		for l := range strings.SplitSeq(norm.NFC.String(r.text), "\n") {
			if re.MatchString(l) {
				n++
			}
		}
	}
	return n
}

// What the generator counted while it wrote is what another reader counts in what
// was written.
func TestCountsAreThoseOfANaiveReader(t *testing.T) {
	readers := map[string]func(*testing.T, memory) []counted{"claude": claudeRecords, "gemini": geminiRecords}
	for agent, read := range readers {
		for _, files := range []int{8, 30} {
			spec := small(t, agent)
			spec.Files = files
			tree, told := inMemory(t, spec, 2)
			records := read(t, tree)
			for _, q := range told.Queries {
				if got := naive(records, q); got != q.Want {
					t.Errorf("%s in %d files: %s: planted %d, found %d", agent, files, q.Name, q.Want, got)
				}
				if q.Want == 0 && q.Pattern != needleQueries[qHalves].Pattern {
					t.Errorf("%s in %d files: %s: nothing was planted", agent, files, q.Name)
				}
			}
		}
	}
}

// Each needle stands in the tree in forms that a search of raw bytes counts
// otherwise: else it would prove nothing.
func TestDecoysAreThere(t *testing.T) {
	files, told := inMemory(t, small(t, "claude"), 2)
	var raw strings.Builder
	for _, name := range transcripts(files) {
		raw.Write(files[name])
	}
	for q, want := range map[int]string{qDecoy: decoyWord, qSlash: `\/opt\/lumen\/slashes`, qEmoji: `\ud83e\udd89 nightowl`, qCJK: `\u691c\u7d22`, qAccent: `cr\u00e8me`, qAngle: `\u003clumen`, qNewline: `unebulafort`, qHalves: "tallow"} {
		if n := strings.Count(raw.String(), want); n == 0 || int64(n) == told.Queries[q].Want {
			t.Errorf("%s stands %d times in the bytes, and %d records match", want, n, told.Queries[q].Want)
		}
	}
}
