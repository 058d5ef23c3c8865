package gemini

import (
	"sort"
	"time"

	"github.com/seshat-dev/seshat/record"
)

// place is where an object stands in a file.
type place struct {
	no     int   // line
	offset int64 // of its first byte
	length int
}

// version is one writing of a message.
type version struct {
	at      place
	patches []place // $patch records applied to it, in order
	time    time.Time
	hash    uint64       // of its bytes
	flag    record.Flags // what the version before it became when this one was written
	passes  bool         // the byte test lets its line pass
}

// entry is a message with all its writings, in the order of the file.
type entry struct {
	id       string
	versions []version
	pos      int          // when it came into the history
	live     bool         // it stands in the history that is left at the end
	gone     record.Flags // what it became when it left the history
}

func (e *entry) last() *version { return &e.versions[len(e.versions)-1] }

// wanted reports whether a record of the message may be wanted: a line that one of its
// writings stands on passes the byte test. One that was put together from several
// lines always may.
func (e *entry) wanted() bool {
	for i := range e.versions {
		if v := &e.versions[i]; v.passes || len(v.patches) > 0 {
			return true
		}
	}
	return false
}

// fold is the history as the event log leaves it. It follows Gemini CLI's loader:
// the last writing of an id wins and keeps the place of the first.
type fold struct {
	byID map[string]*entry
	all  []*entry // in the order in which they came
	live []*entry // in the order of the history
	tick int
}

func newFold() fold { return fold{byID: map[string]*entry{}} }

// add writes a message without an id, which is never written again.
func (f *fold) add(v version) {
	f.tick++
	e := &entry{versions: []version{v}, pos: f.tick, live: true}
	f.all, f.live = append(f.all, e), append(f.live, e)
}

// set writes a message.
func (f *fold) set(id string, v version) {
	f.tick++
	e := f.byID[id]
	if e == nil {
		e = &entry{id: id, pos: f.tick}
		f.all = append(f.all, e)
		f.byID[id] = e
	}
	if !e.live {
		if e.gone == record.Superseded {
			// It was taken back, and this is a new beginning.
			v.flag, e.pos = record.Superseded, f.tick
		}
		e.live, e.gone = true, 0
		f.live = append(f.live, e)
	}
	if n := len(e.versions); n > 0 && len(v.patches) == 0 && len(e.last().patches) == 0 && e.last().hash == v.hash {
		return // written again as it was
	}
	e.versions = append(e.versions, v)
}

// rewind drops a message and all after it, or all when the id is unknown.
func (f *fold) rewind(id string) {
	from := 0
	if e := f.byID[id]; e != nil && e.live {
		for f.live[from] != e {
			from++
		}
	}
	f.drop(f.live[from:], record.Superseded)
	f.live = f.live[:from]
}

// clear drops the whole history, which is going to be written anew.
func (f *fold) clear() {
	f.drop(f.live, record.Replaced)
	f.live = nil
}

func (f *fold) drop(entries []*entry, gone record.Flags) {
	for _, e := range entries {
		e.live, e.gone = false, gone
	}
}

// remove drops single messages.
func (f *fold) remove(ids map[string]bool) {
	kept := f.live[:0:0]
	for _, e := range f.live {
		if ids[e.id] {
			e.live, e.gone = false, record.Replaced
		} else {
			kept = append(kept, e)
		}
	}
	f.live = kept
}

// arrange puts the named messages behind all others, in the order given.
func (f *fold) arrange(ids []string) {
	named := map[string]bool{}
	var tail []*entry
	for _, id := range ids {
		if e := f.byID[id]; e != nil && e.live && !named[id] {
			named[id] = true
			tail = append(tail, e)
		}
	}
	kept := f.live[:0:0]
	for _, e := range f.live {
		if !named[e.id] {
			kept = append(kept, e)
		}
	}
	f.live = append(kept, tail...)
}

// messages gives the messages in order: those of the history as it is, and each
// that left it before the first that came after it.
func (f *fold) messages() []*entry {
	var gone []*entry
	for _, e := range f.all {
		if !e.live {
			gone = append(gone, e)
		}
	}
	sort.SliceStable(gone, func(i, j int) bool { return gone[i].pos < gone[j].pos })
	out := make([]*entry, 0, len(f.all))
	for _, e := range f.live {
		for len(gone) > 0 && gone[0].pos < e.pos {
			out, gone = append(out, gone[0]), gone[1:]
		}
		out = append(out, e)
	}
	return append(out, gone...)
}
