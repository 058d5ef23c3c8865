package claude

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/seshat-dev/seshat/agent"
	"github.com/seshat-dev/seshat/catalog"
	"github.com/seshat-dev/seshat/internal/rootfs"
	"github.com/seshat-dev/seshat/record"
)

// Every store that is inspected, and the documents of one of its files: the
// session, the title and the text.
var inspected = map[string][]struct{ name, data, want string }{
	"claude.projects.tool_results":   {{folder + mine + "/tool-results/b1.txt", "a\nb\n", mine + " b1.txt: a\nb"}},
	"claude.projects.workflows":      {{folder + mine + "/workflows/scripts/w.js", "export const meta = {\n  name: 'Sweep', description: \"x\"\n}\n", mine + " Sweep: export const meta = {\n  name: 'Sweep', description: \"x\"\n}"}},
	"claude.projects.session_memory": {{folder + mine + "/session-memory/summary.md", "# What was done\nmuch\n", mine + " What was done: # What was done\nmuch"}},
	"claude.projects.memory": {
		{folder + "memory/MEMORY.md", "---\ntitle: The Index\nname: index\n---\n# Other\nx\n", " The Index: ---\ntitle: The Index\nname: index\n---\n# Other\nx"},
		{folder + "memory/deep/topic.md", "---\nname: topic one\n---\nx", " topic one: ---\nname: topic one\n---\nx"},
		{folder + "memory/plain.md", "no title", " plain.md: no title"},
		{folder + "memory/broken.md", "---\nname: [\n---\n# Head\n", " Head: ---\nname: [\n---\n# Head"},
		{folder + "memory/blank.md", "\n \n", ""},
	},
	"claude.memory_files": {{"CLAUDE.md", "# Rules\nbe kind", " Rules: # Rules\nbe kind"}},
	"claude.tasks": {
		{"tasks/" + mine + "/1.json", `{"id":"1","subject":"Dig","description":"deep","status":"pending","activeForm":"Digging","owner":"sam","blocks":["2"]}`, mine + " Dig: Dig\ndeep\nstatus: pending\nactiveForm: Digging\nowner: sam"},
		{"tasks/" + mine + "/2.json", `{"id":"2","subject":"Hidden","metadata":{"_internal":true}}`, ""},
		{"tasks/" + mine + "/3.json", `{"id":"3","description":"no subject"}`, ""},
		{"tasks/" + mine + "/4.json", `{"id":"4","subject":"Seen","metadata":{"_internal":false}}`, mine + " Seen: Seen"},
		{"tasks/" + mine + "/5.json", `[]`, ""},
	},
	"claude.todos": {
		{"todos/" + mine + "-agent-" + mine + ".json", `[{"content":"one","status":"pending","id":"1"},{"content":"two","status":"completed"},{"content":5}]`, mine + " " + mine + "-agent-" + mine + ".json: [pending] one\n[completed] two"},
		{"todos/" + mine + "-agent-a2.json", `[]`, ""},
	},
	"claude.plans": {{"plans/brave-red-fox.md", "# The plan\n\n1. dig\n", " The plan: # The plan\n\n1. dig"}, {"plans/brave-red-fox-agent-a1.md", "dig", " brave-red-fox-agent-a1.md: dig"}},
	"claude.usage_data": {{"usage-data/facets/" + mine + ".json", `{"session_id":"x","brief_summary":"It went well","underlying_goal":"dig","friction_detail":"stones","goal_categories":{"needle":1}}`,
		mine + " " + mine + ".json: It went well\nunderlying_goal: dig\nfriction_detail: stones"}},
	"claude.skills":        {{"skills/dig/SKILL.md", "---\nname: dig\ndescription: digs\n---\n# How\n", " dig: ---\nname: dig\ndescription: digs\n---\n# How"}},
	"claude.commands":      {{"commands/git/push.md", "---\r\ndescription: x\r\n---\r\npush it", " push.md: ---\r\ndescription: x\r\n---\r\npush it"}},
	"claude.agents":        {{"agents/digger.md", "---\nname: digger\n---\nYou dig", " digger: ---\nname: digger\n---\nYou dig"}},
	"claude.rules":         {{"rules/go.md", "use gofmt", " go.md: use gofmt"}},
	"claude.output_styles": {{"output-styles/terse.md", "---\nname: Terse\n---\nshort", " Terse: ---\nname: Terse\n---\nshort"}},
	"claude.workflows":     {{"workflows/w.js", "const x = 1", " w.js: const x = 1"}},
	"claude.agent_memory":  {{"agent-memory/digger/notes.md", "# Notes\nstones", " Notes: # Notes\nstones"}},
	"claude.teams": {{"teams/red/config.json", `{"name":"red","description":"digs","createdAt":1,"leadSessionId":"x","members":[{"name":"ann","agentId":"ann@red","prompt":"dig left"},{"name":"bob","tmuxPaneId":"needle"}]}`,
		" red: red\ndigs\nann: dig left\nbob:"}},
	"claude.team_inboxes":  {{"teams/red/inboxes/ann.json", `[{"from":"bob","text":"hi","read":false},{"from":"lead","text":"dig"}]`, " bob: from: bob\ntext: hi| lead: from: lead\ntext: dig"}},
	"claude.plugins_cache": {{"plugins/cache/m/p/1.0/skills/dig/SKILL.md", "---\nname: dig\n---\nx", " dig: ---\nname: dig\n---\nx"}},
	"claude.project_instructions": {
		{"/srv/app/.claude/commands/a/b.md", "do it", " b.md: do it"}, {"/srv/app/.claude/agents/x.md", "---\nname: xx\n---\n", " xx: ---\nname: xx\n---"}, {"/srv/app/.claude/skills/s/SKILL.md", "# S", " S: # S"},
	},
	"claude.project_rules":        {{"/srv/app/.claude/rules/r.md", "# R", " R: # R"}, {"/srv/app/.claude/output-styles/o.md", "o", " o.md: o"}, {"/srv/app/.claude/workflows/w.js", "w", " w.js: w"}},
	"claude.project_agent_memory": {{"/srv/app/.claude/agent-memory/x/n.md", "n", " n.md: n"}, {"/srv/app/.claude/agent-memory-local/x/m.md", "m", " m.md: m"}},
}

// repoFiles are the memory files of the known repository.
var repoFiles = []string{"CLAUDE.md", ".claude.md", ".claude/CLAUDE.md", "CLAUDE.local.md"}

func TestDocuments(t *testing.T) {
	m := disk(map[string]string{script: text(usr("u1", 1, "x")), folder + "memory/.git/HEAD.md": "needle", "tasks/" + mine + "/.lock": "", "tasks/" + mine + "/.highwatermark": "5"})
	repo := &rootfs.Memory{Folder: "/srv/app"}
	want := map[string][]string{}
	for id, files := range inspected {
		for _, f := range files {
			path := "/home/sam/.claude/" + f.name
			if in, ok := strings.CutPrefix(f.name, "/srv/app/"); ok {
				repo.File(in, f.data, touched)
				path = f.name
			} else {
				m.File(f.name, f.data, touched)
			}
			want[path] = []string{id}
			if f.want != "" {
				want[path] = append(want[path], strings.Split(f.want, "|")...)
			}
		}
	}
	for _, name := range repoFiles {
		repo.File(name, "# "+name, touched)
		want["/srv/app/"+name] = []string{"claude.memory_files", " " + name + ": # " + name}
	}
	env := world(m, repo)
	env.Wide = true
	sources := discovered(t, env)
	for path, want := range want {
		if sources[path] == nil {
			t.Errorf("%s is not found", path)
			continue
		}
		got := []string{sources[path].Store.ID}
		for i, r := range readFrom(t, sources[path], agent.Plan{}).records {
			id := "L1"
			if i > 0 {
				id = fmt.Sprintf("L1#%d", i)
			}
			if r.Kind != record.Document || r.ID != id || r.Line != 1 || r.Store != got[0] || r.Path != path || !r.Time.Equal(touched) || r.Role != record.System {
				t.Errorf("%s: %+v", path, r)
			}
			got = append(got, r.Session+" "+r.Title+": "+r.Text)
		}
		checkSame(t, got, want)
	}
	for path, s := range sources {
		if s.Store.Coverage == catalog.Inspect && want[path] == nil {
			t.Errorf("%s is found as %s", path, s.Store.ID)
		}
	}
	for _, s := range adapter(t).Catalog().Stores {
		if s.Coverage == catalog.Inspect && s.Format != catalog.SQLite && inspected[s.ID] == nil {
			t.Errorf("nothing is expected of %s", s.ID)
		}
	}
}

// Broken JSON is damage and costs only itself; the old database says that nothing
// reads it.
func TestDocumentsThatCannotBeRead(t *testing.T) {
	m := disk(map[string]string{"tasks/x/1.json": `{"subject":"cut`, "teams/red/config.json": `{"name":"red"} {"name":"blue"}`, "todos/a-agent-b.json": "", "__store.db": "SQLite format 3\x00"})
	for _, name := range []string{"tasks/x/1.json", "teams/red/config.json", "todos/a-agent-b.json"} {
		if f := readFrom(t, at(t, m, name), agent.Plan{}); len(f.damage) != 1 || len(f.records) != 0 || f.damage[0].Line != 1 {
			t.Errorf("%s: %q, damage %+v", name, f.tell(), f.damage)
		}
	}
	for _, err := range adapter(t).Read(context.Background(), at(t, m, "__store.db"), agent.Plan{}) {
		if err != agent.ErrNoReader {
			t.Errorf("the database gives %v", err)
		}
	}
}

// Settings can put plans and memory elsewhere: the user's, a project's, the
// machine's; absolute, below the home, relative to the project.
func TestMovedFolders(t *testing.T) {
	plan := func(dir string) *rootfs.Memory {
		m := &rootfs.Memory{Folder: dir}
		m.File("p.md", "# Plan", touched)
		m.File("deep/topic.md", "# Topic", touched)
		return m
	}
	const plans, memory = "claude.plans", "claude.projects.memory"
	for name, c := range map[string]struct{ user, project, system, dir, store string }{
		"plans, absolute":             {user: `{"plansDirectory":"/data/plans"}`, dir: "/data/plans", store: plans},
		"plans, below the home":       {user: `{"plansDirectory":"~/plans"}`, dir: "/home/sam/plans", store: plans},
		"plans, below the project":    {project: `{"plansDirectory":"docs/plans"}`, dir: "/srv/app/docs/plans", store: plans},
		"plans, with a dot":           {project: `{"plansDirectory":"./docs/plans"}`, dir: "/srv/app/docs/plans", store: plans},
		"plans, of the user relative": {user: `{"plansDirectory":"plans"}`, dir: "/srv/app/plans", store: plans},
		"plans, of the machine":       {system: `{"plansDirectory":"/data/plans"}`, dir: "/data/plans", store: plans},
		"memory, absolute":            {user: `{"autoMemoryDirectory":"/data/memory"}`, dir: "/data/memory", store: memory},
		"memory, below the home":      {user: `{"autoMemoryDirectory":"~/memory"}`, dir: "/home/sam/memory", store: memory},
		"memory, of a project":        {project: `{"autoMemoryDirectory":"/data/memory"}`, dir: "/data/memory", store: memory},
	} {
		m := disk(map[string]string{script: text(usr("u1", 1, "x"))})
		repo, system := &rootfs.Memory{Folder: "/srv/app"}, &rootfs.Memory{Folder: "/etc/claude-code"}
		if c.user != "" {
			m.File("settings.json", c.user, touched)
		}
		if c.project != "" {
			repo.File(".claude/settings.json", c.project, touched)
		}
		if c.system != "" {
			system.File("managed-settings.json", c.system, touched)
		}
		env := world(m, repo, system, plan(c.dir))
		env.Wide = true
		sources := discovered(t, env)
		src := sources[c.dir+"/p.md"]
		if src == nil || src.Store.ID != c.store {
			t.Errorf("%s: the file is found as %v", name, src)
			continue
		}
		if f := readFrom(t, src, agent.Plan{}); len(f.records) != 1 || f.records[0].Title != "Plan" {
			t.Errorf("%s: %q", name, f.tell())
		}
		if deep := sources[c.dir+"/deep/topic.md"]; (deep != nil) != (c.store == memory) {
			t.Errorf("%s: the file below a folder is found as %v", name, deep)
		}
		env.Wide = false
		if discovered(t, env)[c.dir+"/p.md"] != nil {
			t.Errorf("%s: it is found without being asked for", name)
		}
	}
}
