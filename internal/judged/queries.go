package judged

import (
	_ "embed"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

//go:embed queries.txt
var queryText string

// Kinds are the kinds of queries, in the order of reports.
func Kinds() []string {
	return []string{"word", "words", "phrase", "path", "error", "identifier", "cjk", "cyrillic", "field", Nothing}
}

// Nothing is the kind of queries that nothing answers: no session may come back.
const Nothing = "none"

// Query is a query with the sessions that answer it.
type Query struct {
	Text   string
	Kind   string
	Why    string         // what the person wants
	Grades map[string]int // by session id: 3 exactly this, 2 helpful, 1 touches it
}

// Queries gives the judged queries.
func Queries() ([]Query, error) {
	names, err := Names()
	if err != nil {
		return nil, err
	}
	list, err := readQueries(queryText, names)
	if err != nil {
		return nil, fmt.Errorf("queries.txt: %w", err)
	}
	return list, nil
}

func readQueries(text string, names map[string]string) ([]Query, error) {
	var list []Query
	for no, line := range strings.Split(text, "\n") {
		first, rest, _ := strings.Cut(line, " ")
		var err error
		switch {
		case line == "" || first == "#":
		case first == "?":
			list = append(list, Query{Text: rest, Grades: map[string]int{}})
		case len(list) == 0:
			err = fmt.Errorf("%q stands before the first query", line)
		default:
			err = list[len(list)-1].set(first, rest, names)
		}
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", no+1, err)
		}
	}
	return list, nil
}

func (q *Query) set(key, value string, names map[string]string) error {
	switch key {
	case "kind:":
		if q.Kind = value; !slices.Contains(Kinds(), value) {
			return fmt.Errorf("no kind is called %q", value)
		}
		return nil
	case "why:":
		q.Why = value
		return nil
	}
	grade, err := strconv.Atoi(key)
	if err != nil || grade < 1 || grade > 3 {
		return fmt.Errorf("%q is no grade", key)
	}
	for _, name := range strings.Fields(value) {
		id := sessionID(name)
		if names[id] == "" || q.Grades[id] != 0 {
			return fmt.Errorf("%s is no session, or graded twice", name)
		}
		q.Grades[id] = grade
	}
	return nil
}
