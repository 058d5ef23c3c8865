package query

import (
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/seshat-dev/seshat/record"
)

func page(t *testing.T) string {
	t.Helper()
	b, err := os.ReadFile("../../doc/query.md")
	if err != nil {
		t.Fatal(err)
	}
	return strings.ReplaceAll(string(b), "\r\n", "\n")
}

var blocks = regexp.MustCompile("(?ms)^```query\n(.*?)^```$")

// The examples of the page are true: under each query stand records that it finds
// (+) and does not find (-), with their fields in braces.
func TestExamplesOfThePage(t *testing.T) {
	ran := 0
	for _, block := range blocks.FindAllStringSubmatch(page(t), -1) {
		var src string
		for line := range strings.Lines(block[1]) {
			line = strings.TrimSuffix(line, "\n")
			example, isRecord := strings.CutPrefix(line, "  ")
			if !isRecord {
				src = line
				continue
			}
			s, err := described(example[2:])
			if err != nil {
				t.Fatal(err)
			}
			if got := planFor(t, src).Match(s); got != (example[0] == '+') {
				t.Errorf("%s: %s", src, example)
			}
			ran++
		}
	}
	if ran < 60 {
		t.Errorf("only %d examples were found", ran)
	}
}

var attribute = regexp.MustCompile(`(\w+)=(?:"([^"]*)"|([^" }]+))`)

// described makes a subject of the record of an example: {field=value ...} text.
func described(example string) (*Subject, error) {
	s := &Subject{Known: KnowsAll}
	r := &record.Record{Text: example}
	if rest, ok := strings.CutPrefix(example, "{"); ok {
		fields, text, _ := strings.Cut(rest, "} ")
		r.Text = text
		for _, m := range attribute.FindAllStringSubmatch(fields, -1) {
			v := m[2] + m[3]
			switch m[1] {
			case "title":
				s.Title = v
			case "kind":
				r.Kind = record.Kind(v)
			case "tool":
				r.Tool = v
			case "model":
				r.Model = v
			case "branch":
				r.Origin.Branch = v
			case "cwd":
				r.Origin.CWD = v
			case "project":
				s.Project = record.Project{Name: v[strings.LastIndex(v, "/")+1:], Root: v}
			case "pr":
				s.PRs = []string{v}
			default:
				return nil, fmt.Errorf("an example has the field %s", m[1])
			}
		}
	}
	return s.Of(r), nil
}

// The page lists the fields of the registry, in its order and words.
func TestFieldsOfThePage(t *testing.T) {
	compared := map[Match]string{BySubstring: "substring", ByPathPart: "part of a path", ByWhole: "whole", ByFolder: "folder", ByProject: "project", ByTime: "time", ByNumber: "number"}
	var want strings.Builder
	for _, f := range Fields() {
		fmt.Fprintf(&want, "| `%s` | %s | %s | %s | `%s` |\n", f.Name, f.Help, f.Takes, compared[f.Match], f.Example)
	}
	if !strings.Contains(page(t), "|---|---|---|---|---|\n"+want.String()+"\n") {
		t.Errorf("the table of fields should read\n%s", want.String())
	}
	for _, f := range Fields() {
		if f.Values != nil && f.Match == ByWhole {
			text := strings.Join(strings.Fields(page(t)), " ")
			for _, v := range f.Values {
				if !regexp.MustCompile("`" + f.Name + "`[^;.]*\\b" + v + "\\b").MatchString(text) {
					t.Errorf("the page does not say that %s: can be %s", f.Name, v)
				}
			}
		}
	}
}

// What the page says of one word.
func TestWordsOfThePage(t *testing.T) {
	for _, src := range []string{"error:timeout", "title:", "time::Duration", "file:///srv/a.go", "time:12:30", "--no-verify", "-5", "-rf"} {
		if q := mustParse(t, src); q.Expr != (Text{src}) || !strings.Contains(page(t), "`"+src+"`") {
			t.Errorf("%s is read as %s", src, show(q.Expr))
		}
	}
}
