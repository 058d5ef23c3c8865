package claude

import (
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/seshat-dev/seshat/catalog"
)

// The table in testdata is the agreed list of stores; the Go data must say the
// same in every column that both have.
func TestCatalogueMatchesTable(t *testing.T) {
	table := readTable(t, "testdata/catalogue.tsv")
	got := make(map[string]catalog.Store)
	for _, s := range allStores() {
		if _, twice := got[s.ID]; twice {
			t.Errorf("%s stands twice", s.ID)
		}
		got[s.ID] = s
	}
	listed := make(map[string]bool)
	for _, row := range table {
		id := row["id"]
		listed[id] = true
		s, ok := got[id]
		if !ok {
			t.Errorf("%s is in the table and not in the catalogue", id)
			continue
		}
		for column, value := range columns(s) {
			if value != row[column] {
				t.Errorf("%s: %s is %q, the table has %q", id, column, value, row[column])
			}
		}
	}
	for id := range got {
		if !listed[id] {
			t.Errorf("%s is in the catalogue and not in the table", id)
		}
	}
}

// Within a file the rows stand in the table's order, so that the two can be
// read side by side.
func TestCatalogueKeepsTableOrder(t *testing.T) {
	place := make(map[string]int)
	for i, row := range readTable(t, "testdata/catalogue.tsv") {
		place[row["id"]] = i
	}
	for _, stores := range [][]catalog.Store{projectStores(), dataStores(), extensionStores(), leftoverStores(), elsewhereStores()} {
		for i := 1; i < len(stores); i++ {
			if place[stores[i-1].ID] > place[stores[i].ID] {
				t.Errorf("%s stands before %s, the table has it after", stores[i-1].ID, stores[i].ID)
			}
		}
	}
}

func TestCatalogueRowsAreComplete(t *testing.T) {
	for _, s := range allStores() {
		for name, text := range map[string]string{
			"Distinguishes": s.Distinguishes,
			"SchemaNotes":   s.SchemaNotes,
			"SearchNotes":   s.SearchNotes,
			"Observed.Date": s.Observed.Date,
		} {
			if strings.TrimSpace(text) == "" {
				t.Errorf("%s has no %s", s.ID, name)
			}
		}
		if len(s.Evidence) == 0 || slices.Contains(s.Evidence, "") {
			t.Errorf("%s has no evidence, or an empty one", s.ID)
		}
	}
}

func TestCatalogueBuilds(t *testing.T) {
	if _, err := catalog.New(allStores()); err != nil {
		t.Fatal(err)
	}
}

// columns gives a store's values as the table writes them.
func columns(s catalog.Store) map[string]string {
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
		"records":      orDash(strings.Join(kinds, ",")),
		"retention":    string(s.Retention),
		"family":       string(s.Family),
		"sensitivity":  string(s.Sensitivity),
		"duplicate_of": orDash(strings.Join(s.DuplicateOf, ",")),
	}
}

func orDash(s string) string {
	if s == "" {
		return "-"
	}
	return s
}

// readTable reads a tab-separated file with one header line, each row as a map
// from column name to value.
func readTable(t *testing.T, path string) []map[string]string {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSuffix(string(data), "\n"), "\n")
	header := strings.Split(lines[0], "\t")
	rows := make([]map[string]string, 0, len(lines)-1)
	for n, line := range lines[1:] {
		cells := strings.Split(line, "\t")
		if len(cells) != len(header) {
			t.Fatalf("%s:%d: %d cells, the header has %d", path, n+2, len(cells), len(header))
		}
		row := make(map[string]string, len(header))
		for i, name := range header {
			row[name] = cells[i]
		}
		rows = append(rows, row)
	}
	return rows
}
