package gemini

import (
	"context"
	"path"
	"path/filepath"
	"strings"

	"github.com/seshat-dev/seshat/agent"
)

// Launch tells how Gemini CLI is started with a session. It looks for one only among
// the chats of the folder that it is started in; a copy of a chat's file it opens
// anywhere, since 0.43.0. A resume leaves a second file with the same short id, by which
// its next start takes the chat for damaged and deletes it.
func (a *Adapter) Launch(env agent.Env, src *agent.Source, how agent.Start) (agent.Launch, error) {
	copied := []string{"--session-file=" + src.Path}
	l := agent.Launch{Program: Name, Args: copied, Fork: copied, Anywhere: true}
	// The resume of an older chat in .json makes a second file with the same messages.
	if !how.File && strings.HasSuffix(src.Name, ".jsonl") {
		if !agent.IsUUID(src.Session) {
			return agent.Launch{}, &agent.IDError{Agent: Name, ID: src.Session}
		}
		end, own := "-"+src.Session[:8]+".jsonl", path.Base(src.Name)
		l.Args, l.Anywhere = []string{"--resume=" + src.Session}, false
		l.Leftover = func(name string) bool { return strings.HasSuffix(name, end) && name != own }
	}
	if how.Ask != "" {
		l.Args = append(l.Args[:len(l.Args):len(l.Args)], "--prompt="+how.Ask)
	}
	var err error
	l.Vars, err = homeVar(env, src.Root.Dir())
	return l, err
}

// homeVar gives the variable that leads Gemini CLI to a data folder: it names the
// folder above.
func homeVar(env agent.Env, dir string) ([][2]string, error) {
	const name = "GEMINI_CLI_HOME"
	home, base := filepath.Split(dir)
	home = filepath.Clean(home)
	switch {
	case base != ".gemini":
		return nil, &FolderError{dir}
	case env.Home == "" || home != filepath.Clean(env.Home):
		return [][2]string{{name, home}}, nil
	case env.Vars[name] != "":
		return [][2]string{{name, ""}}, nil
	}
	return nil, nil
}

// FolderError says that Gemini CLI cannot be led to a data folder.
type FolderError struct{ Dir string }

func (e *FolderError) Error() string {
	return "gemini finds its data only in a folder called .gemini, which " + e.Dir + " is not; rename or copy it to open its sessions"
}

// Running lists nothing: Gemini CLI notes nowhere what it has open.
func (a *Adapter) Running(context.Context, *agent.Source) ([]agent.Running, error) { return nil, nil }
