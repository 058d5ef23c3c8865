package gemini

import (
	"github.com/seshat-dev/seshat/catalog"
	"github.com/seshat-dev/seshat/record"
)

// dataStores lists the registries, settings and memory of the data folder and of
// projects.
func dataStores() []catalog.Store {
	return []catalog.Store{
		{
			ID:          "gemini.projects",
			Agent:       "gemini",
			Paths:       []string{"projects.json"},
			Format:      catalog.JSON,
			Role:        "index",
			Coverage:    catalog.Catalogue,
			Retention:   catalog.Kept,
			Family:      catalog.FamilyNo,
			Sensitivity: catalog.Low,
			Distinguishes: "Maps a project's path to its folder name; old hash folders are missing, keys are lower-cased on Windows, " +
				"and one bad name empties it in memory, so a restore writes markers and never this file.",
			SchemaNotes: "One object {\"projects\": {path: name}}, indented by 2 spaces; a path is absolute and normalised, a name " +
				"matches ^[a-z0-9-]+$. A name is the last part of the path in lower case, hyphens standing for all but letters and " +
				"digits, with a number when it is taken. On Windows a key is in lower case and its SHA-256 is not the projectHash of " +
				"a chat.",
			SearchNotes: "Not searched, since it holds no prompts; it is read to learn where a project is, after the markers.",
			Observed:    observedFiles,
			Evidence: []string{
				"gemini-cli 5411f113ca packages/core/src/config/projectRegistry.ts:16-22",
				"gemini-cli 5411f113ca packages/core/src/config/projectRegistry.ts:67-86",
				"gemini-cli 5411f113ca packages/core/src/config/projectRegistry.ts:95-117",
				"measured on 136 collected files",
			},
		},
		{
			ID:          "gemini.project_marker",
			Agent:       "gemini",
			Paths:       []string{"tmp/<project>/.project_root", "history/<project>/.project_root"},
			Format:      catalog.Text,
			Role:        "index",
			Coverage:    catalog.Catalogue,
			Retention:   catalog.Kept,
			Family:      catalog.FamilyYes,
			Sensitivity: catalog.Low,
			DuplicateOf: []string{"gemini.projects"},
			Distinguishes: "The surest way back from a folder name to a project's path, standing under both tmp/ and history/; old " +
				"hash folders normally have none.",
			SchemaNotes: "Plain text: one normalised absolute path, to be trimmed.",
			SearchNotes: "Not searched, since it holds no prompts; it is read first to learn where a project is.",
			Observed:    observedFiles,
			Evidence: []string{
				"gemini-cli 5411f113ca packages/core/src/config/projectRegistry.ts:266-302",
				"gemini-cli 5411f113ca packages/core/src/config/projectRegistry.ts:372-412",
				"measured on 136 collected files",
			},
		},
		{
			ID:            "gemini.registry_locks",
			Agent:         "gemini",
			Paths:         []string{"projects.json.lock/", "projects.json.<uuid>.tmp"},
			Format:        catalog.Opaque,
			Role:          "app_state",
			Coverage:      catalog.Catalogue,
			Retention:     catalog.AtExit,
			Family:        catalog.FamilyNo,
			Sensitivity:   catalog.None,
			Distinguishes: "Signs of a registry being written, never archived or restored; the lock is a folder, not a file.",
			SchemaNotes:   "The lock is a folder; the temporary file is a registry on its way into place, under a random name.",
			SearchNotes:   "Not searched: it lives only while the registry is written.",
			Observed:      observedSource,
			Evidence: []string{
				"gemini-cli 5411f113ca packages/core/src/config/projectRegistry.ts:103-117",
			},
		},
		{
			ID:          "gemini.history",
			Agent:       "gemini",
			Paths:       []string{"history/<project>/"},
			Format:      catalog.Directory,
			Role:        "source_tree",
			Coverage:    catalog.Catalogue,
			Retention:   catalog.Kept,
			Family:      catalog.FamilyNo,
			Sensitivity: catalog.High,
			Distinguishes: "A shadow git repository with snapshots of the project's files for undoing edits, no archive of " +
				"conversations in spite of its name; a folder that holds only a marker is normal.",
			SchemaNotes: "Where checkpointing ran: .git with branch main, .gitconfig, .gitconfig_system_empty and a copy of " +
				".gitignore. The marker is made for every project.",
			SearchNotes: "Not searched and never walked: it is source code.",
			Observed:    observedSource,
			Evidence: []string{
				"gemini-cli 5411f113ca packages/core/src/services/gitService.ts:25-26",
				"gemini-cli 5411f113ca packages/core/src/services/gitService.ts:72-189",
			},
		},
		{
			ID:          "gemini.worktrees",
			Agent:       "gemini",
			Paths:       []string{"<repo>/.gemini/worktrees/<name>/"},
			Format:      catalog.Directory,
			Role:        "source_tree",
			Coverage:    catalog.Catalogue,
			Retention:   catalog.Kept,
			Family:      catalog.FamilyNo,
			Sensitivity: catalog.Medium,
			Distinguishes: "A checkout of the repository, not data of the agent; its sessions lie in a project folder of its own, " +
				"and that folder's marker and the registry lead back here, by cutting the path at /.gemini/worktrees/.",
			SchemaNotes: "A git worktree on branch worktree-<name>. A default name is a UTC time with hyphens and four random " +
				"characters. Behind the setting experimental.worktrees since v0.36. An unmodified one can be removed, so that the " +
				"path need not exist.",
			SearchNotes: "Not searched and never walked: it is source code.",
			Observed:    observedSource,
			Evidence: []string{
				"gemini-cli 5411f113ca packages/core/src/services/worktreeService.ts:117-134",
				"gemini-cli 5411f113ca packages/core/src/services/worktreeService.ts:30-42",
				"gemini-cli 5411f113ca packages/cli/src/utils/worktreeSetup.ts",
				"gemini-cli 5411f113ca packages/cli/src/config/settingsSchema.ts:2234",
			},
		},
		{
			ID:          "gemini.settings",
			Agent:       "gemini",
			Paths:       []string{"settings.json"},
			Format:      catalog.JSON,
			Role:        "app_state",
			Coverage:    catalog.Catalogue,
			Retention:   catalog.Kept,
			Family:      catalog.FamilyNo,
			Sensitivity: catalog.High,
			Distinguishes: "The user's settings; the env of an MCP server can hold keys, so only key names are shown and a few " +
				"values used, general.sessionRetention among them.",
			SchemaNotes: "One object. general.sessionRetention has enabled, maxAge, minRetention and maxCount; without it sessions " +
				"go after 30 days, and a unit other than h, d, w or m turns clean-up off with a warning.",
			SearchNotes: "Not searched: it is configuration and can hold credentials.",
			Observed:    observedSource,
			Evidence: []string{
				"gemini-cli 5411f113ca packages/core/src/config/storage.ts:78",
				"gemini-cli 5411f113ca packages/cli/src/config/settingsSchema.ts:389-435",
				"https://github.com/google-gemini/gemini-cli/issues/27268",
			},
		},
		{
			ID:          "gemini.project_settings",
			Agent:       "gemini",
			Paths:       []string{"<repo>/.gemini/settings.json"},
			Format:      catalog.JSON,
			Role:        "app_state",
			Coverage:    catalog.Catalogue,
			Retention:   catalog.Kept,
			Family:      catalog.FamilyNo,
			Sensitivity: catalog.High,
			Distinguishes: "Settings of one repository, which can change the retention of that project's sessions alone, and only " +
				"when the folder is trusted.",
			SchemaNotes: "One object with the keys of the user's settings. It wins over the user's file and loses to the system's.",
			SearchNotes: "Not searched: it is configuration and can hold credentials.",
			Observed:    observedSource,
			Evidence: []string{
				"gemini-cli 5411f113ca packages/cli/src/config/settingsSchema.ts:389-435",
				"gemini-cli docs/reference/configuration.md",
			},
		},
		{
			ID:          "gemini.system_settings",
			Agent:       "gemini",
			Paths:       []string{"<system>/settings.json", "<system>/system-defaults.json", "<system>/policies/<name>.toml"},
			Format:      catalog.JSON,
			Role:        "app_state",
			Coverage:    catalog.Catalogue,
			Retention:   catalog.Kept,
			Family:      catalog.FamilyNo,
			Sensitivity: catalog.Medium,
			Distinguishes: "Machine-wide settings: settings.json wins over the user's and the project's, system-defaults.json loses " +
				"to both, and GEMINI_CLI_SYSTEM_SETTINGS_PATH moves the former.",
			SchemaNotes: "JSON with the keys of the user's settings, and policies in TOML. The folder is /etc/gemini-cli, " +
				"/Library/Application Support/GeminiCli or C:\\ProgramData\\gemini-cli.",
			SearchNotes: "Not searched: it is configuration.",
			Observed:    observedSource,
			Evidence: []string{
				"gemini-cli 5411f113ca packages/core/src/config/storage.ts:133-148",
				"gemini-cli docs/reference/configuration.md",
			},
		},
		{
			ID:          "gemini.memory",
			Agent:       "gemini",
			Paths:       []string{"GEMINI.md"},
			Format:      catalog.Markdown,
			Role:        "persistent_memory",
			Coverage:    catalog.Inspect,
			Records:     []record.Kind{record.Document},
			Retention:   catalog.Kept,
			Family:      catalog.FamilyNo,
			Sensitivity: catalog.Medium,
			Distinguishes: "Standing instructions for every project, kept in a file that context.fileName can give another name, so " +
				"that GEMINI.md may be missing or unused.",
			SchemaNotes: "Markdown without a fixed structure.",
			SearchNotes: "Read when asked, as one document.",
			Observed:    observedSource,
			Evidence: []string{
				"gemini-cli 5411f113ca packages/core/src/tools/memoryTool.ts:10",
				"gemini-cli 5411f113ca packages/core/src/tools/memoryTool.ts:117",
			},
		},
		{
			ID:          "gemini.project_context",
			Agent:       "gemini",
			Paths:       []string{"<repo>/GEMINI.md", "<repo>/.gemini/GEMINI.md"},
			Format:      catalog.Markdown,
			Role:        "persistent_memory",
			Coverage:    catalog.Inspect,
			Records:     []record.Kind{record.Document},
			Retention:   catalog.Kept,
			Family:      catalog.FamilyNo,
			Sensitivity: catalog.Medium,
			Distinguishes: "Instructions of a repository that a session already names; the disk is not searched for more, and " +
				"context.fileName can give the file another name.",
			SchemaNotes: "Markdown without a fixed structure.",
			SearchNotes: "Read when asked, as one document.",
			Observed:    observedSource,
			Evidence: []string{
				"gemini-cli 5411f113ca packages/core/src/tools/memoryTool.ts:10",
				"gemini-cli docs/cli/gemini-md.md",
			},
		},
		{
			ID:          "gemini.system_prompt",
			Agent:       "gemini",
			Paths:       []string{"system.md", "<repo>/.gemini/system.md"},
			Format:      catalog.Markdown,
			Role:        "instruction",
			Coverage:    catalog.Catalogue,
			Retention:   catalog.Kept,
			Family:      catalog.FamilyNo,
			Sensitivity: catalog.Low,
			Distinguishes: "Replaces the built-in system prompt, but only when GEMINI_SYSTEM_MD says so, so that its presence alone " +
				"proves nothing.",
			SchemaNotes: "Markdown; no more is known of its shape.",
			SearchNotes: "Not searched: it is an instruction to the model, not conversation.",
			Observed:    observedSource,
			Evidence: []string{
				"gemini-cli docs/cli/system-prompt.md",
			},
		},
	}
}
