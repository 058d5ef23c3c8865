package seshat

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"os"
	"path"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"github.com/seshat-dev/seshat/agent"
	"github.com/seshat-dev/seshat/internal/lines"
	"github.com/seshat-dev/seshat/internal/needle"
	"github.com/seshat-dev/seshat/internal/own"
	"github.com/seshat-dev/seshat/internal/search"
	"github.com/seshat-dev/seshat/internal/secret"
)

// references finds out which files of ref stores are referred to by what is kept. A file
// is looked for in everything once; from then on only in what has changed, since what is
// as it was refers to nothing new.
type references struct {
	l    *Library
	how  keeping
	path string          // of the file that says what was looked for; empty when there is none
	done map[string]bool // paths that were looked for in all that was kept then
	wide time.Time       // when a run last looked where settings lead to
}

// refsName is the file, in the cache, of what was looked for already.
const refsName = "archive-references"

func (l *Library) newReferences(how keeping) *references {
	r := &references{l: l, how: how, done: map[string]bool{}}
	if dir := l.cacheDir(); dir != "" {
		r.path = filepath.Join(dir, refsName)
		var was lookedFor
		if b, err := os.ReadFile(r.path); err == nil && json.Unmarshal(b, &was) == nil && was.Build == l.opts.Build {
			r.wide = was.Wide
			for _, p := range was.Paths {
				r.done[string(p)] = true
			}
		}
	}
	return r
}

// lookedFor is what is kept between runs: paths that nothing referred to.
type lookedFor struct {
	Build string
	Wide  time.Time
	Paths [][]byte // any bytes
}

// save notes what this run looked for. A run without it is only slower.
func (r *references) save(unreferred []keepFile) {
	if r.path == "" {
		return
	}
	out := lookedFor{Build: r.l.opts.Build, Wide: r.wide}
	for _, f := range unreferred {
		if secret.Mask(f.Path) == f.Path { // one with a credential in it is looked for again and again
			out.Paths = append(out.Paths, []byte(f.Path))
		}
	}
	b, err := json.Marshal(out)
	if old, rerr := os.ReadFile(r.path); err != nil || rerr == nil && bytes.Equal(old, b) {
		return
	}
	if own.MakeFolder(filepath.Dir(r.path)) == nil {
		_ = own.Replace(r.path, b)
	}
}

// split gives, of the files of ref stores, those that are referred to and those that are
// not. files are all that is kept, changed tells of which something is new, and has which
// files the archive has: they were referred to once, and stay.
func (r *references) split(ctx context.Context, refs, files []keepFile, changed, has func(keepFile) bool) (in, out []keepFile, err error) {
	fresh := map[string]bool{} // stores with a file that was never looked for
	refs = slices.DeleteFunc(slices.Clone(refs), func(f keepFile) bool {
		known := has(f)
		if known {
			in = append(in, f)
		} else if !r.done[f.Path] {
			fresh[f.Store.ID] = true
		}
		return known
	})
	looks := map[string]*look{} // by the store of what may refer
	for _, f := range refs {
		ref := r.how[f.Agent].Refs[f.Store.ID]
		names := ref.Names(path.Base(f.Name))
		if len(names) == 0 {
			in = append(in, f) // no bytes can tell, and too much is better than too little
			continue
		}
		for _, store := range ref.In {
			if looks[store] == nil {
				looks[store] = &look{names: map[string]bool{}}
			}
			looks[store].add(ref.After, names, fresh[f.Store.ID])
		}
	}
	var jobs []keepFile
	for _, f := range files {
		if k := looks[f.Store.ID]; k != nil && f.Problem == "" && (k.all || changed(f)) {
			jobs = append(jobs, f)
		}
	}
	found := map[string]bool{}
	var mu sync.Mutex
	work := func(ctx context.Context, f keepFile, emit func(struct{}) error) error {
		looks[f.Store.ID].scan(ctx, f.Source.Source, func(name string) {
			mu.Lock()
			found[name] = true
			mu.Unlock()
		})
		return emit(struct{}{})
	}
	for _, k := range looks {
		k.words = needle.NewWords(k.after...)
	}
	if err := search.Ordered(ctx, jobs, r.l.opts.Workers, work, func(keepFile, struct{}) error { return nil }); err != nil {
		return nil, nil, err
	}
	for _, f := range refs {
		names := r.how[f.Agent].Refs[f.Store.ID].Names(path.Base(f.Name))
		switch {
		case len(names) == 0:
		case slices.ContainsFunc(names, func(n string) bool { return found[n] }):
			in = append(in, f)
		default:
			out = append(out, f)
		}
	}
	return in, out, nil
}

// look is what is looked for in the sources of one store.
type look struct {
	after []string
	words *needle.Words
	names map[string]bool
	all   bool // also in what is as it was
}

func (k *look) add(after, names []string, all bool) {
	for _, word := range after {
		if !slices.Contains(k.after, word) {
			k.after = append(k.after, word)
		}
	}
	for _, name := range names {
		k.names[name] = true
	}
	k.all = k.all || all
}

// reach is how many bytes behind a word a name may stand: behind the rest of a path.
const reach = 300

// scan tells which names stand behind a word in a source. What cannot be read names
// nothing; that it cannot be is told where it is kept.
func (k *look) scan(ctx context.Context, src *agent.Source, found func(name string)) {
	f, err := src.Open()
	if err != nil {
		return
	}
	defer f.Close()
	_ = k.scanBytes(ctx, f, f.Info().Size, found)
}

// scanBytes tells which names stand behind a word in some bytes, each once.
func (k *look) scanBytes(ctx context.Context, r io.ReaderAt, size int64, found func(name string)) error {
	text := lines.NewChunks(r, size)
	defer text.Close()
	seen := map[string]bool{}
	for ctx.Err() == nil {
		chunk, _, err := text.Next()
		if err != nil || len(chunk) == 0 {
			return err
		}
		k.words.Each(chunk, func(word, at int) {
			from := at + len(k.after[word])
			for _, name := range namesIn(chunk[from:min(len(chunk), from+reach)]) {
				if known := k.names[string(name)]; known && !seen[string(name)] {
					seen[string(name)] = true
					found(string(name))
				}
			}
		})
	}
	return ctx.Err()
}

// namesIn gives the plain names that stand in some bytes. A dot at the end of one may be
// that of a sentence: without it the name counts too.
func namesIn(b []byte) (names [][]byte) {
	start := -1
	for i := 0; i <= len(b); i++ {
		if i < len(b) && agent.Plain(rune(b[i])) {
			if start < 0 {
				start = i
			}
			continue
		}
		if start >= 0 {
			name := b[start:i]
			names = append(names, name)
			if cut := bytes.TrimRight(name, "."); len(cut) > 0 && len(cut) < len(name) {
				names = append(names, cut)
			}
			start = -1
		}
	}
	return names
}
