package gemini

import (
	"context"
	"path"
	"path/filepath"
	"sort"
	"strings"

	"github.com/seshat-dev/seshat/agent"
	"github.com/seshat-dev/seshat/catalog"
	"github.com/seshat-dev/seshat/internal/jsonscan"
	"github.com/seshat-dev/seshat/internal/rootfs"
)

// Discover finds the sources of every root of Gemini CLI, tells of each chat
// which session it belongs to, and of each project folder where the project lies.
// With env.Wide set it also looks at the side places: files beside the data
// folder, the repositories that the registry and the markers name, and the
// machine-wide settings.
func (a *Adapter) Discover(ctx context.Context, env agent.Env) (*agent.Inventory, error) {
	d := discovery{rootfs.NewCollector(Name, env, a.cat, placed)}
	for _, loc := range dataFolders(env) {
		if err := d.Root(ctx, loc); err != nil {
			return nil, err
		}
	}
	if env.Wide {
		if err := d.sidePlaces(ctx); err != nil {
			return nil, err
		}
	}
	inv := d.Done()
	return inv, identify(ctx, inv.Sources)
}

// placed fills in what a source's name tells about its session.
func placed(src *agent.Source) {
	parts := strings.Split(src.Name, "/")
	switch {
	case src.Store.ID == storeSubagents && len(parts) == 5: // tmp/<project>/chats/<session>/<agent>.jsonl
		src.Session, src.Subagent = parts[3], stem(parts[4])
	case src.Store.ID == storeOutputs && len(parts) == 5: // tmp/<project>/tool-outputs/session-<session>/<name>.txt
		src.Session = strings.TrimPrefix(parts[3], "session-")
	case src.Store.ID == storePlans && len(parts) > 4 && parts[0] == "tmp": // tmp/<project>/<session>/plans/...
		src.Session = parts[2]
	}
}

// stem is a file's name without its extension.
func stem(name string) string {
	name = path.Base(name)
	return strings.TrimSuffix(name, path.Ext(name))
}

type discovery struct{ *rootfs.Collector }

// home is the folder that Gemini CLI takes for the user's home.
func home(env agent.Env) string {
	if dir := env.Vars["GEMINI_CLI_HOME"]; dir != "" {
		return env.Abs(dir)
	}
	return env.Home
}

// dataFolders lists where the data of Gemini CLI may lie. GEMINI_CLI_HOME names
// a home, not a data folder.
func dataFolders(env agent.Env) []agent.Location {
	if env.Replaced() {
		return env.Roots
	}
	var locs []agent.Location
	if dir := env.Vars["GEMINI_CLI_HOME"]; dir != "" {
		locs = append(locs, chosenHome(env, env.Abs(dir)))
	} else if env.Home != "" {
		locs = append(locs, agent.Location{Dir: filepath.Join(env.Home, ".gemini")})
		if env.GOOS == "darwin" {
			// Where newer versions write under sandbox-exec.
			locs = append(locs, agent.Location{Dir: filepath.Join(env.Home, ".cache", ".gemini")})
		}
	}
	return append(locs, env.Roots...)
}

// chosenHome gives the data folder in the home that GEMINI_CLI_HOME names. Some
// people set the variable to the data folder itself: that is taken where the
// proper place holds nothing.
func chosenHome(env agent.Env, dir string) agent.Location {
	proper := agent.Location{Dir: filepath.Join(dir, ".gemini"), Named: "GEMINI_CLI_HOME"}
	if !holdsTmp(env, proper.Dir) && holdsTmp(env, dir) {
		return agent.Location{Dir: dir, Named: "GEMINI_CLI_HOME (as a data folder)"}
	}
	return proper
}

func holdsTmp(env agent.Env, dir string) bool {
	root, err := env.Open(dir)
	if err != nil {
		return false
	}
	info, err := root.Stat("tmp")
	return err == nil && info.Mode.IsDir()
}

// system is the machine-wide settings folder.
func system(env agent.Env) string {
	if file := env.Vars["GEMINI_CLI_SYSTEM_SETTINGS_PATH"]; file != "" {
		return filepath.Dir(env.Abs(file))
	}
	switch env.GOOS {
	case "darwin":
		return "/Library/Application Support/GeminiCli"
	case "windows":
		return `C:\ProgramData\gemini-cli`
	}
	return "/etc/gemini-cli"
}

func (d discovery) sidePlaces(ctx context.Context) error {
	places := []struct {
		dir  string
		head catalog.Head
	}{{system(d.Env), catalog.System}, {d.Env.TempDir, catalog.TempDir}}
	if dir := home(d.Env); dir != "" && !d.Env.Replaced() {
		places = append(places, struct {
			dir  string
			head catalog.Head
		}{dir, catalog.Home})
	}
	for _, p := range places {
		if p.dir == "" {
			continue
		}
		if err := d.Side(ctx, p.dir, p.head); err != nil {
			return err
		}
	}
	repos := d.repositories()
	for _, repo := range repos {
		if err := d.Side(ctx, repo, catalog.Repo); err != nil {
			return err
		}
	}
	settings := d.settings(repos)
	d.contextFiles(settings)
	for _, dir := range planFolders(settings) {
		if err := d.Side(ctx, dir, catalog.Plans); err != nil {
			return err
		}
	}
	return nil
}

// repositories lists the folders that the registry and the markers name. The
// disk is never searched for any.
func (d discovery) repositories() []string {
	seen := map[string]bool{}
	add := func(dir string) {
		if i := strings.Index(filepath.ToSlash(dir), "/.gemini/worktrees/"); i > 0 {
			dir = dir[:i]
		}
		if filepath.IsAbs(dir) {
			seen[filepath.Clean(dir)] = true
		}
	}
	for _, src := range d.Inventory.Sources {
		switch src.Store.ID {
		case storeMarker:
			add(strings.TrimSpace(string(content(src))))
		case storeProjects:
			registry, _, _, _ := jsonscan.First(content(src))
			for dir := range registry.Get("projects").Members() {
				add(dir)
			}
		}
	}
	var dirs []string
	for dir := range seen {
		dirs = append(dirs, dir)
	}
	sort.Strings(dirs)
	return dirs
}

// content gives a registry, a marker or settings. One that cannot be read names
// nothing.
func content(src *agent.Source) []byte {
	b, err := rootfs.ReadSmall(src.Root, src.Name)
	if err != nil {
		return nil
	}
	return b
}
