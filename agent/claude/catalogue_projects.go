package claude

import (
	"github.com/seshat-dev/seshat/catalog"
	"github.com/seshat-dev/seshat/record"
)

// projectStores gives the prompt log and everything below projects/: transcripts,
// subagents and what lies beside them.
//
// In all rows of this agent an Observed date is that of the source which last
// confirmed the row: the documentation of 2026-08-22, a public thread or schema
// of that day, or 2026-11-01 for our own measurements and for undated sources,
// the day they were read. The version is left out where no source names one.
func projectStores() []catalog.Store {
	return []catalog.Store{
		{
			ID:          "claude.history",
			Agent:       "claude",
			Paths:       []string{"history.jsonl"},
			Format:      catalog.JSONL,
			Role:        "prompt_history",
			Coverage:    catalog.Search,
			Records:     []record.Kind{record.Prompt, record.Command},
			Retention:   catalog.Kept,
			Family:      catalog.FamilyNo,
			Sensitivity: catalog.High,
			DuplicateOf: []string{"claude.projects.session"},
			Distinguishes: "Every typed prompt of the machine, also those whose transcript was swept; a twin of a transcript prompt " +
				"is dropped, and placeholders of pastes are filled from paste-cache.",
			SchemaNotes: "One JSON object per submitted prompt: display, pastedContents, timestamp (integer, Unix milliseconds), " +
				"project (the literal working directory) and sessionId, which is missing on old lines such as those of 2.0.22 and " +
				"2.0.24. pastedContents is an object keyed by the paste's number as a string, its values holding id, type (text or " +
				"image) and content or contentHash. Text of up to 1,024 characters stands in content; longer text lies in " +
				"paste-cache/<contentHash>.txt. Slash commands, ! shell lines and prompts that were cleared without being sent are " +
				"included; prompts of claude -p are not.",
			SearchNotes: "Each line becomes a prompt, or a command when it is a slash command or shell line. A placeholder such as " +
				"[Pasted text #2 +10 lines] is replaced only when the paste of that number is text and is found; otherwise it stays as " +
				"it stands, and inserted text is not scanned again. A line whose text also stands in its session's transcript at about " +
				"the same time is a twin and is dropped. Broken lines are counted and skipped.",
			Observed: catalog.Observed{Version: "2.1.289", Date: "2026-10-01"},
			Evidence: []string{
				"official documentation: claude-directory",
				"official documentation: terminal-config",
				"measured on 324 collected files, versions 1.0.0 to 2.1.220",
				"third-party schema of 2.1.289",
				"https://github.com/anthropics/claude-code/issues/62476",
				"official changelog 2.1.147 and 2.1.218",
			},
		},
		{
			ID:       "claude.projects.session",
			Agent:    "claude",
			Paths:    []string{"projects/<project>/<session>.jsonl"},
			Format:   catalog.JSONL,
			Role:     "primary_chat",
			Coverage: catalog.Search,
			Records: []record.Kind{
				record.Prompt, record.Command, record.Dispatch, record.Reply, record.Thinking,
				record.ToolCall, record.ToolResult, record.Summary, record.Notice,
			},
			Retention:   catalog.SweptMTime,
			Family:      catalog.FamilyYes,
			Sensitivity: catalog.High,
			Distinguishes: "One answer spans lines joined by message.id; api-request-blob is skipped although it has a role; old " +
				"files hold inline sidechains; Desktop and Cowork files are exempt from the sweep since 2.1.248.",
			SchemaNotes: "One JSON object per line, told apart by type; 40 types are known for 2.1.283 to 2.1.289. user and " +
				"assistant lines carry uuid, parentUuid, sessionId, timestamp (ISO 8601, UTC, not monotonic), cwd, gitBranch, version " +
				"and message, whose content is a string or an array of blocks (text, thinking, tool_use, tool_result, image, document). " +
				"One answer of the model is one line per block, all with the same message.id, not always adjacent and each repeating " +
				"message.usage. Other lines are system and attachment records, queue operations, titles and latches such as mode and " +
				"permission-mode, which are appended again and again.",
			SearchNotes: "The file is read in line order and parentUuid is never followed to decide what to show. user and " +
				"assistant lines, queued prompts and readable system lines become records; progress, snapshots, latches, titles and all " +
				"api-request types do not. A user line is a prompt only if it is not injected text, a tool result, a compaction summary " +
				"or a notification. Copies made by resume, fork and background hand-off share uuids and count once.",
			Observed: catalog.Observed{Version: "2.1.289", Date: "2026-10-01"},
			Evidence: []string{
				"official documentation: sessions",
				"measured on 324 collected files, versions 1.0.0 to 2.1.220",
				"third-party schema of 2.1.289",
				"third-party vocabulary of 2.1.283 to 2.1.293 (names of record types)",
				"https://github.com/ccusage/ccusage/issues/901",
				"https://github.com/anthropics/claude-code/issues/24304",
				"https://github.com/anthropics/claude-code/issues/81100",
				"https://github.com/anthropics/claude-code/issues/81843",
				"https://github.com/anthropics/claude-code/issues/91464",
			},
		},
		{
			ID:       "claude.projects.subagent",
			Agent:    "claude",
			Paths:    []string{"projects/<project>/<session>/**/agent-<agent>.jsonl", "projects/<project>/agent-<agent>.jsonl"},
			Format:   catalog.JSONL,
			Role:     "supplementary_chat",
			Coverage: catalog.Search,
			Records: []record.Kind{
				record.Dispatch, record.Reply, record.Thinking, record.ToolCall, record.ToolResult,
				record.Summary, record.Notice,
			},
			Retention:   catalog.WithSession,
			Family:      catalog.FamilyYes,
			Sensitivity: catalog.High,
			Distinguishes: "The sessionId inside is the parent; parent and child share no uuid, so nothing is dropped as a copy; " +
				"must be read even when the parent is gone.",
			SchemaNotes: "The same line format as the session's transcript. sessionId names the parent session and agentId the " +
				"subagent; isSidechain is true. Files lay beside the transcript from about 2.0.28 (agent- and 7 hex digits), then below " +
				"<session>/subagents/ (agent-a and 16 hex digits), workflow agents one or two folders deeper. Nested agents lie flat in " +
				"the same folder; their depth stands only in the sidecar.",
			SearchNotes: "Read like a transcript; the first user text is what the parent told it, a dispatch, and not a prompt. " +
				"Every file is read, also when the parent's transcript is gone. Parent and child share no uuid; what repeats the child " +
				"are progress lines and the final text in the parent's tool result.",
			Observed: catalog.Observed{Version: "2.1.289", Date: "2026-10-01"},
			Evidence: []string{
				"official documentation: sub-agents",
				"measured on 324 collected files, versions 1.0.0 to 2.1.220",
				"third-party schema of 2.1.289",
				"https://github.com/vshulcz/deja-vu/issues/1384",
				"official changelog 2.1.172",
				"https://github.com/anthropics/claude-code/issues/61188",
			},
		},
		{
			ID:    "claude.projects.subagent_meta",
			Agent: "claude",
			Paths: []string{
				"projects/<project>/<session>/**/agent-<agent>.meta.json",
				"projects/<project>/agent-<agent>.meta.json",
			},
			Format:        catalog.JSON,
			Role:          "app_state",
			Coverage:      catalog.Catalogue,
			Retention:     catalog.WithSession,
			Family:        catalog.FamilyYes,
			Sensitivity:   catalog.Medium,
			Distinguishes: "Title, type and depth of the subagent beside it; model is only the requested alias.",
			SchemaNotes: "One JSON object: agentType, description (the line that dispatched the agent), toolUseId (the id of the " +
				"parent's tool call), model, spawnDepth, parentAgentId (2.1.278 and newer), isFork, worktreePath, worktreeBranch, " +
				"spawnedWithWorktree. An old small form holds agentType alone.",
			SearchNotes: "Yields no record: it is read only for the title, type and depth of the transcript beside it. Before " +
				"about 2.1.60 there is no sidecar, and the parent's tool call is used instead.",
			Observed: catalog.Observed{Version: "2.1.289", Date: "2026-10-01"},
			Evidence: []string{"third-party schema of 2.1.289"},
		},
		{
			ID:          "claude.projects.tool_results",
			Agent:       "claude",
			Paths:       []string{"projects/<project>/<session>/tool-results/<name>.<ext>"},
			Format:      catalog.Text,
			Role:        "supplementary_chat",
			Coverage:    catalog.Inspect,
			Records:     []record.Kind{record.Document},
			Retention:   catalog.SweptMTime,
			Family:      catalog.FamilyYes,
			Sensitivity: catalog.High,
			Distinguishes: "Full text of spilled tool output; take only the basename from the persisted-output mark and look for it " +
				"here, never at the stored absolute path.",
			SchemaNotes: "Plain text: the full output of a tool that was too long for the transcript. The tool result there holds " +
				"a persisted-output mark with the words \"Full output saved to\" and a path.",
			SearchNotes: "Read when asked, as a document. The stored path depends on the machine and can be forged, so only its " +
				"last element is used, below the session's own folder and without following links.",
			Observed: catalog.Observed{Version: "2.1.289", Date: "2026-10-01"},
			Evidence: []string{
				"official documentation: claude-directory",
				"third-party schema of 2.1.289",
				"agentsview parser at 5386007",
			},
		},
		{
			ID:            "claude.projects.workflows",
			Agent:         "claude",
			Paths:         []string{"projects/<project>/<session>/workflows/scripts/<name>.js"},
			Format:        catalog.Text,
			Role:          "app_state",
			Coverage:      catalog.Inspect,
			Records:       []record.Kind{record.Document},
			Retention:     catalog.SweptMTime,
			Family:        catalog.FamilyYes,
			Sensitivity:   catalog.Medium,
			Distinguishes: "Generated driver script; only its meta name and description are worth a title.",
			SchemaNotes:   "JavaScript text that holds export const meta = {name, description}; the Workflow tool generated it.",
			SearchNotes: "Read when asked, as a document; not searched by default, because it is generated driver code and only " +
				"the name and description in meta say what it was for.",
			Observed: catalog.Observed{Version: "2.1.185", Date: "2026-08-08"},
			Evidence: []string{"agentgrep store catalogue, 2026-08-08"},
		},
		{
			ID:            "claude.projects.workflow_runs",
			Agent:         "claude",
			Paths:         []string{"projects/<project>/<session>/workflows/<run>.json"},
			Format:        catalog.JSON,
			Role:          "app_state",
			Coverage:      catalog.Catalogue,
			Retention:     catalog.SweptMTime,
			Family:        catalog.FamilyYes,
			Sensitivity:   catalog.Medium,
			Distinguishes: "Run record of a workflow; its conversation is in the subagent transcripts.",
			SchemaNotes:   "One JSON object per run of a workflow. Nothing about its keys was confirmed on real files.",
			SearchNotes:   "Not searched: the run's conversation is in the subagent transcripts.",
			Observed:      catalog.Observed{Date: "2026-06-13"},
			Evidence: []string{
				"https://github.com/delexw/claude-code-trace/issues/115",
				"https://github.com/hoangsonww/Claude-Code-Agent-Monitor/issues/167",
				"test files of the public project claude-code-log",
			},
		},
		{
			ID:            "claude.projects.workflow_journal",
			Agent:         "claude",
			Paths:         []string{"projects/<project>/<session>/subagents/workflows/<run>/journal.jsonl"},
			Format:        catalog.JSONL,
			Role:          "app_state",
			Coverage:      catalog.Catalogue,
			Retention:     catalog.WithSession,
			Family:        catalog.FamilyYes,
			Sensitivity:   catalog.Medium,
			DuplicateOf:   []string{"claude.projects.subagent"},
			Distinguishes: "Started and result lines, not a transcript; it sits among transcripts and must be excluded by name.",
			SchemaNotes:   "JSON lines of two types: started with key and agentId, and result with key, agentId and result.",
			SearchNotes:   "Never searched: the lines are no conversation, and the agents' own transcripts lie in the same folder.",
			Observed:      catalog.Observed{Version: "2.1.220", Date: "2026-11-01"},
			Evidence: []string{
				"measured on 324 collected files, versions 1.0.0 to 2.1.220",
				"https://github.com/delexw/claude-code-trace/issues/115",
			},
		},
		{
			ID:            "claude.projects.memory",
			Agent:         "claude",
			Paths:         []string{"projects/<project>/memory/**/<name>.md", "<autoMemoryDirectory>/**/<name>.md"},
			Format:        catalog.MarkdownFrontmatter,
			Role:          "persistent_memory",
			Coverage:      catalog.Inspect,
			Records:       []record.Kind{record.Document},
			Retention:     catalog.Kept,
			Family:        catalog.FamilyNo,
			Sensitivity:   catalog.High,
			Distinguishes: "The project folder is that of the repository and is shared by its worktrees; a .git inside is skipped.",
			SchemaNotes: "Markdown with YAML front matter: MEMORY.md is the index, and topic files stand beside it. The folder is " +
				"named after the git repository, so that its worktrees share it; the autoMemoryDirectory setting moves it.",
			SearchNotes: "Read when asked; each Markdown file becomes a document, and a .git folder inside is skipped. The sweep " +
				"keeps the folder, though before 2.1.228 it could delete old files in folders below it.",
			Observed: catalog.Observed{Version: "2.1.240", Date: "2026-08-22"},
			Evidence: []string{
				"official documentation: memory",
				"official documentation: claude-directory",
				"agentgrep store catalogue, 2026-08-08",
			},
		},
		{
			ID:            "claude.projects.session_memory",
			Agent:         "claude",
			Paths:         []string{"projects/<project>/<session>/session-memory/<name>.md"},
			Format:        catalog.Markdown,
			Role:          "persistent_memory",
			Coverage:      catalog.Inspect,
			Records:       []record.Kind{record.Document},
			Retention:     catalog.WithSession,
			Family:        catalog.FamilyYes,
			Sensitivity:   catalog.High,
			Distinguishes: "Normally one summary.md; template and prompt files may lie beside it.",
			SchemaNotes: "Markdown, one summary.md per session folder. Template or prompt files may lie beside it; their place was " +
				"not verified.",
			SearchNotes: "Read when asked, as a document.",
			Observed:    catalog.Observed{Version: "2.1.185", Date: "2026-08-08"},
			Evidence:    []string{"agentgrep store catalogue, 2026-08-08"},
		},
		{
			ID:          "claude.projects.custom_title",
			Agent:       "claude",
			Paths:       []string{"projects/<project>/<session>/custom-title.json"},
			Format:      catalog.JSON,
			Role:        "app_state",
			Coverage:    catalog.Catalogue,
			Retention:   catalog.WithSession,
			Family:      catalog.FamilyYes,
			Sensitivity: catalog.Low,
			Distinguishes: "Newest place of a session name, read before the custom-title records; an empty value never clears a " +
				"name.",
			SchemaNotes: "One JSON object with the single key customTitle, a string. Which versions write it is not known.",
			SearchNotes: "Yields no record: it is read only for the session's title, before the custom-title lines of the " +
				"transcript.",
			Observed: catalog.Observed{Date: "2026-11-01"},
			Evidence: []string{"five independent public tools that read or write the file"},
		},
		{
			ID:            "claude.projects.remote_agents",
			Agent:         "claude",
			Paths:         []string{"projects/<project>/<session>/remote-agents/remote-agent-<agent>.meta.json"},
			Format:        catalog.JSON,
			Role:          "app_state",
			Coverage:      catalog.Catalogue,
			Retention:     catalog.WithSession,
			Family:        catalog.FamilyYes,
			Sensitivity:   catalog.Low,
			Distinguishes: "Reported by one third-party schema, not seen by us.",
			SchemaNotes: "JSON, one file per remote agent. Little is known: the name comes from one third-party schema, and no " +
				"such file was seen.",
			SearchNotes: "Not searched: it is bookkeeping of the agent and holds no known conversation.",
			Observed:    catalog.Observed{Version: "2.1.289", Date: "2026-10-01"},
			Evidence:    []string{"third-party schema of 2.1.289 (not observed)"},
		},
		{
			ID:            "claude.projects.mcp_tasks",
			Agent:         "claude",
			Paths:         []string{"projects/<project>/<session>/mcp-tasks/mcp-task-<task>.meta.json"},
			Format:        catalog.JSON,
			Role:          "app_state",
			Coverage:      catalog.Catalogue,
			Retention:     catalog.WithSession,
			Family:        catalog.FamilyYes,
			Sensitivity:   catalog.Low,
			Distinguishes: "Reported by one third-party schema, not seen by us.",
			SchemaNotes: "JSON, one file per MCP task. Little is known: the name comes from one third-party schema, and no such " +
				"file was seen.",
			SearchNotes: "Not searched: it is bookkeeping of the agent and holds no known conversation.",
			Observed:    catalog.Observed{Version: "2.1.289", Date: "2026-10-01"},
			Evidence:    []string{"third-party schema of 2.1.289 (not observed)"},
		},
		{
			ID:    "claude.projects.session_reserved",
			Agent: "claude",
			Paths: []string{
				"projects/<project>/<session>/.ccr-tip.json",
				"projects/<project>/<session>/.precompact.json",
				"projects/<project>/<session>/sent-prefix.json",
			},
			Format:        catalog.JSON,
			Role:          "app_state",
			Coverage:      catalog.Catalogue,
			Retention:     catalog.WithSession,
			Family:        catalog.FamilyYes,
			Sensitivity:   catalog.Medium,
			Distinguishes: "Names only are known; bookkeeping of one session, no conversation.",
			SchemaNotes:   "Only the names of these files are known; nothing was learnt about their keys.",
			SearchNotes:   "Not searched: no conversation is known in them.",
			Observed:      catalog.Observed{Date: "2026-11-01"},
			Evidence:      []string{"list of excluded names in a public third-party tool"},
		},
		{
			ID:    "claude.projects.reserved",
			Agent: "claude",
			Paths: []string{
				"projects/<project>/bridge-pointer.json",
				"projects/<project>/cloud-snapshots/",
				"projects/<project>/tiny_memory/",
				"projects/<project>/bagel/",
				"projects/<project>/<session>.dir-sync.json",
			},
			Format:        catalog.Opaque,
			Role:          "app_state",
			Coverage:      catalog.Catalogue,
			Retention:     catalog.Unknown,
			Family:        catalog.FamilyNo,
			Sensitivity:   catalog.Low,
			Distinguishes: "Names only are known; none is a session, and none may be walked for transcripts.",
			SchemaNotes:   "Only the names of these files and folders are known; nothing was learnt about their contents.",
			SearchNotes:   "Not searched, and the folders are not entered in the search for transcripts.",
			Observed:      catalog.Observed{Date: "2026-11-01"},
			Evidence:      []string{"list of excluded names in a public third-party tool"},
		},
		{
			ID:            "claude.projects.session_aliases",
			Agent:         "claude",
			Paths:         []string{"projects/<project>/.session-aliases"},
			Format:        catalog.Text,
			Role:          "index",
			Coverage:      catalog.Catalogue,
			Retention:     catalog.Unknown,
			Family:        catalog.FamilyNo,
			Sensitivity:   catalog.Low,
			Distinguishes: "Two sources disagree on its lines (folder paths, or name=uuid), so nothing relies on it.",
			SchemaNotes: "Text. One description gives one absolute projects folder per line, another name=uuid lines; which holds " +
				"is not settled.",
			SearchNotes: "Not searched, and nothing is derived from it while its format is unsettled.",
			Observed:    catalog.Observed{Date: "2026-11-01"},
			Evidence:    []string{"two public descriptions that contradict each other"},
		},
		{
			ID:          "claude.projects.index",
			Agent:       "claude",
			Paths:       []string{"projects/<project>/sessions-index.json"},
			Format:      catalog.JSON,
			Role:        "index",
			Coverage:    catalog.Catalogue,
			Retention:   catalog.Kept,
			Family:      catalog.FamilyNo,
			Sensitivity: catalog.Medium,
			DuplicateOf: []string{"claude.projects.session"},
			Distinguishes: "Abandoned and stale: never a list of what exists, but it names deleted sessions; never restored or " +
				"edited.",
			SchemaNotes: "JSON with one entry per session, among them id, first prompt, summary and dates. It was left behind when " +
				"Claude Code stopped using it, at some version between about 2.1.3x and 2.1.89.",
			SearchNotes: "Yields no record: it only names sessions whose transcripts are gone, and never proves that one exists.",
			Observed:    catalog.Observed{Version: "2.1.3x to 2.1.89", Date: "2026-11-01"},
			Evidence: []string{
				"https://github.com/anthropics/claude-code/issues/25032",
				"https://github.com/anthropics/claude-code/issues/25685",
				"https://github.com/anthropics/claude-code/issues/26507",
				"https://github.com/anthropics/claude-code/issues/46621",
				"https://github.com/anthropics/claude-code/issues/48782",
			},
		},
	}
}
