// Package project tells which project a session worked in.
//
// A reader may rely on this. The answer comes from the folder that the agent
// wrote down and from nothing else: no disk is looked at, and a folder name that
// an agent made from a path is never decoded, since that cannot be done rightly.
package project

import (
	"path"
	"strings"

	"github.com/seshat-dev/seshat/record"
)

// worktreeMarks stand between a repository and the worktrees that an agent makes
// inside it.
var worktreeMarks = []string{"/.claude/worktrees/", "/.gemini/worktrees/"}

// Of gives the project of a working folder. The empty folder has none.
func Of(cwd string) record.Project {
	if cwd == "" {
		return record.Project{}
	}
	root, worktree := cwd, ""
	slashed := strings.ReplaceAll(cwd, `\`, "/")
	if !windows(cwd) {
		slashed = cwd
	}
	for _, mark := range worktreeMarks {
		if i := strings.Index(slashed, mark); i > 0 {
			name, _, _ := strings.Cut(slashed[i+len(mark):], "/")
			root, worktree = cwd[:i], cwd[:i+len(mark)+len(name)]
			slashed = slashed[:i]
			break
		}
	}
	name := path.Base(slashed)
	if name == "." || name == "/" {
		name = root
	}
	return record.Project{Name: name, Root: root, Worktree: worktree}
}

// windows reports whether a path is written as Windows writes it.
func windows(p string) bool {
	return len(p) > 2 && p[1] == ':' && p[2] == '\\' || strings.HasPrefix(p, `\\`)
}
