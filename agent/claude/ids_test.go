package claude

import (
	"context"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/seshat-dev/seshat/agent"
)

// identified gives what IDs gives, by the lines as every reader takes them apart.
func identified(t *testing.T, src *agent.Source) (ids []agent.Identified) {
	t.Helper()
	f, err := src.Open()
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if err := scanFile(context.Background(), f, func(p physical) error {
		for _, l := range p.each() {
			if l.uuid != "" && recordTypes[l.typ] {
				ids = append(ids, agent.Identified{ID: l.uuid, Time: l.time})
			}
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	return ids
}

// However a line is written, IDs takes it for what other readings do.
func TestIDsAreThoseOfLines(t *testing.T) {
	odd := []string{
		`{"type":"user","uuid":"a","uuid":"b"}`, `{"type":"user","uu\u0069d":"c"}`, `{"type":"user","uuid":"d","timestamp":"2026-01-02T03:04:05.000Z"}{"type":"user","uuid":"e"}`,
		`{"type":"user","uuid":"f"`, `{"uuid":"g"}`, `{"type":"us\u0065r","uuid":"\u0068"}`, `{"type":5,"uuid":"i"}`, `{"type":"user","uuid":5}`, `[]`, `{"type":"user","uuid":"j"} x`,
		`{"type":"user","uuid":"k","message":{"uuid":"no","type":"no"},"timestamp":7}`, `{"type":"user","uuid":"l","x":01}`, ` {"uuid":"m","type":"system"} `, `{"type":"user","uuid":""}`, ``,
	}
	rng := rand.New(rand.NewPCG(3, 5))
	found := 0
	for range 500 {
		lines := strings.Split(randomTranscript(rng), "\n")
		for range rng.IntN(4) {
			lines = slices.Insert(lines, rng.IntN(len(lines)+1), odd[rng.IntN(len(odd))])
		}
		data := strings.Join(lines, "\n")
		src := like(t, disk(map[string]string{script: data}), script)
		got, err := adapter(t).IDs(context.Background(), src)
		if want := identified(t, src); err != nil || !slices.Equal(got, want) {
			t.Fatalf("ids %v, %v\nwant %v\nof %s", got, err, want, data)
		}
		found += len(got)
	}
	if found < 1000 {
		t.Errorf("only %d ids were found", found)
	}
}
