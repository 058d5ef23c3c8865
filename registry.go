package seshat

import (
	"fmt"

	"github.com/seshat-dev/seshat/agent"
	"github.com/seshat-dev/seshat/agent/claude"
	"github.com/seshat-dev/seshat/agent/gemini"
)

// Agents lists the agents that seshat knows, without making their adapters.
func Agents() []string { return []string{claude.Name, gemini.Name} }

// adapters lists every agent that seshat knows, in the order of lists.
func adapters() ([]agent.Adapter, error) {
	c, err := claude.New()
	if err != nil {
		return nil, fmt.Errorf("claude: %w", err)
	}
	g, err := gemini.New()
	if err != nil {
		return nil, fmt.Errorf("gemini: %w", err)
	}
	return []agent.Adapter{c, g}, nil
}
