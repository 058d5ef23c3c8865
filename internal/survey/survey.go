// Package survey tells the shape of a file without telling what stands in it:
// its size, its lines, and the names and types of its top-level JSON keys.
//
// A reader may rely on this. No value is ever given. A key is given only when it
// looks like a name that a program chose; keys that are themselves data, such as
// paths or tokens, are counted as others.
package survey

import (
	"bytes"
	"context"
	"errors"
	"regexp"
	"sort"

	"github.com/seshat-dev/seshat/agent"
	"github.com/seshat-dev/seshat/catalog"
	"github.com/seshat-dev/seshat/internal/jsonscan"
	"github.com/seshat-dev/seshat/internal/lines"
)

// File is the shape of one file.
type File struct {
	Lines   int // 0 for a format without lines
	Objects int // JSON objects read
	Damaged int // lines that are no JSON object, in JSONL
	Keys    Keys
}

// Keys counts key names with the types of their values.
type Keys struct {
	byName map[string]map[jsonscan.Kind]int
	Others int // keys that are data
}

// Key is one key name, how often it stands, and the types of its values.
type Key struct {
	Name  string   `json:"name"`
	Count int      `json:"count"`
	Types []string `json:"types"`
}

// List gives the keys, the most frequent first.
func (k *Keys) List() []Key {
	var out []Key
	for name, kinds := range k.byName {
		key := Key{Name: name}
		for kind := jsonscan.Null; kind <= jsonscan.Object; kind++ {
			if n := kinds[kind]; n > 0 {
				key.Count += n
				key.Types = append(key.Types, kind.String())
			}
		}
		out = append(out, key)
	}
	sort.Slice(out, func(i, j int) bool {
		return out[i].Count > out[j].Count || out[i].Count == out[j].Count && out[i].Name < out[j].Name
	})
	return out
}

// Merge adds the counts of other.
func (k *Keys) Merge(other *Keys) {
	k.Others += other.Others
	for name, kinds := range other.byName {
		for kind, n := range kinds {
			k.add(name, kind, n)
		}
	}
}

func (k *Keys) add(name string, kind jsonscan.Kind, n int) {
	if k.byName == nil {
		k.byName = map[string]map[jsonscan.Kind]int{}
	}
	if k.byName[name] == nil {
		k.byName[name] = map[jsonscan.Kind]int{}
	}
	k.byName[name][kind] += n
}

// chosenName is the shape of a key that a program chose: one word, or a few with
// single hyphens between, and hardly any digits.
var (
	chosenName = regexp.MustCompile(`^[A-Za-z_$][A-Za-z0-9_$]*(-[A-Za-z0-9_$]+){0,2}$`)
	digits     = regexp.MustCompile(`[0-9]`)
)

const (
	maxDigits = 3
	maxName   = 40
)

func (k *Keys) object(v jsonscan.Value) {
	for name, val := range v.Members() {
		if len(name) > maxName || !chosenName.MatchString(name) || len(digits.FindAllStringIndex(name, -1)) > maxDigits {
			k.Others++
			continue
		}
		k.add(name, val.Kind(), 1)
	}
}

// maxDocument bounds how large a JSON document is looked into.
const maxDocument = 64 << 20

// Of tells the shape of a source. It opens no private store and no folder.
func Of(ctx context.Context, src *agent.Source) (File, error) {
	var out File
	switch {
	case src.Problem != "":
		return out, errors.New(src.Problem)
	case src.Store.Coverage == catalog.Private, src.Info.Mode.IsDir(), !src.Info.Mode.IsRegular():
		return out, nil
	case src.Store.Format == catalog.SQLite, src.Store.Format == catalog.Opaque, src.Store.Format == catalog.Directory:
		return out, nil
	}
	f, err := src.Open()
	if err != nil {
		return out, err
	}
	defer f.Close()
	jsonl := src.Store.Format == catalog.JSONL
	for l, err := range lines.Scan(f, f.Info().Size) {
		if err != nil {
			return out, err
		}
		if ctx.Err() != nil {
			return out, ctx.Err()
		}
		out.Lines++
		if jsonl && !l.Blank() {
			out.record(l.Text)
		}
	}
	if src.Store.Format == catalog.JSON || src.Store.Format == catalog.JSONArray {
		err = out.document(f)
	}
	return out, err
}

func (f *File) record(line []byte) {
	objects, whole := jsonscan.Objects(line)
	if !whole {
		f.Damaged++
	}
	for _, o := range objects {
		f.Objects++
		f.Keys.object(o)
	}
}

// document reads a file that is one JSON value: an object, or an array of them.
func (f *File) document(file agent.File) error {
	if file.Info().Size > maxDocument {
		return nil
	}
	b, err := agent.Whole(file)
	if err != nil {
		return err
	}
	v, rest, _, ok := jsonscan.First(bytes.TrimPrefix(b, []byte("\ufeff")))
	if !ok || len(bytes.TrimSpace(rest)) > 0 {
		return errors.New("is not valid JSON")
	}
	if v.Kind() == jsonscan.Object {
		f.Objects++
		f.Keys.object(v)
	}
	for e := range v.Elems() {
		if e.Kind() == jsonscan.Object {
			f.Objects++
			f.Keys.object(e)
		}
	}
	return nil
}
