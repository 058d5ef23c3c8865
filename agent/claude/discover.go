package claude

import (
	"context"
	"path"
	"path/filepath"
	"sort"
	"strings"

	"github.com/seshat-dev/seshat/agent"
	"github.com/seshat-dev/seshat/catalog"
	"github.com/seshat-dev/seshat/internal/rootfs"
)

// Discover finds the sources of every root of Claude Code: the data folder that
// the environment names or the default one, the folders that the config adds,
// and one for each Cowork task. With env.Wide set it also looks at the side
// places: the known repositories and the machine-wide
// settings.
func (a *Adapter) Discover(ctx context.Context, env agent.Env) (*agent.Inventory, error) {
	d := discovery{rootfs.NewCollector(Name, env, a.cat, a.identify)}
	for _, loc := range dataFolders(env) {
		if err := d.Root(ctx, loc); err != nil {
			return nil, err
		}
	}
	if !env.Replaced() {
		if err := d.desktop(ctx); err != nil {
			return nil, err
		}
		if env.Home != "" && env.Vars["CLAUDE_CONFIG_DIR"] == "" {
			if err := d.Side(ctx, env.Home, catalog.Home); err != nil {
				return nil, err
			}
		}
	}
	if env.Wide {
		if err := d.sidePlaces(ctx); err != nil {
			return nil, err
		}
	}
	return d.Done(), nil
}

type discovery struct{ *rootfs.Collector }

// dataFolders lists where the data of Claude Code may lie.
func dataFolders(env agent.Env) []agent.Location {
	if env.Replaced() {
		return env.Roots
	}
	var locs []agent.Location
	if dir := env.Vars["CLAUDE_CONFIG_DIR"]; dir != "" {
		locs = append(locs, agent.Location{Dir: env.Abs(dir), Named: "CLAUDE_CONFIG_DIR"})
	} else if env.Home != "" {
		locs = append(locs, agent.Location{Dir: filepath.Join(env.Home, ".claude")})
	}
	return append(locs, env.Roots...)
}

// Places lists where data of Claude Code may lie.
func (a *Adapter) Places(env agent.Env) []agent.Place {
	var places []agent.Place
	for _, loc := range dataFolders(env) {
		places = append(places, agent.Place{Dir: loc.Dir, Head: catalog.Data})
	}
	for _, dir := range userData(env) {
		places = append(places, agent.Place{Dir: dir, Head: catalog.UserData})
	}
	return append(places, agent.Place{Dir: env.Home, Head: catalog.Home}, agent.Place{Dir: system(env), Head: catalog.System})
}

// userData lists where the desktop app may keep its own folder.
func userData(env agent.Env) []string {
	under := func(base string, parts ...string) []string {
		if base == "" {
			return nil
		}
		return []string{filepath.Join(append([]string{base}, parts...)...)}
	}
	switch env.GOOS {
	case "darwin":
		return under(env.Home, "Library", "Application Support", "Claude")
	case "windows":
		dirs := under(env.Vars["APPDATA"], "Claude")
		return append(dirs, under(env.Vars["LOCALAPPDATA"], "Packages", "Claude_pzs8sxrjxfjjc", "LocalCache", "Roaming", "Claude")...)
	}
	if dir := env.Vars["XDG_CONFIG_HOME"]; dir != "" {
		return under(dir, "Claude")
	}
	return under(env.Home, ".config", "Claude")
}

// system is the machine-wide settings folder.
func system(env agent.Env) string {
	switch env.GOOS {
	case "darwin":
		return "/Library/Application Support/ClaudeCode"
	case "windows":
		return `C:\Program Files\ClaudeCode`
	}
	return "/etc/claude-code"
}

// desktop walks the desktop app's folder along the rows that name a path in it,
// and every Cowork root found there as a data folder of its own.
func (d discovery) desktop(ctx context.Context) error {
	for _, dir := range userData(d.Env) {
		before := len(d.Inventory.Sources)
		if err := d.Side(ctx, dir, catalog.UserData); err != nil {
			return err
		}
		for _, src := range d.Inventory.Sources[before:] {
			if src.Store.ID != "claude.cowork.roots" {
				continue
			}
			if err := d.Root(ctx, agent.Location{Dir: filepath.Clean(src.Path), Named: "Cowork"}); err != nil {
				return err
			}
		}
	}
	return nil
}

func (d discovery) sidePlaces(ctx context.Context) error {
	if err := d.Side(ctx, system(d.Env), catalog.System); err != nil {
		return err
	}
	repos := d.repositories(ctx)
	for _, repo := range repos {
		if err := d.Side(ctx, repo, catalog.Repo); err != nil {
			return err
		}
	}
	for _, m := range d.movedFolders(repos) {
		if err := d.Side(ctx, m.dir, m.head); err != nil {
			return err
		}
	}
	return nil
}

// repositories lists the folders that transcripts name as theirs. The disk is
// never searched for any.
func (d discovery) repositories(ctx context.Context) []string {
	seen := map[string]bool{}
	for _, src := range d.Inventory.Sources {
		if src.Store.ID != storeSession || src.Problem != "" {
			continue
		}
		withFile(src, func(f agent.File) {
			if head, err := readHead(ctx, f); err == nil && filepath.IsAbs(head.CWD) {
				seen[repositoryOf(head.CWD)] = true
			}
		})
	}
	var dirs []string
	for dir := range seen {
		dirs = append(dirs, dir)
	}
	sort.Strings(dirs)
	return dirs
}

// worktreeMarks stand between a repository and the worktrees that Claude Code
// makes in it.
var worktreeMarks = []string{"/.claude/worktrees/", `\.claude\worktrees\`}

// repositoryOf cuts the folder of a worktree that Claude Code made off a path.
func repositoryOf(cwd string) string {
	for _, mark := range worktreeMarks {
		if i := strings.Index(cwd, mark); i > 0 {
			return cwd[:i]
		}
	}
	return cwd
}

// identify fills in what a source's name tells about its session.
func (a *Adapter) identify(src *agent.Source) {
	parts := strings.Split(src.Name, "/")
	base := path.Base(src.Name)
	if base == "journal.jsonl" && src.Store.ID == storeSession {
		// The journal of a workflow run is no transcript, wherever it lies.
		src.Store = a.cat.Store("claude.projects.workflow_journal")
	}
	switch src.Store.ID {
	case storeSession:
		src.Session = strings.TrimSuffix(base, ".jsonl")
	case storeSubagent:
		src.Subagent = strings.TrimSuffix(strings.TrimPrefix(base, "agent-"), ".jsonl")
		if len(parts) > 3 { // projects/<project>/<session>/...
			src.Session = parts[2]
		} else if src.Problem == "" {
			src.Session = headSession(src)
		}
	case "claude.projects.tool_results":
		src.Session = parts[2] // a document of the session, but no part of its transcript
		return
	}
	switch {
	case src.Session != "":
		src.Family = rootfs.Path(src.Root, path.Join(parts[0], parts[1], src.Session))
	case src.Subagent != "":
		src.Family = rootfs.Path(src.Root, src.Name) // of no session that is known: it stands alone
	}
}
