package seshat

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/seshat-dev/seshat/agent"
	"github.com/seshat-dev/seshat/agent/claude"
	"github.com/seshat-dev/seshat/catalog"
	"github.com/seshat-dev/seshat/internal/hook"
	"github.com/seshat-dev/seshat/internal/secret"
)

// HookProgram is the seshat that the hook starts: where it lies, and the platform.
type HookProgram = hook.Program

// ErrHookBusy says that another drain runs, which sees to everything.
var ErrHookBusy = hook.ErrBusy

// ErrHookChanged says that somebody else wrote the settings at the same time.
var ErrHookChanged = hook.ErrChanged

// settingsName is the file in a data folder that holds a person's own settings.
const settingsName = "settings.json"

// HookEdit is what became, or would become, of one settings file.
type HookEdit struct {
	Path string
	hook.Edited
	Err error // why nothing was or would be done; it does not name the file
}

// HookEvents lists the events that the hook is for.
func HookEvents(sessionStart bool) []string {
	if sessionStart {
		return []string{hook.SessionEnd, hook.SessionStart}
	}
	return []string{hook.SessionEnd}
}

// InstallHook puts the hook into the settings of every data folder of Claude Code, or
// tells what that would do.
func (l *Library) InstallHook(p HookProgram, events []string, write bool) ([]HookEdit, error) {
	return l.editHooks(write, func(b []byte) ([]byte, error) { return hook.Install(b, p, events) })
}

// RemoveHook takes the hook out of the settings of every data folder of Claude Code,
// or tells what that would do.
func (l *Library) RemoveHook(p HookProgram, write bool) ([]HookEdit, error) {
	return l.editHooks(write, func(b []byte) ([]byte, error) { return hook.Remove(b, p) })
}

func (l *Library) editHooks(write bool, change func([]byte) ([]byte, error)) ([]HookEdit, error) {
	dirs, err := l.hookFolders()
	if err != nil {
		return nil, err
	}
	editor := l.hookEditor()
	edit := editor.Plan
	if write {
		home, err := l.hookHome()
		if err != nil {
			return nil, err
		}
		editor.Backups = home.Backups()
		edit = editor.Edit
	}
	var out []HookEdit
	for _, dir := range dirs {
		e := HookEdit{Path: filepath.Join(dir, settingsName)}
		if fi, err := os.Stat(dir); err != nil || !fi.IsDir() {
			e.Err = errors.New("lies in a folder that is not there")
		} else {
			e.Edited, e.Err = edit(e.Path, change)
		}
		out = append(out, e)
	}
	return l.redaction().hookEdits(out), nil
}

// hookEditor gives what reads settings, and edits them when it has a folder for backups.
func (l *Library) hookEditor() hook.Editor {
	private := l.env(claude.Name).Private
	return hook.Editor{Now: time.Now, Private: func(path string) bool { return private(path, false) }}
}

// claude gives the adapter that the hook is for.
func (l *Library) claude() (agent.Adapter, error) {
	for _, a := range l.adapters {
		if a.Name() == claude.Name {
			return a, nil
		}
	}
	return nil, usagef("the hook is one of Claude Code's, which --agent leaves out")
}

// hookFolders lists the data folders whose settings are a person's own.
func (l *Library) hookFolders() (dirs []string, err error) {
	a, err := l.claude()
	if err != nil {
		return nil, err
	}
	named := len(l.roots[a.Name()]) > 0 || l.opts.Vars["CLAUDE_CONFIG_DIR"] != ""
	for _, p := range a.Places(l.env(a.Name())) {
		_, err := os.Stat(p.Dir)
		usual := !named && p.Dir == filepath.Join(l.opts.Home, ".claude")
		if p.Head == catalog.Data && !(usual && errors.Is(err, fs.ErrNotExist)) {
			dirs = append(dirs, p.Dir)
		}
	}
	if len(dirs) == 0 {
		return nil, errors.New("no data folder of Claude Code is here; start it once, or name one with --root claude=DIR")
	}
	return dirs, nil
}

// hookHome gives the folder of seshat's own things for the hook.
func (l *Library) hookHome() (hook.Home, error) {
	dir, err := l.dataDir("the hook needs")
	return hook.HomeIn(dir), err
}

// RunHook is what the hook does when Claude Code starts it: it notes in seshat's data
// folder that a session ended, and has start begin a drain in that folder, which
// outlives this process. A config that cannot be read does not keep it from that.
func RunHook(opts Options, in io.Reader, start func(dir string) error) error {
	l, err := Open(opts)
	if l == nil {
		return err
	}
	home, err := l.hookHome()
	if err != nil {
		return err
	}
	trusted := l.trusted()
	noted := func(path string) string {
		if path = trusted(path); secret.Mask(path) != path {
			return "" // no queue holds a credential; an entry without a name waits as long
		}
		return path
	}
	return hook.Hook{Home: home, Now: time.Now, Trusted: noted, Start: func() error { return start(home.Dir) }}.Run(in)
}

// Detach starts a program that outlives this process, and belongs to nobody that waits
// for it.
func Detach(program string, args, env []string, dir string) error {
	return hook.Detach(program, args, env, dir)
}

// DrainHook waits until the transcripts that hooks named are quiet, and archives what is
// at risk. A config that cannot be read is a failure of that, and may be mended before
// the next attempt.
func DrainHook(ctx context.Context, opts Options) error {
	l, err := Open(opts)
	if l == nil {
		return err
	}
	home, err := l.hookHome()
	if err != nil {
		return err
	}
	keep := func(ctx context.Context) error {
		l, err := Open(opts)
		if err != nil {
			return err
		}
		run, _, err := l.Archive(ctx, ArchiveQuery{})
		if err == nil && run.Stopped != "" {
			err = errors.New(run.Stopped)
		}
		return err
	}
	return hook.Drain{Home: home, Archive: keep, Now: time.Now, Sleep: sleep, Trusted: l.trusted(), Mask: secret.Mask}.Run(ctx)
}

func sleep(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// trusted gives what a path that somebody names as a transcript leads to, when that is
// a transcript in a data folder of Claude Code, and "" otherwise. What lies elsewhere
// is not looked at.
func (l *Library) trusted() func(path string) string {
	var dirs []string
	for _, a := range l.all {
		if a.Name() != claude.Name {
			continue
		}
		for _, p := range l.everyPlace(a) {
			if p.Head == catalog.Data || p.Head == catalog.UserData {
				dirs = append(dirs, filepath.Clean(p.Dir), followed(p.Dir))
			}
		}
	}
	within := func(path string) bool {
		for _, dir := range dirs {
			if rel, err := filepath.Rel(dir, path); err == nil && rel != "." && filepath.IsLocal(rel) {
				return true
			}
		}
		return false
	}
	private := l.env(claude.Name).Private
	return func(path string) string {
		if path = filepath.Clean(path); !filepath.IsAbs(path) || filepath.Ext(path) != ".jsonl" || !within(path) {
			return ""
		}
		real, err := filepath.EvalSymlinks(path)
		if err != nil || filepath.Ext(real) != ".jsonl" || !within(real) || private(real, false) {
			return ""
		}
		return real
	}
}
