package gemini

import (
	"github.com/seshat-dev/seshat/catalog"
	"github.com/seshat-dev/seshat/record"
)

// What the rows below were confirmed with: upstream's source, or that and real
// files.
var (
	observedSource = catalog.Observed{Version: "0.56.0-nightly.20260806", Date: "2026-08-21"}
	observedFiles  = catalog.Observed{Version: "0.56.0-nightly.20260806", Date: "2026-11-01"}
)

// projectStores lists the conversations and prompts that the agent keeps below tmp/,
// most of them in one folder a project.
func projectStores() []catalog.Store {
	return []catalog.Store{
		{
			ID:       "gemini.tmp.chats",
			Agent:    "gemini",
			Paths:    []string{"tmp/<project>/chats/session-<stamp>-<id8>.jsonl"},
			Format:   catalog.JSONL,
			Role:     "primary_chat",
			Coverage: catalog.Search,
			Records: []record.Kind{
				record.Prompt,
				record.Command,
				record.Reply,
				record.Thinking,
				record.ToolCall,
				record.ToolResult,
				record.Summary,
				record.Notice,
			},
			Retention:   catalog.SweptContent,
			Family:      catalog.FamilyYes,
			Sensitivity: catalog.High,
			Distinguishes: "An event log that must be folded by id, with $set and $rewindTo applied; its age is lastUpdated inside " +
				"the file, and clean-up goes by the 8 characters at the end of the name and takes every file that shares them.",
			SchemaNotes: "Line 1 is normally metadata (sessionId, projectHash, startTime, lastUpdated; optional kind, directories, " +
				"summary, memoryScratchpad) and can occur again. A message has id, timestamp, type (user, gemini, info, error, " +
				"warning), content (a string, a part or a list of both) and optional displayContent; gemini messages add toolCalls, " +
				"thoughts, tokens and model, and one turn is appended several times with the same id, each time complete. " +
				"{\"$set\":{...}} changes metadata or, with messages, replaces the whole history; {\"$rewindTo\":id} drops that message " +
				"and all after it, or everything when the id is unknown. Notes on 0.64 describe a further $patch record.",
			SearchNotes: "Folded: the last line with an id wins and keeps the first one's place. What a rewind or a rewrite " +
				"removed is kept and flagged. A user message is not always a person: <session_context> and <hook_context> text is a " +
				"notice, and a message of functionResponse parts only is a tool result, left out when its call already holds it. " +
				"Copies in an old hash folder count once; a session id alone is no key, since several files can share one.",
			Observed: observedFiles,
			Evidence: []string{
				"gemini-cli 5411f113ca packages/core/src/services/chatRecordingService.ts:168-346",
				"gemini-cli 5411f113ca packages/core/src/services/chatRecordingService.ts:499-519",
				"gemini-cli 5411f113ca packages/core/src/services/chatRecordingTypes.ts:44-87",
				"gemini-cli 5411f113ca packages/cli/src/utils/sessionCleanup.ts",
				"measured on 136 collected files",
				"https://github.com/google-gemini/gemini-cli/issues/27368",
				"https://github.com/google-gemini/gemini-cli/issues/26935",
			},
		},
		{
			ID:          "gemini.tmp.subagent_chats",
			Agent:       "gemini",
			Paths:       []string{"tmp/<project>/chats/<session>/<agent>.jsonl"},
			Format:      catalog.JSONL,
			Role:        "supplementary_chat",
			Coverage:    catalog.Search,
			Records:     []record.Kind{record.Dispatch, record.Reply, record.Thinking, record.ToolCall, record.ToolResult, record.Notice},
			Retention:   catalog.WithSession,
			Family:      catalog.FamilyYes,
			Sensitivity: catalog.High,
			Distinguishes: "A subagent's transcript, whose name lacks the session- prefix, so that a glob for it misses the file; " +
				"from its own side only the folder's name, the parent's session id, leads to the parent.",
			SchemaNotes: "The event log of a main session, with kind subagent, the workspace folders in directories, and a " +
				"sessionId equal to the agent id in the file name (a uuid, in older files 6 characters). It lies below the main " +
				"session even when the subagent is nested. A tool call of the parent can name it in agentId.",
			SearchNotes: "Folded like a main session. What the parent told it is a dispatch, not a prompt, and its records belong " +
				"to the parent's session, marked as a subagent's.",
			Observed: observedSource,
			Evidence: []string{
				"gemini-cli 5411f113ca packages/core/src/services/chatRecordingService.ts:484-513",
				"gemini-cli 5411f113ca packages/core/src/services/chatRecordingService.ts:521-528",
				"gemini-cli 5411f113ca packages/core/src/agents/local-executor.ts:319",
				"https://github.com/farion1231/cc-switch/issues/3145",
			},
		},
		{
			ID:       "gemini.tmp.chats_legacy",
			Agent:    "gemini",
			Paths:    []string{"tmp/<project>/chats/session-<stamp>-<id8>.json"},
			Format:   catalog.JSON,
			Role:     "primary_chat",
			Coverage: catalog.Search,
			Records: []record.Kind{
				record.Prompt,
				record.Command,
				record.Dispatch,
				record.Reply,
				record.Thinking,
				record.ToolCall,
				record.ToolResult,
				record.Summary,
				record.Notice,
			},
			Retention:   catalog.SweptContent,
			Family:      catalog.FamilyYes,
			Sensitivity: catalog.High,
			DuplicateOf: []string{"gemini.tmp.chats"},
			Distinguishes: "One JSON object a session, written until v0.38, old subagents among them; a resume leaves it beside a " +
				".jsonl twin with the same ids, and when it expires the twin is deleted too.",
			SchemaNotes: "One object, pretty-printed or on one line: sessionId, projectHash, startTime, lastUpdated, messages, and " +
				"optional summary, kind, directories, memoryScratchpad. Messages are those of the event log, with content mostly a " +
				"plain string. Subagents stand in the same folder with kind subagent. An id can stand twice in messages; the last " +
				"one counts.",
			SearchNotes: "Every message becomes a record, in a subagent's file the task a dispatch. Messages that the .jsonl twin " +
				"holds count once, those that only this file has are kept; copies in an old hash folder count once.",
			Observed: observedFiles,
			Evidence: []string{
				"gemini-cli 5411f113ca packages/core/src/services/chatRecordingService.ts:436-460",
				"gemini-cli 5411f113ca packages/core/src/services/chatRecordingService.ts:1041-1102",
				"measured on 136 collected files",
				"https://github.com/majiayu000/ccstats/pull/146",
			},
		},
		{
			ID:          "gemini.tmp.chats_leftovers",
			Agent:       "gemini",
			Paths:       []string{"tmp/<project>/chats/<name>.jsonl.unreadable-<ms>", "tmp/<project>/chats/<name>.tmp-<pid>"},
			Format:      catalog.JSONL,
			Role:        "supplementary_chat",
			Coverage:    catalog.Catalogue,
			Retention:   catalog.Unknown,
			Family:      catalog.FamilyNo,
			Sensitivity: catalog.High,
			DuplicateOf: []string{"gemini.tmp.chats"},
			Distinguishes: "Backup or torn temporary file of a rewrite, not a session of its own, although an unreadable one can be " +
				"the last copy of a session.",
			SchemaNotes: "A name with .unreadable- and milliseconds is the backup of a chat file, one with .tmp- and a process id " +
				"the temporary file of its rewrite. No more is known of their lines.",
			SearchNotes: "Not searched, since as a rule it repeats the chat file beside it; name and size are shown.",
			Observed:    observedSource,
			Evidence: []string{
				"gemini-cli 5411f113ca packages/core/src/services/chatRecordingService.ts:580-639",
			},
		},
		{
			ID:          "gemini.tmp.checkpoints",
			Agent:       "gemini",
			Paths:       []string{"tmp/<project>/checkpoint-<tag>.json"},
			Format:      catalog.JSON,
			Role:        "supplementary_chat",
			Coverage:    catalog.Inspect,
			Records:     []record.Kind{record.Prompt, record.Reply, record.Thinking, record.ToolCall, record.ToolResult, record.Notice},
			Retention:   catalog.Kept,
			Family:      catalog.FamilyNo,
			Sensitivity: catalog.High,
			DuplicateOf: []string{"gemini.tmp.chats"},
			Distinguishes: "A conversation that the user saved under a tag with /chat save, beside chats/ and not inside it; older " +
				"files are a bare array, none has ids or times, and the tag in the name is URL-encoded.",
			SchemaNotes: "An object {history, authType?}, in older files the history array alone. An entry is {role: user or " +
				"model, parts}; the first one is normally the context preamble. Saving the same tag again overwrites the file.",
			SearchNotes: "Read when asked: entries become prompts, replies, thinking, tool calls, tool results and notices, dated " +
				"by the file's modification time. It repeats turns of the chat, so it stays out of the default search.",
			Observed: observedSource,
			Evidence: []string{
				"gemini-cli 5411f113ca packages/core/src/core/logger.ts:285-391",
				"gemini-cli 5411f113ca packages/cli/src/ui/commands/chatCommand.ts:34-72",
			},
		},
		{
			ID:          "gemini.tmp.tool_checkpoints",
			Agent:       "gemini",
			Paths:       []string{"tmp/<project>/checkpoints/<stamp>-<file>-<tool>.json"},
			Format:      catalog.JSON,
			Role:        "supplementary_chat",
			Coverage:    catalog.Inspect,
			Records:     []record.Kind{record.Prompt, record.Reply, record.Thinking, record.ToolCall, record.ToolResult, record.Notice},
			Retention:   catalog.AtEveryStart,
			Family:      catalog.FamilyNo,
			Sensitivity: catalog.High,
			DuplicateOf: []string{"gemini.tmp.chats"},
			Distinguishes: "The whole conversation once more for each restorable tool call, not a conversation saved by /chat save; " +
				"the folder of the current project is deleted at every start.",
			SchemaNotes: "One object with toolCall {name, args}, commitHash, messageId and optional history (items of the screen) " +
				"and clientHistory (entries of role and parts). Written only when general.checkpointing.enabled is set.",
			SearchNotes: "Read when asked. Each file is a full copy of the conversation, so it stays out of the default search.",
			Observed:    observedSource,
			Evidence: []string{
				"gemini-cli 5411f113ca packages/core/src/utils/checkpointUtils.ts:48-67",
				"gemini-cli 5411f113ca packages/core/src/config/storage.ts:313",
				"gemini-cli 5411f113ca packages/cli/src/utils/cleanup.ts:187",
				"gemini-cli 5411f113ca packages/cli/src/gemini.tsx:393",
			},
		},
		{
			ID:          "gemini.tmp.logs",
			Agent:       "gemini",
			Paths:       []string{"tmp/<project>/logs.json"},
			Format:      catalog.JSONArray,
			Role:        "prompt_history",
			Coverage:    catalog.Search,
			Records:     []record.Kind{record.Prompt, record.Command},
			Retention:   catalog.Kept,
			Family:      catalog.FamilyNo,
			Sensitivity: catalog.High,
			DuplicateOf: []string{"gemini.tmp.chats"},
			Distinguishes: "The prompt log of all sessions of a project, never cleaned and so the longest record of prompts; it is " +
				"rewritten whole without a lock, so that sessions running at once lose entries or break it.",
			SchemaNotes: "A JSON array of {sessionId, messageId (a number that counts per session), timestamp, type: user, " +
				"message}. The message is the trimmed text as typed, slash commands included. Entries of another shape are dropped " +
				"at the next rewrite, and non-interactive runs write none.",
			SearchNotes: "Each entry becomes a prompt or a command. Entries that the session's chat holds are dropped; slash " +
				"commands and prompts of sessions whose chat is gone remain.",
			Observed: observedFiles,
			Evidence: []string{
				"gemini-cli 5411f113ca packages/core/src/core/logger.ts:21-27",
				"gemini-cli 5411f113ca packages/core/src/core/logger.ts:101-108",
				"gemini-cli 5411f113ca packages/core/src/core/logger.ts:227-234",
				"gemini-cli 5411f113ca packages/cli/src/ui/hooks/useGeminiStream.ts:970",
				"measured on 136 collected files",
				"https://github.com/google-gemini/gemini-cli/issues/24532",
			},
		},
		{
			ID:            "gemini.tmp.logs_backups",
			Agent:         "gemini",
			Paths:         []string{"tmp/<project>/logs.json.<reason>.<ms>.bak"},
			Format:        catalog.Text,
			Role:          "prompt_history",
			Coverage:      catalog.Catalogue,
			Retention:     catalog.Kept,
			Family:        catalog.FamilyNo,
			Sensitivity:   catalog.High,
			DuplicateOf:   []string{"gemini.tmp.logs"},
			Distinguishes: "A prompt log set aside because it did not parse, and so perhaps the only place of some prompts.",
			SchemaNotes: "The former logs.json under another name; the reason in the name is invalid_json or malformed_array, the " +
				"number is in milliseconds.",
			SearchNotes: "Not searched, because it is not the JSON array it should be; name and size are shown.",
			Observed:    observedSource,
			Evidence: []string{
				"gemini-cli 5411f113ca packages/core/src/core/logger.ts:15",
				"gemini-cli 5411f113ca packages/core/src/core/logger.ts:131-140",
			},
		},
		{
			ID:          "gemini.tmp.activity_logs",
			Agent:       "gemini",
			Paths:       []string{"tmp/<project>/logs/session-<session>.jsonl"},
			Format:      catalog.JSONL,
			Role:        "app_state",
			Coverage:    catalog.Catalogue,
			Retention:   catalog.WithSession,
			Family:      catalog.FamilyNo,
			Sensitivity: catalog.High,
			DuplicateOf: []string{"gemini.tmp.chats"},
			Distinguishes: "A console and network log with full request bodies, never taken for a session although its name looks " +
				"like a chat's.",
			SchemaNotes: "One object a line: type (console or network), payload, sessionId and timestamp in milliseconds. Nothing " +
				"is written unless the log is enabled.",
			SearchNotes: "Never indexed: it repeats the chat inside request bodies.",
			Observed:    observedSource,
			Evidence: []string{
				"gemini-cli 5411f113ca packages/cli/src/utils/activityLogger.ts:680-730",
				"gemini-cli 5411f113ca packages/cli/src/utils/sessionCleanup.ts",
			},
		},
		{
			ID:          "gemini.tmp.shell_history",
			Agent:       "gemini",
			Paths:       []string{"tmp/<project>/shell_history"},
			Format:      catalog.Text,
			Role:        "prompt_history",
			Coverage:    catalog.Inspect,
			Records:     []record.Kind{record.Command},
			Retention:   catalog.Rotating,
			Family:      catalog.FamilyNo,
			Sensitivity: catalog.High,
			Distinguishes: "Commands typed in ! mode, at most 100 and oldest first, with no times, so that nothing tells when or in " +
				"which session one ran.",
			SchemaNotes: "Plain text, one command a line; a command of several lines continues after a backslash.",
			SearchNotes: "Read when asked: each command becomes one record, its lines joined.",
			Observed:    observedSource,
			Evidence: []string{
				"gemini-cli 5411f113ca packages/core/src/config/storage.ts:429",
				"gemini-cli 5411f113ca packages/cli/src/ui/hooks/useShellHistory.ts",
			},
		},
	}
}
