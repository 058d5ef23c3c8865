package gemini

import (
	"bytes"
	"path/filepath"
	"slices"
	"strings"

	"github.com/seshat-dev/seshat/catalog"
	"github.com/seshat-dev/seshat/internal/jsonscan"
)

// setting is a settings file with the folders that it is of: one of a project its
// own, another every known project.
type setting struct {
	jsonscan.Value
	bases []string
}

// settings reads the settings files that were found.
func (d discovery) settings(repos []string) []setting {
	var out []setting
	for _, src := range d.Inventory.Sources {
		bases := repos
		switch src.Store.ID {
		case "gemini.settings", "gemini.system_settings":
		case "gemini.project_settings":
			bases = []string{src.Root.Dir()}
		default:
			continue
		}
		if src.Problem == "" && strings.HasSuffix(src.Name, ".json") {
			v, _, _, _ := jsonscan.First(uncomment(content(src)))
			out = append(out, setting{v, bases})
		}
	}
	return out
}

// planFolders lists where general.plan.directory puts plans. The folder is below
// the project that the setting is of; one in a user's or a machine's settings,
// below every known project. Gemini CLI takes none outside.
func planFolders(settings []setting) []string {
	seen := map[string]bool{}
	var out []string
	for _, s := range settings {
		for _, dir := range below(s.Get("general").Get("plan").Get("directory").Text(), s.bases) {
			if !seen[dir] {
				seen[dir] = true
				out = append(out, dir)
			}
		}
	}
	return out
}

// contextFiles finds the instructions that context.fileName gives another name
// than GEMINI.md: in the data folder and in the projects that the setting is of.
func (d discovery) contextFiles(settings []setting) {
	for _, s := range settings {
		for _, name := range contextNames(s.Get("context").Get("fileName")) {
			for _, loc := range d.Inventory.Roots {
				d.Add(loc.Dir, catalog.Data, name, "gemini.memory")
			}
			for _, base := range s.bases {
				d.Add(base, catalog.Repo, name, "gemini.project_context")
				d.Add(base, catalog.Repo, ".gemini/"+name, "gemini.project_context")
			}
		}
	}
}

// contextNames gives the names in context.fileName, which is one or a list. A
// name is one component: a path is not followed.
func contextNames(value jsonscan.Value) []string {
	names := []string{value.Text()}
	for e := range value.Elems() {
		names = append(names, e.Text())
	}
	var out []string
	for _, n := range names {
		if n != "" && n != "." && n != ".." && !strings.ContainsAny(n, `/\`) && !slices.Contains(out, n) {
			out = append(out, n)
		}
	}
	return out
}

// below gives a folder as it lies inside each of some others.
func below(dir string, bases []string) (out []string) {
	if dir == "" {
		return nil
	}
	for _, base := range bases {
		full := dir
		if !filepath.IsAbs(dir) {
			full = filepath.Join(base, dir)
		}
		if strings.HasPrefix(full, base+string(filepath.Separator)) {
			out = append(out, full)
		}
	}
	return out
}

// uncomment puts spaces for the comments that Gemini CLI allows in its settings.
func uncomment(b []byte) []byte {
	out := append([]byte(nil), b...)
	for i := 0; i < len(out); i++ {
		end := i
		switch rest := string(out[i:min(i+2, len(out))]); {
		case out[i] == '"':
			for i++; i < len(out) && out[i] != '"'; i++ {
				if out[i] == '\\' {
					i++
				}
			}
		case rest == "//":
			for end < len(out) && out[end] != '\n' {
				end++
			}
		case rest == "/*":
			end = len(out)
			if n := bytes.Index(out[i+2:], []byte("*/")); n >= 0 {
				end = i + 4 + n
			}
		}
		for j := i; j < end; j++ {
			out[j], i = ' ', j
		}
	}
	return out
}
