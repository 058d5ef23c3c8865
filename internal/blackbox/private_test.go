//go:build unix

package blackbox

import (
	"encoding/json"
	"math/rand/v2"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"
)

// privateStore is a row of the catalogue that is never opened.
type privateStore struct {
	ID    string
	Agent string
	Paths []string
}

// privateStores asks the program which stores are private.
func privateStores(t *testing.T, h *Home) []privateStore {
	t.Helper()
	stores := as[privateStore](t, oneObject(t, h.Run("stores", "--coverage", "private", "--json").exits(t, 0)))
	// Known to hold credentials: the list cannot lose them unseen.
	for _, id := range []string{"claude.credentials", "gemini.auth", "gemini.env"} {
		if !slices.ContainsFunc(stores, func(s privateStore) bool { return s.ID == id }) {
			t.Fatalf("%s is not private: %+v", id, stores)
		}
	}
	return stores
}

var hole = regexp.MustCompile(`<[a-zA-Z]+>`)

// repo is a folder that a transcript and Gemini's registry name.
const repo = "code/repo"

// place gives the name, in the home, of a real path that a pattern matches.
func (h *Home) place(agent, pattern string) string {
	heads := map[string]string{"~": "", "<repo>": repo, "<userData>": ".config/Claude", "<tmpdir>": h.Tmp}
	if runtime.GOOS == "darwin" {
		heads["<userData>"] = "Library/Application Support/Claude"
	}
	head, rest, _ := strings.Cut(pattern, "/")
	dir, known := heads[head]
	if !known {
		dir, rest = "."+agent, pattern
	}
	rest = hole.ReplaceAllString(strings.ReplaceAll(rest, "**/", "deep/er/"), "x")
	if dir == "" {
		return rest
	}
	return dir + "/" + rest
}

// withRepo adds a session that names a repository, for both agents.
func withRepo(t *testing.T) (h *Home, transcript string) {
	h = New(t)
	h.Mkdir(repo)
	transcript = h.Claude(h.Path(repo), S1, U("m1", "", "public-needle"))
	h.Write(".gemini/projects.json", `{"projects":{`+Quote(h.Path(repo))+`:"app"}}`, 0o600)
	return h, transcript
}

// mustNotTouch runs every command over a home with private stores. paths are
// those that find must name, by store.
func mustNotTouch(t *testing.T, h *Home, stores []privateStore, paths map[string][]string) {
	t.Helper()
	list, sum := h.sources(t, "--coverage", "private")
	got := map[string][]string{}
	for _, s := range list {
		if s.State != "private" || s.Schema != "seshat.source/1" {
			t.Errorf("%+v is not marked private", s)
		}
		got[s.Store] = append(got[s.Store], strings.TrimSuffix(s.Path, "/"))
	}
	for _, s := range stores {
		want := slices.Sorted(slices.Values(paths[s.ID]))
		if found := slices.Sorted(slices.Values(got[s.ID])); !slices.Equal(found, want) {
			t.Errorf("%s: find names %q, want %q", s.ID, found, want)
		}
	}
	if sum.Sources.Failed > 0 {
		t.Errorf("a private store is no failed source: %+v", sum)
	}
	h.Run("find").exits(t, 0)
	h.Run("find", "-l").exits(t, 0)
	h.Vars["SESHAT_DATA_DIR"] = filepath.Join(h.base, dataName)
	if items, sum := h.archive(t, 0, "--include", "file-history"); sum.Sources.Failed > 0 || len(items) == 0 {
		t.Errorf("archive: %q %+v", did(items), sum)
	}
	if got := h.inArchive(t, "public-needle", "private-needle"); !slices.Equal(got, []string{"public-needle"}) {
		t.Errorf("the archive holds %q", got)
	}

	if list, sum := h.sessions(t); len(list) != 1 || !sum.Complete {
		t.Errorf("sessions: %+v %+v", list, sum)
	}
	r := h.Run("grep", "public-needle").exits(t, 0)
	if len(lines(r.Stdout)) != 1 || r.Stderr != "" {
		t.Errorf("grep prints %q and %q", r.Stdout, r.Stderr)
	}
	h.Run("grep", "nowhere-at-all").exits(t, 1)
	h.Run("search", "nowhere-at-all").exits(t, 1)
	if list, a := h.search(t, "public-needle"); len(list) != 1 || !a.summary.Complete {
		t.Errorf("search: %+v of %s", list, a.raw)
	}
	if list, sum := h.projects(t); len(list) != 1 || !sum.Complete {
		t.Errorf("projects: %+v %+v", list, sum)
	}
	h.Run("secrets").exits(t, 1)
	if r := h.Run("expiring", "--within", "100y", "--json").exits(t, 0); strings.Contains(r.Stdout, "private-needle") {
		t.Errorf("expiring gives what a private store holds: %s", r.Stdout)
	}
	if recs, _ := h.records(t, "--scope", "conversation"); len(recs) != 1 {
		t.Errorf("%d records of a conversation, want 1", len(recs))
	}
	for _, args := range [][]string{{"records"}, {"records", "--scope", "all"}, {"grep", "--scope", "all", "private-needle"}, {"search", "--scope", "all", "--ndjson", "needle"}} {
		if r := h.Run(args...); strings.Contains(r.Stdout, "private-needle") {
			t.Errorf("%q gives what a private store holds: %s", args, r.Stdout)
		}
	}
	for _, s := range stores {
		r := h.Run("stores", s.ID, "--summary", "--json", "--absolute-path")
		var o struct {
			Files []struct {
				Path  string
				Lines int
			}
			Keys []json.RawMessage
			Data int `json:"data_keys"`
		}
		items := oneObject(t, r).items
		decode(t, items[0], &o)
		if len(o.Files) != len(paths[s.ID]) || len(o.Keys) > 0 || o.Data > 0 {
			t.Errorf("stores %s --summary: %s, want %d files and no key", s.ID, items[0], len(paths[s.ID]))
		}
		for _, f := range o.Files {
			if f.Lines > 0 {
				t.Errorf("stores %s --summary counts the lines of %s", s.ID, f.Path)
			}
		}
		if len(paths[s.ID]) > 0 {
			r.exits(t, 0)
		} else {
			r.exits(t, 1)
		}
		if r := h.Run("records", "--store", s.ID).exits(t, 2); r.Stdout != "" || !strings.Contains(r.Stderr, s.ID) {
			t.Errorf("records --store %s prints %q and %q", s.ID, r.Stdout, r.Stderr)
		}
	}
}

// Law 2: whoever opens a FIFO waits for ever. One stands in the place of every
// private file.
func TestPrivateFilesAreNeverOpened(t *testing.T) {
	t.Parallel()
	h, _ := withRepo(t)
	stores := privateStores(t, h)
	paths := map[string][]string{}
	for _, s := range stores {
		for _, pattern := range s.Paths {
			if strings.HasSuffix(pattern, ">/") {
				continue // a whole place, below
			}
			name := strings.TrimSuffix(h.place(s.Agent, pattern), "/")
			path := h.FIFO(name)
			if !strings.HasSuffix(pattern, "/") { // a FIFO is not the folder that a pattern means
				paths[s.ID] = append(paths[s.ID], path)
			}
		}
	}
	if len(paths) < 5 {
		t.Fatalf("too few private files: %v", paths)
	}
	mustNotTouch(t, h, stores, paths)

	h, _ = withRepo(t)
	h.FIFO(strings.TrimSuffix(h.place("claude", "<userData>/"), "/"))
	for _, args := range [][]string{{"find"}, {"sessions"}, {"records"}, {"grep", "public-needle"}} {
		h.Run(args...).exits(t, 0)
	}
}

// Law 2: private folders are not listed, nor is anything in them opened.
func TestPrivateFoldersAreNeverListed(t *testing.T) {
	t.Parallel()
	h, _ := withRepo(t)
	stores := privateStores(t, h)
	paths := map[string][]string{}
	for _, s := range stores {
		for _, pattern := range s.Paths {
			if !strings.HasSuffix(pattern, "/") {
				continue
			}
			name := strings.TrimSuffix(h.place(s.Agent, pattern), "/")
			for _, inside := range []string{"x.jsonl", "x.json", "projects/-x/" + S2 + ".jsonl", "tmp/app/chats/session-x.jsonl", "deep/er/x"} {
				h.FIFO(name + "/" + inside)
			}
			paths[s.ID] = append(paths[s.ID], h.Path(name))
		}
	}
	if len(paths) < 4 {
		t.Fatalf("too few private folders: %v", paths)
	}
	mustNotTouch(t, h, stores, paths)
}

// secret is what stands in a private file: were it read as a transcript, as a
// title or as JSON, something of it would show, and the credential in it be found.
func secret(h *Home) string {
	token := "gh" + "p_" + drawn(rand.New(rand.NewPCG(2, 2)), 36, letters)
	return h.Fill("/srv/secret", S3, U("p1", "", "private-needle "+token)) + `{"customTitle":"private-needle"}` + "\n"
}

// Law 2 holds for a file whatever name leads to it.
func TestPrivateFilesBehindLinks(t *testing.T) {
	for what, set := range map[string]func(h *Home){
		"transcript to credentials": func(h *Home) {
			h.Write(".claude/.credentials.json", secret(h), 0o600)
			h.Symlink("../../.credentials.json", ".claude/projects/-srv-app/"+S3+".jsonl")
		},
		"transcript to a file in a private folder": func(h *Home) {
			h.Write(".claude/security/x.jsonl", secret(h), 0o600)
			h.Symlink("../../security/x.jsonl", ".claude/projects/-srv-app/"+S3+".jsonl")
		},
		"project to a private folder": func(h *Home) {
			h.Write(".claude/security/"+S3+".jsonl", secret(h), 0o600)
			h.Symlink("../security", ".claude/projects/-srv-secret")
		},
		"transcript to another agent's credentials": func(h *Home) {
			h.Write(".gemini/oauth_creds.json", secret(h), 0o600)
			h.Symlink("../../../.gemini/oauth_creds.json", ".claude/projects/-srv-app/"+S3+".jsonl")
		},
		"transcript to the desktop app's data": func(h *Home) {
			h.Write(h.place("claude", "<userData>/")+"x.jsonl", secret(h), 0o600)
			h.Symlink(h.Path(h.place("claude", "<userData>/")+"x.jsonl"), ".claude/projects/-srv-app/"+S3+".jsonl")
		},
		"title to credentials": func(h *Home) {
			h.Write(".claude/.credentials.json", `{"customTitle":"private-needle"}`, 0o600)
			h.Claude("/srv/app", S3, U("m1", "", "titled"))
			h.Symlink("../../../.credentials.json", ".claude/projects/-srv-app/"+S3+"/custom-title.json")
		},
		"folder of plans in a private folder": func(h *Home) {
			h.Write(".claude/security/x.md", "private-needle", 0o600)
			h.Write(".claude/settings.json", `{"plansDirectory":"~/.claude/security"}`, 0o600)
		},
		"folder of memory in another agent's private folder": func(h *Home) {
			h.Write(".gemini/antigravity/brain/x.md", "private-needle", 0o600)
			h.Write(".claude/settings.json", `{"autoMemoryDirectory":"~/.gemini/antigravity/brain"}`, 0o600)
		},
		"settings to credentials": func(h *Home) {
			h.Write(".claude/.credentials.json", `{"cleanupPeriodDays":"private-needle"}`, 0o600)
			h.Symlink(".credentials.json", ".claude/settings.json")
			h.Write(".gemini/oauth_creds.json", `{"general":{"sessionRetention":{"maxAge":"private-needle"}}}`, 0o600)
			h.Symlink("oauth_creds.json", ".gemini/settings.json")
			h.Symlink(h.Path(".gemini/oauth_creds.json"), repo+"/.claude/settings.json")
			h.Symlink(h.Path(".claude/.credentials.json"), repo+"/.gemini/settings.json")
		},
		"repository in a private folder": func(h *Home) {
			h.Write(".gemini/antigravity/scratch/CLAUDE.md", "private-needle", 0o600)
			h.Claude(h.Path(".gemini/antigravity/scratch"), S3, U("m1", "", "in the scratch folder"))
		},
	} {
		t.Run(what, func(t *testing.T) {
			t.Parallel()
			h, _ := withRepo(t)
			set(h)
			for _, args := range [][]string{
				{"grep", "-F", "private-needle"}, {"grep", "--scope", "all", "-F", "private-needle"}, {"records"}, {"sessions", "--json"}, {"stores", "claude.projects.session", "--summary"},
				{"expiring", "--within", "100y", "--json"}, {"search", "--scope", "all", "--ndjson", "needle"}, {"projects", "--json"},
			} {
				r := h.Run(args...)
				if strings.Contains(r.Stdout, "private-needle") || strings.Contains(r.Stdout, "customTitle") {
					t.Errorf("%q gives what a private store holds: %s", args, tail(r.Stdout))
				}
			}
			for _, args := range [][]string{{"grep", "-F", "public-needle"}, {"search", "public-needle"}, {"sessions"}} {
				h.Run(args...).exits(t, 0)
			}
			if r := h.Run("secrets"); r.Code == 3 {
				t.Errorf("secrets finds what a private store holds: %s", r.Stdout)
			}
		})
	}
}
