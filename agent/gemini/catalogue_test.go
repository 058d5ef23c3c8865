package gemini

import (
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/seshat-dev/seshat/catalog"
)

// TestStoresFollowTable holds the Go data against testdata/catalogue.tsv, the
// agreed table, in both directions.
func TestStoresFollowTable(t *testing.T) {
	stores := make(map[string]catalog.Store)
	var ids []string
	for _, s := range allStores() {
		if _, twice := stores[s.ID]; twice {
			t.Errorf("%s stands twice", s.ID)
		}
		stores[s.ID] = s
		ids = append(ids, s.ID)
	}
	var want []string
	for _, row := range readStoreTable(t, "testdata/catalogue.tsv") {
		id := row["id"]
		want = append(want, id)
		s, ok := stores[id]
		if !ok {
			t.Errorf("%s: in the table, not in the data", id)
			continue
		}
		for column, got := range storeColumns(s) {
			if got != row[column] {
				t.Errorf("%s: %s is %q, table has %q", id, column, got, row[column])
			}
		}
	}
	for _, id := range ids {
		if !slices.Contains(want, id) {
			t.Errorf("%s: in the data, not in the table", id)
		}
	}
	if !slices.Equal(ids, want) {
		t.Error("the data does not follow the order of the table")
	}
}

func TestStoresAreDescribed(t *testing.T) {
	for _, s := range allStores() {
		for name, text := range map[string]string{
			"Distinguishes": s.Distinguishes,
			"SchemaNotes":   s.SchemaNotes,
			"SearchNotes":   s.SearchNotes,
		} {
			if strings.TrimSpace(text) == "" {
				t.Errorf("%s: %s is empty", s.ID, name)
			}
		}
		if _, err := time.Parse(time.DateOnly, s.Observed.Date); err != nil {
			t.Errorf("%s: Observed.Date: %v", s.ID, err)
		}
		if len(s.Evidence) == 0 || slices.Contains(s.Evidence, "") {
			t.Errorf("%s: evidence is missing", s.ID)
		}
		if s.Readable() != (len(s.Records) > 0) {
			t.Errorf("%s: coverage %s with %d record kinds", s.ID, s.Coverage, len(s.Records))
		}
	}
}

// storeColumns spells a store the way the table does.
func storeColumns(s catalog.Store) map[string]string {
	kinds := make([]string, len(s.Records))
	for i, k := range s.Records {
		kinds[i] = string(k)
	}
	return map[string]string{
		"id":           s.ID,
		"agent":        s.Agent,
		"path":         strings.Join(s.Paths, "; "),
		"format":       string(s.Format),
		"role":         s.Role,
		"coverage":     string(s.Coverage),
		"records":      orDash(kinds),
		"retention":    string(s.Retention),
		"family":       string(s.Family),
		"sensitivity":  string(s.Sensitivity),
		"duplicate_of": orDash(s.DuplicateOf),
	}
}

func orDash(list []string) string {
	if len(list) == 0 {
		return "-"
	}
	return strings.Join(list, ",")
}

// readStoreTable reads tab-separated rows below one header line.
func readStoreTable(t *testing.T, name string) []map[string]string {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimRight(string(data), "\n"), "\n")
	header := strings.Split(lines[0], "\t")
	var rows []map[string]string
	for _, line := range lines[1:] {
		cells := strings.Split(line, "\t")
		if len(cells) != len(header) {
			t.Fatalf("%s: %d cells, header has %d: %s", name, len(cells), len(header), line)
		}
		row := make(map[string]string, len(header))
		for i, h := range header {
			row[h] = cells[i]
		}
		rows = append(rows, row)
	}
	return rows
}
