package claude

import (
	"context"
	"path"
	"strings"
	"time"

	"github.com/seshat-dev/seshat/agent"
	"github.com/seshat-dev/seshat/catalog"
	"github.com/seshat-dev/seshat/internal/rootfs"
)

// Retention tells what Claude Code's sweep will delete. The sweep runs in the
// background after a session starts, in whatever folder, and goes by the age of
// files: each path that it covers ages on its own, and what lies below a session's
// folder goes with the transcript too. [official documentation: claude-directory]
func (a *Adapter) Retention(ctx context.Context, env agent.Env, q agent.Cleaning) (agent.Retention, error) {
	s := a.readSettings(env, q)
	sw := sweep{settings: s, q: q, transcripts: map[string]agent.Fate{}, families: map[string]string{}, desktop: exempted(q.Sources)}
	for i, src := range q.Sources {
		if i%256 == 0 && ctx.Err() != nil {
			return agent.Retention{}, ctx.Err()
		}
		sw.learn(src)
	}
	out := agent.Retention{Edits: s.edits, Problems: s.problems, Unseen: s.unseen()}
	for _, src := range q.Sources {
		if !q.Wants(src) {
			continue
		}
		if f := sw.fate(src); !f.Earliest.IsZero() {
			f.Source, f.Session = src, sessionOf(src)
			if f.Family = sw.family(src, f.Session); f.Family == "" && src.Store.ID == "claude.tasks" {
				f.Session = "" // the list may have any name
			}
			out.Fates = append(out.Fates, f)
		}
	}
	return out, nil
}

// sweep works out what becomes of each source.
type sweep struct {
	*settings
	q           agent.Cleaning
	transcripts map[string]agent.Fate // by the session's folder
	families    map[string]string     // by root and session id; empty where several have it
	desktop     map[string]bool       // sessions that the desktop app lists
}

// learn notes the fate of a transcript, on which that of others hangs.
func (w *sweep) learn(src *agent.Source) {
	if src.Store.ID != storeSession {
		return
	}
	w.transcripts[src.Family] = w.transcript(src)
	key := src.Root.Dir() + "\x00" + src.Session
	if other, known := w.families[key]; known && other != src.Family {
		w.families[key] = ""
	} else {
		w.families[key] = src.Family
	}
}

// family gives the family of the session that a source belongs to: that of its
// place, else of the only transcript of that id in the data folder.
func (w *sweep) family(src *agent.Source, session string) string {
	if dir := sessionFolder(src); dir != "" {
		return dir
	}
	if session == "" {
		return ""
	}
	return w.families[src.Root.Dir()+"\x00"+session]
}

// fate gives what becomes of a source, without a date where the sweep keeps it.
func (w *sweep) fate(src *agent.Source) agent.Fate {
	if src.Store.Coverage == catalog.Private {
		return agent.Fate{} // nothing is known of what a private folder holds
	}
	switch src.Store.Retention {
	case catalog.SweptMTime:
		return w.own(src)
	case catalog.WithSession:
		return w.withSession(src)
	case catalog.LegacyEmptied:
		return always(src, "no longer written; the sweep empties it")
	}
	switch src.Store.ID {
	case "claude.shell_snapshots": // removed at exit; what a crash leaves is swept
		return w.aged(src, "left behind and unchanged for ")
	case "claude.backups":
		return w.aged(src, "unchanged for ")
	case "claude.image_cache":
		return always(src, "the sweep deletes the pictures of all sessions but the one that starts")
	}
	return agent.Fate{}
}

// own gives the fate of what has a clock of its own. What lies below the folder of
// a session goes with the transcript as well.
func (w *sweep) own(src *agent.Source) agent.Fate {
	if src.Store.ID == storeSession {
		return w.transcripts[src.Family]
	}
	f := w.aged(src, "unchanged for ")
	if parent := w.parent(src); !parent.Earliest.IsZero() {
		return f.Both(parent)
	}
	return f
}

// withSession gives the fate of what goes with its transcript. Where that is gone
// already it is not known what the sweep does: it counts as swept by its own age.
// Subagents that lie beside transcripts look like some, and age as well.
func (w *sweep) withSession(src *agent.Source) agent.Fate {
	parent := w.parent(src)
	switch {
	case parent.Earliest.IsZero():
		f := w.aged(src, "its transcript is gone; unchanged for ")
		f.Latest = time.Time{}
		return f
	case strings.Count(src.Name, "/") == 2:
		f := w.aged(src, "unchanged for ")
		f.Latest = time.Time{}
		return f.Both(parent)
	}
	return parent
}

// parent gives the fate of the transcript that a source goes with.
func (w *sweep) parent(src *agent.Source) agent.Fate {
	dir := sessionFolder(src)
	if dir == "" {
		return agent.Fate{}
	}
	f := w.transcripts[dir]
	if !f.Earliest.IsZero() {
		f.Reason = "goes with its transcript, " + f.Reason
	}
	return f
}

// transcript gives the fate of a session's own transcript. Those of the desktop app
// are said to be exempt from 2.1.248 on, in one report alone, so that they count as
// swept; desktopSessionCleanupPeriodDays bounds how long they are kept.
func (w *sweep) transcript(src *agent.Source) agent.Fate {
	f := w.aged(src, "not used for ")
	if !w.desktop[src.Session] {
		return f
	}
	f.Reason += "; the desktop app lists it, and from 2.1.248 on may keep it"
	f.Latest = time.Time{}
	if p := w.of(src); p.desktop > 0 && !p.open {
		f.Latest = p.after(src, max(p.desktop, p.long.days))
	}
	return f
}

// aged gives the fate of what is swept by its own age.
func (w *sweep) aged(src *agent.Source, reason string) agent.Fate {
	p, at := w.of(src), lastChange(src)
	f := agent.Fate{Reason: reason + agent.Count(p.short.days, "day"), Rule: p.short.rule, Keep: p.short.keep}
	f.Earliest = at.Add(p.short.length())
	if !p.open {
		f.Latest = at.Add(p.long.length())
	}
	return f
}

// always gives the fate of what any sweep deletes, whatever its age: that may have
// happened from the moment on at which it was written.
func always(src *agent.Source, reason string) agent.Fate {
	at := src.Info.MTime
	return agent.Fate{Span: agent.Span{Earliest: at}, Reason: reason}
}

// lastChange is the moment from which a source ages. Of a folder that is one row it
// is that of its oldest entry, since a sweep may look at each.
func lastChange(src *agent.Source) time.Time {
	at := src.Info.MTime
	if !strings.HasSuffix(src.Name, "/") {
		return at
	}
	entries, err := src.Root.List(strings.TrimSuffix(src.Name, "/"))
	if err != nil {
		return at
	}
	for _, e := range entries {
		if e.MTime.Before(at) && !e.MTime.IsZero() && !e.Archived {
			at = e.MTime
		}
	}
	return at
}

// sessionFolder names the folder of the session that a source below projects/ lies
// in, which is what its transcript has for a family; or "".
func sessionFolder(src *agent.Source) string {
	parts := strings.Split(src.Name, "/")
	switch {
	case src.Family != "":
		return src.Family
	case parts[0] == "projects" && len(parts) > 3 && parts[2] != "memory":
		return rootfs.Path(src.Root, path.Join(parts[:3]...))
	}
	return "" // beside an old subagent too: nothing tells whose it is
}

// sessionOf gives the id of the session that a source belongs to, or "".
func sessionOf(src *agent.Source) string {
	parts := strings.Split(strings.TrimSuffix(src.Name, "/"), "/")
	if src.Session != "" {
		return src.Session
	}
	switch parts[0] {
	case "projects":
		if src.Family == "" && sessionFolder(src) != "" { // a lone subagent is its own family, and no session
			return parts[2]
		}
	case "file-history", "uploads", "image-cache", "tasks":
		if len(parts) > 1 {
			return parts[1]
		}
	case "debug":
		return strings.TrimSuffix(path.Base(src.Name), ".txt")
	case "usage-data":
		if src.Store.ID == "claude.usage_data" {
			return strings.TrimSuffix(path.Base(src.Name), ".json")
		}
	case "todos":
		id, _, _ := strings.Cut(path.Base(src.Name), "-agent-")
		return id
	}
	return ""
}

// exempted gives the sessions that the desktop app lists.
func exempted(srcs []*agent.Source) map[string]bool {
	ids := map[string]bool{}
	for _, src := range srcs {
		if (src.Store.ID == "claude.desktop.sessions" || src.Store.ID == "claude.cowork.metadata") && src.Problem == "" {
			if id := readSmall(src.Root, src.Name).Get("cliSessionId").Text(); id != "" {
				ids[id] = true
			}
		}
	}
	return ids
}
