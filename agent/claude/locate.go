package claude

import (
	"bytes"
	"context"
	"path"
	"strings"
	"unicode/utf16"

	"github.com/seshat-dev/seshat/agent"
	"github.com/seshat-dev/seshat/internal/lines"
	"github.com/seshat-dev/seshat/internal/needle"
	"github.com/seshat-dev/seshat/record"
)

// stateOf gives the worktree that a worktree-state line speaks of.
func stateOf(l line) agent.Worktree {
	state := l.raw.Get("worktreeSession")
	return agent.Worktree{Path: state.Get("worktreePath").Text(), Repo: state.Get("originalCwd").Text()}
}

// whereabouts are what the lines of a transcript say of where its session ran.
type whereabouts struct {
	origin record.Origin    // the first folder and the first branch
	stated []agent.Worktree // what worktree-state says, in order
	moved  string           // where a relocated line says that it went
}

// see takes one line in.
func (w *whereabouts) see(l line) {
	if w.origin.CWD == "" {
		w.origin.CWD = l.cwd
	}
	if w.origin.Branch == "" {
		w.origin.Branch = l.branch
	}
	switch l.typ {
	case "worktree-state":
		now, n := stateOf(l), len(w.stated)
		if now != (agent.Worktree{}) && (n == 0 || w.stated[n-1] != now) {
			w.stated = append(w.stated, now)
		}
	case "relocated":
		keep(&w.moved, l.raw.Get("relocatedCwd"))
	}
}

// settled tells where a session began from all that its transcript says of it: the
// folder of its first line that has one, else where worktree-state says that it
// was, else where it was moved to.
func (w *whereabouts) settled() record.Origin {
	o := w.origin
	for i := len(w.stated) - 1; i >= 0 && o.CWD == ""; i-- {
		o.CWD = firstOf(w.stated[i].Repo, w.stated[i].Path)
	}
	o.CWD = firstOf(o.CWD, w.moved)
	for _, t := range w.stated {
		if o.Worktree == "" && t.Path != "" && t.Repo != "" && t.Path != t.Repo && inFolder(o.CWD, t.Path) {
			o.Repo, o.Worktree = t.Repo, t.Path
		}
	}
	return o
}

// inFolder reports whether a path is a folder or lies in it.
func inFolder(p, dir string) bool {
	rest, ok := strings.CutPrefix(p, dir)
	return ok && (rest == "" || rest[0] == '/' || rest[0] == '\\')
}

// Locate tells where a session ran, the most trusted word first: the transcript's
// own lines; another session of the same project folder, or a project that the
// global config names, whose path has that folder's name; the prompt log.
func (a *Adapter) Locate(ctx context.Context, src *agent.Source, near agent.Near) record.Origin {
	o := a.Place(ctx, src).Origin
	if src.Subagent != "" && o.Worktree == "" {
		if m := readMeta(src); m.worktree != "" && inFolder(o.CWD, m.worktree) {
			o.Worktree, o.Repo = m.worktree, parentFolder(src, near)
			o.Branch = firstOf(o.Branch, m.branch)
		}
	}
	for _, look := range []func(context.Context, *agent.Source, agent.Near) string{besideIt, inConfig, inHistory} {
		if o.CWD == "" {
			o.CWD = look(ctx, src, near)
		}
	}
	return o
}

// placeLines are the types of lines that tell of a session's place.
var placeLines = needle.NewWords(`"worktree-state"`, `"relocated"`)

// Place reads what a transcript says of its place. Only lines that may say so are
// taken apart.
func (a *Adapter) Place(ctx context.Context, src *agent.Source) agent.Told {
	var p placeReader
	if src.Store.ID != storeSession && src.Store.ID != storeSubagent {
		return agent.Told{}
	}
	withFile(src, func(f agent.File) {
		text := lines.NewChunks(f, f.Info().Size)
		defer text.Close()
		for {
			chunk, _, err := text.Next()
			if err != nil || len(chunk) == 0 || ctx.Err() != nil {
				return
			}
			if p.wants(chunk) {
				p.read(chunk)
			}
		}
	})
	return agent.Told{Origin: p.settled(), Worktrees: p.stated}
}

// placeReader gathers what lines tell of a session's place.
type placeReader struct {
	parser parser
	whereabouts
}

// wants reports whether some lines may tell what is not known yet.
func (p *placeReader) wants(text []byte) bool {
	return p.origin.CWD == "" || p.origin.Branch == "" && namesBranch(text) || placeLines.Holds(text)
}

// branchKey is how a line writes the key of its branch.
var branchKey = []byte(`"gitBranch"`)

// namesBranch reports whether some lines may name a branch: outside of repositories
// all of them have an empty one.
func namesBranch(text []byte) bool {
	for {
		i := bytes.Index(text, branchKey)
		if i < 0 {
			return false
		}
		text = text[i+len(branchKey):]
		if !bytes.HasPrefix(text, []byte(`:""`)) {
			return true
		}
	}
}

func (p *placeReader) read(chunk []byte) {
	for text := range bytes.Lines(chunk) {
		if !p.wants(text) {
			continue
		}
		line := p.parser.physical(lines.Line{Text: bytes.TrimSuffix(text, []byte{'\n'})})
		for _, l := range line.each() {
			if line.damage == nil || plausible(l) {
				p.see(l)
			}
		}
	}
}

// parentFolder gives the folder of the session that started a subagent.
func parentFolder(src *agent.Source, near agent.Near) string {
	for _, s := range near.Sources {
		if s.Family == src.Family && s.Transcript() {
			return near.CWD(s)
		}
	}
	return ""
}

// besideIt gives the folder of the other sessions whose transcripts lie in the same
// project folder, where their folder has its name and is one.
func besideIt(_ context.Context, src *agent.Source, near agent.Near) string {
	dir := projectFolder(src)
	var found only
	for _, s := range near.Sources {
		if s.Agent == Name && s.Root.Dir() == src.Root.Dir() && s.Family != src.Family && s.Transcript() && projectFolder(s) == dir {
			if cwd := near.CWD(s); encodes(dir, cwd) {
				found.add(cwd)
			}
		}
	}
	return found.text
}

// inConfig gives the project of the global config whose path has the name of the
// project folder, where that is one.
func inConfig(_ context.Context, src *agent.Source, near agent.Near) string {
	dir := projectFolder(src)
	var found only
	for _, s := range near.Sources {
		if s.Store.ID != "claude.global_config" || s.Problem != "" {
			continue
		}
		v, err := inventory(s)
		if err != nil {
			continue
		}
		for cwd := range v.Get("projects").Members() {
			if len(cwd) > 2 && cwd[1] == ':' {
				cwd = strings.ReplaceAll(cwd, "/", `\`) // as Claude Code writes keys on Windows
			}
			if encodes(dir, cwd) {
				found.add(cwd)
			}
		}
	}
	return found.text
}

// inHistory gives the first project that the prompt log has for the session.
func inHistory(ctx context.Context, src *agent.Source, near agent.Near) (project string) {
	if src.Session == "" {
		return ""
	}
	for _, s := range near.Sources {
		if project != "" {
			break
		}
		if s.Store.ID != storeHistory || s.Root.Dir() != src.Root.Dir() || s.Problem != "" {
			continue
		}
		withFile(s, func(f agent.File) {
			_ = scanFile(ctx, f, func(p physical) error {
				for _, obj := range p.objects {
					if project == "" && obj.Get("sessionId").Text() == src.Session {
						project = obj.Get("project").Text()
					}
				}
				if project != "" {
					return errStop
				}
				return nil
			})
		})
	}
	return project
}

// only is a text that several places agree on; where they do not, it is empty.
type only struct {
	text   string
	denied bool
}

func (o *only) add(text string) {
	switch {
	case o.denied || text == o.text:
	case o.text == "":
		o.text = text
	default:
		o.text, o.denied = "", true
	}
}

// projectFolder gives the name of the project folder that a source lies in.
func projectFolder(src *agent.Source) string {
	dir, _, _ := strings.Cut(strings.TrimPrefix(path.Clean(src.Name), "projects/"), "/")
	return dir
}

// longName is how much of an encoded path names a folder; the rest is a hash that
// differs from one build of Claude Code to the next.
const longName = 200

// encoded gives what Claude Code makes of a working folder for the name of a project's.
func encoded(cwd string) string {
	var name strings.Builder
	for _, unit := range utf16.Encode([]rune(cwd)) {
		if unit >= 0x80 || !(unit >= '0' && unit <= '9' || unit|0x20 >= 'a' && unit|0x20 <= 'z') {
			unit = '-'
		}
		name.WriteByte(byte(unit))
	}
	return name.String()
}

// encodes reports whether a project folder has the name that Claude Code makes of a
// working folder: every UTF-16 unit that is no ASCII letter or digit is a dash. The
// name alone proves nothing, since many paths have the same.
func encodes(dir, cwd string) bool {
	if cwd == "" {
		return false
	}
	want := encoded(cwd)
	if len(want) > longName {
		rest, ok := strings.CutPrefix(dir, want[:longName]+"-")
		return ok && rest != ""
	}
	if len(cwd) > 1 && cwd[1] == ':' && dir != "" { // a drive is written either way
		return strings.EqualFold(dir[:1], want[:1]) && dir[1:] == want[1:]
	}
	return dir == want
}
