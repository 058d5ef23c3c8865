package search

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/seshat-dev/seshat/agent"
	"github.com/seshat-dev/seshat/catalog"
)

// heads is an adapter that knows nothing but heads and marks.
type heads struct {
	agent.Adapter
	byPath  map[string]agent.Head
	records map[string][]agent.Identified
}

func (h heads) IDs(_ context.Context, src *agent.Source) ([]agent.Identified, error) {
	return h.records[src.Path], nil
}

func (h heads) Head(_ context.Context, src *agent.Source) (agent.Head, error) {
	if src.Problem != "" {
		return agent.Head{}, errors.New("a source with a problem was opened")
	}
	head, ok := h.byPath[src.Path]
	if !ok {
		return agent.Head{}, errors.New("cannot be read")
	}
	return head, nil
}

// placed is a source of a test: its path, the session it belongs to, and times
// in minutes.
type placed struct {
	path, family, subagent string
	head, mtime            int // head is -1 where the head cannot be read, 0 where it tells no time
	problem                string
}

func minute(n int) time.Time { return time.Date(2026, 1, 1, 0, n, 0, 0, time.UTC) }

func build(list []placed) []Source {
	adapter := heads{byPath: map[string]agent.Head{}}
	var out []Source
	for _, p := range list {
		src := &agent.Source{
			Path: p.path, Family: p.family, Subagent: p.subagent, Problem: p.problem,
			Store: &catalog.Store{Role: "primary_chat"}, Info: agent.Info{MTime: minute(p.mtime)},
		}
		switch {
		case p.head > 0:
			adapter.byPath[p.path] = agent.Head{Time: minute(p.head), CWD: "/cwd" + p.path}
		case p.head == 0:
			adapter.byPath[p.path] = agent.Head{}
		}
		out = append(out, Source{Source: src})
	}
	for i := range out {
		out[i].Adapter = adapter
	}
	return out
}

func TestOrder(t *testing.T) {
	for name, c := range map[string]struct {
		list []placed
		want []string
	}{
		"sessions by the first time, oldest first": {
			[]placed{{path: "/a", family: "a", head: 30, mtime: 1}, {path: "/b", family: "b", head: 10, mtime: 2}, {path: "/c", family: "c", head: 20, mtime: 3}},
			[]string{"/b", "/c", "/a"},
		},
		"equal times by path": {
			[]placed{{path: "/c", family: "3", head: 5}, {path: "/a", family: "2", head: 5}, {path: "/b", family: "1", head: 5}},
			[]string{"/a", "/b", "/c"},
		},
		"a subagent stays behind its transcript, even when it is older": {
			[]placed{
				{path: "/s/z.sub", family: "s", subagent: "z", head: 2}, {path: "/s/y.sub", family: "s", subagent: "y", head: 50},
				{path: "/s", family: "s", head: 20}, {path: "/early", family: "e", head: 10}, {path: "/late", family: "l", head: 30},
			},
			[]string{"/early", "/s", "/s/z.sub", "/s/y.sub", "/late"},
		},
		"subagents with equal times by path": {
			[]placed{{path: "/s/b", family: "s", subagent: "b", head: 9}, {path: "/s/a", family: "s", subagent: "a", head: 9}, {path: "/s", family: "s", head: 9}},
			[]string{"/s", "/s/a", "/s/b"},
		},
		"without a transcript the first subagent places the session": {
			[]placed{
				{path: "/gone/b", family: "g", subagent: "b", head: 15}, {path: "/gone/a", family: "g", subagent: "a", head: 40},
				{path: "/x", family: "x", head: 20}, {path: "/y", family: "y", head: 10},
			},
			[]string{"/y", "/gone/b", "/gone/a", "/x"},
		},
		"the file's time stands in for a head that tells none": {
			[]placed{
				{path: "/none", family: "n", head: 0, mtime: 25}, {path: "/fails", family: "f", head: -1, mtime: 15},
				{path: "/fifo", family: "p", head: 5, mtime: 35, problem: "is a FIFO"},
				{path: "/a", family: "a", head: 10}, {path: "/b", family: "b", head: 20}, {path: "/c", family: "c", head: 30},
			},
			[]string{"/a", "/fails", "/b", "/none", "/c", "/fifo"},
		},
		"what belongs to no session comes last, by path": {
			[]placed{{path: "/z", head: 1}, {path: "/m", family: "m", head: 99}, {path: "/a", head: 50}},
			[]string{"/m", "/a", "/z"},
		},
	} {
		rng := rand.New(rand.NewPCG(3, 4))
		for range 20 {
			srcs := build(c.list)
			rng.Shuffle(len(srcs), func(i, j int) { srcs[i], srcs[j] = srcs[j], srcs[i] })
			seq, err := Order(t.Context(), srcs, 1+rng.IntN(4), nil)
			if err != nil {
				t.Fatal(err)
			}
			var paths []string
			for _, s := range seq.Sources {
				paths = append(paths, s.Path)
				want := ""
				for _, p := range c.list {
					if p.path == s.Path && p.head > 0 && p.family != "" && p.problem == "" {
						want = "/cwd" + p.path
					}
				}
				if got := seq.Heads[s.Source].CWD; got != want {
					t.Errorf("%s: %s works in %q, want %q", name, s.Path, got, want)
				}
			}
			if !slices.Equal(paths, c.want) {
				t.Errorf("%s: %q, want %q", name, paths, c.want)
				break
			}
		}
	}
}

func TestOrderCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	srcs := build([]placed{{path: "/a", family: "a", head: 1}})
	if _, err := Order(ctx, srcs, 1, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("ends with %v", err)
	}
}

// tie is a session that begins at the same time as all others: its records as
// id, minute, id, minute ...
type tie struct {
	path       string
	background bool
	records    []int
}

// Sessions that begin at one time are copies of each other, or strangers.
func TestOrderOfTies(t *testing.T) {
	for name, c := range map[string]struct {
		ties []tie
		want []string
	}{
		"a background process copied": {[]tie{{"/a", true, []int{1, 5}}, {"/b", false, []int{1, 5, 2, 6}}}, []string{"/b", "/a"}},
		"background comes before the rest of the rule": {
			[]tie{{"/a", true, []int{1, 5}}, {"/b", false, []int{1, 5, 2, 6, 3, 7}}, {"/c", true, []int{1, 5, 4, 6}}},
			[]string{"/b", "/a", "/c"},
		},
		"all of one stands in the other":        {[]tie{{"/a", false, []int{1, 5, 2, 6, 3, 7}}, {"/b", false, []int{1, 5, 2, 6}}}, []string{"/b", "/a"}},
		"all of one stands in the other, mixed": {[]tie{{"/a", false, []int{3, 4, 1, 5, 2, 6}}, {"/b", false, []int{1, 5, 2, 6}}}, []string{"/b", "/a"}},
		"the one that went on first":            {[]tie{{"/a", false, []int{1, 5, 2, 9}}, {"/b", false, []int{1, 5, 3, 8}}}, []string{"/b", "/a"}},
		"the one that went on first, by path":   {[]tie{{"/a", false, []int{1, 5, 2, 8}}, {"/b", false, []int{1, 5, 3, 9}}}, []string{"/a", "/b"}},
		"strangers by their first record":       {[]tie{{"/a", false, []int{1, 7}}, {"/b", false, []int{2, 6}}}, []string{"/b", "/a"}},
		"equal by path":                         {[]tie{{"/b", false, []int{1, 5}}, {"/a", false, []int{1, 5}}}, []string{"/a", "/b"}},
		"a chain of copies": {
			[]tie{{"/a", false, []int{1, 5, 2, 6, 3, 7}}, {"/b", false, []int{1, 5, 2, 6}}, {"/c", false, []int{1, 5}}},
			[]string{"/c", "/b", "/a"},
		},
	} {
		rng := rand.New(rand.NewPCG(5, 6))
		for range 10 {
			adapter := heads{byPath: map[string]agent.Head{}, records: map[string][]agent.Identified{}}
			var srcs []Source
			for _, s := range c.ties {
				adapter.byPath[s.path] = agent.Head{Time: minute(1), Background: s.background}
				for i := 0; i < len(s.records); i += 2 {
					adapter.records[s.path] = append(adapter.records[s.path], agent.Identified{ID: strconv.Itoa(s.records[i]), Time: minute(s.records[i+1])})
				}
				srcs = append(srcs, Source{Source: &agent.Source{Path: s.path, Family: s.path, Store: &catalog.Store{Role: "primary_chat"}}, Adapter: adapter})
			}
			rng.Shuffle(len(srcs), func(i, j int) { srcs[i], srcs[j] = srcs[j], srcs[i] })
			seq, err := Order(t.Context(), srcs, 2, nil)
			if err != nil {
				t.Fatal(err)
			}
			var paths []string
			for _, s := range seq.Sources {
				paths = append(paths, s.Path)
			}
			if !slices.Equal(paths, c.want) {
				t.Errorf("%s: %q, want %q", name, paths, c.want)
				break
			}
		}
	}
}
