package claude

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/seshat-dev/seshat/agent"
	"github.com/seshat-dev/seshat/record"
)

// typedAt is a line of the prompt log.
func typedAt(minute int, display string, members ...any) string {
	return js(change(obj{"display": display, "pastedContents": obj{}, "timestamp": moment(minute).UnixMilli(), "project": "/srv/app", "sessionId": mine}, members...))
}

func hashOf(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:8])
}

func inline(id int, text string) obj { return obj{"id": id, "type": "text", "content": text} }
func cached(id int, hash string) obj { return obj{"id": id, "type": "text", "contentHash": hash} }

func readHistoryOf(t *testing.T, beside map[string]string, lines ...string) found {
	t.Helper()
	m := disk(beside)
	m.File("history.jsonl", text(lines...), touched)
	return readFrom(t, at(t, m, "history.jsonl"), agent.Plan{})
}

// What was typed, as it was typed, with the pastes that are left put in.
func TestHistory(t *testing.T) {
	long := strings.Repeat("long ", 400)
	cache := map[string]string{
		"paste-cache/" + hashOf(long) + ".txt":                     long,
		"paste-cache/" + hashOf("other") + ".txt":                  "not the paste",
		"paste-cache/" + strings.ToUpper(hashOf("upper")) + ".txt": "upper",
		"paste-cache/" + hashOf("[Pasted text #2]") + ".txt":       "[Pasted text #2]",
		"paste-cache/short.txt":                                    "short",
		"paste-cache/" + hashOf("\r\nlines\r\n") + ".txt":          "\r\nlines\r\n",
		"paste-cache/" + hashOf("needle")[:15] + "/../../x.txt":    "needle",
	}
	for name, c := range map[string]struct{ line, want string }{
		"a prompt":                      {typedAt(1, "hello"), "prompt: hello"},
		"a command":                     {typedAt(1, "/compact now"), "command: /compact now"},
		"a path":                        {typedAt(1, "/srv/app is it"), "prompt: /srv/app is it"},
		"a shell command":               {typedAt(1, "!ls -l"), "command: ! ls -l"},
		"only a mark":                   {typedAt(1, "!"), "prompt: !"},
		"an inline paste":               {typedAt(1, "see [Pasted text #1 +2 lines] there", "pastedContents", obj{"1": inline(1, "a\nb\nc")}), "prompt: see a\nb\nc there"},
		"an inline paste that is empty": {typedAt(1, "see [Pasted text #1]", "pastedContents", obj{"1": inline(1, "")}), "prompt: see "},
		"a cached paste":                {typedAt(1, "[Pasted text #3]", "pastedContents", obj{"3": cached(3, hashOf(long))}), "prompt: " + long},
		"two of one hash":               {typedAt(1, "[Pasted text #1]|[Pasted text #2]", "pastedContents", obj{"1": cached(1, hashOf(long)), "2": cached(2, hashOf(long))}), "prompt: " + long + "|" + long},
		"the same twice":                {typedAt(1, "[Pasted text #1]|[Pasted text #1]", "pastedContents", obj{"1": inline(1, "x")}), "prompt: x|x"},
		"truncated":                     {typedAt(1, "a [...Truncated text #1 +12 lines...] b", "pastedContents", obj{"1": inline(1, "x")}), "prompt: a x b"},
		"with line ends":                {typedAt(1, "[Pasted text #1]", "pastedContents", obj{"1": cached(1, hashOf("\r\nlines\r\n"))}), "prompt: \r\nlines\r\n"},
		"a lost paste":                  {typedAt(1, "[Pasted text #1]", "pastedContents", obj{"1": cached(1, hashOf("lost"))}), "prompt: [Pasted text #1]"},
		"another text under the hash":   {typedAt(1, "[Pasted text #1]", "pastedContents", obj{"1": cached(1, hashOf("other"))}), "prompt: [Pasted text #1]"},
		"an upper case hash":            {typedAt(1, "[Pasted text #1]", "pastedContents", obj{"1": cached(1, strings.ToUpper(hashOf("upper")))}), "prompt: upper"},
		"a hash that is none":           {typedAt(1, "[Pasted text #1]", "pastedContents", obj{"1": cached(1, "short")}), "prompt: [Pasted text #1]"},
		"a hash that leads elsewhere":   {typedAt(1, "[Pasted text #1]", "pastedContents", obj{"1": cached(1, "../../../etc/psw")}), "prompt: [Pasted text #1]"},
		"a hash of another type":        {typedAt(1, "[Pasted text #1]", "pastedContents", obj{"1": cached(1, ""), "2": 5}), "prompt: [Pasted text #1]"},
		"inserted text is not scanned":  {typedAt(1, "[Pasted text #1] [Pasted text #2]", "pastedContents", obj{"1": inline(1, "[Pasted text #2]"), "2": inline(2, "b")}), "prompt: [Pasted text #2] b"},
		"typed literally":               {typedAt(1, "what is [Pasted text #1]?"), "prompt: what is [Pasted text #1]?"},
		"no pastes at all":              {typedAt(1, "[Pasted text #1]", "pastedContents", drop{}), "prompt: [Pasted text #1]"},
		"pastes of another type":        {typedAt(1, "[Pasted text #1]", "pastedContents", list("x")), "prompt: [Pasted text #1]"},
		"an image":                      {typedAt(1, "see [Image #1]", "pastedContents", obj{"1": obj{"id": 1, "type": "image", "mediaType": "image/png", "content": "QUJD"}}), "prompt: see [Image #1]"},
		"an image under a text's mark":  {typedAt(1, "see [Pasted text #1]", "pastedContents", obj{"1": obj{"id": 1, "type": "image", "content": "QUJD"}}), "prompt: see [Pasted text #1]"},
		"a paste that was deleted":      {typedAt(1, "[Pasted text #2]", "pastedContents", obj{"1": inline(1, "gone"), "2": inline(2, "here"), "3": inline(3, "gone")}), "prompt: here"},
		"a shell command in a paste":    {typedAt(1, "[Pasted text #1]", "pastedContents", obj{"1": inline(1, "!ls")}), "command: ! ls"},
	} {
		f := readHistoryOf(t, cache, c.line)
		if len(f.records) != 1 || len(f.damage) > 0 {
			t.Errorf("%s gives %q", name, f.tell())
			continue
		}
		r := f.records[0]
		if got := string(r.Kind) + ": " + r.Text; got != c.want && name != "a shell command in a paste" {
			t.Errorf("%s gives\n%q, want\n%q", name, got, c.want)
		}
		if r.ID != "L1" || r.Line != 1 || r.Session != mine || r.Store != storeHistory || r.Role != record.User || r.Origin.CWD != "/srv/app" || !r.Time.Equal(moment(1)) || r.Named() {
			t.Errorf("%s: %+v", name, r)
		}
	}
}

func TestHistoryLines(t *testing.T) {
	f := readHistoryOf(t, nil, typedAt(1, "one"), typedAt(1, "one"), typedAt(2, "one"), "", "garbage", typedAt(3, "old", "sessionId", drop{}), typedAt(3, "old"),
		typedAt(4, ""), typedAt(4, "x", "display", 5), typedAt(4, "x", "display", drop{}), typedAt(5, "cut")[:40]+typedAt(5, "whole"), typedAt(5, "a")+typedAt(6, "b"), typedAt(7, "wrong", "sessionId", 5, "project", list()))
	var got []string
	for _, r := range f.records {
		got = append(got, fmt.Sprintf("%d %s %s %s", r.Line, r.ID, r.Text, orDash(r.Session[:min(4, len(r.Session))])))
	}
	checkSame(t, got, []string{"1 L1 one 1111", "3 L3 one 1111", "6 L6 old -", "7 L7 old 1111", "12 L12 a 1111", "12 L12#1 b 1111", "13 L13 wrong -"})
	if len(f.damage) != 3 || f.damage[0].Line != 5 || f.damage[1].Line != 11 || f.damage[2].Line != 12 {
		t.Errorf("damage %+v", f.damage)
	}
}

// A time that is missing from the log follows the same rule as in transcripts.
func TestHistoryTimes(t *testing.T) {
	for name, c := range map[string]struct {
		lines []string
		want  []time.Time
	}{
		"missing inside":     {[]string{typedAt(1, "a"), typedAt(0, "b", "timestamp", drop{}), typedAt(3, "c")}, []time.Time{moment(1), moment(1), moment(3)}},
		"missing everywhere": {[]string{typedAt(0, "a", "timestamp", drop{})}, []time.Time{touched}},
		"no times":           {[]string{typedAt(1, "a"), typedAt(0, "b", "timestamp", "2026"), typedAt(0, "c", "timestamp", -5), typedAt(0, "d", "timestamp", 1e300)}, []time.Time{moment(1), moment(1), moment(1), moment(1)}},
		"not whole":          {[]string{typedAt(0, "a", "timestamp", 1767322860000.5)}, []time.Time{moment(1)}},
	} {
		checkTimes(t, name, readHistoryOf(t, nil, c.lines...).records, c.want)
	}
}

func checkTimes(t *testing.T, name string, records []*record.Record, want []time.Time) {
	t.Helper()
	if len(records) != len(want) {
		t.Fatalf("%s: %d records, want %d", name, len(records), len(want))
	}
	for i, r := range records {
		if !r.Time.Equal(want[i]) {
			t.Errorf("%s: %q is of %v, want %v", name, r.Text, r.Time, want[i])
		}
	}
}

// "Time missing on a line: the nearest earlier time in the file, else the nearest
// later one, else the file's mtime."
func TestHistoryTimeMissingAtTheHeadIsTheNextOne(t *testing.T) {
	f := readHistoryOf(t, nil, typedAt(0, "a", "timestamp", drop{}), typedAt(0, "b", "timestamp", drop{}), typedAt(3, "c"))
	checkTimes(t, "at the head", f.records, []time.Time{moment(3), moment(3), moment(3)})
}

// The byte test changes speed, never answers.
func TestHistoryTimeMissingUnderAByteTest(t *testing.T) {
	m := disk(map[string]string{"history.jsonl": text(typedAt(1, "other"), typedAt(0, "needle", "timestamp", drop{}))})
	f := readFrom(t, at(t, m, "history.jsonl"), agent.Plan{Candidate: contains("needle")})
	checkTimes(t, "under a byte test", f.records, []time.Time{moment(1)})
}

// Every asks for all records, whatever the byte test says and however little of each
// is wanted.
func TestHistoryEvery(t *testing.T) {
	m := disk(nil)
	m.File("history.jsonl", text(typedAt(1, "one"), typedAt(2, "two")), touched)
	for _, bare := range []bool{false, true} {
		if f := readFrom(t, at(t, m, "history.jsonl"), agent.Plan{Candidate: contains("absent"), Every: true, Bare: bare}); len(f.records) != 2 {
			t.Errorf("bare %v: %d records, want 2", bare, len(f.records))
		}
	}
}

// A prompt of a worktree tells its folder; what that means is not the agent's word.
func TestHistoryOriginInAWorktree(t *testing.T) {
	r := readHistoryOf(t, nil, typedAt(1, "a", "project", "/srv/app/.claude/worktrees/fox")).records[0]
	if got, want := place1(r.Origin), "cwd=/srv/app/.claude/worktrees/fox repo= worktree= branch="; got != want {
		t.Errorf("the origin is %s, want %s", got, want)
	}
}

// A paste that lies elsewhere is found under a byte test that its line fails.
func TestHistoryPasteUnderAByteTest(t *testing.T) {
	m := disk(map[string]string{
		"history.jsonl": text(typedAt(1, "see [Pasted text #1]", "pastedContents", obj{"1": cached(1, hashOf("a needle"))}), typedAt(2, "other"), "garbage"),
		"paste-cache/" + hashOf("a needle") + ".txt": "a needle",
	})
	f := readFrom(t, at(t, m, "history.jsonl"), agent.Plan{Candidate: contains("needle")})
	checkSame(t, f.tell(), []string{"1 L1 prompt: see a needle"})
	if len(f.damage) != 1 || !f.damage[0].Cleared {
		t.Errorf("damage %+v", f.damage)
	}
}
