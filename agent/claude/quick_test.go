package claude

import (
	"context"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/seshat-dev/seshat/agent"
	"github.com/seshat-dev/seshat/internal/jsonscan"
	"github.com/seshat-dev/seshat/internal/rootfs"
	"github.com/seshat-dev/seshat/record"
)

// briefs gives what a transcript is told of by the quick pass, nil where that
// gives up, and by the one that decodes everything.
func briefs(t testing.TB, src *agent.Source) (quick *agent.Brief, full agent.Brief) {
	t.Helper()
	ctx := context.Background()
	f, err := src.Open()
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if full, err = fullBrief(ctx, src, f); err != nil {
		t.Fatalf("%s: %v", src.Name, err)
	}
	if told := adapter(t).Place(ctx, src); told.Origin != full.Session.Origin || !slices.Equal(told.Worktrees, full.Worktrees) {
		t.Errorf("%s: its place is %+v, and in full %+v %+v", src.Name, told, full.Session.Origin, full.Worktrees)
	}
	glance(t, src, f, full)
	b, err := quickBrief(ctx, src, f)
	if err != nil && err != errWhole {
		t.Fatalf("%s: %v", src.Name, err)
	}
	if err == nil {
		quick = &b
	}
	return quick, full
}

// equal holds the quick brief against the full one. The quick one may name ids
// that stand for no record; it may not miss one.
func equal(t testing.TB, quick *agent.Brief, full agent.Brief) {
	t.Helper()
	if quick == nil {
		return
	}
	for _, id := range full.IDs {
		if !slices.Contains(quick.IDs, id) {
			t.Errorf("an id is missing: %x of %x, which has %x", id, full.IDs, quick.IDs)
		}
	}
	a, b := *quick, full
	a.IDs, b.IDs = nil, nil
	if !reflect.DeepEqual(a, b) {
		t.Errorf("the quick brief is\n\t%+v\nthe full one\n\t%+v", a, b)
	}
}

// Whatever stands in a transcript, a quick brief is the full one.
func TestQuickBriefIsTheFullOne(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 5))
	told := 0
	for i := range 5000 {
		data := randomTranscript(rng)
		if i%2 == 1 {
			data = plainTranscript(rng)
		}
		name := script
		if rng.IntN(4) == 0 {
			name = folder + mine + "/subagents/agent-a1.jsonl"
		}
		src := like(t, disk(map[string]string{name: data}), name)
		quick, full := briefs(t, src)
		if quick != nil {
			told++
		}
		if equal(t, quick, full); t.Failed() {
			t.Fatalf("in\n%s", data)
		}
	}
	if told < 1500 {
		t.Errorf("only %d of 5000 transcripts were told of quickly", told)
	}
}

// plainTranscript makes a transcript whose lines mostly stand for themselves, of
// all that a line may be.
func plainTranscript(rng *rand.Rand) string {
	pick := func(list ...string) string { return list[rng.IntN(len(list))] }
	var out []string
	next := 0
	id := func() string {
		next++
		return pick("u", "v#", "", "é", "Lu", "w\\") + string(rune('a'+next))
	}
	texts := []string{"", " ", "\n", "word", "\u00a0", "\u2003 ", "say \"it\"", "新聞", "\n\nNow", "<command-name>/x</command-name>", "<system-reminder>a</system-reminder>", "/clear", "😀"}
	say := func() string { return pick(texts...) + pick("", "", " "+phrase(rng)) }
	block := func() any {
		switch rng.IntN(12) {
		case 0, 1:
			return txt(say())
		case 2:
			return think(say())
		case 3:
			return use(pick("t1", "t2", ""), "Bash", obj{"command": say()})
		case 4:
			return res(pick("t1", "t9"), say())
		case 5:
			return png("AAAA")
		case 6:
			return obj{"type": "redacted_thinking", "data": "x"}
		case 7:
			return obj{"type": "server_tool_use", "id": "s1", "name": "web_search", "input": obj{"query": "q"}}
		case 8:
			return obj{"type": "web_search_tool_result", "content": list(obj{"title": say()})}
		case 9:
			return obj{"type": "novel", "text": say()}
		case 10:
			return pick("bare", " ")
		}
		return obj{"type": "text", "text": 5}
	}
	content := func() any {
		switch rng.IntN(6) {
		case 0, 1:
			return say()
		case 2:
			return obj{"type": "text"}
		}
		var all []any
		for range rng.IntN(4) {
			all = append(all, block())
		}
		return all
	}
	for range rng.IntN(14) {
		minute := rng.IntN(60)
		var line string
		switch rng.IntN(16) {
		case 0, 1, 2:
			line = usr(id(), minute, content())
		case 3:
			line = usr(id(), minute, list(res("t1", say()), res("t2", say())))
		case 4, 5, 6, 7:
			line = ans(pick("m1", "m2", "m3", ""), id(), minute, content(), pick("isApiErrorMessage", "isCompactSummary", "x"), rng.IntN(5) == 0, "entrypoint", pick("cli", "sdk-ts", "cli"))
		case 8:
			line = ln("system", id(), minute, "subtype", pick("away_summary", "local_command", "informational", "turn_duration"), "content", say(), "level", pick("info", "error"))
		case 9:
			line = ln("attachment", id(), minute, "attachment", obj{"type": pick("hook_success", "hook_additional_context", "date_change"), "content": say(), "stdout": say(), "stderr": say()})
		case 10:
			line = ln("progress", pick("u", "u1"), minute, "data", obj{"x": list(1, 2)})
		case 11:
			line = js(obj{"type": "summary", "summary": say(), "leafUuid": pick("ub", "uc", "vd", "gone")})
		case 12:
			line = pick(named("aiTitle", say()), named("customTitle", say()), js(obj{"type": "pr-link", "prUrl": pick("https://x/1", "https://x/2")}),
				js(obj{"type": "worktree-state", "worktreeSession": obj{"worktreeName": "w", "originalCwd": "/from"}}), js(obj{"type": "relocated", "relocatedCwd": "/to"}))
		case 13:
			line = pick(enqueue(minute, say()), operation("remove", minute), operation("popAll", minute), queuedCommand(id(), minute, say()))
		case 14:
			line = usr(id(), minute, say(), "timestamp", pick("", "2026-02-30T01:02:03.000Z", "2026-02-03T04:05:06Z", "2026-02-03T04:05:06.123+02:00"), "cwd", pick("", "/other"), "sessionKind", pick("bg", ""), "gitBranch", pick("", "b"))
		default:
			line = pick("", "  ", "{", "[]", "\x00", `{"type":"user","type":"assistant","message":{"content":"x"}}`, `{"ty\u0070e":"user","message":{"content":"y"}}`)
		}
		if rng.IntN(40) == 0 && len(line) > 0 {
			line = line[:rng.IntN(len(line))]
		}
		out = append(out, line)
	}
	return strings.Join(out, "\n")
}

// On real sessions too; and most of them are told of quickly.
func TestQuickBriefOfTheCorpus(t *testing.T) {
	all, told := 0, 0
	for _, home := range corpora(t) {
		sources, _ := collected(t, home)
		for _, src := range sources {
			if src.Store.ID != storeSession && src.Store.ID != storeSubagent {
				continue
			}
			quick, full := briefs(t, src)
			equal(t, quick, full)
			if all++; quick != nil {
				told++
			}
		}
	}
	t.Logf("%d of %d transcripts were told of quickly", told, all)
	if told < all/2 {
		t.Errorf("only %d of %d transcripts were told of quickly", told, all)
	}
}

func TestWhatTheQuickPassLeavesToTheFullOne(t *testing.T) {
	long := strings.Repeat("The same beginning. ", 10)
	for name, c := range map[string]struct {
		quick bool
		lines []string
	}{
		"lines that stand for themselves": {true, []string{usr("u1", 1, "a"), ans("m1", "a1", 2, list(think("b"))), ans("m1", "a2", 3, list(txt("c"))), ans("m1", "a3", 4, list(use("t1", "Bash", obj{})))}},
		"an answer with two texts":        {true, []string{ans("m1", "a1", 2, list(txt("First."))), ans("m1", "a2", 3, list(txt("Second.")))}},
		"an answer that grew":             {false, []string{ans("m1", "a1", 2, list(txt("First"))), ans("m1", "a2", 3, list(txt("First and more")))}},
		"one that may have grown":         {false, []string{ans("m1", "a1", 2, list(txt(long+"x"))), ans("m1", "a2", 3, list(txt(long+"y")))}},
		"a call that comes again":         {false, []string{ans("m1", "a1", 2, list(use("t1", "Bash", obj{}))), ans("m1", "a2", 3, list(use("t1", "Bash", obj{})))}},
		"a uuid that comes again":         {false, []string{usr("u1", 1, "a"), usr("u1", 2, "b")}},
		"a text taken back":               {false, []string{usr("u1", 1, "a"), ln("system", "s1", 2, "retractedMessageUuids", list("u1"))}},
		"an answer superseded":            {false, []string{usr("u1", 1, "a"), ast("a1", 2, "b", "supersedesUuids", list("u1"))}},
		"a sidechain":                     {false, []string{usr("u1", 1, "a", "isSidechain", true)}},
		"a queued prompt":                 {true, []string{enqueue(1, "a"), operation("remove", 2), usr("u1", 3, "a")}},
		"a damaged line":                  {true, []string{usr("u1", 1, "a"), `{"type":"user","mess`, usr("u2", 1, "a")}},
		"a damaged line with a record":    {false, []string{`{"type":"user","mess` + `{"type":"user","message":{"content":"a"}}`}},
	} {
		src := like(t, disk(map[string]string{script: text(c.lines...)}), script)
		quick, full := briefs(t, src)
		if (quick != nil) != c.quick {
			t.Errorf("%s: told of quickly: %v, want %v", name, quick != nil, c.quick)
		}
		equal(t, quick, full)
	}
}

// A text that begins like another always begins with that one's head.
func TestHeadOfText(t *testing.T) {
	for _, s := range []string{strings.Repeat("é", 100), strings.Repeat("😀", 40), strings.Repeat(`\"`, 80), strings.Repeat(`\ud83d\ude00`, 30), "x" + strings.Repeat(`\ud83d\ude00`, 30), `\n`, "a", strings.Repeat("a", 63) + `\u00e9`, strings.Repeat("a", 64) + "é"} {
		v := jsonscan.Value(`"` + s + `"`)
		if head := headOfText(v); !strings.HasPrefix(v.Text(), head) || len(head) < min(20, len(v.Text())) {
			t.Errorf("%s has the head %q", s, head)
		}
	}
}

func TestBesideIsWhatABriefLooksAt(t *testing.T) {
	sub := folder + mine + "/subagents/agent-a1.jsonl"
	m := disk(map[string]string{script: usr("u1", 1, "a"), sub: usr("u2", 1, "b")})
	for name, want := range map[string][]string{
		script: {folder + mine + "/custom-title.json"},
		sub:    {folder + mine + "/subagents/" + mine + "/custom-title.json", folder + mine + "/subagents/agent-a1.meta.json", script},
	} {
		src := at(t, m, name)
		if got := adapter(t).Beside(src); !slices.Equal(got, want) {
			t.Errorf("beside %s: %q, want %q", name, got, want)
		}
		noted := &notes{Root: src.Root}
		src.Root = noted
		if _, err := adapter(t).Brief(context.Background(), src); err != nil {
			t.Fatal(err)
		}
		for _, opened := range noted.opened {
			if opened != name && !slices.Contains(want, opened) {
				t.Errorf("a brief of %s looks into %s", name, opened)
			}
		}
	}
}

// notes is a root that remembers what was opened.
type notes struct {
	agent.Root
	opened []string
}

func (n *notes) Open(name string) (agent.File, error) {
	n.opened = append(n.opened, name)
	return n.Root.Open(name)
}

// BenchmarkBrief measures the quick pass on the kept part of the corpus.
func BenchmarkBrief(b *testing.B) {
	names, err := filepath.Glob("testdata/corpus/*/projects/*/*.jsonl")
	if err != nil || len(names) == 0 {
		b.Fatal("there is no corpus")
	}
	m := &rootfs.Memory{Folder: "/home/sam/.claude"}
	var size int64
	var srcs []*agent.Source
	for i, name := range names {
		data, err := os.ReadFile(name)
		if err != nil {
			b.Fatal(err)
		}
		to := folder + string(rune('a'+i%26)) + strings.Repeat("x", i/26) + ".jsonl"
		m.File(to, string(data), time.Unix(1, 0))
		src := &agent.Source{Agent: Name, Store: adapter(b).Catalog().Store(storeSession), Root: m, Name: to, Path: to, Session: "s"}
		f, err := src.Open()
		if err != nil {
			b.Fatal(err)
		}
		if _, err := quickBrief(context.Background(), src, f); err == nil {
			srcs, size = append(srcs, src), size+int64(len(data))
		}
	}
	b.SetBytes(size)
	for b.Loop() {
		for _, src := range srcs {
			if brief, err := adapter(b).Brief(context.Background(), src); err != nil || brief.Session.State != record.StateLive {
				b.Fatal(src.Path, err, brief.Session.State)
			}
		}
	}
}
