package project

import (
	"path"
	"sort"
	"strings"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"

	"github.com/seshat-dev/seshat/record"
)

// Fold makes two spellings of a name comparable: in Unicode's composed form, case
// folded.
func Fold(s string) string {
	if ascii(s) {
		return strings.ToLower(s)
	}
	return norm.NFC.String(cases.Fold().String(norm.NFC.String(s)))
}

func ascii(s string) bool {
	for i := range len(s) {
		if s[i] >= 0x80 {
			return false
		}
	}
	return true
}

// key gives what all spellings of a path have in common: its composed form, and
// where file systems mostly take no notice of case, its folded one.
func (r *Resolver) key(p string) string {
	if Windows(p) || r.goos == "darwin" || strings.HasPrefix(p, "/mnt/") && len(p) > 6 && p[6] == '/' {
		return Fold(p)
	}
	return norm.NFC.String(p)
}

// Matches reports whether a value is a pattern: the same text, or a glob that it
// fits, whole and whatever the case.
func Matches(pattern, value string) bool {
	pattern, value = Fold(pattern), Fold(value)
	if pattern == value {
		return true
	}
	// A star crosses slashes here: they are part of a branch's name.
	flat := strings.NewReplacer("/", "\x00")
	ok, err := path.Match(flat.Replace(pattern), flat.Replace(value))
	return ok && err == nil
}

// Filter is a project that is asked for: by its name, or by its path.
type Filter struct {
	name  string
	paths [][]string // components, folded; a glob may stand for one
	top   bool       // the paths begin at the top
}

// Filter reads what somebody asks for. A value with a slash is a path: one that
// begins at the top is compared from there, any other anywhere, component by
// component. ~ in front is the home.
func (r *Resolver) Filter(value string) Filter {
	if !strings.Contains(value, "/") && !Windows(value) {
		return Filter{name: value}
	}
	if rest, ok := strings.CutPrefix(value, "~/"); ok {
		value = join(r.home, rest)
	}
	value = clean(value)
	f := Filter{top: absolute(value), paths: [][]string{folded(value)}}
	r.mu.Lock()
	defer r.mu.Unlock()
	if real := r.shown(r.look(value).real); f.top && real != value {
		f.paths = append(f.paths, folded(real))
	}
	return f
}

func folded(p string) []string {
	parts := names(p)
	for i := range parts {
		parts[i] = Fold(parts[i])
	}
	return parts
}

// Match reports whether a project is the one that is asked for. A path that holds
// the project, or the worktree, is one of it.
func (f Filter) Match(p Found) bool {
	if f.paths == nil {
		return p.Name != "" && Matches(f.name, p.Name)
	}
	for _, want := range f.paths {
		if f.along(want, p.Root) || f.along(want, p.Worktree) {
			return true
		}
	}
	return false
}

// along reports whether a path leads through the wanted components.
func (f Filter) along(want []string, p string) bool {
	if p == "" {
		return false
	}
	parts := folded(p)
	for i := 0; i+len(want) <= len(parts); i++ {
		if starts(parts[i:], want) {
			return true
		}
		if f.top {
			break
		}
	}
	return false
}

func starts(parts, want []string) bool {
	for i, glob := range want {
		if ok, err := path.Match(glob, parts[i]); glob != parts[i] && (!ok || err != nil) {
			return false
		}
	}
	return true
}

// Here gives the key of the project that a folder belongs to. Where no repository
// is, the nearest folder above it that is a project counts, but for the home and
// what holds that: a session there makes no project of everything below.
func (r *Resolver) Here(dir string, projects map[string]bool) string {
	here := r.Of(record.Origin{CWD: dir})
	if here.By != ByFolder || projects[here.Key] {
		return here.Key
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	for at := r.look(clean(dir)).real; !r.holdsHome(at); {
		if projects[r.key(at)] {
			return r.key(at)
		}
		up, name := parent(at)
		if name == "" {
			break
		}
		at = up
	}
	return here.Key
}

// Worktree is one working tree beside a repository's main one.
type Worktree struct {
	Path   string
	Branch string // that its HEAD names now, or that it was made with
	Gone   bool
}

// Worktrees gives the worktrees of a repository: those that git lists, and the given
// ones, which sessions ran in, with the branch that each was last known to have.
func (r *Resolver) Worktrees(root string, used map[string]string) []Worktree {
	r.mu.Lock()
	defer r.mu.Unlock()
	byPath := map[string]Worktree{}
	if c := r.dotGitOf(r.look(clean(root))); c != nil {
		for tree, entry := range r.listed(c.common) {
			if at := r.look(tree); at.exists {
				byPath[r.shown(tree)] = Worktree{Path: r.shown(tree), Branch: r.branchAt(entry)}
			}
		}
	}
	for p, branch := range used {
		if _, known := byPath[p]; !known {
			byPath[p] = Worktree{Path: p, Branch: branch, Gone: !r.look(clean(p)).exists}
		}
	}
	out := make([]Worktree, 0, len(byPath))
	for _, w := range byPath {
		out = append(out, w)
	}
	sort.Slice(out, func(i, j int) bool { return out[i].Path < out[j].Path })
	return out
}
