package blackbox

// GM is the first line of a Gemini CLI session.
func GM(id string) string {
	return `{"sessionId":` + Quote(id) + `,"projectHash":"app","startTime":` + Time + `,"lastUpdated":` + Time + `,"kind":"main"}`
}

// GU is what a person said to Gemini CLI.
func GU(id, text string) string {
	return `{"id":` + Quote(id) + `,"timestamp":` + Time + `,"type":"user","content":[{"text":` + Quote(text) + `}]}`
}

// GA is what Gemini answered. Empty tokens are left out.
func GA(id, text, tokens string) string {
	if tokens != "" {
		tokens = `,"tokens":` + tokens
	}
	return `{"id":` + Quote(id) + `,"timestamp":` + Time + `,"type":"gemini","content":` + Quote(text) + tokens + `,"model":"test-gemini"}`
}

// Gemini writes a chat of the project /srv/app and the registry that names the
// project, and gives the chat's path. name is 8 hex digits.
func (h *Home) Gemini(name string, lines ...string) string {
	h.t.Helper()
	h.Write(".gemini/projects.json", `{"projects":{"/srv/app":"app"}}`, 0o600)
	return h.Write(".gemini/tmp/app/chats/session-2026-01-02T03-04-"+name+".jsonl", h.Fill("/srv/app", "", lines...), 0o600)
}
