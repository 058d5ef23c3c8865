package gemini

import (
	"github.com/seshat-dev/seshat/agent"
	"github.com/seshat-dev/seshat/catalog"
)

// Places lists where data of Gemini CLI may lie.
func (a *Adapter) Places(env agent.Env) []agent.Place {
	var places []agent.Place
	for _, loc := range dataFolders(env) {
		places = append(places, agent.Place{Dir: loc.Dir, Head: catalog.Data})
	}
	return append(places, agent.Place{Dir: home(env), Head: catalog.Home}, agent.Place{Dir: system(env), Head: catalog.System},
		agent.Place{Dir: env.TempDir, Head: catalog.TempDir})
}
