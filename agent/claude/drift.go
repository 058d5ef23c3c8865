package claude

import (
	"strconv"
	"strings"

	"github.com/seshat-dev/seshat/agent"
)

// What of the format was seen so far. Anything else is drift: it is read as far as
// it can be, and counted with one place when somebody asks for it.
var (
	knownKeys        = set(knownKeyNames)
	knownAttachments = set(knownAttachmentTypes)
)

// newestVersion is the newest version of Claude Code whose types were looked at.
var newestVersion = [3]int{2, 1, 293}

func set(words []string) map[string]bool {
	m := make(map[string]bool, len(words))
	for _, w := range words {
		m[w] = true
	}
	return m
}

// drift reports what of a line was never seen before: top-level keys, types of
// attachments, versions.
func (t *transcript) drift(l line, no int) {
	for key, val := range l.raw.Members() {
		if !knownKeys[key] {
			t.note("key "+agent.Quoted(key), no)
		}
		if key == "version" && newer(val.Text()) {
			t.note("version "+agent.Quoted(val.Text()), no)
		}
	}
	if typ := l.raw.Get("attachment").Get("type").Text(); l.typ == "attachment" && !knownAttachments[typ] {
		t.note("attachment type "+agent.Quoted(typ), no)
	}
}

// newer reports whether a version is newer than any that was looked at. What is no
// version counts as new.
func newer(version string) bool {
	parts := strings.SplitN(version, ".", 3)
	for i, newest := range newestVersion {
		if i >= len(parts) {
			return false
		}
		digits, _, _ := strings.Cut(parts[i], "-")
		n, err := strconv.Atoi(digits)
		if err != nil || n > newest {
			return true
		}
		if n < newest {
			return false
		}
	}
	return false
}

var knownKeyNames = []string{
	"agentColor", "agentId", "agentName", "agentSetting", "aiTitle", "apiBlockIndex", "apiErrorStatus",
	"apiRefusalCategory", "apiRefusalExplanation", "artifactCount", "atis", "attachment", "attributionAgent",
	"attributionMcpServer", "attributionMcpTool", "attributionPlugin", "attributionSkill", "backup",
	"bridgeSessionId", "cacheCreationInputTokens", "cacheReadInputTokens", "cause", "classifierMetaLines",
	"compactMetadata", "content", "continuedInSessionId", "costUSD", "customTitle", "cwd", "data", "direction",
	"durationMs", "effort", "entrypoint", "error", "errorDetails", "fallbackModel", "forkedFrom", "frameUrl",
	"gitBranch", "hasOutput", "hash", "hookAdditionalContext", "hookCount", "hookErrors", "hookInfos", "id",
	"imagePasteIds", "inputTokens", "interruptedByShutdown", "interruptedMessageId", "isAbortedMidStream",
	"isApiErrorMessage", "isCompactSummary", "isMeta", "isSidechain", "isSnapshotUpdate",
	"isVisibleInTranscriptOnly", "key", "lastPrompt", "lastSequenceNum", "leafUuid", "level",
	"logicalParentUuid", "maxRetries", "mcpMeta", "message", "messageCount", "messageId",
	"microcompactMetadata", "mode", "modelUsage", "operation", "origin", "originalModel", "outputTokens",
	"ownerAccountUuid", "ownerOrganizationUuid", "params", "parentToolUseID", "parentUuid", "path",
	"pendingBackgroundAgentCount", "pendingWorkflowCount", "permissionMode", "planContent", "prNumber",
	"prRepository", "prUrl", "preventedContinuation", "promptId", "promptSource", "refusedUserMessageUuid",
	"relocatedCwd", "rendered", "renderedRole", "replacements", "requestId", "result", "retractedMessageUuids",
	"retryAttempt", "retryInMs", "scope", "sessionId", "sessionKind", "session_id", "shape", "shapeHash",
	"slug", "snapshot", "snapshotMessageId", "source", "sourceToolAssistantUUID", "sourceToolUseID",
	"stopReason", "subtype", "summarizeMetadata", "summary", "supersedesUuids", "tag", "teamName",
	"thinkingDurationMs", "thinkingMetadata", "timestamp", "title", "todos", "toolDenialKind", "toolEndsTurn",
	"toolUseID", "toolUseResult", "totalCostUSD", "trackingPath", "trigger", "turnCompanion", "turnOrigin",
	"turnPosition", "type", "url", "userType", "uuid", "version", "wireIngestContext", "wireToolInputs",
	"worktreeSession",
}

var knownAttachmentTypes = []string{
	"agent_listing_delta", "async_hook_response", "auto_mode", "auto_mode_exit", "batching_reminder_sent",
	"budget_usd", "command_permissions", "compact_file_reference", "date_change", "deferred_tools_delta",
	"diagnostics", "directory", "dynamic_skill", "edited_text_file", "file", "goal_status",
	"hook_additional_context", "hook_blocking_error", "hook_cancelled", "hook_non_blocking_error",
	"hook_success", "hook_system_message", "invoked_skills", "mcp_instructions_delta", "nested_memory",
	"opened_file_in_ide", "plan_mode", "plan_mode_exit", "plan_mode_reentry", "queued_command",
	"read_truncation_notice", "selected_lines_in_ide", "silent_turn_reminder", "skill_listing", "task_reminder",
	"task_status", "todo_reminder", "total_tokens_reminder", "ultra_effort_enter", "ultra_effort_exit",
}
