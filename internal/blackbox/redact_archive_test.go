package blackbox

import (
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
)

// keptRow are the command lines of one command.
type keptRow struct {
	name  string
	lines [][]string
}

// keptRows are of the commands about the archive what rows are of the others. They run
// in this order, since they change what they tell of.
var keptRows = []keptRow{
	{"archive", slices.Concat(allForms("archive", "--dry-run"), [][]string{{"archive", "--json"}}, allForms("archive"),
		[][]string{{"archive", "%s"}, {"archive", "--only", "%s"}, {"archive", "--include", "%s"}, {"archive", "--since", "%s"}, {"archive", "--project", "%s"}, {"archive", "--project", "/srv/%s", "--dry-run", "--json"}})},
	{"archive status", slices.Concat(allForms("archive", "status"), [][]string{{"archive", "status", "%s"}})},
	{"archive verify", slices.Concat(allForms("archive", "verify"), [][]string{{"archive", "verify", "--rebuild"}, {"archive", "verify", "%s"}})},
	{"archive export", slices.Concat(allForms("archive", "export", "out"), [][]string{{"archive", "export", "--json", "out/%s"}, {"archive", "export", ".claude/%s"}, {"archive", "export", "x", "%s"}})},
	{"archive import", slices.Concat(allForms("archive", "import", "out", "--dry-run", "--machine", "other"), allForms("archive", "import", "out", "--machine", "other"),
		[][]string{{"archive", "import", "%s"}, {"archive", "import", "out", "--machine", "/%s"}, {"archive", "import", "--json", "out", "--machine", "%s", "--dry-run"}})},
	{"archive forget", slices.Concat(allForms("archive", "forget", S1, "--dry-run"), allForms("archive", "forget", "--older-than", "1d", "--dry-run"),
		[][]string{{"archive", "forget", S1}, {"archive", "forget", "%s"}, {"archive", "forget", "--project", "%s"}, {"archive", "forget", "--older-than", "%s"}, {"archive", "forget", "0000"}, {"archive", "forget", "00000007-0000", "--json", "--yes"}})},
	{"archive repack", [][]string{{"archive", "repack"}, {"archive", "repack", "%s"}}},
	{"archive watch", [][]string{{"archive", "watch", "%s"}, {"archive", "watch", "--every", "%s"}, {"archive", "watch", "--include", "%s"}}},
	{"archive schedule", [][]string{{"archive", "schedule"}, {"archive", "schedule", "--for", "launchd"}, {"archive", "schedule", "--for", "windows"}, {"archive", "schedule", "--for", "%s"}, {"archive", "schedule", "%s"}}},
	{"archive hook", [][]string{{"archive", "hook"}, {"archive", "hook", "%s"}}},
	{"archive hook install", [][]string{{"archive", "hook", "install"}, {"archive", "hook", "install", "--write"}, {"archive", "hook", "install", "%s"}, {"archive", "hook", "install", "--root", "claude=%s"}, {"archive", "hook", "install", "--root", "claude=%s", "--write"}}},
	{"archive hook status", slices.Concat(allForms("archive", "hook", "status"), allForms("archive", "hook", "status", "--root", "claude=%s"), [][]string{{"archive", "hook", "status", "%s"}})},
	{"archive hook remove", [][]string{{"archive", "hook", "remove"}, {"archive", "hook", "remove", "--write"}, {"archive", "hook", "remove", "%s"}, {"archive", "hook", "remove", "--root", "claude=%s", "--write"}}},
	{"resume", [][]string{{"resume", S1, "--print"}, {"resume", S1, "--here", "--print"}, {"resume", "00000001-0000", "--here", "--print"}, {"resume", S4, "--here", "--print"}, {"resume", "00000001-0000", "--here", "--print", "--ask", "use %s"},
		{"resume", "00000001-0000", "--here"}, {"resume", S5, "--print"}, {"resume", "%s"}, {"resume", "0000"}, {"resume", S1, "--shell", "%s", "--print"}, {"resume", "a1", "--print"}}},
	{"restore", slices.Concat(allForms("restore", S1, "--dry-run"), [][]string{{"restore", S1}, {"restore", S1, "--touch", "--json"}, {"restore", "%s"}, {"restore", "0000"}, {"restore", S5}, {"restore", "--ndjson", "a1"}, {"restore", S4, "--json"}, {"restore", "--json", "00000001-0000", "--target", "to/%s"}})},
}

// Case O19 of what is archived and put back, and of the sessions that only the archive
// has.
func TestO19TheArchiveShowsNoSecret(t *testing.T) {
	h, list := planted(t)
	hidden, typed := values(list), []string{list[1].value, list[12].value}
	named := h.inNames(hidden)
	if len(named) == len(hidden) || len(named) < 4 {
		t.Fatalf("%d of %d values stand in no name", len(named), len(hidden))
	}
	gone := false
	for _, row := range keptRows {
		if strings.HasPrefix(row.name, "re") && !gone { // resume, restore
			h.onlyArchived(t, typed, hidden)
			gone = true
		}
		for _, args := range row.lines {
			h.looked(t, args, typed, hidden)
		}
	}
	maps.Copy(named, h.inNames(hidden)) // and of what the rows made
	h.keeps(t, hidden, named)
}

// onlyArchived takes the folders of all agents away, and looks through what is told of
// the sessions in the archive.
func (h *Home) onlyArchived(t *testing.T, typed, hidden []string) {
	t.Helper()
	for _, dir := range []string{".claude", ".gemini"} {
		if err := os.RemoveAll(h.Path(dir)); err != nil {
			t.Fatal(err)
		}
	}
	if out := h.Run("sessions", "--all").Stdout; strings.Count(out, "\n") < 100 || !strings.Contains(out, "[secret:") {
		t.Fatalf("few sessions are told of by the archive: %s", out)
	}
	for _, args := range slices.Concat(
		allForms("sessions", "--all"), allForms("search", "needle"), allForms("records"), allForms("find"), allForms("projects"), allForms("secrets"), allForms("stores"), allForms("expiring", "--within", "100y"),
		allForms("show", S1), allForms("show", S1, "--full"), allForms("show", "00000030-0000-4aaa:4", "-C", "0"), allForms("show", S5), allForms("show", S4),
		[][]string{{"grep", "-n", "."}, {"grep", "--json", "-C", "1", "needle"}, {"grep", "--ndjson", "needle"}, {"grep", "-o", ".{1,11}"}, {"grep", "-c", "."}, {"sessions", "%s"}, {"show", "%s"}},
	) {
		h.looked(t, args, typed, hidden)
	}
}

// inNames tells which values stand in the name of a file or folder, or a piece of them.
func (h *Home) inNames(hidden []string) map[string]bool {
	named := map[string]bool{}
	_ = filepath.WalkDir(h.Dir, func(path string, _ fs.DirEntry, _ error) error {
		for _, v := range hidden {
			if (Result{Stdout: path + "\n" + strings.ReplaceAll(path, "-", "_")}).shows([]string{v}) != "" {
				named[v] = true
			}
		}
		return nil
	})
	return named
}

// keeps fails the test where a piece of a value stands in what seshat keeps. Law 5
// excepts the content of the archive, names of files in its manifest, without which they
// could not be put back, and the settings that the hook's edit gave way to.
func (h *Home) keeps(t *testing.T, hidden []string, named map[string]bool) {
	t.Helper()
	data := filepath.Join(h.base, dataName)
	nameless := slices.DeleteFunc(slices.Clone(hidden), func(v string) bool { return named[v] })
	var seen []string
	for _, dir := range []string{h.Cache, data, h.Tmp} {
		_ = filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
			rel, _ := filepath.Rel(data, path)
			rel = filepath.ToSlash(rel)
			if err != nil || !d.Type().IsRegular() || strings.HasPrefix(rel, "archive/packs/") || strings.HasPrefix(rel, "hook/backups/") {
				return nil
			}
			b, err := os.ReadFile(path)
			if err != nil {
				t.Error(err)
			}
			values := hidden
			if strings.HasPrefix(rel, "archive/") {
				values = nameless
			}
			seen = append(seen, rel)
			if piece := (Result{Stdout: path + "\n" + string(unpacked(t, b))}).shows(values); piece != "" {
				t.Errorf("%s holds %s", rel, piece)
			}
			return nil
		})
	}
	if !slices.Contains(seen, "archive/manifest.db") || len(seen) < 4 {
		t.Errorf("only these were looked through: %q", seen)
	}
}

// What is printed to be run is not printed with a marker in it, nor with a credential.
func TestO19NothingToBeRunHoldsAMarker(t *testing.T) {
	h, list := planted(t)
	v := list[1].value
	h.Claude(h.Mkdir("work/"+v), S2, U("u1", "", "x"))
	for _, args := range [][]string{{"resume", S2, "--print"}, {"resume", "00000001-0000", "--here", "--print", "--ask", "use " + v}} {
		r := h.Run(args...).exits(t, 2)
		if !strings.Contains(r.Stderr, "--reveal prints it") || strings.Contains(r.Stdout+r.Stderr, v[:12]) {
			t.Errorf("%q", strings.ReplaceAll(r.Stdout+r.Stderr, v, "VALUE"))
		}
	}
	h.Vars["CLAUDE_CONFIG_DIR"] = h.Path("work/" + v)
	for _, kind := range []string{"systemd", "launchd"} {
		if r := h.Run("archive", "schedule", "--for", kind).exits(t, 2); !strings.Contains(r.Stderr, "--reveal prints it") || strings.Contains(r.Stdout+r.Stderr, v[:12]) {
			t.Errorf("%q", strings.ReplaceAll(r.Stdout+r.Stderr, v, "VALUE"))
		}
	}
	if runtime.GOOS != "windows" {
		h.Write(".config/seshat/config.toml", "allow_reveal = true\n", 0o600)
		if r := h.Run("archive", "schedule", "--for", "systemd", "--reveal").exits(t, 0); !strings.Contains(r.Stdout, v) {
			t.Errorf("--reveal prints %q", r.Stdout)
		}
	}
}
