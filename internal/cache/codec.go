package cache

import (
	"encoding/binary"
	"hash/crc32"
	"slices"
	"time"
	"unsafe"

	"github.com/seshat-dev/seshat/agent"
	"github.com/seshat-dev/seshat/internal/secret"
	"github.com/seshat-dev/seshat/record"
)

// A shelf's file is a header and a body. The header is the magic, the version, two
// checksums of the body by different polynomials and the body's length. The body
// is the build that wrote it, the number of entries, the number of ids, the entries,
// and behind them the ids of all briefs, eight bytes each. Numbers are varints, a
// text is its length and its bytes.
const (
	magic      = "seshat\x00sessions\n"
	version    = 3
	headerSize = len(magic) + 4 + 4 + 4 + 8
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

func number(b []byte) uint64                 { return binary.LittleEndian.Uint64(b) }
func appendNumber(b []byte, n uint64) []byte { return binary.LittleEndian.AppendUint64(b, n) }
func appendHalf(b []byte, n uint32) []byte   { return binary.LittleEndian.AppendUint32(b, n) }
func half(b []byte) uint32                   { return binary.LittleEndian.Uint32(b) }
func checksums(body []byte) (uint32, uint32) {
	return crc32.Checksum(body, castagnoli), crc32.ChecksumIEEE(body)
}

// encode writes entries in the order of their paths.
func encode(build string, entries map[string]*Entry) []byte {
	paths := make([]string, 0, len(entries))
	ids := 0
	for path, e := range entries {
		paths = append(paths, path)
		ids += e.count()
	}
	slices.Sort(paths)
	w := writer{b: make([]byte, headerSize, headerSize+512*len(paths)+8*ids)}
	w.text(build)
	w.count(len(paths))
	w.count(ids)
	for _, path := range paths {
		w.text(path)
		w.entry(entries[path])
	}
	for _, path := range paths {
		for id := range entries[path].IDs {
			w.b = appendNumber(w.b, id)
		}
	}
	body := w.b[headerSize:]
	a, b := checksums(body)
	head := appendHalf(append(w.b[:0], magic...), version)
	appendNumber(appendHalf(appendHalf(head, a), b), uint64(len(body)))
	return w.b
}

// decode reads what encode wrote. ok is false for anything else, and for what
// another build wrote. The entries hold on to file, which must not be changed.
func decode(file []byte, build string) (entries map[string]*Entry, ok bool) {
	if len(file) < headerSize || string(file[:len(magic)]) != magic {
		return nil, false
	}
	head, body := file[len(magic):headerSize], file[headerSize:]
	a, b := checksums(body)
	if half(head) != version || half(head[4:]) != a || half(head[8:]) != b || number(head[12:]) != uint64(len(body)) {
		return nil, false
	}
	r := reader{s: unsafe.String(unsafe.SliceData(body), len(body))} // a copy would be as large as all that is kept
	if r.text() != build || r.bad {
		return nil, false
	}
	n := r.count(leastEntry)
	ids := body[len(body)-8*r.count(8):]
	r.s = r.s[:len(body)-len(ids)]
	entries = make(map[string]*Entry, n)
	all := make([]*Entry, n)
	counts := make([]int, n)
	var room []roomy // for so many entries at a time
	for i := range n {
		if len(room) == 0 {
			room = make([]roomy, min(n-i, 512))
		}
		path := r.text()
		all[i] = &room[0].entry
		counts[i] = r.entry(all[i], &room[0].brief, path)
		entries[path], room = all[i], room[1:]
		if r.bad {
			return nil, false
		}
	}
	for i, e := range all {
		if counts[i] > len(ids)/8 {
			return nil, false
		}
		e.ids, ids = ids[:8*counts[i]:8*counts[i]], ids[8*counts[i]:]
	}
	return entries, len(ids) == 0 && r.at == len(r.s) && len(entries) == n
}

// roomy is an entry with room for its brief.
type roomy struct {
	entry Entry
	brief agent.Brief
}

// How many bytes a thing takes at least.
const (
	leastEntry    = 15
	leastIdentity = 5
	leastTie      = 2
	leastMark     = 10
	leastDamage   = 5
	leastWorktree = 2
)

type writer struct {
	b    []byte
	look bool // texts are looked through for credentials
	leak bool // one stands in some
}

func (w *writer) uint(n uint64) { w.b = binary.AppendUvarint(w.b, n) }
func (w *writer) int(n int64)   { w.b = binary.AppendVarint(w.b, n) }
func (w *writer) count(n int)   { w.uint(uint64(n)) }

func (w *writer) text(s string) {
	w.leak = w.leak || w.look && secret.Holds(s)
	w.count(len(s))
	w.b = append(w.b, s...)
}

func (w *writer) texts(list []string) {
	w.count(len(list))
	for _, s := range list {
		w.text(s)
	}
}

// time writes a time, to the nanosecond and without its zone.
func (w *writer) time(t time.Time) {
	if w.bool(!t.IsZero()); !t.IsZero() {
		w.int(t.Unix())
		w.count(t.Nanosecond())
	}
}

func (w *writer) bool(b bool) {
	if b {
		w.b = append(w.b, 1)
	} else {
		w.b = append(w.b, 0)
	}
}

func (w *writer) identity(id Identity) {
	w.int(id.Size)
	w.int(id.MTime)
	w.int(id.CTime)
	w.uint(id.Dev)
	w.uint(id.Ino)
}

func (w *writer) entry(e *Entry) {
	for _, s := range []string{e.Store, e.Session, e.Subagent, e.Elsewhere} {
		w.text(s)
	}
	w.identity(e.File)
	w.time(e.Head.Time)
	w.text(e.Head.CWD)
	w.bool(e.Head.Background)
	if w.bool(e.Ties != nil); e.Ties != nil {
		w.count(len(e.Ties))
		for _, t := range e.Ties {
			w.text(t.ID)
			w.time(t.Time)
		}
	}
	if w.bool(e.Brief != nil); e.Brief == nil {
		return
	}
	w.brief(e.Brief)
	w.count(len(e.Beside))
	for _, id := range e.Beside {
		w.identity(id)
	}
	w.count(e.count())
	if w.bool(e.Marks != nil); e.Marks != nil {
		w.count(len(e.Marks))
		for _, m := range e.Marks {
			w.b = appendNumber(w.b, uint64(m.Stamp))
			w.text(string(m.Kind))
			w.bool(m.Count)
		}
	}
}

func (w *writer) brief(b *agent.Brief) {
	s := &b.Session
	for _, t := range []string{
		s.Agent, s.ID, string(s.Kind), string(s.State), s.Title, string(s.TitleSource),
		s.Origin.CWD, s.Origin.Repo, s.Origin.Worktree, s.Origin.Branch, s.Origin.CWDHash,
	} {
		w.text(t)
	}
	w.texts(s.Models)
	w.texts(s.PRs)
	w.texts(b.Branches)
	w.count(len(b.Worktrees))
	for _, t := range b.Worktrees {
		w.text(t.Path)
		w.text(t.Repo)
	}
	w.time(s.Started)
	w.time(s.LastActive)
	for _, n := range []int{s.Counts.Prompts, s.Counts.Replies, s.Counts.ToolCalls, s.Counts.ToolResults, b.Inline} {
		w.int(int64(n))
	}
	w.int(s.Bytes)
	w.time(b.Updated)
	w.text(b.Refused)
	w.count(len(b.Damage))
	for _, d := range b.Damage {
		w.int(int64(d.Line))
		w.int(d.Bytes)
		w.text(d.Reason)
		w.bool(d.Pending)
		w.bool(d.Cleared)
	}
}

// reader reads what a writer wrote. What goes beyond the end reads as nothing and
// sets bad.
type reader struct {
	s   string
	at  int
	bad bool
}

func (r *reader) uint() (n uint64) {
	for shift := 0; shift < 64; shift += 7 {
		if r.at >= len(r.s) {
			break
		}
		c := r.s[r.at]
		r.at++
		if n |= uint64(c&0x7f) << shift; c < 0x80 {
			return n
		}
	}
	r.bad = true
	return 0
}

func (r *reader) int() int64 {
	n := r.uint()
	return int64(n>>1) ^ -int64(n&1)
}

// count reads how many things follow, each of at least so many bytes.
func (r *reader) count(least int) int {
	n := r.uint()
	if n > uint64((len(r.s)-r.at)/least) {
		r.bad = true
		return 0
	}
	return int(n)
}

func (r *reader) text() string {
	n := r.count(1)
	s := r.s[r.at : r.at+n]
	r.at += n
	return s
}

func (r *reader) texts() []string {
	n := r.count(1)
	if n == 0 {
		return nil
	}
	list := make([]string, n)
	for i := range list {
		list[i] = r.text()
	}
	return list
}

func (r *reader) bool() bool {
	if r.at >= len(r.s) {
		r.bad = true
		return false
	}
	c := r.s[r.at]
	r.at++
	r.bad = r.bad || c > 1
	return c == 1
}

func (r *reader) time() time.Time {
	if !r.bool() {
		return time.Time{}
	}
	seconds, ns := r.int(), r.uint()
	if ns >= 1e9 {
		r.bad = true
		return time.Time{}
	}
	return time.Unix(seconds, int64(ns)).UTC()
}

func (r *reader) identity() Identity {
	return Identity{Size: r.int(), MTime: r.int(), CTime: r.int(), Dev: r.uint(), Ino: r.uint()}
}

// entry reads an entry, with room for its brief, and gives the number of its ids.
func (r *reader) entry(e *Entry, b *agent.Brief, path string) (ids int) {
	e.Store, e.Session, e.Subagent, e.Elsewhere = r.text(), r.text(), r.text(), r.text()
	e.File = r.identity()
	e.Head = agent.Head{Time: r.time(), CWD: r.text(), Background: r.bool()}
	if r.bool() {
		e.Ties = make([]agent.Identified, r.count(leastTie))
		for i := range e.Ties {
			e.Ties[i] = agent.Identified{ID: r.text(), Time: r.time()}
		}
	}
	if !r.bool() {
		return 0
	}
	r.brief(b)
	b.Session.Path, b.Head, e.Brief = path, e.Head, b
	if n := r.count(leastIdentity); n > 0 {
		e.Beside = make([]Identity, n)
		for i := range e.Beside {
			e.Beside[i] = r.identity()
		}
	}
	ids = int(min(r.uint(), maxFile)) // they stand behind the entries
	if r.bool() {
		e.Marks = make([]agent.Marked, r.count(leastMark))
		for i := range e.Marks {
			e.Marks[i] = r.mark()
		}
	}
	return ids
}

func (r *reader) mark() (m agent.Marked) {
	if len(r.s)-r.at < 8 {
		r.bad = true
		return m
	}
	m.Stamp = agent.Stamp(number([]byte(r.s[r.at : r.at+8])))
	r.at += 8
	m.Kind, m.Count = record.Kind(r.text()), r.bool()
	return m
}

func (r *reader) brief(b *agent.Brief) {
	s := &b.Session
	s.Agent, s.ID, s.Kind, s.State = r.text(), r.text(), record.SessionKind(r.text()), record.SessionState(r.text())
	s.Title, s.TitleSource = r.text(), record.TitleSource(r.text())
	s.Origin = record.Origin{CWD: r.text(), Repo: r.text(), Worktree: r.text(), Branch: r.text(), CWDHash: r.text()}
	s.Models, s.PRs, b.Branches = r.texts(), r.texts(), r.texts()
	if n := r.count(leastWorktree); n > 0 {
		b.Worktrees = make([]agent.Worktree, n)
		for i := range b.Worktrees {
			b.Worktrees[i] = agent.Worktree{Path: r.text(), Repo: r.text()}
		}
	}
	s.Started, s.LastActive = r.time(), r.time()
	for _, n := range []*int{&s.Counts.Prompts, &s.Counts.Replies, &s.Counts.ToolCalls, &s.Counts.ToolResults, &b.Inline} {
		*n = int(r.int())
	}
	s.Bytes = r.int()
	b.Clock = agent.Clock{Updated: r.time(), Refused: r.text()}
	if n := r.count(leastDamage); n > 0 {
		b.Damage = make([]agent.Damage, n)
		for i := range b.Damage {
			b.Damage[i] = agent.Damage{Line: int(r.int()), Bytes: r.int(), Reason: r.text(), Pending: r.bool(), Cleared: r.bool()}
		}
	}
}
