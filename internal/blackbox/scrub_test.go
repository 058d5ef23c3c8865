package blackbox

import (
	"crypto/sha256"
	"encoding/json"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// scrubbedFile is a seshat.scrubbed/1 object.
type scrubbedFile struct {
	Agent, Store, Session, Path, Did, Reason string
	Versions, Places                         int
	Bytes                                    int64
	Secrets                                  []string
}

// scrub runs secrets scrub and gives "what path" of each file.
func (h *Home) scrub(t *testing.T, code int, args ...string) []string {
	t.Helper()
	a := oneObject(t, h.Run(append([]string{"secrets", "scrub", "--json"}, args...)...).exits(t, code))
	var out []string
	for _, item := range a.items {
		wellFormed(t, item, "seshat.scrubbed/1")
	}
	for _, f := range as[scrubbedFile](t, a) {
		out = append(out, f.Did+" "+strings.TrimPrefix(f.Path, "~/"))
	}
	slices.Sort(out)
	return out
}

// keptFiles gives all plain files of the archive, by name.
func (h *Home) keptFiles(t *testing.T) map[string]string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "out")
	h.exportTo(t, dir)
	return filesOf(t, dir)
}

func filesOf(t *testing.T, dir string) map[string]string {
	t.Helper()
	files := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		b, err := os.ReadFile(path)
		name, _ := filepath.Rel(dir, path)
		files[filepath.ToSlash(name)] = string(b)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// leaks gives a piece of twelve characters of a value that stands in a text, as it is or
// with escapes of JSON undone, or nothing.
func leaks(text, value string) string {
	for range 5 {
		for i := 0; i+12 <= len(value); i++ {
			if strings.Contains(text, value[i:i+12]) {
				return value[i : i+12]
			}
		}
		if strings.IndexByte(text, '\\') < 0 {
			break
		}
		text = undo(text)
	}
	return ""
}

// undo undoes the escapes of JSON in a text once.
func undo(text string) string {
	var b strings.Builder
	for i := 0; i < len(text); i++ {
		n := 2
		if strings.HasPrefix(text[i:], `\u`) {
			n = 6
		}
		var char string
		if text[i] == '\\' && i+n <= len(text) && json.Unmarshal([]byte(`"`+text[i:i+n]+`"`), &char) == nil {
			b.WriteString(char)
			i += n - 1
			continue
		}
		b.WriteByte(text[i])
	}
	return b.String()
}

// unspelt spells each character of a text as \uXXXX.
func unspelt(text string) string {
	var b strings.Builder
	for _, c := range []byte(text) {
		b.WriteString(`\u00` + string("0123456789abcdef"[c>>4]) + string("0123456789abcdef"[c&15]))
	}
	return b.String()
}

// sameButFor checks that of files of the archive nothing changed but stretches of filler,
// and that lines of JSON are JSON.
func sameButFor(t *testing.T, before, after map[string]string) (changed []string) {
	t.Helper()
	for name, old := range before {
		now := after[name]
		if len(now) != len(old) {
			t.Errorf("%s has %d bytes, and had %d", name, len(now), len(old))
			continue
		}
		if now != old {
			changed = append(changed, name)
		}
		for i := range now {
			if now[i] != old[i] && now[i] != 'x' {
				t.Fatalf("%s: byte %d is %q and was %q", name, i, now[i], old[i])
			}
		}
		lines := strings.Split(now, "\n")
		for i, line := range strings.Split(old, "\n") {
			if json.Valid([]byte(line)) && !json.Valid([]byte(lines[i])) {
				t.Errorf("%s: line %d is no JSON any more: %s", name, i+1, lines[i])
			}
		}
	}
	return changed
}

// clean checks that nothing of values is left in seshat's own folders.
func (h *Home) clean(t *testing.T, values ...string) {
	t.Helper()
	places := map[string]map[string]string{"archive": h.keptFiles(t), "data": filesOf(t, filepath.Join(h.base, dataName)), "cache": filesOf(t, h.Path(".cache"))}
	for where, files := range places {
		for name, content := range files {
			if where == "data" && strings.HasSuffix(name, ".pack") {
				continue // the plain files are looked through
			}
			for i, v := range values {
				if piece := leaks(content, v); piece != "" {
					t.Errorf("%s/%s: a piece of value %d is left: %q", where, name, i, piece)
				}
			}
		}
	}
}

// hashes gives the SHA-256 of every file of Claude Code.
func (h *Home) hashes() (out []string) {
	filepath.WalkDir(h.Path(".claude"), func(path string, d fs.DirEntry, err error) error {
		if b, rerr := os.ReadFile(path); err == nil && rerr == nil {
			sum := sha256.Sum256(b)
			out = append(out, string(sum[:]))
		}
		return nil
	})
	return out
}

// A value is masked wherever it stands in the archive, however it is spelt, and stays
// masked while the file on the disk still has it.
func TestScrub(t *testing.T) {
	t.Parallel()
	h := withArchive(t)
	h.Mkdir(".cache")
	r := rand.New(rand.NewPCG(9, 4))
	token := "gh" + "p_" + drawn(r, 36, letters)
	other := "gh" + "p_" + drawn(r, 36, letters)
	password := "w9" + drawn(r, 22, letters)
	key := pem(r, "\n")
	lines := slices.DeleteFunc(strings.Split(key, "\n"), func(s string) bool { return strings.HasPrefix(s, "-") })
	nested, _ := json.Marshal(map[string]string{"command": "echo " + Quote(token), "key": key})
	again, _ := json.Marshal(string(nested))
	first := []string{
		U("a1", "", "my token "+token+" and DB_PASSWORD="+password+" näher"),
		A("a2", "a1", "msg_1", ToolUse("t1", "Bash", string(nested)), ""),
		UB("a3", "a2", ToolResult("t1", string(nested)), ToolResult("t2", string(again)), ToolResult("t3", "alone: "+password+"\n"+key)),
		strings.Replace(U("a4", "a3", "SPELT"), "SPELT", unspelt(token)+`\/x`, 1),
		U("a5", "a4", "and "+other[:8]),
	}
	h.Claude("/srv/app", S1, first...)
	h.Claude("/srv/app", S2, append(slices.Clone(first), U("b1", "a5", "a fork says "+token+" and "+other))...)
	h.Write(app+S1+"/subagents/agent-a1.jsonl", h.Fill("/srv/app", S1, U("s1", "", "sub "+token)), 0o600)
	h.Write(app+S1+"/tool-results/t9.txt", "one\n"+key+"\ntwo "+password+"\n", 0o600)
	h.Write(app+"memory/notes.md", "the password is "+password+", kept\n", 0o600)
	h.Write(".claude/paste-cache/1111111111111111.txt", "paste "+token, 0o600)
	h.Write(".claude/history.jsonl", historyLine("typed "+token, `{"1":{"id":1,"type":"text","contentHash":"1111111111111111"}}`, S1)+"\n", 0o600)
	h.Gemini("eeeeeeee", GM("eeeeeeee-1"), GU("m1", "needle "+token))
	h.archive(t, 0)
	hashes := h.hashes()
	h.Append(app+S2+".jsonl", h.Fill("/srv/app", S2, U("b2", "b1", "it grew")))
	h.archive(t, 0)
	h.Claude("/srv/app", S1, append([]string{U("a0", "", "rewritten")}, first...)...) // a second version
	h.archive(t, 0)
	before := h.keptFiles(t)
	hashes = append(hashes, h.hashes()...)
	live := list(h.Path(".claude"))

	if r := h.Run("secrets", "scrub", S1).exits(t, 2); !strings.Contains(r.Stderr, "--yes") {
		t.Errorf("without a terminal it says %q", r.Stderr)
	}
	dry := h.scrub(t, 0, S1, "--dry-run")
	if changed := sameButFor(t, before, h.keptFiles(t)); len(changed) > 0 {
		t.Errorf("a dry run changed %q", changed)
	}
	got := h.scrub(t, 0, S1, "--yes")
	if !slices.Equal(got, dry) {
		t.Errorf("a dry run told\n%s\nand then\n%s", strings.Join(dry, "\n"), strings.Join(got, "\n"))
	}
	var want []string
	for _, name := range []string{
		app + S1 + ".jsonl", app + S2 + ".jsonl", app + S1 + "/subagents/agent-a1.jsonl", app + S1 + "/tool-results/t9.txt", app + "memory/notes.md",
		".claude/paste-cache/1111111111111111.txt", ".claude/history.jsonl", ".gemini/tmp/app/chats/session-2026-01-02T03-04-eeeeeeee.jsonl",
	} {
		want = append(want, "masked "+name, "left "+name)
	}
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	if changed := live.changes(list(h.Path(".claude"))); len(changed) > 0 {
		t.Errorf("files of the agent changed: %q", changed)
	}
	after := h.keptFiles(t)
	if changed := sameButFor(t, before, after); len(changed) != 9 {
		t.Errorf("%d files of the archive changed: %q", len(changed), changed)
	}
	for name, content := range filesOf(t, filepath.Join(h.base, dataName)) {
		for _, hash := range hashes {
			if strings.Contains(content, hash) {
				t.Errorf("%s has a hash of a file with a credential", name)
			}
		}
	}
	values := append([]string{token, password}, lines...)
	h.clean(t, values...)
	seen := false
	for _, content := range after {
		seen = seen || strings.Contains(content, other)
	}
	if !seen {
		t.Error("the value of another session was masked too")
	}
	if got := h.scrub(t, 1, S1, "--yes"); len(got) > 0 {
		t.Errorf("a second time it does %q", got)
	}
	h.Run("archive", "verify").exits(t, 0)

	// The files still have it: as they are, grown, rewritten, and in a new fork.
	h.archive(t, 1)
	h.Append(app+S1+".jsonl", h.Fill("/srv/app", S1, U("a9", "a5", "once more "+token), U("a10", "a9", "alone "+password)))
	items, _ := h.archive(t, 0)
	if len(items) != 1 || items[0].Did != "grown" {
		t.Errorf("a log that grew gives %+v", items)
	}
	h.clean(t, values...)
	h.Claude("/srv/app", S2, append([]string{U("c0", "", "rewritten again "+token)}, first...)...)
	h.Claude("/srv/app", S3, first...)
	h.archive(t, 0)
	h.clean(t, values...)
	h.Run("archive", "verify").exits(t, 0)
	info, err := os.Stat(filepath.Join(h.base, dataName, "masks.json"))
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the list of masks: %v, %v", info, err)
	}
	export := h.Run("archive", "export", filepath.Join(t.TempDir(), "x"), "--ndjson").exits(t, 0)
	if n := strings.Count(export.Stdout, `"masked":true`); n != 9 {
		t.Errorf("%d files are said to be masked", n)
	}
}

// With --all no credential of any kind is left.
func TestScrubAll(t *testing.T) {
	t.Parallel()
	h := withArchive(t)
	h.Mkdir(".cache")
	r := rand.New(rand.NewPCG(9, 5))
	all := plants(r)
	for i, p := range all {
		input, _ := json.Marshal(map[string]string{"command": "run " + p.text(), "why": "needle"})
		h.Claude("/srv/app", strings.Replace(S1, S1[:2], string("0123456789abcdef"[i>>4])+string("0123456789abcdef"[i&15]), 1),
			U("p1", "", "needle "+p.text()+" in a prompt"),
			A("p2", "p1", "msg_1", ToolUse("t1", "Bash", string(input)), ""),
			UB("p3", "p2", ToolResult("t1", "before "+p.text()+" behind\ncommit "+nearSHA+"\nid "+nearUUID+"\nagain alone: "+p.value), ToolResult("t2", string(input))))
	}
	h.archive(t, 0)
	before := h.keptFiles(t)
	h.scrub(t, 0, "--all", "--yes")
	after := h.keptFiles(t)
	sameButFor(t, before, after)
	h.clean(t, values(all)...)
	for name, content := range after {
		if strings.Count(content, nearSHA) != strings.Count(before[name], nearSHA) || strings.Count(content, nearUUID) != strings.Count(before[name], nearUUID) {
			t.Errorf("%s: a near miss was masked", name)
		}
	}
	os.RemoveAll(h.Path(".claude"))
	h.Run("secrets").exits(t, 1)
}

// A fingerprint names one credential; what nothing is called is an error, and nothing to
// do is told from that. A log of which prompts were forgotten stays without them.
func TestScrubNames(t *testing.T) {
	t.Parallel()
	h := withArchive(t)
	r := rand.New(rand.NewPCG(9, 6))
	one, two := "gh"+"p_"+drawn(r, 36, letters), "gl"+"pat-"+drawn(r, 20, letters)
	h.Run("secrets", "scrub", "--all", "--yes").exits(t, 2) // no archive
	h.Claude("/srv/app", S1, U("a1", "", "first "+one))
	h.Claude("/srv/app", S2, U("b1", "", "then "+one+" and "+two))
	h.Claude("/srv/app", S3, U("c1", "", "nothing"))
	h.Write(".claude/history.jsonl", historyLine("forgotten prompt", `{}`, S3)+"\n"+historyLine("typed "+two, `{}`, S2)+"\n", 0o600)
	h.archive(t, 0)
	for _, bad := range [][]string{{}, {"--all", S1}, {"nobody"}, {"0123456789abcdef", "nobody"}} {
		h.Run(append([]string{"secrets", "scrub", "--yes"}, bad...)...).exits(t, 2)
	}
	h.scrub(t, 1, S3, "--yes")
	h.scrub(t, 1, "0123456789abcdef", "--yes")
	h.forget(t, 0, S3, "--yes")

	var print string
	for _, s := range as[struct{ Rule, Fingerprint string }](t, oneObject(t, h.Run("secrets", "--json").exits(t, 3))) {
		if s.Rule == "gitlab-token" {
			print = s.Fingerprint
		}
	}
	text := h.Run("secrets", "scrub", print, "--yes").exits(t, 0)
	if !strings.Contains(text.Stdout, print) || strings.Contains(text.Stdout+text.Stderr, two) || strings.Contains(text.Stdout, "github-token") {
		t.Errorf("it says\n%s", text.Stdout)
	}
	if got := h.inArchive(t, one, two, "forgotten prompt"); !slices.Equal(got, []string{one}) {
		t.Errorf("in the archive there are %q", got)
	}
	for range 2 {
		h.Append(".claude/history.jsonl", historyLine("later "+two, `{}`, S2)+"\n")
		h.archive(t, 0)
		if got := h.inArchive(t, one, two, "forgotten prompt", "later "); !slices.Equal(got, []string{one, "later "}) {
			t.Errorf("in the archive there are %q", got)
		}
	}
	os.RemoveAll(h.Path(".claude/projects"))
	if r := h.Run("restore", S2, "--dry-run").exits(t, 0); !strings.Contains(r.Stderr+r.Stdout, "masked") {
		t.Errorf("a masked session is put back without a word: %s%s", r.Stdout, r.Stderr)
	}
	if err := os.WriteFile(filepath.Join(h.base, dataName, "masks.json"), []byte("{"), 0o600); err != nil {
		t.Fatal(err)
	}
	h.Append(".claude/history.jsonl", historyLine("more "+two, `{}`, S2)+"\n")
	if r := h.Run("archive").exits(t, 2); !strings.Contains(r.Stderr, "masks.json") {
		t.Errorf("with a damaged list of masks it says %q", r.Stderr)
	}
}

// Case O19 where there is an archive: what scrub says has no piece of a credential in it,
// names of files and folders included.
func TestScrubShowsNoSecret(t *testing.T) {
	t.Parallel()
	h, list := planted(t)
	h.Run("archive")
	for _, args := range [][]string{{"--all", "--dry-run"}, {"--all", "--dry-run", "--ndjson"}, {"--all", "--yes"}} {
		r := h.Run(append([]string{"secrets", "scrub"}, args...)...).exits(t, 0)
		for _, v := range values(list) {
			if piece := leaks(r.Stdout+r.Stderr, v); piece != "" {
				t.Errorf("%q shows a piece of a credential: %q", args, piece)
			}
		}
	}
}
