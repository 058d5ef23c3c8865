// Package project tells which project a session worked in, and in which worktree
// of it: all worktrees of a repository are one project.
//
// A reader may rely on this. A Resolver gets its world as values and looks at the
// disk only through an FS: at the folders on the way up from a working folder, at
// the .git in them, and at git's own small files (gitdir, commondir, HEAD). Git is
// never run and no checkout is walked. A folder on another machine is never asked
// for. A folder name that an agent made from a path is never decoded, since that
// cannot be done rightly. Where nothing proves a repository, the folder itself is
// the project: a wrong path is worse than none.
//
// What is believed, in this order:
//
//  1. rules of the config;
//  2. worktrees inside a repository, by their place: <repo>/.claude/worktrees/<name>
//     and <repo>/.gemini/worktrees/<name>;
//  3. .git in the folder or above it, as git itself looks for it;
//  4. what an agent wrote down: that a worktree belongs to a repository;
//  5. git's own list of the worktrees of a repository that is known;
//  6. worktrees beside a repository, by their place: <repo>.worktrees/<branch path>
//     and, without the repository's path, ~/.codex/worktrees/<hash>/<repo>;
//  7. the folder itself.
//
// A .git above a folder that is gone proves less than what names a place nearer to
// the folder.
package project
