package seshat

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/seshat-dev/seshat/agent"
	"github.com/seshat-dev/seshat/catalog"
	"github.com/seshat-dev/seshat/internal/hook"
	"github.com/seshat-dev/seshat/internal/rootfs"
)

// HookState is how the hook stands in one settings file, or in all of them.
type HookState string

// The states.
const (
	HookInstalled HookState = "installed"
	HookMissing   HookState = "missing"
	HookBroken    HookState = "broken" // it is there and cannot work, or nobody can tell
)

// HookStatus is how the hook stands.
type HookStatus struct {
	State    HookState
	Program  string // that looks
	Settings []HookSettings
	Off      []HookOff // folders in which Claude Code runs no hooks of a person's own
	Queue    int       // ended sessions that wait to be archived
	Last     *HookOutcome
	Failure  *HookFailure
	Problems []agent.Problem // other settings that cannot be read
	Unseen   []string        // what can keep hooks from running and is on no disk
}

// HookOutcome is how the last attempt to archive what hooks named ended.
type HookOutcome = hook.Outcome

// HookFailure is the last failure of one.
type HookFailure = hook.Failure

// HookSettings is one settings file that the hook belongs into.
type HookSettings struct {
	Path    string
	State   HookState
	Entries []HookEntry
	Problem string     // why the file cannot be understood
	Rule    agent.Rule // that keeps hooks of these settings from running wherever Claude Code is started
}

// HookEntry is one entry of seshat's.
type HookEntry struct {
	Event   string
	Program string // that it starts
	Runs    HookRuns
}

// HookRuns tells about the program of an entry.
type HookRuns string

// What an entry may start.
const (
	RunsThis  HookRuns = "this"  // the program that looks
	RunsOther HookRuns = "other" // another program
	RunsNone  HookRuns = "none"  // one that is not there, or cannot be run: it was moved
)

// HookOff is a folder that says of itself that no hooks run in it.
type HookOff struct {
	Folder string
	Rule   agent.Rule
}

// HookStatus tells which settings hold the hook, what keeps it from working, and what
// became of it.
func (l *Library) HookStatus(ctx context.Context, p HookProgram) (*HookStatus, error) {
	dirs, err := l.hookFolders()
	if err != nil {
		return nil, err
	}
	s := &switches{l: l, env: l.env("claude")}
	if s.agent, err = l.claude(); err != nil {
		return nil, err
	}
	s.readManaged()
	out := &HookStatus{Program: p.Path, Unseen: s.unseen()}
	for _, dir := range dirs {
		out.Settings = append(out.Settings, s.settings(dir, p))
	}
	if out.Off, err = s.folders(ctx, dirs); err != nil {
		return nil, err
	}
	out.Problems = s.problems
	if home, err := l.hookHome(); err == nil {
		out.Queue = home.Queue().Len()
		if o, ok := home.Last(); ok {
			out.Last = &o
		}
		if f, ok := home.LastFailure(); ok {
			out.Failure = &f
		}
	}
	out.State = out.state()
	return l.redaction().hookStatus(out), nil
}

// state puts together what all settings say.
func (h *HookStatus) state() HookState {
	n := map[HookState]int{}
	for _, s := range h.Settings {
		n[s.State]++
	}
	switch {
	case n[HookMissing] == len(h.Settings):
		return HookMissing
	case n[HookInstalled] < len(h.Settings) || h.Last != nil && h.Last.Failed:
		return HookBroken
	}
	return HookInstalled
}

// switches reads the settings that keep hooks from running: those of whoever manages
// the machine, else of the folder that Claude Code is started in, local before shared,
// else the person's own. Managed settings can also let managed hooks run only.
type switches struct {
	l        *Library
	env      agent.Env
	agent    agent.Adapter
	managed  []said // by files of the machine
	problems []agent.Problem
}

// said is what one settings file says.
type said struct {
	hook.Switches
	path string
}

// rule names the setting that turns hooks off, if one does.
func (s said) rule(managed bool) (agent.Rule, bool) {
	switch {
	case s.Off:
		return agent.Rule{Setting: "disableAllHooks true", Path: s.path}, true
	case managed && s.ManagedOnly:
		return agent.Rule{Setting: "allowManagedHooksOnly true", Path: s.path}, true
	}
	return agent.Rule{}, false
}

// read reads a settings file of somebody else's, whose problems are only worth a note.
// One that is not there says nothing.
func (s *switches) read(root agent.Root, name string) said {
	at := said{path: rootfs.Path(root, name)}
	b, err := rootfs.ReadSmall(root, name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return at
	case err != nil:
		err = errors.New("cannot be read: " + agent.Reason(err))
	default:
		at.Switches, err = hook.ReadSwitches(b)
	}
	if err != nil {
		s.problems = append(s.problems, agent.Problem{Path: at.path, Reason: err.Error(), Reach: catalog.Search})
	}
	return at
}

// aside opens a folder that may hold settings; nil where there is none.
func (s *switches) aside(dir string, head catalog.Head) agent.Root {
	root, err := rootfs.Aside(s.env, s.agent.Catalog(), dir, head)
	if err != nil {
		s.problems = append(s.problems, agent.Problem{Path: dir, Reason: agent.Reason(err), Reach: catalog.Search})
	}
	return root
}

// readManaged reads the settings of the machine.
func (s *switches) readManaged() {
	for _, p := range s.agent.Places(s.env) {
		if p.Head != catalog.System {
			continue
		}
		root := s.aside(p.Dir, catalog.System)
		if root == nil {
			continue
		}
		names := []string{"managed-settings.json"}
		entries, err := root.List("managed-settings.d")
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			s.problems = append(s.problems, agent.Problem{Path: rootfs.Path(root, "managed-settings.d"), Reason: agent.Reason(err), Reach: catalog.Search})
		}
		for _, e := range entries {
			if strings.HasSuffix(e.Name, ".json") {
				names = append(names, "managed-settings.d/"+e.Name)
			}
		}
		for _, name := range names {
			s.managed = append(s.managed, s.read(root, name))
		}
	}
}

// settings tells about the person's own settings in a data folder.
func (s *switches) settings(dir string, p HookProgram) HookSettings {
	out := HookSettings{Path: filepath.Join(dir, settingsName), State: HookMissing}
	root := s.aside(dir, catalog.Data)
	if root == nil {
		out.Problem, out.State = "lies in a folder that is not there", HookBroken
		return out
	}
	// Read as it is edited: it may be a link to a file of whatever name.
	own := said{path: out.Path}
	data, err := s.l.hookEditor().Read(out.Path)
	if err == nil && data != nil {
		own.Switches, err = hook.ReadSwitches(data)
	}
	if err == nil && data != nil {
		err = out.look(data, p)
	}
	if err != nil {
		out.Problem, out.State = err.Error(), HookBroken
		return out
	}
	managed := append(slices.Clone(s.managed), s.read(root, "remote-settings.json"))
	out.Rule = inForce(managed, []said{own})
	if out.State != HookMissing && out.Rule.Setting != "" {
		out.State = HookBroken
	}
	return out
}

// look fills in the entries that settings hold.
func (out *HookSettings) look(data []byte, p HookProgram) error {
	found, err := hook.Look(data, p)
	if err != nil {
		return err
	}
	for _, f := range found {
		e := HookEntry{Event: f.Event, Program: f.Program, Runs: runs(f.Program, p)}
		out.Entries = append(out.Entries, e)
		if e.Event == hook.SessionEnd && out.State == HookMissing {
			out.State = HookInstalled
		}
	}
	for _, e := range out.Entries {
		if e.Runs == RunsNone {
			out.State = HookBroken
		}
	}
	return nil
}

// runs tells about the program of an entry.
func runs(path string, p HookProgram) HookRuns {
	if !filepath.IsAbs(path) {
		return RunsNone // what it leads to hangs on where Claude Code is
	}
	fi, err := os.Stat(path)
	if err != nil || !fi.Mode().IsRegular() || runtime.GOOS != "windows" && fi.Mode().Perm()&0o111 == 0 {
		return RunsNone
	}
	if this, err := os.Stat(p.Path); err == nil && os.SameFile(fi, this) {
		return RunsThis
	}
	return RunsOther
}

// inForce gives the rule that turns hooks off, if one does. Of managed settings any
// counts: which of them wins cannot be told from here. Of others the first that says
// something does.
func inForce(managed, others []said) agent.Rule {
	on := false
	for _, m := range managed {
		if r, off := m.rule(true); off {
			return r
		}
		on = on || m.On
	}
	for _, o := range others {
		if r, off := o.rule(false); off && !on {
			return r
		}
		on = on || o.On
	}
	return agent.Rule{}
}

// folders gives the folders in which settings of their own turn hooks off: those that
// sessions ran in, and the current one.
func (s *switches) folders(ctx context.Context, data []string) (out []HookOff, err error) {
	w, err := s.l.discover(ctx, false)
	if err != nil {
		return nil, err
	}
	w.memory.open()
	seen := map[string]bool{}
	for _, dir := range append([]string{s.l.opts.WorkDir}, w.places.known(ctx)...) {
		if !filepath.IsAbs(dir) || seen[dir] || slices.Contains(data, filepath.Join(dir, ".claude")) {
			continue
		}
		seen[dir] = true
		root := s.aside(dir, catalog.Repo)
		if root == nil {
			continue
		}
		own := []said{s.read(root, ".claude/settings.local.json"), s.read(root, ".claude/"+settingsName)}
		if r := inForce(nil, own); r.Setting != "" && !s.managedOn() {
			out = append(out, HookOff{dir, r})
		}
	}
	return out, nil
}

// managedOn reports whether managed settings say that hooks run.
func (s *switches) managedOn() bool {
	return slices.ContainsFunc(s.managed, func(m said) bool { return m.On })
}

// unseen tells what can keep hooks from running and is on no disk.
func (s *switches) unseen() []string {
	out := []string{"flags that Claude Code is started with (--bare, --settings)"}
	switch s.env.GOOS {
	case "darwin":
		out = append(out, "settings of a profile that manages the device")
	case "windows":
		out = append(out, "settings in the registry")
	}
	return out
}
