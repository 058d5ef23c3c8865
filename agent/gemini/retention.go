package gemini

import (
	"context"
	"path"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/seshat-dev/seshat/agent"
	"github.com/seshat-dev/seshat/internal/rootfs"
)

// Retention tells what Gemini CLI's clean-up will delete. It runs at every start,
// for the project of that start alone, and goes by what stands in the chats: each
// file that it takes drags along all files that end in the same short id, and what
// belongs to their sessions. Folders with the name of a hash are never cleaned.
// [packages/cli/src/utils/sessionCleanup.ts]
func (a *Adapter) Retention(ctx context.Context, env agent.Env, q agent.Cleaning) (agent.Retention, error) {
	c := cleanup{ctx: ctx, q: q, settings: newSettingsReader(env, a.cat), fates: map[*agent.Source]agent.Fate{}}
	for _, p := range projectsOf(q.Sources) {
		if err := ctx.Err(); err != nil {
			return agent.Retention{}, err
		}
		if !slices.ContainsFunc(p.sources, q.Wants) {
			continue
		}
		if p.folder == "background-processes" || isHash(p.folder) {
			c.timed(p)
			continue
		}
		if err := c.project(p); err != nil {
			return agent.Retention{}, err
		}
	}
	out := agent.Retention{Edits: c.edits, Problems: c.settings.problems, Notes: c.settings.notes}
	for _, src := range q.Sources {
		if f, ok := c.fates[src]; ok && q.Wants(src) && !f.Earliest.IsZero() {
			f.Source = src
			out.Fates = append(out.Fates, f)
		}
	}
	return out, nil
}

// project is what lies in one folder below tmp/.
type project struct {
	root    agent.Root
	folder  string
	cwd     string // where the project lies; empty when nothing tells
	sources []*agent.Source
}

// projectsOf groups sources by their project's folder, in order.
func projectsOf(srcs []*agent.Source) (out []*project) {
	byFolder := map[string]*project{}
	for _, src := range srcs {
		folder := projectFolder(src)
		if folder == "" {
			continue
		}
		key := src.Root.Dir() + "\x00" + folder
		p := byFolder[key]
		if p == nil {
			p = &project{root: src.Root, folder: folder, cwd: originOf(src, "").CWD}
			byFolder[key] = p
			out = append(out, p)
		}
		p.sources = append(p.sources, src)
	}
	return out
}

// cleanup works out what becomes of each source.
type cleanup struct {
	ctx      context.Context
	q        agent.Cleaning
	settings *settingsReader
	fates    map[*agent.Source]agent.Fate
	edits    []agent.Edit
}

// project tells the fates of one project's sources, under each of the policies that
// may hold.
func (c *cleanup) project(p *project) error {
	chats, err := c.chats(p)
	if err != nil {
		return err
	}
	policies, unsure := c.settings.policies(p.root, p.cwd)
	for i, pol := range policies {
		r := run{project: p, policy: pol, chats: chats, keep: c.edit(p, pol), fates: map[*agent.Source]agent.Fate{}}
		r.all()
		for _, src := range p.sources {
			f := r.fates[src]
			if i > 0 {
				f = c.fates[src].Either(f)
			}
			if unsure && f.Event == "" {
				f.Latest = time.Time{}
			}
			if f.Where = p.cwd; f.Where == "" && f.Reason != "" {
				f.Reason += "; nothing tells of which project it is, and only a start there deletes it"
			}
			c.fates[src] = f
		}
	}
	c.timed(p)
	return nil
}

// timed tells the fates that no setting changes: of pictures and of logs.
func (c *cleanup) timed(p *project) {
	for _, src := range p.sources {
		switch src.Store.ID {
		case "gemini.tmp.images":
			at := src.Info.MTime.Add(time.Hour)
			c.fates[src] = agent.Fate{Span: agent.Certain(at), Reason: "older than an hour", Event: "the next picture is pasted there", Where: p.cwd}
		case "gemini.tmp.background_logs":
			at := src.Info.MTime.Add(7 * 24 * time.Hour)
			c.fates[src] = agent.Fate{Span: agent.Certain(at), Reason: "unchanged for 7 days"}
		}
	}
}

// edit gives the change of settings that keeps the sessions of a project, and lists
// it; nil where none does.
func (c *cleanup) edit(p *project, pol policy) *agent.Edit {
	if !pol.outputs {
		return nil
	}
	e := agent.Edit{
		Path: rootfs.Path(p.root, "settings.json"), JSON: `{"general": {"sessionRetention": {"enabled": false}}}`,
		Why: "Gemini CLI then deletes no session, nor outputs of tools; restorable tool calls go at every start all the same",
	}
	switch at := pol.enabledRule.Path; at {
	case "", c.settings.machine.defaults.path:
	case c.settings.machine.overrides.path:
		e = agent.Edit{Path: at, Why: "whoever manages this machine has turned the clean-up on; no settings of yours turn it off"}
	default:
		e.Path = at
	}
	if !slices.Contains(c.edits, e) {
		c.edits = append(c.edits, e)
	}
	if e.JSON == "" {
		return nil
	}
	return &e
}

// chatFile is a file among the sessions with what the clean-up goes by.
type chatFile struct {
	src *agent.Source
	agent.Clock
	short string // the id at the end of its name, or "" where the clean-up finds none
}

var shortID = regexp.MustCompile(`-([a-zA-Z0-9]{8})\.jsonl?$`)

// chats reads the files among the sessions of a project. One that cannot be read is
// none to Gemini CLI either.
func (c *cleanup) chats(p *project) ([]chatFile, error) {
	var out []chatFile
	for _, src := range p.sources {
		if src.Store.ID != storeChats && src.Store.ID != storeLegacy {
			continue
		}
		f := chatFile{src: src, Clock: agent.Clock{Refused: refusedUnreadable}}
		if m := shortID.FindStringSubmatch(src.Name); m != nil {
			f.short = m[1]
		}
		clock, err := c.clock(src)
		switch {
		case c.ctx.Err() != nil:
			return nil, c.ctx.Err()
		case err != nil:
			c.settings.problem(src.Path, agent.Reason(err)+"; the dates count it as a file that Gemini CLI cannot read either")
		default:
			f.Clock = clock
		}
		out = append(out, f)
	}
	return out, nil
}

func (c *cleanup) clock(src *agent.Source) (agent.Clock, error) {
	if c.q.Brief != nil {
		if b := c.q.Brief(src); b != nil {
			return b.Clock, nil
		}
	}
	f, err := src.Open()
	if err != nil {
		return agent.Clock{}, err
	}
	defer f.Close()
	return clockOf(c.ctx, f)
}

// run is the clean-up of one project under one policy.
type run struct {
	*project
	policy
	chats []chatFile
	keep  *agent.Edit
	fates map[*agent.Source]agent.Fate
}

func (r *run) all() {
	sessions := map[string]agent.Fate{} // by the session's id as names spell it
	families := map[string]string{}     // likewise
	if r.sessions {
		r.condemn(sessions)
	}
	for _, f := range r.chats {
		families[sanitized(f.src.Session)] = f.src.Family
	}
	for _, src := range r.sources {
		r.companion(src, sessions, families)
	}
	if r.outputs {
		r.looseOutputs()
	}
}

// condemn tells the fates of the chats, and notes those of their sessions. Which
// files go for themselves is told first, then which they drag along.
func (r *run) condemn(sessions map[string]agent.Fate) {
	own := r.own()
	dragged := map[string]int{} // by short id, the file that goes first
	for i, f := range r.chats {
		first, known := dragged[f.short]
		if f.short != "" && !own[i].Earliest.IsZero() && (!known || own[i].Earliest.Before(own[first].Earliest)) {
			dragged[f.short] = i
		}
	}
	for i, f := range r.chats {
		fate := own[i]
		if first, known := dragged[f.short]; known && first != i {
			by := own[first]
			by.Reason = "shares its short id with " + path.Base(r.chats[first].src.Name) + ": " + by.Reason
			fate = fate.Both(by)
		}
		if fate.Earliest.IsZero() {
			continue
		}
		fate.Session, fate.Family = f.src.Session, f.src.Family
		r.fates[f.src] = fate
		id := sanitized(f.src.Session)
		if other, known := sessions[id]; f.Refused != refusedUnreadable && (!known || fate.Earliest.Before(other.Earliest)) {
			sessions[id] = fate
		}
	}
}

// own gives the fates that the chats have for themselves.
func (r *run) own() []agent.Fate {
	out := make([]agent.Fate, len(r.chats))
	var valid []int
	for i, f := range r.chats {
		if f.Refused != "" {
			at := f.src.Info.MTime
			out[i] = agent.Fate{Span: agent.Certain(at), Reason: f.Refused, Rule: r.enabledRule, Keep: r.keep}
			continue
		}
		valid = append(valid, i)
		if r.age > 0 && !f.Updated.IsZero() { // one that does not say counts as used now
			at := f.Updated.Add(r.age)
			out[i] = agent.Fate{Span: agent.Certain(at), Reason: "not used for " + r.ageText(), Rule: r.ageRule, Keep: r.keep}
		}
	}
	if r.count > 0 {
		r.number(out, valid)
	}
	return out
}

// number tells the fates of sessions beyond the newest. The session of the start
// itself counts where its file is there already, so that the last place is not sure.
func (r *run) number(out []agent.Fate, valid []int) {
	updated := func(i int) time.Time {
		if t := r.chats[i].Updated; !t.IsZero() {
			return t
		}
		return r.chats[i].src.Info.MTime
	}
	slices.SortStableFunc(valid, func(a, b int) int { return updated(b).Compare(updated(a)) })
	for n, i := range valid {
		if int64(n) < r.count-1 {
			continue
		}
		at := updated(valid[0])
		f := agent.Fate{Span: agent.Certain(at), Reason: "not among the newest", Rule: r.countRule, Keep: r.keep}
		if int64(n) == r.count-1 {
			f.Latest, f.Reason = time.Time{}, "not among the newest once another session begins"
		}
		out[i] = f.Both(out[i])
	}
}

func (r *run) ageText() string {
	hours := int64(r.age / time.Hour)
	if hours%24 == 0 {
		return agent.Count(hours/24, "day")
	}
	return agent.Count(hours, "hour")
}

// companion tells the fate of what is no chat.
func (r *run) companion(src *agent.Source, sessions map[string]agent.Fate, families map[string]string) {
	var f agent.Fate
	id := companionOf(src)
	switch {
	case src.Store.ID == storeChats || src.Store.ID == storeLegacy:
		return
	case src.Store.ID == storeToolCheckpoints:
		at := src.Info.MTime
		f = agent.Fate{Span: agent.Certain(at), Reason: "restorable tool calls go at every start"}
	case id == "":
		return
	default:
		if f = sessions[id]; !f.Earliest.IsZero() {
			f.Reason = "goes with its session: " + f.Reason
		}
		if src.Store.ID == storeOutputs && r.outputs && r.age > 0 {
			f = r.outputFolder(src, f)
		}
	}
	if f.Session, f.Family = id, families[id]; src.Family != "" {
		f.Family = src.Family
	}
	r.fates[src] = f
}

// outputFolder adds the clock of the folder that holds a session's outputs.
func (r *run) outputFolder(src *agent.Source, f agent.Fate) agent.Fate {
	info, err := src.Root.Stat(path.Dir(src.Name))
	if err != nil || info.MTime.IsZero() {
		return f
	}
	at := info.MTime.Add(r.age)
	own := agent.Fate{Span: agent.Certain(at), Reason: "nothing came into its folder for " + r.ageText(), Rule: r.ageRule, Keep: r.keep}
	return own.Both(f)
}

// looseOutputs tells the fates of outputs that lie in no session's folder: by age,
// and of what that leaves only the newest stay.
func (r *run) looseOutputs() {
	var loose []*agent.Source
	for _, src := range r.sources {
		if src.Store.ID == "gemini.tool_outputs_loose" {
			loose = append(loose, src)
		}
	}
	slices.SortStableFunc(loose, func(a, b *agent.Source) int { return b.Info.MTime.Compare(a.Info.MTime) })
	for n, src := range loose {
		var f agent.Fate
		if r.age > 0 {
			at := src.Info.MTime.Add(r.age)
			f = agent.Fate{Span: agent.Certain(at), Reason: "unchanged for " + r.ageText(), Rule: r.ageRule, Keep: r.keep}
		}
		if r.policy.count != 0 && int64(n) >= r.policy.count {
			at := loose[0].Info.MTime
			f = f.Both(agent.Fate{Span: agent.Certain(at), Reason: "not among the newest", Rule: r.countRule, Keep: r.keep})
		}
		r.fates[src] = f
	}
}

// companionOf gives the id of the session that what is no chat belongs to, as names
// spell it.
func companionOf(src *agent.Source) string {
	parts := strings.Split(strings.TrimSuffix(src.Name, "/"), "/")
	switch src.Store.ID {
	case storeSubagents, storeOutputs:
		return src.Session
	case storePlans, "gemini.tmp.tracker", "gemini.tmp.tasks":
		if len(parts) > 3 && parts[2] != "plans" && parts[2] != "tracker" && parts[2] != "tasks" {
			return parts[2]
		}
	case "gemini.tmp.activity_logs":
		return strings.TrimPrefix(stem(src.Name), "session-")
	}
	return ""
}

var unsafeName = regexp.MustCompile(`[^a-zA-Z0-9_-]`)

// sanitized writes a session's id as Gemini CLI does in names.
func sanitized(id string) string { return unsafeName.ReplaceAllString(id, "_") }
