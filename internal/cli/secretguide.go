package cli

import (
	"fmt"

	"github.com/seshat-dev/seshat"
	"github.com/seshat-dev/seshat/internal/term"
)

// keyFiles are settings of Claude Code that keep key files from it: rules for its own
// tools, a sandbox for the commands it runs, and a question before it leaves that. The
// words are those of Claude Code's settings.
const keyFiles = `What is in a transcript is on your disk until it is deleted, and in every backup. So first revoke the key,
then see that the next one does not get there.

Where each kind is revoked:

%s
How Claude Code is kept from key files, in ~/.claude/settings.json:

1. Its tools refuse to read them, and commands that name them:

    "permissions": {
      "deny": ["Read(**/.env)", "Read(**/.env.*)", "Read(~/.aws/**)", "Read(~/.ssh/**)"],
      "ask": ["Bash(dangerouslyDisableSandbox:true)"]
    }

2. A sandbox keeps them from scripts and from commands that do not name them:

    "sandbox": {
      "enabled": true,
      "filesystem": { "denyRead": ["~/.aws", "~/.ssh", "~/**/.env", "~/**/.env.*"] }
    }

3. The ask rule above has Claude Code ask you before a command that failed in the sandbox is run outside it,
   also where it approves commands by itself.

None of this stops a command that you allow from printing a key, as printenv does; seshat secrets finds those.
`

// secretGuide prints where credentials are revoked and how agents are kept from them.
func (a *app) secretGuide() error {
	var list string
	for _, r := range seshat.SecretRules() {
		list += fmt.Sprintf("  %s %s\n", term.Pad(r.ID, 26), r.Revoke)
	}
	_, err := fmt.Fprintf(a.out, keyFiles, list)
	return err
}
