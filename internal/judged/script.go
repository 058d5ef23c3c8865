package judged

import (
	"crypto/sha256"
	"embed"
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"
)

//go:embed sessions/*.txt
var scripts embed.FS

// mark says who speaks in an item of a script; it stands at the beginning of a line,
// before a space.
type mark string

const (
	prompt   mark = ">"
	reply    mark = "<"
	thinking mark = "~"
	call     mark = "$"
	result   mark = "="
	failure  mark = "=!" // a result that is an error
	dispatch mark = "&"  // a call that starts a subagent
	summary  mark = "^"  // what is left of the conversation so far
	busy     mark = "%"  // so many exchanges of no account

	subagent = "&" // before the mark of what is said inside a subagent
)

// item is one thing that was said.
type item struct {
	mark mark
	text string
	sub  int // the subagent that said it, from 1; 0 is the session itself
	id   string
	at   time.Time
}

// The kinds of sessions.
const (
	interactive = "interactive"
	printed     = "print"
	background  = "background"
	promptsOnly = "prompts-only"
)

// session is one script.
type session struct {
	name    string
	agent   string
	project string
	kind    string
	start   time.Time
	branch  string
	title   string // that a person chose; in Gemini CLI the summary
	aiTitle string
	pr      string
	items   []item
	id      string

	fork   string // the session that this one was forked from
	shared int    // how many of its items came along
}

// sessionID gives the id of the session of that name.
func sessionID(name string) string { return uuid("session", name) }

// uuid makes an id out of names, always the same.
func uuid(names ...string) string {
	b := sha256.Sum256([]byte(strings.Join(names, "\x00")))
	b[6], b[8] = b[6]&0x0f|0x40, b[8]&0x3f|0x80
	return fmt.Sprintf("%x-%x-%x-%x-%x", b[:4], b[4:6], b[6:8], b[8:10], b[10:16])
}

// token makes n hex digits out of names.
func token(n int, names ...string) string {
	return fmt.Sprintf("%x", sha256.Sum256([]byte(strings.Join(names, "\x00"))))[:n]
}

// cwd is the folder that the session ran in.
func (s *session) cwd() string { return path.Join("/home/sam/code", s.project) }

// end is the time of the last item.
func (s *session) end() time.Time { return s.items[len(s.items)-1].at }

// sessions reads all scripts, in the order of their files.
func sessions() ([]*session, error) {
	files, err := scripts.ReadDir("sessions")
	if err != nil {
		return nil, err
	}
	var all []*session
	for _, f := range files {
		data, err := scripts.ReadFile("sessions/" + f.Name())
		if err != nil {
			return nil, err
		}
		list, err := readScript(string(data))
		if err != nil {
			return nil, fmt.Errorf("sessions/%s: %w", f.Name(), err)
		}
		all = append(all, list...)
	}
	return all, connect(all)
}

// connect gives forks what they share, and refuses a name that stands twice.
func connect(all []*session) error {
	byName := map[string]*session{}
	for _, s := range all {
		if byName[s.name] != nil {
			return fmt.Errorf("two sessions are called %s", s.name)
		}
		byName[s.name] = s
	}
	for _, s := range all {
		if s.fork == "" {
			continue
		}
		from := byName[s.fork]
		if from == nil || s.shared > len(from.items) {
			return fmt.Errorf("%s is forked from %d items of %q, which has fewer", s.name, s.shared, s.fork)
		}
		s.items = append(slices.Clone(from.items[:s.shared]), s.items...)
	}
	return nil
}

// readScript reads the sessions of one file.
func readScript(text string) ([]*session, error) {
	var list []*session
	var s *session
	for no, line := range strings.Split(strings.TrimRight(text, "\n"), "\n") {
		var err error
		switch head, heads := strings.CutPrefix(line, "== "); {
		case heads:
			if s, err = readHead(head); err == nil {
				list = append(list, s)
			}
		case s != nil:
			err = s.add(line)
		case line != "" && !strings.HasPrefix(line, "#"):
			err = fmt.Errorf("%q stands before the first session", line)
		}
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", no+1, err)
		}
	}
	for _, s := range list {
		if err := s.finish(); err != nil {
			return nil, fmt.Errorf("%s: %w", s.name, err)
		}
	}
	return list, nil
}

// readHead reads "NAME AGENT TIME PROJECT KIND".
func readHead(head string) (*session, error) {
	f := strings.Fields(head)
	if len(f) != 5 {
		return nil, fmt.Errorf("a session needs five words: %q", head)
	}
	at, err := time.Parse("2006-01-02T15:04", f[2])
	return &session{name: f[0], agent: f[1], start: at, project: f[3], kind: f[4], id: sessionID(f[0])}, err
}

// add takes one line of a session: one that begins an item, one that goes on with it
// after two spaces, or a property before the first item.
func (s *session) add(line string) error {
	first, rest, _ := strings.Cut(line, " ")
	if more, ok := strings.CutPrefix(line, "  "); ok && len(s.items) > 0 {
		last := &s.items[len(s.items)-1]
		last.text += "\n" + more
		return nil
	}
	if line == "" {
		return nil
	}
	sub, m := 0, mark(first)
	if inner, ok := strings.CutPrefix(first, subagent); ok && inner != "" {
		sub, m = s.subagents(), mark(inner)
	}
	switch m {
	case prompt, reply, thinking, call, result, failure, dispatch, summary, busy:
		s.items = append(s.items, item{mark: m, text: rest, sub: sub})
		return nil
	}
	if len(s.items) > 0 {
		return fmt.Errorf("no item begins with %q", first)
	}
	return s.set(strings.TrimSuffix(first, ":"), rest)
}

func (s *session) subagents() int {
	n := 0
	for _, it := range s.items {
		if it.mark == dispatch {
			n++
		}
	}
	return n
}

func (s *session) set(property, value string) (err error) {
	switch property {
	case "branch":
		s.branch = value
	case "title":
		s.title = value
	case "ai-title":
		s.aiTitle = value
	case "pr":
		s.pr = value
	case "fork":
		var n string
		s.fork, n, _ = strings.Cut(value, " ")
		s.shared, err = strconv.Atoi(n)
	default:
		err = fmt.Errorf("no property is called %q", property)
	}
	return err
}

// finish puts the exchanges of no account in, expands what stands for many lines,
// and gives every item its id and its time. A call and its result stand together.
func (s *session) finish() error {
	if len(s.items) == 0 {
		return fmt.Errorf("nothing is said")
	}
	var items []item
	for _, it := range s.items {
		if it.mark != busy {
			it.text = expand(it.text)
			items = append(items, it)
			continue
		}
		_, count, _ := strings.Cut(it.text, " ")
		n, err := strconv.Atoi(count)
		if err != nil {
			return fmt.Errorf("busy for how long? %q", it.text)
		}
		items = append(items, exchanges(len(items), n)...)
	}
	s.items = items
	open := map[int]int{} // calls without a result, by subagent
	for i := range items {
		it := &items[i]
		it.id, it.at = uuid(s.name, strconv.Itoa(i)), s.start.Add(time.Duration(i)*41*time.Second)
		switch it.mark {
		case call, dispatch:
			open[it.sub]++
		case result, failure:
			open[it.sub]--
		}
		if open[it.sub] < 0 || open[it.sub] > 1 {
			return fmt.Errorf("calls and results do not go together at %q", it.text)
		}
	}
	return nil
}
