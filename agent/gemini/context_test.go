package gemini

import (
	"slices"
	"testing"
)

// context.fileName gives instructions another name, in the data folder and in
// known projects. What a row knows already, and what is private, is left alone.
func TestContextFilesOfAnotherName(t *testing.T) {
	w := newWorld(t).
		file("settings.json", `{"context":{"fileName":["AGENTS.md","GEMINI.md",".env","../x.md","AGENTS.md"]}} // as upstream allows`).
		file("projects.json", `{"projects":{"/srv/app":"app"}}`).
		file("AGENTS.md", "mine").file(".env", "KEY=1").
		beside("/srv/app", "AGENTS.md", "the project's").
		beside("/srv/app", ".gemini/AGENTS.md", "also the project's").
		beside("/srv/app", ".env", "KEY=2")
	var got []string
	for path, src := range w.discover() {
		if src.Store.ID == "gemini.memory" || src.Store.ID == "gemini.project_context" {
			got = append(got, src.Store.ID+" "+path)
		}
	}
	slices.Sort(got)
	want := []string{"gemini.memory AGENTS.md", "gemini.project_context /srv/app/.gemini/AGENTS.md", "gemini.project_context /srv/app/AGENTS.md"}
	if !slices.Equal(got, want) {
		t.Errorf("found %q, want %q", got, want)
	}
}
