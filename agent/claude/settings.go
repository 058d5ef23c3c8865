package claude

import (
	"path/filepath"

	"github.com/seshat-dev/seshat/agent"
	"github.com/seshat-dev/seshat/catalog"
	"github.com/seshat-dev/seshat/internal/jsonscan"
)

// moved is a folder that a setting put a store in.
type moved struct {
	dir  string
	head catalog.Head
}

// settingsStores hold the settings that can move a store.
var settingsStores = map[string]bool{"claude.settings": true, "claude.project_settings": true, "claude.managed_settings": true}

// movedFolders lists where settings put plans and automatic memory. A relative
// folder is below the project that the setting is of; one in a user's or a
// machine's settings, below every known project.
func (d discovery) movedFolders(repos []string) []moved {
	seen := map[moved]bool{}
	var out []moved
	for _, src := range d.Inventory.Sources {
		if !settingsStores[src.Store.ID] || src.Problem != "" {
			continue
		}
		v := readSmall(src.Root, src.Name)
		bases := repos
		if src.Store.ID == "claude.project_settings" {
			bases = []string{src.Root.Dir()}
		}
		for _, m := range append(d.places(v.Get("plansDirectory"), catalog.Plans, bases), d.places(v.Get("autoMemoryDirectory"), catalog.AutoMemory, bases)...) {
			if !seen[m] {
				seen[m] = true
				out = append(out, m)
			}
		}
	}
	return out
}

func (d discovery) places(v jsonscan.Value, head catalog.Head, bases []string) []moved {
	dir := v.Text()
	if dir == "" {
		return nil
	}
	if dir[0] == '~' || filepath.IsAbs(dir) {
		return []moved{{d.Env.Abs(dir), head}}
	}
	var out []moved
	for _, base := range bases {
		out = append(out, moved{filepath.Join(base, dir), head})
	}
	return out
}

var _ agent.Adapter = (*Adapter)(nil)
