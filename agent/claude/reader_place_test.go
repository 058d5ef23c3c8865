package claude

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/seshat-dev/seshat/agent"
	"github.com/seshat-dev/seshat/record"
)

// A time that is missing or no time: the nearest earlier in the file, else the
// nearest later, else the file's.
func TestTimes(t *testing.T) {
	line := func(uuid string, stamp any) string { return usr(uuid, 0, uuid, "timestamp", stamp) }
	latch := func(minute int) string { return js(obj{"type": "pr-link", "timestamp": stampOf(minute)}) }
	for name, c := range map[string]struct {
		lines []string
		want  []time.Time
	}{
		"all there":            {[]string{line("u1", stampOf(1)), line("u2", stampOf(2))}, []time.Time{moment(1), moment(2)}},
		"going back":           {[]string{line("u1", stampOf(5)), line("u2", stampOf(2)), line("u3", nil)}, []time.Time{moment(5), moment(2), moment(2)}},
		"missing inside":       {[]string{line("u1", stampOf(1)), line("u2", drop{}), line("u3", stampOf(3))}, []time.Time{moment(1), moment(1), moment(3)}},
		"missing at the head":  {[]string{line("u1", drop{}), line("u2", drop{}), line("u3", stampOf(3)), line("u4", nil)}, []time.Time{moment(3), moment(3), moment(3), moment(3)}},
		"missing everywhere":   {[]string{line("u1", drop{}), line("u2", nil)}, []time.Time{touched, touched}},
		"only a latch, before": {[]string{latch(4), line("u1", nil)}, []time.Time{moment(4)}},
		"only a latch, after":  {[]string{line("u1", nil), latch(4)}, []time.Time{moment(4)}},
		"malformed": {[]string{line("u1", stampOf(1)), line("u2", "yesterday"), line("u3", 1767323045000), line("u4", "2026-13-01T00:00:00Z"), line("u5", ""), line("u6", "2026-01-02T03:04:05"), line("u7", true)},
			[]time.Time{moment(1), moment(1), moment(1), moment(1), moment(1), moment(1), moment(1)}},
		"other zones and precisions": {[]string{line("u1", "2026-01-02T05:01:00+02:00"), line("u2", "2026-01-02T03:02:00Z"), line("u3", "2026-01-02T03:03:00.000000000Z")},
			[]time.Time{moment(1), moment(2), moment(3)}},
	} {
		var got []string
		for _, r := range readLines(t, c.lines...).records {
			got = append(got, r.Time.UTC().Format(time.RFC3339))
		}
		var want []string
		for _, w := range c.want {
			want = append(want, w.Format(time.RFC3339))
		}
		t.Run(name, func(t *testing.T) { checkSame(t, got, want) })
	}
}

// All records of a file get the same times whether the byte test lets other lines
// pass or not.
func TestTimesUnderAByteTest(t *testing.T) {
	m := disk(map[string]string{script: text(usr("u1", 1, "other"), usr("u2", 5, "other"), usr("u3", 0, "needle", "timestamp", nil), usr("u4", 9, "other"))})
	f := readFrom(t, at(t, m, script), agent.Plan{Candidate: contains("needle")})
	if len(f.records) != 1 || !f.records[0].Time.Equal(moment(5)) {
		t.Errorf("%q at %v", f.tell(), f.records[0].Time)
	}
}

func place1(o record.Origin) string {
	return fmt.Sprintf("cwd=%s repo=%s worktree=%s branch=%s", o.CWD, o.Repo, o.Worktree, o.Branch)
}

// Every line says where it ran, and the last worktree-state line which worktree that
// is in. What a path means is not the agent's word.
func TestOrigins(t *testing.T) {
	line := func(uuid, cwd, branch string) string { return usr(uuid, 1, uuid, "cwd", cwd, "gitBranch", branch) }
	entered := js(obj{"type": "worktree-state", "worktreeSession": obj{"originalCwd": "/srv/app", "worktreePath": "/var/wt/fox", "worktreeName": "fox", "worktreeBranch": "worktree-fox"}})
	onWindows := js(obj{"type": "worktree-state", "worktreeSession": obj{"originalCwd": `C:\srv\app`, "worktreePath": `D:\wt\fox`}})
	left := js(obj{"type": "worktree-state", "worktreeSession": nil})
	var got []string
	for _, r := range readLines(t,
		line("u1", "/srv/app", "main"), line("u2", "/srv/app/sub", "HEAD"), line("u3", "/srv/app/.claude/worktrees/fox/sub", "worktree-fox"), line("u4", "/srv/app/.claude/worktrees/fox", ""),
		entered, line("u5", "/var/wt/fox", "worktree-fox"), line("u6", "/var/wt/fox/sub", "b"), line("u7", "/var/wt/foxes", "b"), line("u8", "/srv/app", "b"), left, line("u9", "/var/wt/fox", "b"),
		usr("ua", 1, "x", "cwd", drop{}, "gitBranch", drop{}), line("ub", `C:\srv\app\.claude\worktrees\fox\sub`, "b"),
		onWindows, line("uc", `D:\wt\fox\sub`, "b"), line("ud", `D:\wt\foxes`, "b")).records {
		got = append(got, r.ID+" "+place1(r.Origin))
	}
	checkSame(t, got, []string{
		"u1 cwd=/srv/app repo= worktree= branch=main",
		"u2 cwd=/srv/app/sub repo= worktree= branch=HEAD",
		"u3 cwd=/srv/app/.claude/worktrees/fox/sub repo= worktree= branch=worktree-fox",
		"u4 cwd=/srv/app/.claude/worktrees/fox repo= worktree= branch=",
		"u5 cwd=/var/wt/fox repo=/srv/app worktree=/var/wt/fox branch=worktree-fox",
		"u6 cwd=/var/wt/fox/sub repo=/srv/app worktree=/var/wt/fox branch=b",
		"u7 cwd=/var/wt/foxes repo= worktree= branch=b",
		"u8 cwd=/srv/app repo= worktree= branch=b",
		"u9 cwd=/var/wt/fox repo= worktree= branch=b",
		"ua cwd= repo= worktree= branch=",
		`ub cwd=C:\srv\app\.claude\worktrees\fox\sub repo= worktree= branch=b`,
		`uc cwd=D:\wt\fox\sub repo=C:\srv\app worktree=D:\wt\fox branch=b`,
		`ud cwd=D:\wt\foxes repo= worktree= branch=b`,
	})
}

// A session's origin tells its worktree as its records do.
func TestOriginOfASessionInAWorktree(t *testing.T) {
	entered := js(obj{"type": "worktree-state", "worktreeSession": obj{"originalCwd": "/srv/app", "worktreePath": "/var/wt/fox"}})
	s := summary(t, nil, usr("u1", 1, "x", "cwd", "/var/wt/fox"), entered).Session
	if got, want := place1(s.Origin), "cwd=/var/wt/fox repo=/srv/app worktree=/var/wt/fox branch=main"; got != want {
		t.Errorf("the session's origin is %s, want %s", got, want)
	}
}

// Where no line has a cwd, worktree-state and relocated tell it (D, true cwd 2).
func TestFolderOfASessionWithoutCWD(t *testing.T) {
	for want, line := range map[string]string{
		"/srv/moved": js(obj{"type": "relocated", "sessionId": mine, "relocatedCwd": "/srv/moved"}),
		"/srv/app":   js(obj{"type": "worktree-state", "worktreeSession": obj{"originalCwd": "/srv/app", "worktreePath": "/var/wt/fox"}}),
	} {
		s := summary(t, nil, usr("u1", 1, "x", "cwd", drop{}), line).Session
		if s.Origin.CWD != want {
			t.Errorf("%s: the session ran in %q, want %q", line, s.Origin.CWD, want)
		}
	}
}

// The file's name tells the session, whatever its lines say (B.6: resumed copies
// keep or rewrite sessionId).
func TestSessionIsTheFiles(t *testing.T) {
	f := readLines(t, usr("u1", 1, "x", "sessionId", "22222222-2222-4222-8222-222222222222"), usr("u2", 2, "y", "sessionId", drop{}))
	for _, r := range f.records {
		if r.Session != mine {
			t.Errorf("%s is of %s", r.ID, r.Session)
		}
	}
}

// The head of a transcript: its first time, its first folder, and whether the
// background stamped it.
func TestHead(t *testing.T) {
	title := named("aiTitle", "x")
	for name, c := range map[string]struct {
		lines []string
		want  agent.Head
	}{
		"a prompt":           {[]string{usr("u1", 3, "x")}, agent.Head{Time: moment(3), CWD: "/srv/app"}},
		"titles first":       {[]string{title, title, usr("u1", 3, "x")}, agent.Head{Time: moment(3), CWD: "/srv/app"}},
		"a queue first":      {[]string{operation("dequeue", 2), usr("u1", 3, "x")}, agent.Head{Time: moment(2), CWD: "/srv/app"}},
		"the first, stamped": {[]string{title, usr("u1", 3, "x", "sessionKind", "bg"), usr("u2", 4, "y")}, agent.Head{Time: moment(3), CWD: "/srv/app", Background: true}},
		"a later, stamped":   {[]string{usr("u1", 3, "x"), usr("u2", 4, "y", "sessionKind", "bg")}, agent.Head{Time: moment(3), CWD: "/srv/app"}},
		"not in order":       {[]string{usr("u1", 3, "x"), usr("u2", 1, "y")}, agent.Head{Time: moment(3), CWD: "/srv/app"}},
		"damage first":       {[]string{"garbage", usr("u1", 3, "x")}, agent.Head{Time: moment(3), CWD: "/srv/app"}},
		"nothing":            {nil, agent.Head{}},
		"a bad time first":   {[]string{usr("u1", 3, "x", "timestamp", "soon"), usr("u2", 4, "y", "cwd", "/other")}, agent.Head{Time: moment(4), CWD: "/srv/app"}},
	} {
		got, err := adapter(t).Head(context.Background(), at(t, disk(map[string]string{script: text(c.lines...)}), script))
		if err != nil || !got.Time.Equal(c.want.Time) || got.CWD != c.want.CWD || got.Background != c.want.Background {
			t.Errorf("%s: %+v %v, want %+v", name, got, err, c.want)
		}
	}
}
