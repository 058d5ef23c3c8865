package claude

import (
	"context"
	"errors"
	"io/fs"
	"path"
	"path/filepath"
	"strings"

	"github.com/seshat-dev/seshat/agent"
	"github.com/seshat-dev/seshat/internal/jsonscan"
	"github.com/seshat-dev/seshat/internal/rootfs"
)

// Launch tells how Claude Code is started with a session. It takes the id as one word
// with its flag, so that no id is ever read as a flag of its own. Since 2.1.223 it finds
// a session from every folder.
func (a *Adapter) Launch(env agent.Env, src *agent.Source, how agent.Start) (agent.Launch, error) {
	if !agent.IsUUID(src.Session) {
		return agent.Launch{}, &agent.IDError{Agent: Name, ID: src.Session}
	}
	resume := "--resume=" + src.Session
	l := agent.Launch{
		Program: Name, Args: []string{resume}, Fork: []string{resume, "--fork-session"},
		Vars: folderVar(env, src.Root.Dir()), Anywhere: true,
	}
	if how.Ask != "" {
		l.Args = []string{"-p", resume, "--", how.Ask}
	}
	return l, nil
}

// folderVar gives the variable that leads Claude Code to a data folder. To name the
// default one is not the same as to name none: ~/.claude.json would move into it.
func folderVar(env agent.Env, dir string) [][2]string {
	const name = "CLAUDE_CONFIG_DIR"
	switch {
	case env.Home == "" || dir != filepath.Join(env.Home, ".claude"):
		return [][2]string{{name, dir}}
	case env.Vars[name] != "":
		return [][2]string{{name, ""}}
	}
	return nil
}

// Running reads what each running Claude Code notes of itself. The note is not changed
// when a person opens another session inside the program.
func (a *Adapter) Running(ctx context.Context, src *agent.Source) ([]agent.Running, error) {
	entries, err := src.Root.List("sessions")
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var all []agent.Running
	for _, e := range entries {
		name := path.Join("sessions", e.Name)
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if !strings.HasSuffix(e.Name, ".json") || !e.Mode.IsRegular() {
			continue
		}
		text, err := rootfs.ReadSmall(src.Root, name)
		if err != nil {
			continue // it has ended
		}
		note, _, _, _ := jsonscan.First(text)
		if note.Get("sessionId").Text() != src.Session {
			continue
		}
		if pid, ok := note.Get("pid").Int(); ok {
			all = append(all, agent.Running{PID: int(pid), Path: rootfs.Path(src.Root, name)})
		}
	}
	return all, nil
}
