package scrub

import (
	"crypto/hmac"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/seshat-dev/seshat/internal/own"
	"github.com/seshat-dev/seshat/internal/secret"
)

// Bounds of values: shorter ones are not looked for, and those below long only where
// they are a word of their own.
const (
	short = 6
	long  = 12
)

// mark stands for a value and does not hold it. Everything in it but the rule and the
// length is made with the key of the installation.
type mark struct {
	Rule   string `json:"rule"`
	Length int    `json:"length"`
	Cut    bool   `json:"cut,omitempty"` // more of the value may follow
	Tail   uint32 `json:"tail"`          // 24 bits of a keyed hash of its last bytes, by which places are found
	HMAC   string `json:"hmac"`
}

// Marks are values that are to be blotted out, known by keyed hashes.
type Marks struct {
	key   *secret.Key
	base  uint64
	list  []mark
	have  map[string]int // by HMAC
	tails [2]tails       // of short and of long values
}

// tails are the marks of which so many last bytes have a hash.
type tails struct {
	width int
	power uint64
	flags []uint64
	marks map[uint32][]int
}

// NewMarks gives none yet.
func NewMarks(key *secret.Key) *Marks {
	m := &Marks{key: key, have: map[string]int{}}
	m.base = binary.LittleEndian.Uint64(key.Seal("scrub tail", "")) | 1
	for i, width := range []int{short, long} {
		t := &m.tails[i]
		t.width, t.power, t.flags, t.marks = width, 1, make([]uint64, 1<<16/64), map[uint32][]int{}
		for range width {
			t.power *= m.base
		}
	}
	return m
}

// Len is how many there are.
func (m *Marks) Len() int {
	if m == nil {
		return 0
	}
	return len(m.list)
}

// Add adds a value.
func (m *Marks) Add(rule, value string, cut bool) {
	if len(value) < short {
		return
	}
	x := mark{Rule: rule, Length: len(value), Cut: cut, HMAC: m.sum(value)}
	x.Tail = m.hash(value[len(value)-m.of(len(value)).width:])
	m.add(x)
}

func (m *Marks) sum(value string) string { return hex.EncodeToString(m.key.Seal("scrub", value)) }

func (m *Marks) of(length int) *tails {
	if length < long {
		return &m.tails[0]
	}
	return &m.tails[1]
}

func (m *Marks) add(x mark) {
	if i, known := m.have[x.HMAC]; known {
		m.list[i].Cut = m.list[i].Cut && x.Cut
		return
	}
	t := m.of(x.Length)
	t.flags[x.Tail>>8/64] |= 1 << (x.Tail >> 8 % 64)
	t.marks[x.Tail] = append(t.marks[x.Tail], len(m.list))
	m.have[x.HMAC] = len(m.list)
	m.list = append(m.list, x)
}

// With gives these and others together.
func (m *Marks) With(other *Marks) *Marks {
	both := NewMarks(m.key)
	for _, x := range m.list {
		both.add(x)
	}
	for _, x := range other.list {
		both.add(x)
	}
	return both
}

func (m *Marks) hash(s string) uint32 {
	h := uint64(0)
	for i := range len(s) {
		h = h*m.base + uint64(s[i]) + 1
	}
	return uint32(h >> 40)
}

// find gives the places of values in a text.
func (m *Marks) find(text string, visit func(from, to int)) {
	for i := range m.tails {
		t := &m.tails[i]
		if len(t.marks) == 0 {
			continue
		}
		h := uint64(0)
		var run cutRun
		for i := range len(text) {
			h = h*m.base + uint64(text[i]) + 1
			if i >= t.width {
				h -= (uint64(text[i-t.width]) + 1) * t.power
			}
			if tail := uint32(h >> 40); i+1 >= t.width && t.flags[tail>>8/64]&(1<<(tail>>8%64)) != 0 {
				m.ending(text, i+1, t.marks[tail], &run, visit)
			}
		}
	}
}

// cutRun is how far a value that was cut may go on. No stretch is walked twice.
type cutRun struct{ from, to int }

func (r *cutRun) end(text string, at int) int {
	if at < r.from || at > r.to || r.to == 0 {
		*r = cutRun{at, secret.CutEnd(text, at)}
	}
	return r.to
}

// ending gives those marked values that end at a place.
func (m *Marks) ending(text string, to int, marks []int, run *cutRun, visit func(from, to int)) {
	for _, i := range marks {
		x := &m.list[i]
		from := to - x.Length
		if from < 0 || x.Length < long && (from > 0 && alnum(text[from-1]) || to < len(text) && alnum(text[to])) {
			continue
		}
		if sum, err := hex.DecodeString(x.HMAC); err != nil || !hmac.Equal(sum, m.key.Seal("scrub", text[from:to])) {
			continue
		}
		end := to
		if x.Cut {
			end = run.end(text, to)
		}
		visit(from, end)
	}
}

// Hold reports whether one of the values stands in a text.
func (m *Marks) Hold(text string) (held bool) {
	for _, s := range spellings(text) {
		m.find(s.text, func(int, int) { held = true })
	}
	return held
}

func alnum(c byte) bool {
	return '0' <= c && c <= '9' || 'a' <= c|0x20 && c|0x20 <= 'z'
}

// fileName is the file that marks are remembered in.
const (
	fileName = "masks.json"
	schema   = "seshat.masks/1"
)

type file struct {
	Schema string `json:"schema"`
	KeyID  string `json:"key_id"`
	Masks  []mark `json:"masks"`
}

// Read gives the marks that are remembered in a folder, or nil where none are. key opens
// the key that they were made with, and is asked only when there are some.
func Read(dir string, key func() (*secret.Key, error)) (*Marks, error) {
	path := filepath.Join(dir, fileName)
	b, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	var f file
	if err == nil {
		err = json.Unmarshal(b, &f)
	}
	if err == nil && f.Schema != schema {
		err = fmt.Errorf("it is not of the kind %s", schema)
	}
	if err != nil {
		return nil, fmt.Errorf("%s, by which scrubbed credentials stay out of the archive, cannot be read: %w; put it back from a backup, or delete it and scrub again", path, err)
	}
	k, err := key()
	if err != nil {
		return nil, err
	}
	if k.ID() != f.KeyID {
		return nil, fmt.Errorf("%s, by which scrubbed credentials stay out of the archive, was made with another key than the secrets.key beside it; put that key back, or delete %s and scrub again", path, fileName)
	}
	m := NewMarks(k)
	for _, x := range f.Masks {
		if x.Length < short || x.Tail >= 1<<24 {
			return nil, fmt.Errorf("%s, by which scrubbed credentials stay out of the archive, is damaged; put it back from a backup, or delete it and scrub again", path)
		}
		m.add(x)
	}
	return m, nil
}

// Save remembers marks in a folder, for nobody else to read.
func (m *Marks) Save(dir string) error {
	b, err := json.Marshal(file{schema, m.key.ID(), m.list})
	if err != nil {
		return err
	}
	return own.ReplaceDurably(filepath.Join(dir, fileName), append(b, '\n'))
}
