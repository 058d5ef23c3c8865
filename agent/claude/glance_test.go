package claude

import (
	"bytes"
	"context"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/seshat-dev/seshat/agent"
	"github.com/seshat-dev/seshat/record"
)

// glance gives what is told quickly of a transcript, and holds it against the full
// brief.
func glance(t testing.TB, src *agent.Source, f agent.File, full agent.Brief) (captioned, timed bool) {
	t.Helper()
	c, captioned := quickCaption(context.Background(), src, f)
	if want := agent.CaptionOf(&full); captioned && !reflect.DeepEqual(c, want) {
		t.Errorf("%s: its caption is\n\t%+v\nand in full\n\t%+v", src.Name, c, want)
	}
	last, timed := quickLast(context.Background(), src, f)
	if timed && !last.Equal(full.Session.LastActive) {
		t.Errorf("%s: it was last active at %v, and in full %v", src.Name, last, full.Session.LastActive)
	}
	return captioned, timed
}

// told gives what a reading of a transcript tells of its place on the way.
func told(t testing.TB, src *agent.Source, word string) (all []agent.Told) {
	t.Helper()
	plan := agent.Plan{Candidate: agent.LineTest(func(line []byte) bool { return bytes.Contains(line, []byte(word)) }), Bare: true}
	plan.Told = func(told agent.Told) { all = append(all, told) }
	for item, err := range adapter(t).Read(context.Background(), src, plan) {
		if err != nil {
			t.Fatal(item, err)
		}
	}
	return all
}

// toldAsPlace holds what a reading that finds nothing tells against what a look for it
// does.
func toldAsPlace(t testing.TB, src *agent.Source) {
	t.Helper()
	want := []agent.Told{adapter(t).Place(context.Background(), src)}
	if got := told(t, src, "nowhere in any transcript"); !reflect.DeepEqual(got, want) {
		t.Errorf("%s: a reading tells of its place\n\t%+v\nwant\n\t%+v", src.Name, got, want)
	}
}

func TestAReadingThatFindsNothingTellsThePlace(t *testing.T) {
	for _, home := range corpora(t) {
		sources, _ := collected(t, home)
		for _, src := range sources {
			if src.Store.ID == storeSession || src.Store.ID == storeSubagent {
				toldAsPlace(t, src)
			}
		}
	}
	src := like(t, disk(map[string]string{script: text(usr("u1", 1, "a"), usr("u2", 2, "needle"))}), script)
	if got := told(t, src, "needle"); got != nil {
		t.Errorf("a reading that went no further tells %+v", got)
	}
}

// glanced opens a transcript for glance.
func glanced(t testing.TB, src *agent.Source) (captioned, timed bool) {
	t.Helper()
	f, err := src.Open()
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	full, err := fullBrief(context.Background(), src, f)
	if err != nil {
		t.Fatalf("%s: %v", src.Name, err)
	}
	toldAsPlace(t, src)
	captioned, timed = glance(t, src, f, full)
	return captioned, timed
}

// Whatever stands in a transcript, what is told of it at a glance is what its brief
// tells. TestQuickBriefIsTheFullOne and the corpus compare the two as well.
func TestGlancesTellWhatBriefsDo(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 11))
	captions, times := 0, 0
	for i := range 6000 {
		data := randomTranscript(rng)
		if i%2 == 1 {
			data = plainTranscript(rng)
		}
		if i%3 == 0 { // cut, as a program that ended leaves it
			data = data[:rng.IntN(len(data)+1)]
		}
		captioned, timed := glanced(t, like(t, disk(map[string]string{script: data}), script))
		if captioned {
			captions++
		}
		if timed {
			times++
		}
		if t.Failed() {
			t.Fatalf("in\n%s", data)
		}
	}
	if t.Logf("of 6000 transcripts %d captions and %d times were told quickly", captions, times); captions < 1500 || times < 1000 {
		t.Errorf("only %d captions and %d times were told quickly", captions, times)
	}
}

func TestWhatAGlanceLeavesToTheBrief(t *testing.T) {
	long := strings.Repeat("x", 100)
	for name, c := range map[string]struct {
		captioned, timed bool
		lines            []string
	}{
		"a prompt and an answer":                 {true, true, []string{usr("u1", 1, "a"), ast("a1", 2, "b")}},
		"a name":                                 {true, true, []string{usr("u1", 1, "a"), named("aiTitle", "A name"), ast("a1", 2, "b")}},
		"a summary":                              {false, true, []string{js(obj{"type": "summary", "summary": "s", "leafUuid": "u1"}), usr("u1", 1, "a")}},
		"a key that is called summary":           {true, true, []string{usr("u1", 1, "a", "toolUseResult", obj{"summary": "s"})}},
		"a summary and a name":                   {true, true, []string{js(obj{"type": "summary", "summary": "s", "leafUuid": "u1"}), usr("u1", 1, "a"), named("customTitle", "n")}},
		"a first prompt that was taken back":     {false, false, []string{usr("u1", 1, "a"), usr("u2", 2, "b"), ln("system", "s1", 3, "content", "c", "retractedMessageUuids", list("u1"))}},
		"a first prompt that was written again":  {false, false, []string{usr("u1", 1, "a"), usr("u1", 2, "b")}},
		"a queued prompt":                        {false, false, []string{enqueue(1, "a"), ast("a1", 2, "b"), enqueue(3, "c")}},
		"nothing but a queue":                    {false, false, []string{enqueue(1, "a")}},
		"no record":                              {false, false, []string{named("customTitle", "n")}},
		"a print run that says so late":          {true, true, []string{usr("u1", 1, "a", "entrypoint", "cli"), ast("a1", 2, "b", "entrypoint", "sdk-ts")}},
		"one that ran in the background":         {true, true, []string{usr("u1", 1, "a"), ast("a1", 2, "b", "sessionKind", "bg")}},
		"an old print run":                       {true, true, []string{js(obj{"type": "queue-operation", "operation": "dequeue"}), usr("u1", 1, "a")}},
		"a new session that began with a queue":  {true, true, []string{js(obj{"type": "queue-operation", "operation": "dequeue"}), usr("u1", 1, "a"), ast("a1", 2, "b", "entrypoint", "cli")}},
		"lines behind the last record":           {true, true, []string{usr("u1", 1, "a"), ln("system", "s1", 5, "subtype", "turn_duration", "content", "")}},
		"a record without a time behind them":    {true, false, []string{usr("u1", 1, "a"), ln("system", "s1", 5, "subtype", "turn_duration", "content", ""), usr("u2", 6, "b", "timestamp", "")}},
		"a record without a time before all":     {true, false, []string{usr("u1", 1, "a", "timestamp", ""), usr("u2", 6, "b")}},
		"an answer in parts":                     {true, true, []string{usr("u1", 1, "a"), ans("m1", "a1", 2, list(think("b"))), ans("m1", "a2", 3, list(txt("c")))}},
		"an answer that grew to the end":         {true, false, []string{usr("u1", 1, "a"), ans("m1", "a1", 2, list(txt("b"))), ans("m1", "a2", 3, list(txt("b and more")))}},
		"an answer that grew and another behind": {true, true, []string{usr("u1", 1, "a"), ans("m1", "a1", 2, list(txt("b"))), ans("m1", "a2", 3, list(txt("b and more"))), ans("m2", "a3", 4, list(txt("b")))}},
		"a later time inside a line":             {true, true, []string{usr("u1", 1, "a", "toolUseResult", obj{"timestamp": "2030-01-02T03:04:05.678Z"}), ast("a1", 2, "b")}},
		"a time that no look can read":           {true, false, []string{usr("u1", 1, "a", "toolUseResult", obj{"timestamp": long}), ast("a1", 2, "b")}},
		"a line that is not finished":            {true, true, []string{usr("u1", 1, "a"), ast("a1", 2, "b"), `{"type":"user","timestamp":"2026-01-01T00`}},
		"two records on one line":                {true, false, []string{usr("u1", 1, "a"), ast("a1", 2, "b") + ast("a2", 3, "c")}},
	} {
		src := like(t, disk(map[string]string{script: text(c.lines...)}), script)
		if captioned, timed := glanced(t, src); captioned != c.captioned || timed != c.timed {
			t.Errorf("%s: captioned %v and timed %v, want %v and %v", name, captioned, timed, c.captioned, c.timed)
		}
	}
}

// A name in a file beside the transcript goes before all others.
func TestACaptionKnowsTheNameBeside(t *testing.T) {
	src := like(t, disk(map[string]string{script: usr("u1", 1, "a"), folder + mine + "/custom-title.json": `{"customTitle":"Mine"}`}), script)
	c, err := adapter(t).Caption(context.Background(), src)
	if err != nil || c.Title != "Mine" || c.TitleSource != record.TitleCustom {
		t.Errorf("%+v, %v", c, err)
	}
}

// What a glance cannot settle the brief does.
func TestGlancesFallBackOnTheBrief(t *testing.T) {
	a, ctx := adapter(t), context.Background()
	src := like(t, disk(map[string]string{script: text(usr("u1", 1, "a"), usr("u1", 2, "b"))}), script)
	b, err := a.Brief(ctx, src)
	if err != nil {
		t.Fatal(err)
	}
	c, err := a.Caption(ctx, src)
	if last, lastErr := a.LastActive(ctx, src); err != nil || lastErr != nil || c.Title != "b" || !last.Equal(b.Session.LastActive) || last.IsZero() {
		t.Errorf("%+v at %v; %v, %v", c, last, err, lastErr)
	}
	src.Name = "gone.jsonl"
	_, err = a.Caption(ctx, src)
	if last, lastErr := a.LastActive(ctx, src); err == nil || lastErr == nil || last != (time.Time{}) {
		t.Errorf("a file that is gone: %v, %v", err, lastErr)
	}
}
