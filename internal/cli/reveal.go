package cli

import (
	"fmt"
	"slices"
	"strings"

	"github.com/seshat-dev/seshat"
	"github.com/seshat-dev/seshat/internal/term"
)

// mask puts markers in the place of credentials in what is said on stderr: errors, notes
// and names may repeat what stands in a file or was typed.
func (a *app) mask(text string) string {
	if a.lib == nil {
		return seshat.MaskSecrets(text)
	}
	return a.lib.Redact(text)
}

// runnable refuses to print what is there to be run or installed where a marker would have
// to stand in it: it would do something else. parts are the pieces of it as they were
// before they were quoted.
func (a *app) runnable(what, text string, parts ...string) error {
	for _, part := range append(parts, text) {
		if a.mask(part) != part {
			return fmt.Errorf("%s would show a credential, so that it is not printed; --reveal prints it", what)
		}
	}
	return nil
}

// agentVars are what agents set for the commands that they run.
var agentVars = []string{
	"CLAUDECODE", "CLAUDE_CODE", // Claude Code
	"GEMINI_CLI",                                                                     // Gemini CLI
	"CODEX_SANDBOX", "CODEX_SANDBOX_NETWORK_DISABLED", "CODEX_CI", "CODEX_THREAD_ID", // Codex
	"CURSOR_AGENT",                // Cursor
	"COPILOT_CLI",                 // Copilot
	"OPENCODE", "OPENCODE_CLIENT", // OpenCode
	"QWEN_CODE",
	"CLINE_ACTIVE",
	"AUGMENT_AGENT",
	"ANTIGRAVITY_AGENT",
	"AI_AGENT", "AGENT", // whatever calls itself one
}

// calledByAgent names the variable that tells that an agent runs the program, or gives
// nothing.
func calledByAgent(vars map[string]string) string {
	i := slices.IndexFunc(agentVars, func(name string) bool {
		switch strings.ToLower(vars[name]) {
		case "", "0", "false":
			return false
		}
		return true
	})
	if i < 0 {
		return ""
	}
	return agentVars[i]
}

// revealed lets credentials be shown if that is wanted and allowed: a person at a
// terminal is asked; where there is none, or an agent may answer, the config decides.
func (a *app) revealed() error {
	if !a.reveal {
		return nil
	}
	name := calledByAgent(a.p.Vars)
	asked := name == "" && term.IsTerminal(a.p.Stdin) && term.IsTerminal(a.p.Stderr)
	switch {
	case asked && !a.askReveal():
		return fmt.Errorf("nothing is shown: --reveal was not confirmed; without it a marker stands for each credential")
	case !asked && !a.lib.AllowsReveal() && name != "":
		return fmt.Errorf("--reveal needs allow_reveal = true in the config where an agent runs the command, as %s says", name)
	case !asked && !a.lib.AllowsReveal():
		return fmt.Errorf("--reveal needs allow_reveal = true in the config where there is no terminal to ask at")
	}
	a.lib.Reveal()
	return nil
}

// askReveal asks the person at the terminal.
func (a *app) askReveal() bool {
	fmt.Fprint(a.p.Stderr, "seshat: --reveal shows keys and passwords as they stand, here and wherever the output goes. Show them? [y/N] ")
	switch strings.ToLower(strings.TrimSpace(firstLine(a.p.Stdin))) {
	case "y", "yes":
		return true
	}
	return false
}

// maxAnswer is how many bytes of an answer are read.
const maxAnswer = 64

// firstLine reads a line and nothing behind it.
func firstLine(r interface{ Read([]byte) (int, error) }) string {
	var line []byte
	for b := make([]byte, 1); len(line) < maxAnswer; {
		n, err := r.Read(b)
		if n == 1 && b[0] == '\n' || err != nil {
			break
		}
		line = append(line, b[:n]...)
	}
	return string(line)
}
