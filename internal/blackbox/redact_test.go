package blackbox

import (
	"bytes"
	"compress/gzip"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// forms are the ways in which an answer is printed.
var forms = [][]string{nil, {"--json"}, {"--ndjson"}, {"--color", "always"}, {"--absolute-path"}}

// allForms gives a command line in every form.
func allForms(args ...string) (out [][]string) {
	for _, f := range forms {
		out = append(out, append(slices.Clone(args), f...))
	}
	return out
}

// rows are, of every command, command lines whose answers are looked through. %s is a
// credential that is typed, where one is. A command without a row fails the test. What a
// command writes to files is looked through with the folders that seshat keeps; the bytes
// of an agent's own files that restore and archive export give back are excepted (law 5).
var rows = map[string][][]string{
	"search": slices.Concat(allForms("search", "needle"), allForms("search", "needle", "--no-group"), allForms("search", "needle", "--limit", "0", "--explain"),
		allForms("search", "%s"), allForms("search", "needle", "%s", "nothing-has-this"), allForms("search", "neddle"), allForms("search", "--scope", "all", "needle", "--copies", "--superseded"),
		[][]string{{"search", "/%s(/"}, {"search", "-f", "%s"}, {"search", "titel:%s"}, {"search", "--sort", "%s", "x"}, {"search", "--kind", "%s", "x"}, {"search", "--%s"}, {"search", "-%s"}}),
	"grep": slices.Concat(
		[][]string{
			{"grep", "needle"}, {"grep", "-n", "--column", "."}, {"grep", "-C", "2", "needle"}, {"grep", "-v", "needle"}, {"grep", "-o", "needle.*"}, {"grep", "-o", ".{1,11}"},
			{"grep", "-o", "[A-Za-z0-9]{8}"}, {"grep", "--vimgrep", "[A-Za-z0-9_-]{13}"}, {"grep", "--json", "[A-Za-z0-9_-]{13}"}, {"grep", "--json", "-C", "1", "needle"}, {"grep", "--ndjson", "needle"},
			{"grep", "-c", "."}, {"grep", "-l", "."}, {"grep", "--color", "always", "[A-Za-z0-9]{5}"}, {"grep", "--heading", "--stats", "e"}, {"grep", "--query", "needle"},
			{"grep", "--query", "needle", "--json"}, {"grep", "--query", "needle", "--ndjson"}, {"grep", "--query", "/[A-Za-z0-9]{8}/", "-o"}, {"grep", "--scope", "all", "."}, {"grep", "--scope", "all", "--ndjson", "."},
			{"grep", "--query", "needle", "-c"}, {"grep", "-F", "%s"}, {"grep", "-o", "-F", "%s"}, {"grep", "-F", "--json", "%s"}, {"grep", "-F", "--vimgrep", "%s"}, {"grep", "%s("}, {"grep", "-f", "%s"},
			{"grep", "--kind", "%s", "x"}, {"grep", "x", "%s"}, {"grep", "-m", "%s", "x"}, {"grep", "--store", "%s", "x"}, {"grep", "--sort", "%s", "x"}, {"grep", "--limit", "3", "needle"}, {"grep", "--limit", "900", "."}, {"grep", "--limit", "900", "-C", "1", "--json", "[A-Za-z0-9_-]{13}"}, {"grep", "--limit", "900", "--ndjson", "."},
		}),
	"find": slices.Concat(allForms("find"), [][]string{{"find", "-0"}, {"find", "-l"}, {"find", "-p", "%s"}, {"find", "-g", "%s["}, {"find", "-t", "%s"}, {"find", "--changed-within", "%s"}, {"find", "--store", "%s"}}),
	"stores": slices.Concat(allForms("stores"), allForms("stores", "claude.projects.session", "--summary"), allForms("stores", "claude.projects.subagent", "--summary"),
		allForms("stores", "claude.settings", "--summary"), [][]string{{"stores", "%s"}, {"stores", "--coverage", "%s"}}),
	"records":  slices.Concat(allForms("records"), [][]string{{"records", "--also", "--copies"}, {"records", "--scope", "%s"}, {"records", "%s"}}),
	"sessions": slices.Concat(allForms("sessions"), allForms("sessions", "--all"), allForms("sessions", "needle"), allForms("sessions", "%s"), [][]string{{"sessions", "--project", "%s"}, {"sessions", "--branch", "%s"}, {"sessions", "--pr", "%s"}, {"sessions", "--since", "%s"}}),
	"projects": slices.Concat(allForms("projects"), [][]string{{"projects", "--project", "%s"}, {"projects", "%s"}}),
	"show": slices.Concat(allForms("show", S1), allForms("show", S1, "--full"), allForms("show", S1+":3", "-C", "1"), allForms("show", "00000000-0000"), allForms("show", "00000030-0000-4aaa:4", "-C", "0"),
		allForms("show", S4), allForms("show", S5), [][]string{{"show", "%s"}, {"show", "/%s.jsonl"}, {"show", "0000"}, {"show", S1, "%s"}, {"show", "a1:1"}}),
	"expiring":        slices.Concat(allForms("expiring", "--within", "100y"), [][]string{{"expiring", "--within", "%s"}, {"expiring", "--project", "%s"}}),
	"secrets":         slices.Concat(allForms("secrets"), [][]string{{"secrets", "--copies"}, {"secrets", "--guide"}, {"secrets", "%s"}, {"secrets", "--since", "%s"}, {"secrets", "--baseline", "%s"}}),
	"secrets scrub":   {{"secrets", "scrub", "%s"}, {"secrets", "scrub", "--all", "--dry-run"}, {"secrets", "scrub", "--all", "--yes", "--json"}},
	"demo":            {{"demo"}, {"demo", "%s"}},
	"help":            {{"help"}, {"help", "%s"}},
	"completion":      {{"completion"}, {"completion", "%s"}, {"__complete", "search", "%s"}},
	"completion bash": {{"completion", "bash", "%s"}}, "completion fish": {{"completion", "fish", "%s"}}, "completion zsh": {{"completion", "zsh", "%s"}},
	"completion powershell": {{"completion", "powershell", "%s"}},
	"":                      {{}, {"%s"}, {"--%s"}, {"--config", "%s", "sessions"}, {"--root", "claude=/%s", "sessions"}, {"--root", "%s", "sessions"}, {"--agent", "%s", "sessions"}, {"--color", "%s", "sessions"}},
}

// commandLine matches a command in a list of them.
var commandLine = regexp.MustCompile(`(?m)^  ([a-z]+) +[A-Z]`)

// Case O19, over every command there is: no twelve characters of a credential come out,
// in no form, in no error, and none are kept in the cache.
func TestO19NoCommandShowsASecret(t *testing.T) {
	h, list := planted(t)
	hidden := values(list)
	names := h.commands()
	if len(names) < 10 {
		t.Fatalf("the commands are not found: %q", names)
	}
	for _, name := range names {
		if rows[name] == nil && !slices.ContainsFunc(keptRows, func(r keptRow) bool { return r.name == name }) {
			t.Errorf("the command %s has no row in this table: its output is not looked through", name)
		}
	}
	h.hasEvery(t, list)
	typed := []string{list[1].value, list[12].value}
	for _, lines := range rows {
		for _, args := range lines {
			h.looked(t, args, typed, hidden)
		}
	}
	h.Run("sessions", "--all") // by now all files are old enough to be told of in the cache
	h.cached(t, hidden)
}

// commands lists every command that a help page tells of, those below others with both
// names.
func (h *Home) commands(above ...string) (out []string) {
	_, help, _ := strings.Cut(h.Run(append(above, "--help")...).Stdout, "Available Commands:")
	help, _, _ = strings.Cut(help, "\nFlags:")
	for _, m := range commandLine.FindAllStringSubmatch(help, -1) {
		name := append(slices.Clone(above), m[1])
		out = append(append(out, strings.Join(name, " ")), h.commands(name...)...)
	}
	return out
}

// hasEvery fails the test where a kind of credential is not among the planted ones.
func (h *Home) hasEvery(t *testing.T, list []plant) {
	t.Helper()
	for _, m := range regexp.MustCompile(`(?m)^  ([a-z-]+)  `).FindAllStringSubmatch(h.Run("secrets", "--guide").Stdout, -1) {
		if !slices.ContainsFunc(list, func(p plant) bool { return p.rule == m[1] }) {
			t.Errorf("no %s is planted", m[1])
		}
	}
	found := map[string]bool{}
	for _, s := range h.secrets(t) {
		found[s.Rule] = true
	}
	for _, p := range list {
		if !found[p.rule] {
			t.Errorf("the planted %s is not found", p.rule)
		}
	}
}

// looked runs a command line, with each typed credential where it has a place for one.
func (h *Home) looked(t *testing.T, args, typed, hidden []string) {
	t.Helper()
	line := strings.Join(args, " ")
	if !strings.Contains(line, "%s") {
		typed = typed[:1]
	}
	for _, v := range typed {
		now := slices.Clone(args)
		for i := range now {
			now[i] = strings.Replace(now[i], "%s", v, 1)
		}
		if piece := h.Do(Run{Args: now, Free: len(args) > 0 && writesHome(args)}).shows(hidden); piece != "" {
			t.Errorf("seshat %s shows %s", line, piece)
		}
	}
}

// writesHome reports whether a command line of the tables has seshat write into the home.
func writesHome(args []string) bool {
	return args[0] == "restore" || args[0] == "resume" || slices.Contains(args, "export") || slices.Contains(args, "--write")
}

// shows tells of the first piece of a value that a run shows, without the piece.
func (r Result) shows(values []string) string {
	for i, v := range values {
		for at := 0; at+min(12, len(v)) <= len(v); at++ {
			for what, out := range map[string]string{"stdout": r.Stdout, "stderr": r.Stderr} {
				if n := strings.Index(out, v[at:at+min(12, len(v))]); n >= 0 {
					return "value " + string(rune('0'+i/10)) + string(rune('0'+i%10)) + " (" + v[:5] + ") on " + what + " behind " + Quote(out[max(0, n-60):n])
				}
			}
		}
	}
	return ""
}

// cached fails the test where a piece of a value stands in a file that seshat wrote.
func (h *Home) cached(t *testing.T, hidden []string) {
	t.Helper()
	files := 0
	for _, dir := range []string{h.Cache, filepath.Join(h.base, "data"), h.Tmp} {
		_ = filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
			if err != nil || !d.Type().IsRegular() {
				return nil
			}
			b, err := os.ReadFile(path)
			if err != nil {
				t.Error(err)
			}
			files++
			if piece := (Result{Stdout: path + "\n" + string(unpacked(t, b))}).shows(hidden); piece != "" {
				t.Errorf("%s holds %s", path, piece)
			}
			return nil
		})
	}
	if files < 2 {
		t.Errorf("only %d files were looked through", files)
	}
}

// unpacked gives bytes and, where they are compressed, what they were.
func unpacked(t *testing.T, b []byte) []byte {
	t.Helper()
	switch {
	case bytes.HasPrefix(b, []byte{0x28, 0xb5, 0x2f, 0xfd}):
		t.Error("a file is compressed with zstd, which this test does not read")
	case bytes.HasPrefix(b, []byte{0x1f, 0x8b}):
		d, err := gzip.NewReader(bytes.NewReader(b))
		if err != nil {
			t.Fatal(err)
		}
		more, _ := io.ReadAll(d)
		return append(b, more...)
	}
	return b
}
