package project

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"
	"sync"

	"github.com/seshat-dev/seshat/record"
)

// Rule is a rule of the config: whatever ran in a folder or below it worked on the
// project whose root is given.
type Rule struct{ Prefix, Root string }

// By says how a project was decided.
type By string

// How a project was decided, the most trusted first.
const (
	ByRule   By = "rule"   // the config says so
	ByLayout By = "layout" // the place of the worktree says so
	ByGit    By = "git"    // a .git there, or git's list of worktrees
	ByAgent  By = "agent"  // its agent wrote it down
	ByFolder By = "folder" // nothing tells of a repository
)

// Ways lists how a project can be decided, the most trusted first.
func Ways() []By { return []By{ByRule, ByLayout, ByGit, ByAgent, ByFolder} }

// Found is the project of a place.
type Found struct {
	record.Project
	Key    string // what all places of one project have in common
	Repo   bool   // the root is a repository's
	Branch string // the branch that the worktree was made with, where its place tells
	By     By
	Sure   bool // nothing that stands elsewhere could tell better
}

// Config is the world of a Resolver.
type Config struct {
	FS    FS     // the disk; nil is none
	Home  string // the user's home folder
	GOOS  string
	Rules []Rule // absolute paths
	// Known gives the working folders that are known, for the questions that only
	// other sessions can answer. It is called at most once, and may be nil.
	Known func() []string
}

// Resolver answers which project a place belongs to. What it saw on the disk it does
// not look at again, so it lives no longer than one question. It may be used from
// several goroutines.
type Resolver struct {
	fs    FS
	goos  string
	home  string // as it was given
	rules []Rule
	known func() []string

	mu        sync.Mutex
	answers   map[record.Origin]Found
	folders   map[string]folder
	checkouts map[string]*checkout
	mains     map[string]string            // main checkouts, by the repository's own folder
	lists     map[string]map[string]string // git's lists of worktrees, likewise
	links     map[string]string            // repositories, by worktree, as agents wrote them down
	surveyed  bool                         // the known folders were looked at
	trees     map[string]string            // repositories' own folders, by listed worktree
	hashes    map[string]string            // known folders, by the hash of their path
}

// New gives a Resolver.
func New(c Config) *Resolver {
	r := &Resolver{
		fs: c.FS, goos: c.GOOS, home: clean(c.Home), known: c.Known,
		answers: map[record.Origin]Found{}, folders: map[string]folder{}, checkouts: map[string]*checkout{},
		mains: map[string]string{}, lists: map[string]map[string]string{}, links: map[string]string{},
	}
	for _, rule := range c.Rules {
		r.rules = append(r.rules, Rule{clean(rule.Prefix), clean(rule.Root)})
	}
	return r
}

// Link notes that a worktree belongs to the repository of another folder, because
// an agent wrote so.
func (r *Resolver) Link(worktree, repo string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if worktree, repo = clean(worktree), clean(repo); absolute(worktree) && absolute(repo) && worktree != repo {
		if _, known := r.links[r.look(worktree).real]; !known {
			r.links[r.look(worktree).real] = repo
			clear(r.answers)
		}
	}
}

// Of gives the project of a place. A place of which nothing is known has none.
func (r *Resolver) Of(o record.Origin) Found {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.of(o)
}

func (r *Resolver) of(o record.Origin) Found {
	if o.CWD == "" && o.CWDHash != "" {
		o.CWD = r.hashed(o.CWDHash)
	}
	if o.CWD == "" {
		return Found{}
	}
	f, known := r.answers[o]
	if !known {
		f = r.decide(o)
		r.answers[o] = f
	}
	return f
}

// Folder gives the known working folder that a SHA-256 in hex is of, or "".
func (r *Resolver) Folder(hash string) string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.hashed(hash)
}

func (r *Resolver) hashed(hash string) string {
	if r.hashes == nil {
		r.hashes = map[string]string{}
		if r.known != nil {
			for _, dir := range r.known() {
				sum := sha256.Sum256([]byte(dir))
				r.hashes[hex.EncodeToString(sum[:])] = dir
			}
		}
	}
	return r.hashes[hash]
}

// decide goes through what is believed, the most trusted first.
func (r *Resolver) decide(o record.Origin) Found {
	cwd := clean(o.CWD)
	if !absolute(cwd) {
		return r.found(cwd, "", "", false, ByFolder, false) // it cannot be told where it is
	}
	at := r.look(cwd)
	if f, ok := r.byRule(cwd, at.real, o.Branch); ok {
		return f
	}
	if f, ok := r.byLayout(cwd, at.real); ok {
		return f
	}
	git := r.checkoutOf(cwd)
	if git != nil && !at.exists && r.holdsHome(git.top) {
		git = nil // hardly the repository of what is gone
	}
	sure := git != nil && at.exists
	if f, ok := r.bySaying(o, at.real, git); ok {
		return f
	}
	if sure {
		return r.byGit(git, true)
	}
	if f, ok := r.byList(at.real, git); ok {
		return f
	}
	if t, ok := besideTree(at.real, o.Branch); ok && (git == nil || !within(git.top, t.holder) || git.top == t.holder) {
		return r.ofTree(t, ByLayout, t.name == "")
	}
	if git != nil {
		return r.byGit(git, false)
	}
	return r.found(at.real, "", "", false, ByFolder, false)
}

// realHome gives the home with links followed. A Resolver that is asked nothing looks
// at no disk, not even for that.
func (r *Resolver) realHome() string { return r.look(r.home).real }

// holdsHome reports whether a folder is the home or above it. A repository there
// keeps settings; that a folder which is gone was a part of it is not likely.
func (r *Resolver) holdsHome(dir string) bool { return within(r.realHome(), dir) }

// within reports whether a path is a folder or below it.
func within(p, dir string) bool {
	_, ok := below(p, dir)
	return ok
}

// upward looks a folder and those above it up, and gives the first that is there
// with what it stands for.
func upward(dir string, in map[string]string) (at, value string) {
	if len(in) == 0 {
		return "", ""
	}
	for at = dir; ; {
		if value = in[at]; value != "" {
			return at, value
		}
		up, name := parent(at)
		if name == "" {
			return "", ""
		}
		at = up
	}
}

// ruled gives the root that the config's rule with the longest prefix has for a
// folder.
func (r *Resolver) ruled(cwd, real string) (root string, ok bool) {
	best, length := -1, 0
	for i, rule := range r.rules {
		prefix := r.look(rule.Prefix).real
		if !r.same(cwd, rule.Prefix) && !r.same(real, prefix) {
			continue
		}
		if best < 0 || len(prefix) > length { // links followed: a short spelling may be of a deep folder
			best, length = i, len(prefix)
		}
	}
	if best < 0 {
		return "", false
	}
	return r.look(r.rules[best].Root).real, true
}

// byRule applies the rules of the config.
func (r *Resolver) byRule(cwd, real, branch string) (Found, bool) {
	root, ok := r.ruled(cwd, real)
	if !ok {
		return Found{}, false
	}
	worktree, made := "", ""
	if t, ok := insideTree(real); ok {
		worktree, made = t.path, t.branch
	} else if git := r.checkoutOf(cwd); git != nil && git.linked {
		worktree = git.top
	} else if t, ok := besideTree(real, branch); ok {
		worktree = t.path
	}
	return r.found(root, worktree, made, true, ByRule, true), true
}

// same reports whether a path is below a folder, however both are spelt.
func (r *Resolver) same(p, dir string) bool { return within(r.key(p), r.key(dir)) }

// byLayout knows worktrees inside a repository by their place.
func (r *Resolver) byLayout(cwd, real string) (Found, bool) {
	for _, p := range []string{cwd, real} {
		t, ok := insideTree(p)
		if !ok {
			continue
		}
		if repo := r.look(t.repo); repo.real == r.realHome() && r.dotGitOf(repo) == nil {
			continue // Claude Code's own folder, not that of a repository
		}
		return r.ofTree(t, ByLayout, true), true
	}
	return Found{}, false
}

// dotGitOf gives the checkout whose top a folder is, or nil.
func (r *Resolver) dotGitOf(f folder) *checkout {
	if c := r.checkoutOf(f.real); f.exists && c != nil && c.top == f.real {
		return c
	}
	return nil
}

// ofTree gives the project of a worktree whose repository's folder is told.
func (r *Resolver) ofTree(t tree, by By, sure bool) Found {
	worktree := t.path
	if worktree != "" {
		worktree = r.look(worktree).real
	}
	if t.repo == "" {
		f := r.found(worktree, worktree, "", true, by, false)
		f.Name, f.Root, f.Worktree, f.Key = t.name, "", r.shown(worktree), "name:"+r.key(t.name)
		return f
	}
	return r.found(r.rootOf(t.repo), worktree, t.branch, true, by, sure)
}

// rootOf gives the root of the repository whose folder a worktree's place tells.
func (r *Resolver) rootOf(dir string) string {
	at := r.look(dir)
	if root, ok := r.ruled(dir, at.real); ok {
		return root
	}
	if c := r.checkoutOf(dir); c != nil && at.exists && (c.top == at.real || !r.holdsHome(c.top)) {
		return r.repositoryOf(c)
	}
	return at.real
}

// saidRoot gives the root of the repository that an agent named by a folder of it.
func (r *Resolver) saidRoot(dir string) string {
	at := r.look(dir)
	if root, ok := r.ruled(dir, at.real); ok {
		return root
	}
	if t, ok := insideTree(dir); ok {
		return r.rootOf(t.repo)
	}
	if c := r.checkoutOf(dir); c != nil && (at.exists || !r.holdsHome(c.top)) {
		return r.repositoryOf(c)
	}
	return at.real
}

// byGit gives the project of a checkout.
func (r *Resolver) byGit(c *checkout, sure bool) Found {
	worktree := ""
	if c.linked {
		worktree = c.top
	}
	return r.found(r.repositoryOf(c), worktree, "", true, ByGit, sure)
}

// repositoryOf gives a repository's root. Where the repository lies apart from its
// main checkout, only that tells of it, so that all that is known is looked at.
func (r *Resolver) repositoryOf(c *checkout) string {
	if c.linked && base(c.common) != ".git" && r.mains[c.common] == "" {
		if r.lookForMain(c.common); r.mains[c.common] == "" {
			r.survey()
		}
	}
	return r.repository(c)
}

// beats reports whether word of a worktree goes before the checkout that git tells
// of: that may be the one around it.
func beats(worktree string, git *checkout) bool {
	return git == nil || within(worktree, git.top) && worktree != git.top
}

// bySaying gives the project of a worktree that an agent wrote down.
func (r *Resolver) bySaying(o record.Origin, real string, git *checkout) (Found, bool) {
	if o.Repo != "" && o.Worktree != "" {
		if w := r.look(clean(o.Worktree)).real; within(real, w) && beats(w, git) {
			return r.found(r.saidRoot(clean(o.Repo)), w, "", true, ByAgent, true), true
		}
	}
	if w, repo := upward(real, r.links); w != "" && beats(w, git) {
		return r.found(r.saidRoot(repo), w, "", true, ByAgent, true), true
	}
	return Found{}, false
}

// byList gives the project of a worktree that git's list for some known repository
// has, and that may be gone.
func (r *Resolver) byList(real string, git *checkout) (Found, bool) {
	r.survey()
	if w, common := upward(real, r.trees); w != "" && beats(w, git) {
		return r.found(r.repository(&checkout{common: common, linked: true}), w, "", true, ByGit, true), true
	}
	return Found{}, false
}

// survey looks at all known folders for repositories and at git's lists of their
// worktrees, which also name those that are gone. It is done once and only where
// it can help.
func (r *Resolver) survey() {
	if r.surveyed {
		return
	}
	r.surveyed, r.trees = true, map[string]string{}
	if r.known == nil {
		return
	}
	for _, dir := range r.known() {
		dir = clean(dir)
		if !absolute(dir) {
			continue
		}
		at := r.look(dir)
		c := r.checkoutOf(dir)
		if t, ok := insideTree(dir); ok && c == nil {
			c = r.checkoutOf(t.repo)
		}
		if c == nil || c.common == "" || !at.exists && r.holdsHome(c.top) {
			continue
		}
		for tree := range r.listed(c.common) {
			r.trees[tree] = c.common
		}
	}
}

// found puts an answer together.
func (r *Resolver) found(root, worktree, branch string, repo bool, by By, sure bool) Found {
	f := Found{Key: r.key(root), Repo: repo, Branch: branch, By: by, Sure: sure}
	if worktree == root {
		worktree = ""
	}
	f.Root, f.Worktree = r.shown(root), r.shown(worktree)
	f.Name = base(root)
	if repo && f.Name != ".git" {
		f.Name = strings.TrimSuffix(f.Name, ".git")
	}
	if f.Name == "" {
		f.Name = f.Root
	}
	return f
}

// shown spells a path below the home as the home is spelt, which may be a link.
func (r *Resolver) shown(p string) string {
	if rest, ok := below(p, r.realHome()); ok && r.realHome() != r.home {
		if rest == "" {
			return r.home
		}
		return join(r.home, rest)
	}
	return p
}
