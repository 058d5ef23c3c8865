package claude

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/seshat-dev/seshat/agent"
	"github.com/seshat-dev/seshat/catalog"
	"github.com/seshat-dev/seshat/internal/jsonscan"
	"github.com/seshat-dev/seshat/internal/rootfs"
)

const (
	periodKey   = "cleanupPeriodDays"
	desktopKey  = "desktopSessionCleanupPeriodDays"
	defaultDays = 30      // [official documentation: claude-directory]
	longDays    = 3650    // what an edit sets: ten years
	maxDays     = 100_000 // more is no longer a length of time that can be added to a date
)

// choice is a number of days that may be in force, and what says so.
type choice struct {
	days int64
	rule agent.Rule
	keep *agent.Edit
}

func (c choice) length() time.Duration { return time.Duration(c.days) * 24 * time.Hour }

// period is how long files of one data folder are kept. A sweep takes the settings
// of the folder in which Claude Code is started, and may be started in any.
type period struct {
	short, long choice
	open        bool  // it may be longer than any setting that was seen
	desktop     int64 // days at most that the desktop app's sessions are kept; 0 where nothing says
}

func (p period) after(src *agent.Source, days int64) time.Time {
	return src.Info.MTime.Add(choice{days: days}.length())
}

// settings are what is known of the retention of all data folders.
type settings struct {
	env      agent.Env
	cat      *catalog.Catalog
	periods  map[string]period // by data folder
	first    string            // the data folder whose settings hold for what lies outside of any
	problems []agent.Problem
	edits    []agent.Edit
	managed  []choice // by the files of the machine
	sent     bool     // some server's settings say it
}

// of gives the period of a source.
func (s *settings) of(src *agent.Source) period {
	if p, ok := s.periods[src.Root.Dir()]; ok {
		return p
	}
	return s.periods[s.first]
}

// readSettings reads how long files are kept: by managed settings, else by those of
// the folder that Claude Code is started in, local before shared, else by the
// user's. Nothing but the keys on retention is looked at.
func (a *Adapter) readSettings(env agent.Env, q agent.Cleaning) *settings {
	s := &settings{env: env, cat: a.cat, periods: map[string]period{}}
	s.readManaged()
	local := s.folders(q.Folders)
	roots := map[string]agent.Root{}
	for _, src := range q.Sources {
		if dir := src.Root.Dir(); roots[dir] == nil && isData(src) {
			roots[dir] = src.Root
		}
	}
	own := map[string]bool{} // data folders that the user looks after, not the desktop app
	for _, loc := range dataFolders(env) {
		own[loc.Dir] = true
		if s.first == "" {
			s.first = loc.Dir
		}
	}
	for _, dir := range slices.Sorted(maps.Keys(roots)) {
		s.periods[dir] = s.period(roots[dir], local, own[dir])
	}
	if _, ok := s.periods[s.first]; !ok {
		s.periods[s.first] = s.period(nil, local, false)
	}
	return s
}

// isData reports whether a source lies in a data folder and not in a side place.
func isData(src *agent.Source) bool {
	switch src.Store.ID {
	case "claude.project_settings", "claude.managed_settings", "claude.plans":
		return src.Store.ID == "claude.plans" && strings.HasPrefix(src.Name, "plans/")
	}
	return src.Store.ID == "claude.settings" || strings.HasPrefix(src.Name, "projects/") || src.Store.ID == storeHistory ||
		slices.Contains([]catalog.Retention{catalog.SweptMTime, catalog.LegacyEmptied, catalog.Rotating, catalog.AtExit}, src.Store.Retention)
}

// period puts together what may be in force for one data folder. own says that its
// settings are the person's to change.
func (s *settings) period(root agent.Root, local []choice, own bool) period {
	var p period
	var user, remote []choice
	damaged := false
	path := ""
	if root != nil {
		path = rootfs.Path(root, "settings.json")
		var v jsonscan.Value
		v, damaged = s.read(root, "settings.json")
		user = s.choices(v, path)
		p.desktop = s.days(v, desktopKey, path)
		sent, _ := s.read(root, "remote-settings.json")
		remote = s.choices(sent, rootfs.Path(root, "remote-settings.json"))
		s.foreign(remote)
		// In the home folder these are the local settings of whoever starts there.
		here, _ := s.read(root, "settings.local.json")
		local = append(slices.Clone(local), s.choices(here, rootfs.Path(root, "settings.local.json"))...)
	}
	if len(user) == 0 {
		user = []choice{{days: defaultDays, rule: agent.Rule{Setting: fmt.Sprintf("%s is not set, %d is the default", periodKey, defaultDays)}}}
	}
	user[0].keep = s.edit(path, user[0].days, own && root != nil && len(remote)+len(s.managed) == 0)
	set := append(slices.Clone(user), local...)
	if settled := append(slices.Clone(remote), s.managed...); len(settled) > 0 {
		set = settled // whichever of two managed ones wins, neither a user's nor a project's does
	}
	byDays := func(a, b choice) int { return int(a.days - b.days) }
	p.short, p.long = slices.MinFunc(set, byDays), slices.MaxFunc(set, byDays)
	s.sent = s.sent || len(remote) > 0
	// A server's settings come before all others, but for a device's where there are such.
	p.open = len(remote) == 0 || s.env.GOOS != "linux" || damaged
	return p
}

// folders reads the settings of the folders that Claude Code may be started in.
func (s *settings) folders(dirs []string) (out []choice) {
	seen := map[string]bool{}
	for _, cwd := range dirs {
		for _, dir := range []string{cwd, repositoryOf(cwd)} {
			if filepath.IsAbs(dir) && !seen[dir] {
				seen[dir] = true
				out = append(out, s.folder(dir)...)
			}
		}
	}
	return out
}

// folder reads the settings of one folder, the local ones before the shared.
func (s *settings) folder(dir string) []choice {
	root, err := rootfs.Aside(s.env, s.cat, dir, catalog.Repo)
	if err != nil {
		s.problem(filepath.Join(dir, ".claude"), agent.Reason(err))
	}
	if root == nil {
		return nil
	}
	for _, name := range []string{".claude/settings.local.json", ".claude/settings.json"} {
		path := rootfs.Path(root, name)
		if s.userFile(path) {
			continue // the folder is the home: these are the user's
		}
		v, _ := s.read(root, name)
		if found := s.choices(v, path); len(found) > 0 {
			found[0].keep = s.edit(path, found[0].days, len(s.managed) == 0)
			return found
		}
	}
	return nil
}

// userFile reports whether a settings file lies in a data folder.
func (s *settings) userFile(path string) bool {
	for _, loc := range dataFolders(s.env) {
		if filepath.Dir(path) == filepath.Clean(loc.Dir) {
			return true
		}
	}
	return false
}

// readManaged reads the settings of the machine: the file, then the ones beside it
// in the order of their names, of which the last that says something wins.
func (s *settings) readManaged() {
	root, err := rootfs.Aside(s.env, s.cat, system(s.env), catalog.System)
	if err != nil {
		s.problem(system(s.env), agent.Reason(err))
	}
	if root == nil {
		return
	}
	names := []string{"managed-settings.json"}
	entries, err := root.List("managed-settings.d")
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		s.problem(rootfs.Path(root, "managed-settings.d"), agent.Reason(err))
	}
	for _, e := range entries {
		if strings.HasSuffix(e.Name, ".json") {
			names = append(names, "managed-settings.d/"+e.Name)
		}
	}
	for _, name := range names {
		v, _ := s.read(root, name)
		path := rootfs.Path(root, name)
		if found := s.choices(v, path); len(found) > 0 {
			s.managed = found
		}
	}
	s.foreign(s.managed)
}

// foreign notes days that no settings of the person's change.
func (s *settings) foreign(set []choice) {
	if len(set) > 0 && set[0].days < longDays {
		s.edits = append(s.edits, agent.Edit{Path: set[0].rule.Path, Why: "whoever manages Claude Code here has set " + periodKey + "; no settings of yours change it"})
	}
}

// read reads a settings file. damaged says that there is one that cannot be read.
func (s *settings) read(root agent.Root, name string) (v jsonscan.Value, damaged bool) {
	b, err := rootfs.ReadSmall(root, name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, false
	}
	if err != nil {
		s.problem(rootfs.Path(root, name), agent.Reason(err))
		return nil, true
	}
	b = bytes.TrimSpace(bytes.TrimPrefix(b, bom))
	if len(b) == 0 {
		return nil, false
	}
	objects, whole := jsonscan.Objects(b)
	if !whole {
		s.problem(rootfs.Path(root, name), "is not one JSON object")
		return nil, true
	}
	return objects[0], false
}

func (s *settings) problem(path, why string) {
	s.problems = append(s.problems, agent.Problem{
		Path: path, Reach: catalog.Search,
		Reason: why + "; the dates count it as if it said nothing on retention, though Claude Code sweeps nothing while it cannot read its settings",
	})
}

// choices gives the number of days that settings ask for, if they do.
func (s *settings) choices(v jsonscan.Value, path string) []choice {
	if days := s.days(v, periodKey, path); days > 0 {
		return []choice{{days: days, rule: agent.Rule{Setting: fmt.Sprintf("%s %d", periodKey, days), Path: path}}}
	}
	return nil
}

// days reads a number of days, or 0. Claude Code takes whole numbers from 1 on; 0,
// which once turned off all writing, is refused since 2.1.89.
func (s *settings) days(v jsonscan.Value, key, path string) int64 {
	val := v.Get(key)
	if val.Kind() == jsonscan.Absent {
		return 0
	}
	n, ok := val.Int()
	if whole, err := strconv.ParseFloat(string(val), 64); !ok || n < 1 || err != nil || whole != float64(n) {
		s.problems = append(s.problems, agent.Problem{
			Path: path, Reach: catalog.Search,
			Reason: key + " is not a whole number of days from 1 on; the dates count it as if it were not set",
		})
		return 0
	}
	return min(n, maxDays)
}

// edit gives the change of a file that keeps more, and lists it; nil where none
// does, or where it is not the person's to make.
func (s *settings) edit(path string, days int64, mine bool) *agent.Edit {
	if !mine || days >= longDays {
		return nil
	}
	e := agent.Edit{Path: path, JSON: fmt.Sprintf(`{"%s": %d}`, periodKey, longDays), Why: "Claude Code then keeps what was not used for up to ten years"}
	s.edits = append(s.edits, e)
	return &e
}

// unseen tells what can move the dates and is on no disk.
func (s *settings) unseen() []string {
	var out []string
	if !s.sent {
		out = append(out, "settings that a server sends to Claude Code")
	}
	switch s.env.GOOS {
	case "darwin":
		out = append(out, "settings of a profile that manages the device")
	case "windows":
		out = append(out, "settings in the registry")
	}
	if !s.sent && len(s.managed) == 0 {
		out = append(out, "settings that Claude Code is started with (--settings)")
	}
	return out
}
