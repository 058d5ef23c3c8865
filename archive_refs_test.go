package seshat

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/seshat-dev/seshat/agent"
	"github.com/seshat-dev/seshat/internal/search"
)

// What was looked for is kept between runs but for paths with a credential in them.
func TestReferencesKeepNoSecret(t *testing.T) {
	path := filepath.Join(t.TempDir(), "cache", refsName)
	plain, keyed := "/home/sam/.claude/plans/a.md", "/home/sam/.claude/plans/gh"+"p_"+strings.Repeat("aB3dE6gH9", 4)+".md"
	r := &references{l: &Library{}, path: path}
	var files []keepFile
	for _, p := range []string{plain, keyed} {
		files = append(files, keepFile{Source: search.Source{Source: &agent.Source{Path: p}}})
	}
	r.save(files)
	b, err := os.ReadFile(path)
	var kept lookedFor
	if err == nil {
		err = json.Unmarshal(b, &kept)
	}
	if err != nil || len(kept.Paths) != 1 || string(kept.Paths[0]) != plain {
		t.Errorf("%d paths are kept: %v", len(kept.Paths), err)
	}
}
