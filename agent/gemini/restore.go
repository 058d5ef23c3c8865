package gemini

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/seshat-dev/seshat/agent"
	"github.com/seshat-dev/seshat/internal/jsonscan"
	"github.com/seshat-dev/seshat/internal/rootfs"
)

// Return sees to what Gemini CLI needs to find a chat and to leave it alone: a marker
// in the project's folders, a date inside the chat that is not too old, and no other
// chat whose name ends in the same short id.
func (a *Adapter) Return(ctx context.Context, env agent.Env, r agent.Returning) (agent.Return, error) {
	out := agent.Return{Without: map[string]bool{}, Tails: map[string][]byte{}}
	if err := clashes(ctx, r, &out); err != nil || out.Refused != "" || r.Transcript == "" {
		return out, err
	}
	if strings.HasSuffix(r.Transcript, ".json") {
		if r.Own {
			out.Refused = "it is of a version that gemini no longer writes, and next to a newer file of the session it would do harm; put it elsewhere with --target DIR and open it there with gemini --session-file=FILE"
		}
		return out, nil
	}
	for _, name := range r.Names {
		if strings.Count(name, "/") != 3 || path.Base(path.Dir(name)) != "chats" {
			continue // no chat
		}
		if err := a.chat(ctx, env, r, name, &out); err != nil || out.Refused != "" {
			return out, err
		}
	}
	return out, mark(r, &out)
}

// clashes looks for chats that share the short id in the project's folder, and for the
// session's id in any other.
func clashes(ctx context.Context, r agent.Returning, out *agent.Return) error {
	short := shortID.FindStringSubmatch(r.Transcript)
	projects, err := r.Root.List("tmp")
	if errors.Is(err, fs.ErrNotExist) || short == nil {
		return nil
	}
	if err != nil {
		return err
	}
	own := path.Dir(r.Transcript)
	for _, p := range projects {
		dir := path.Join("tmp", p.Name, "chats")
		chats, err := r.Root.List(dir)
		if err != nil {
			continue // no project, or none with chats
		}
		for _, c := range chats {
			name := path.Join(dir, c.Name)
			m := shortID.FindStringSubmatch(c.Name)
			if m == nil || m[1] != short[1] || slices.Contains(r.Names, name) {
				continue
			}
			switch {
			case dir == own:
				out.Refused = fmt.Sprintf("the chat %s shares its short id %s, and when gemini deletes one of them it deletes both", rootfs.Path(r.Root, name), short[1])
				return nil
			case sessionOf(r.Root, name) == r.Session:
				out.Refused = fmt.Sprintf("a chat with this id stands in %s", rootfs.Path(r.Root, name))
				return nil
			}
		}
	}
	return ctx.Err()
}

// sessionOf reads the id that the first line of a chat tells.
func sessionOf(root agent.Root, name string) string {
	f, err := root.Open(name)
	if err != nil {
		return ""
	}
	defer f.Close()
	head := make([]byte, 64<<10)
	n, _ := f.ReadAt(head, 0)
	line, _, _ := bytes.Cut(head[:n], []byte("\n"))
	v, _, _, _ := jsonscan.First(line)
	return v.Get("sessionId").Text()
}

// chat sees to one chat of the session. One that would be deleted for its age at the
// next start gets a date of now, in the way that Gemini CLI itself writes one: as a
// further line.
func (a *Adapter) chat(ctx context.Context, env agent.Env, r agent.Returning, name string, out *agent.Return) error {
	f, err := r.Open(name)
	if err != nil {
		return err
	}
	defer f.Close()
	clock, err := clockOf(ctx, f)
	if err != nil {
		return err
	}
	switch {
	case name != r.Transcript && (clock.Refused != "" || strings.HasSuffix(name, ".json")):
		out.Without[name] = true
		out.Notes = append(out.Notes, fmt.Sprintf("%s stays in the archive: when gemini deletes it, it deletes the whole session with it", name))
		return nil
	case clock.Refused != "" && r.Own:
		out.Refused = "gemini would delete it at its next start there: " + clock.Refused + "; put it elsewhere with --target DIR"
		return nil
	case clock.Refused != "":
		return nil
	}
	policies, _ := newSettingsReader(env, a.cat).policies(r.Root, r.CWD)
	expired := slices.ContainsFunc(policies, func(p policy) bool {
		return p.sessions && p.age > 0 && !clock.Updated.IsZero() && !r.Now.Before(clock.Updated.Add(p.age))
	})
	if !expired {
		return nil
	}
	ends, err := endsALine(f)
	if err != nil {
		return err
	}
	line := fmt.Sprintf(`{"$set":{"lastUpdated":"%s"}}`, r.Now.UTC().Format("2006-01-02T15:04:05.000Z")) + "\n"
	if !ends {
		line = "\n" + line
	}
	out.Tails[name] = []byte(line)
	out.TailWhy = "by the date in it gemini would delete it at its next start there"
	return nil
}

// endsALine reports whether the last byte of a file ends a line.
func endsALine(f agent.File) (bool, error) {
	size := f.Info().Size
	if size == 0 {
		return true, nil
	}
	var last [1]byte
	if n, err := f.ReadAt(last[:], size-1); n < 1 {
		return false, err
	}
	return last[0] == '\n', nil
}

// mark adds the markers by which Gemini CLI knows the project's folders again. Its
// registry is left alone: one wrong entry empties it.
func mark(r agent.Returning, out *agent.Return) error {
	project, _, _ := strings.Cut(strings.TrimPrefix(r.Transcript, "tmp/"), "/")
	if isHash(project) {
		return nil // older versions know a folder by the hash of its path, and mark none
	}
	for _, dir := range []string{path.Join("tmp", project), path.Join("history", project)} {
		name := path.Join(dir, ".project_root")
		if _, err := r.Root.Lstat(name); err == nil {
			continue
		}
		cwd, err := markerOf(r, name)
		if err != nil {
			return err
		}
		if cwd == "" {
			out.Notes = append(out.Notes, "nothing tells where its project lies; start gemini there once before you open it")
			return nil
		}
		out.Add = append(out.Add, agent.Addition{Name: name, Data: cwd})
	}
	return nil
}

// markerOf gives what stands in a marker: what was kept of it, or the folder that the
// session ran in.
func markerOf(r agent.Returning, name string) (string, error) {
	f, err := r.Open(name)
	if errors.Is(err, fs.ErrNotExist) {
		if !filepath.IsAbs(r.CWD) {
			return "", nil
		}
		return r.CWD, nil
	}
	if err != nil {
		return "", err
	}
	defer f.Close()
	b, err := agent.Whole(f)
	return string(b), err
}
