package seshat_test

import (
	"os"
	"os/exec"
	"path"
	"regexp"
	"slices"
	"sort"
	"strings"
	"testing"
)

const module = "github.com/seshat-dev/seshat"

// within gives the path of a package below the module, "." for the module root.
func within(importPath string) (rel string, ok bool) {
	if importPath == module {
		return ".", true
	}
	return strings.CutPrefix(importPath, module+"/")
}

// imports asks the go command for the packages of the module and what each of
// them imports of it.
func imports(t *testing.T) map[string][]string {
	t.Helper()
	cmd := exec.Command("go", "list", "-f", `{{.ImportPath}}: {{join .Imports " "}}`, "./...")
	var complaints strings.Builder
	cmd.Stderr = &complaints
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("go list: %v\n%s", err, complaints.String())
	}
	got := map[string][]string{}
	for line := range strings.Lines(string(out)) {
		name, list, ok := strings.Cut(strings.TrimSpace(line), ":")
		pkg, inModule := within(name)
		if !ok || !inModule {
			t.Fatalf("go list prints %q", line)
		}
		got[pkg] = nil
		for _, imported := range strings.Fields(list) {
			if rel, ok := within(imported); ok {
				got[pkg] = append(got[pkg], rel)
			}
		}
	}
	return got
}

var quoted = regexp.MustCompile("`([^`]+)`")

// allowed reads the table "| package | may import |" of a Markdown page.
func allowed(t *testing.T, page string) map[string][]string {
	t.Helper()
	_, table, ok := strings.Cut(page, "| package | may import |\n")
	if !ok {
		t.Fatal("the page has no table of imports")
	}
	rows := map[string][]string{}
	for line := range strings.Lines(table) {
		cells := strings.Split(strings.Trim(strings.TrimSpace(line), "|"), "|")
		if len(cells) != 2 {
			break
		}
		if strings.HasPrefix(cells[0], "---") {
			continue
		}
		name := quoted.FindStringSubmatch(cells[0])
		if name == nil {
			t.Fatalf("a row names no package: %s", line)
		}
		if _, twice := rows[name[1]]; twice {
			t.Errorf("%s has two rows", name[1])
		}
		rows[name[1]] = []string{}
		for _, m := range quoted.FindAllStringSubmatch(cells[1], -1) {
			rows[name[1]] = append(rows[name[1]], m[1])
		}
		if nothing := strings.TrimSpace(cells[1]) == "nothing"; nothing != (len(rows[name[1]]) == 0) {
			t.Errorf("%s: cannot read %q", name[1], cells[1])
		}
	}
	return rows
}

func readTable(t *testing.T) map[string][]string {
	t.Helper()
	page, err := os.ReadFile("doc/architecture.md")
	if err != nil {
		t.Fatal(err)
	}
	return allowed(t, strings.ReplaceAll(string(page), "\r\n", "\n"))
}

// The picture in doc/architecture.md stays true: no package imports what its row
// does not name, every package has a row, and nothing in a row outlives its use.
func TestImportsKeepToTheTable(t *testing.T) {
	rows := readTable(t)
	real := imports(t)
	for pkg, list := range real {
		may, ok := rows[pkg]
		if !ok {
			t.Errorf("%s has no row in doc/architecture.md; it imports %q", pkg, list)
			continue
		}
		for _, imported := range list {
			if !slices.Contains(may, imported) {
				t.Errorf("%s imports %s, which its row in doc/architecture.md does not allow", pkg, imported)
			}
		}
	}
	for pkg, may := range rows {
		if _, ok := real[pkg]; !ok {
			t.Errorf("doc/architecture.md has a row for %s, which is no package", pkg)
		}
		for _, imported := range may {
			if !slices.Contains(real[pkg], imported) {
				t.Errorf("the row of %s allows %s, which it does not import", pkg, imported)
			}
		}
	}
}

// The table itself keeps to the rules that do not depend on the packages there
// are: only the module root knows agents, words know only words, nobody but a
// program imports a face, and the floors have no cycle.
func TestTableKeepsToTheRules(t *testing.T) {
	rows := readTable(t)
	words := []string{"record", "catalog", "agent"}
	faces := []string{"internal/cli", "internal/tui", "internal/mcp", "internal/web"}
	helpers := []string{"internal/term", "internal/export", "internal/demo", "internal/shell", "internal/when", "internal/crash"}
	for pkg, may := range rows {
		for _, imported := range may {
			switch {
			case path.Dir(imported) == "agent" && pkg != ".":
				t.Errorf("%s may import the agent %s", pkg, imported)
			case slices.Contains(words, pkg) && !slices.Contains(words, imported):
				t.Errorf("the word %s may import %s", pkg, imported)
			case slices.Contains(faces, imported) && path.Dir(pkg) != "cmd":
				t.Errorf("%s may import the face %s", pkg, imported)
			case slices.Contains(faces, pkg) && imported != "." && !slices.Contains(words, imported) && !slices.Contains(helpers, imported):
				t.Errorf("the face %s may import %s", pkg, imported)
			}
		}
	}
	// Kahn's way: take off the packages that import only packages taken off before.
	for len(rows) > 0 {
		var free []string
		for pkg, may := range rows {
			if !slices.ContainsFunc(may, func(imported string) bool { _, left := rows[imported]; return left }) {
				free = append(free, pkg)
			}
		}
		if free == nil {
			var left []string
			for pkg := range rows {
				left = append(left, pkg)
			}
			sort.Strings(left)
			t.Fatalf("the table has a cycle among %q", left)
		}
		for _, pkg := range free {
			delete(rows, pkg)
		}
	}
}
