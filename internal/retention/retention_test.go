package retention

import (
	"fmt"
	"io/fs"
	"maps"
	"strings"
	"testing"
	"time"

	"github.com/seshat-dev/seshat/agent"
	"github.com/seshat-dev/seshat/catalog"
	"github.com/seshat-dev/seshat/record"
)

func on(day int) time.Time { return time.Date(2026, 3, day, 0, 0, 0, 0, time.UTC) }

var (
	chats     = &catalog.Store{ID: "x.chats", Role: "primary_chat"}
	documents = &catalog.Store{ID: "x.documents", Role: "app_state"}
)

// fate is that of a file of ten bytes.
func fate(store *catalog.Store, path, family string, day int) agent.Fate {
	return agent.Fate{
		Source: &agent.Source{Agent: "x", Store: store, Path: path, Info: agent.Info{Size: 10}},
		Family: family, Span: agent.Span{Earliest: on(day)},
	}
}

// shape writes losses as family:path,path of each.
func shape(losses []*Loss) string {
	var out []string
	for _, l := range losses {
		var paths []string
		for _, f := range l.Fates {
			paths = append(paths, f.Source.Path)
		}
		out = append(out, l.Family+":"+strings.Join(paths, ","))
	}
	return strings.Join(out, " ")
}

// The first to go stands first, in a loss and among losses; what belongs to no
// session stands together by store and place.
func TestGroup(t *testing.T) {
	elsewhere := fate(documents, "/e", "", 2)
	elsewhere.Where = "/srv"
	fates := []agent.Fate{
		fate(chats, "/a", "A", 9), fate(chats, "/b", "B", 3), fate(documents, "/a/2", "A", 4), fate(documents, "/a/1", "A", 4),
		fate(documents, "/c", "", 5), elsewhere, fate(documents, "/d", "", 1), fate(chats, "/f", "", 6),
	}
	if got, want := shape(Group(fates)), ":/d,/c :/e B:/b A:/a/1,/a/2,/a :/f"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	if got := shape(Group(nil)); got != "" {
		t.Errorf("of nothing: %s", got)
	}
}

// The moment itself belongs to the time that is asked for.
func TestWithin(t *testing.T) {
	fates := []agent.Fate{fate(chats, "/a", "", 1), fate(chats, "/b", "", 2), fate(chats, "/c", "", 3)}
	if got := shape(Group(Within(fates, on(2)))); got != ":/a,/b" {
		t.Error(got)
	}
	if len(fates) != 3 || fates[2].Source == nil {
		t.Errorf("the fates were changed: %+v", fates)
	}
}

// A session goes with its first transcript; subagents stand for one that is gone.
func TestSessions(t *testing.T) {
	sub := fate(chats, "/s", "S", 7)
	sub.Source.Subagent = "s"
	early := fate(chats, "/a/s", "A", 1)
	early.Source.Subagent = "s"
	got := Sessions([]agent.Fate{fate(chats, "/a", "A", 9), fate(chats, "/a2", "A", 8), early, sub, fate(documents, "/d", "D", 1), fate(chats, "/n", "", 1)})
	if want := map[Key]time.Time{{"x", "A"}: on(8), {"x", "S"}: on(7)}; !maps.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}

// Sums by hand: two sessions of app with three files of ten bytes, one without a
// project that goes first of all and stands last.
func TestTotals(t *testing.T) {
	folder := fate(documents, "/d/", "", 1)
	folder.Source.Info.Mode = fs.ModeDir
	losses := Group([]agent.Fate{fate(chats, "/a", "A", 9), fate(documents, "/a/1", "A", 4), fate(chats, "/b", "B", 5), fate(chats, "/c", "C", 3), folder})
	for _, l := range losses {
		switch l.Family {
		case "A", "B":
			l.Project = record.Project{Name: "app", Root: "/srv/app", Worktree: "/srv/app/w" + l.Family}
		case "C":
			l.Project = record.Project{Name: "other", Root: "/srv/other"}
		}
	}
	var got []string
	for _, s := range Totals(losses) {
		got = append(got, fmt.Sprintf("%s%s %d %d %d %d", s.Project.Name, s.Project.Worktree, s.Sessions, s.Files, s.Bytes, s.Earliest.Day()))
	}
	if s, want := strings.Join(got, ", "), "other 1 1 10 3, app 2 3 30 4,  0 1 0 1"; s != want {
		t.Errorf("%s, want %s", s, want)
	}
}
