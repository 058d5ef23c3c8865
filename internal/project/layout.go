package project

import "strings"

// inside lists the names between a repository and the worktrees that an agent makes
// in it: claude -w and gemini -w put a worktree there and call its branch
// worktree-<name>.
var inside = [][2]string{{".claude", "worktrees"}, {".gemini", "worktrees"}}

// tree is what the place of a worktree tells.
type tree struct {
	repo   string // the repository's folder; empty where the place does not tell
	name   string // the repository's name, where only that is told
	path   string // the worktree; empty where its end cannot be told
	holder string // the folder that such worktrees lie in
	branch string // as it was made
}

// insideTree finds the worktree inside a repository that a path leads into. Of one
// in another the outer repository and the inner worktree count.
func insideTree(p string) (t tree, ok bool) {
	parts := names(p)
	for i := 1; i+2 < len(parts); i++ {
		for _, mark := range inside {
			if parts[i] != mark[0] || parts[i+1] != mark[1] {
				continue
			}
			if t.repo == "" {
				t.repo, t.holder = head(p, i), head(p, i+2)
			}
			t.path, t.branch = head(p, i+3), "worktree-"+parts[i+2]
		}
	}
	return t, t.repo != ""
}

// besideTree finds the worktree beside a repository that a path leads into: below
// <repo>.worktrees, where its folder is called like its branch, or below the folder
// that Codex keeps worktrees in, which names the repository but not its place.
func besideTree(p, branch string) (t tree, ok bool) {
	parts := names(p)
	for i, name := range parts {
		if repo, is := strings.CutSuffix(name, ".worktrees"); is && repo != "" && i > 0 {
			dir, _ := parent(head(p, i+1))
			t = tree{repo: join(dir, repo), holder: head(p, i+1)}
			if n := branchNames(parts[i+1:], branch); n > 0 {
				t.path = head(p, i+1+n)
			}
			return t, true
		}
		if name == ".codex" && i+3 < len(parts) && parts[i+1] == "worktrees" {
			return tree{name: parts[i+3], path: head(p, i+4), holder: head(p, i+2)}, true
		}
	}
	return tree{}, false
}

// branchNames tells how many of some names are a worktree's: those of its branch,
// or the only one there is; 0 where nothing tells.
func branchNames(parts []string, branch string) int {
	want := strings.Split(branch, "/")
	switch {
	case len(parts) == 1, len(parts) > 0 && parts[0] == strings.ReplaceAll(branch, "/", "-"):
		return 1
	case branch == "" || len(want) > len(parts):
		return 0
	}
	for i, name := range want {
		if parts[i] != name {
			return 0
		}
	}
	return len(want)
}

// head gives a clean path up to its nth name.
func head(p string, n int) string {
	at := 0
	for ; n > 0; n-- {
		for at < len(p) && p[at] == separator(p)[0] {
			at++
		}
		for at < len(p) && p[at] != separator(p)[0] {
			at++
		}
	}
	return p[:at]
}
