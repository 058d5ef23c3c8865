package cache

import (
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/seshat-dev/seshat/agent"
	"github.com/seshat-dev/seshat/record"
)

// filled sets every field of a value to something that is not its zero.
func filled(v reflect.Value, rng *rand.Rand) {
	switch v.Kind() {
	case reflect.String:
		v.SetString(strings.Repeat("é", 1+rng.IntN(3)))
	case reflect.Int, reflect.Int64:
		v.SetInt(rng.Int64N(1<<40) - 1<<39)
	case reflect.Uint64:
		v.SetUint(rng.Uint64() | 1)
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 1+rng.IntN(3), 3))
		for i := range v.Len() {
			filled(v.Index(i), rng)
		}
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		filled(v.Elem(), rng)
	case reflect.Struct:
		if v.Type() == reflect.TypeFor[time.Time]() {
			v.Set(reflect.ValueOf(time.Unix(rng.Int64N(1<<33), rng.Int64N(1e9)).UTC()))
			return
		}
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				filled(v.Field(i), rng)
			}
		}
	}
}

// sample gives entries of all sorts by path.
func sample(rng *rand.Rand) map[string]*Entry {
	entries := map[string]*Entry{}
	for _, path := range []string{"/a", "/b\n", "/c/\xff", ""} {
		var e Entry
		filled(reflect.ValueOf(&e).Elem(), rng)
		b := *e.Brief
		b.Head = e.Head
		e.SetBrief(b)
		// What is not kept: what a list makes of a session, and what marks tell others.
		s := &e.Brief.Session
		s.Path, s.Handle, s.Short, s.Project, s.Subagents, s.Expires, s.Copied, s.CopiedFrom = path, "", "", record.Project{}, 0, time.Time{}, 0, ""
		e.Head.Info, e.Brief.Head.Info = agent.Info{}, agent.Info{}
		for i, m := range e.Marks {
			e.Marks[i] = agent.Marked{Stamp: m.Stamp, Kind: m.Kind, Count: m.Count}
		}
		entries[path] = &e
	}
	entries["/head only"] = &Entry{Store: "s", File: Identity{Size: 1}}
	entries["/empty"] = &Entry{Brief: &agent.Brief{Session: record.Session{Path: "/empty"}}, ids: []byte{}, Marks: []agent.Marked{}, Ties: []agent.Identified{}}
	return entries
}

// Every field of an entry comes back, also one that is added later and forgotten
// here.
func TestEntriesComeBack(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 50 {
		want := sample(rng)
		got, ok := decode(encode("build", want), "build")
		if !ok || len(got) != len(want) {
			t.Fatalf("%d entries, %v", len(got), ok)
		}
		for path, e := range want {
			if back := slices.Collect(got[path].IDs); !slices.Equal(back, slices.Collect(e.IDs)) {
				t.Fatalf("%q: ids %d, want %d", path, back, slices.Collect(e.IDs))
			}
			got[path].ids, e.ids, e.list = nil, nil, nil // kept in one form, read in another
			if !reflect.DeepEqual(got[path], e) {
				t.Fatalf("%q:\n%+v\nwant\n%+v\nwith the brief\n%+v\nwant\n%+v", path, got[path], e, got[path].Brief, e.Brief)
			}
		}
	}
}

func TestIDsComeBack(t *testing.T) {
	ids := []uint64{1, 1 << 63, 0xdeadbeef}
	var e Entry
	e.SetBrief(agent.Brief{IDs: ids})
	got, ok := decode(encode("b", map[string]*Entry{"/x": {}, "/a": &e, "/z": {}}), "b")
	if !ok || !slices.Equal(slices.Collect(got["/a"].IDs), ids) || len(slices.Collect(got["/x"].IDs)) > 0 {
		t.Errorf("%v, %v", ok, got)
	}
}

// A file that is changed in any byte, cut anywhere, or of another build is not
// believed.
func TestDamageIsNotBelieved(t *testing.T) {
	file := encode("build", sample(rand.New(rand.NewPCG(3, 4))))
	if _, ok := decode(file, "another"); ok {
		t.Error("another build's file was believed")
	}
	for i := range file {
		for _, bit := range []byte{1, 0x80, 0xff} {
			file[i] ^= bit
			if _, ok := decode(file, "build"); ok {
				t.Errorf("byte %d changed by %x was believed", i, bit)
			}
			file[i] ^= bit
		}
		if _, ok := decode(file[:i], "build"); ok {
			t.Errorf("the first %d bytes were believed", i)
		}
	}
	if _, ok := decode(append(file, 0), "build"); ok {
		t.Error("a byte more was believed")
	}
}

// sealed gives a body a right header.
func sealed(body []byte) []byte {
	a, b := checksums(body)
	head := appendHalf([]byte(magic), version)
	return append(appendNumber(appendHalf(appendHalf(head, a), b), uint64(len(body))), body...)
}

// Whatever stands in a file, reading it neither fails nor gives more than stands
// there; and what is read is written as the same.
func FuzzDecode(f *testing.F) {
	f.Add(encode("b", sample(rand.New(rand.NewPCG(5, 6))))[headerSize:])
	f.Add(encode("b", nil)[headerSize:])
	f.Add([]byte{1, 'b', 0xff, 0xff, 0xff, 0xff, 0x0f})
	f.Fuzz(func(t *testing.T, body []byte) {
		decode(body, "b")
		entries, ok := decode(sealed(body), "b")
		if !ok {
			return
		}
		again, ok := decode(encode("b", entries), "b")
		if !ok || !reflect.DeepEqual(again, entries) {
			t.Errorf("read %v, %+v\nnot %+v", ok, again, entries)
		}
	})
}

func BenchmarkDecode(b *testing.B) {
	entries := map[string]*Entry{}
	e := &Entry{Store: "claude.projects.session", Session: "11111111-1111-4111-8111-111111111111", File: Identity{1 << 20, 1 << 60, 1 << 60, 1 << 20, 1 << 24}, Beside: []Identity{{}}}
	e.SetBrief(agent.Brief{Session: record.Session{Agent: "claude", Title: strings.Repeat("title ", 10), Origin: record.Origin{CWD: "/srv/app"}, Models: []string{"m"}}, IDs: make([]uint64, 100)})
	for i := range 9000 {
		entries["/home/sam/.claude/projects/-srv-app/"+strings.Repeat("x", 36)+time.Unix(int64(i), 0).String()] = e
	}
	file := encode("b", entries)
	b.SetBytes(int64(len(file)))
	for b.Loop() {
		if _, ok := decode(file, "b"); !ok {
			b.Fatal("not read")
		}
	}
}
