package query

import (
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"
)

// show writes an expression as a list, for tests to compare.
func show(e Expr) string {
	switch e := e.(type) {
	case And:
		return showList("and", e)
	case Or:
		return showList("or", e)
	case Not:
		return "(not " + show(e.X) + ")"
	case Const:
		return fmt.Sprint(bool(e))
	case Text:
		return "'" + e.Value + "'"
	case Regexp:
		return "/" + e.Source + "/"
	case Filter:
		op := [...]string{"=", "~", "?", ">", ">=", "<", "<=", "in"}[e.Op]
		return "[" + strings.TrimSpace(strings.Join([]string{e.Field, op, e.Value, e.To}, " ")) + "]"
	}
	return "?"
}

func showList(name string, parts []Expr) string {
	for _, p := range parts {
		name += " " + show(p)
	}
	return "(" + name + ")"
}

var parsed = []struct{ src, want string }{
	{"", "true"},
	{"  \n\t　", "true"},
	{"auth", "'auth'"},
	{"auth bug", "(and 'auth' 'bug')"},
	{"auth　bug", "(and 'auth' 'bug')"}, // an ideographic space
	{`"a phrase" word`, "(and 'a phrase' 'word')"},
	{`"say \"x\" and C:\new\\"`, `'say "x" and C:\new\'`},

	// Operators.
	{"a OR b", "(or 'a' 'b')"},
	{"a AND b", "(and 'a' 'b')"},
	{"a b OR c d", "(or (and 'a' 'b') (and 'c' 'd'))"},
	{"a (b OR c)", "(and 'a' (or 'b' 'c'))"},
	{"NOT a", "(not 'a')"},
	{"NOT NOT a", "'a'"},
	{"NOT (a OR b) c", "(and (not (or 'a' 'b')) 'c')"},
	{"a or b", "(and 'a' 'or' 'b')"},
	{"((a))", "'a'"},
	{"(a b) c", "(and (and 'a' 'b') 'c')"},

	// An operator without an operand is a word.
	{"OR", "'OR'"}, {"AND", "'AND'"}, {"NOT", "'NOT'"},
	{"a OR", "(and 'a' 'OR')"},
	{"OR a", "(and 'OR' 'a')"},
	{"a OR OR b", "(or 'a' (and 'OR' 'b'))"},
	{"a AND OR b", "(and 'a' 'OR' 'b')"},
	{"a NOT", "(and 'a' 'NOT')"},
	{"(a OR) b", "(and (and 'a' 'OR') 'b')"},
	{"(NOT) b", "(and 'NOT' 'b')"},
	{`"OR" a`, "(and 'OR' 'a')"},

	// Parentheses.
	{"main() f(x) g(", "(and 'main()' 'f(x)' 'g(')"},
	{"()", "'()'"},
	{"( )", "(and '(' ')')"},
	{"(a", "'(a'"},
	{"a)", "'a)'"},
	{":) ok", "(and ':)' 'ok')"},
	{"(call f(x) OR g)", "(or (and 'call' 'f(x)') 'g')"},
	{"(a)b", "(and 'a' 'b')"},
	{"(a b", "(and '(a' 'b')"},
	{"((a b)", "(and '((a' 'b)')"},

	// A minus.
	{"a -b", "(and 'a' (not 'b'))"},
	{"-b a", "(and (not 'b') 'a')"},
	{`a -"b c"`, "(and 'a' (not 'b c'))"},
	{"a -(b OR c)", "(and 'a' (not (or 'b' 'c')))"},
	{"a -agent:claude", "(and 'a' (not [agent = claude]))"},
	{"agent:claude -rf", "(and [agent = claude] (not 'rf'))"},
	{"rm -rf", "(and 'rm' (not 'rf'))"},
	{`rm "-rf"`, "(and 'rm' '-rf')"},
	{"a -é", "(and 'a' (not 'é'))"},
	{"a OR -b", "(or 'a' (not 'b'))"},
	{"a -OR", "(and 'a' (not 'OR'))"},
	{"-rf", "'-rf'"},
	{"-a -b", "(and '-a' '-b')"},
	{"NOT a -b", "(and (not 'a') '-b')"},
	{"-(a b)", "(and '-(a' 'b)')"},
	{`-"a b"`, `(and '-"a' 'b"')`},
	{"-5", "'-5'"}, {"x -5", "(and 'x' '-5')"},
	{"--no-verify", "'--no-verify'"}, {"git --no-verify", "(and 'git' '--no-verify')"},
	{"a - b", "(and 'a' '-' 'b')"},
	{"a -/x/", "(and 'a' '-/x/')"},
	{"a -(b", "(and 'a' '-(b')"},
	{"well-known", "'well-known'"},

	// Regular expressions.
	{"/fail(ed|ure)/", "/fail(ed|ure)/"},
	{"/a b/ c", "(and /a b/ 'c')"},
	{`/a\/b/`, `/a\/b/`},
	{"(/[)]/ OR b)", "(or /[)]/ 'b')"},
	{"/srv/app/", "'/srv/app/'"}, {"/srv/app", "'/srv/app'"}, {"/srv", "'/srv'"},
	{"/a/b", "'/a/b'"}, {"//", "'//'"}, {"/", "'/'"},
	{"a / b / c", "(and 'a' '/' 'b' '/' 'c')"},
	{"and/or/not", "'and/or/not'"},
	{"/a\nb/", "(and '/a' 'b/')"},

	// Fields.
	{"agent:claude", "[agent = claude]"},
	{`branch:"a b"`, "[branch = a b]"},
	{`branch:"a*"`, "[branch = a*]"},
	{"branch:a*", "[branch ~ a*]"},
	{"branch:*", "[branch ?]"}, {"text:*", "[text ?]"}, {"since:*", "[since ?]"},
	{"text:a*", "[text = a*]"}, {"title:why?", "[title = why?]"},
	{"file:*.go", "[file ~ *.go]"},
	{"time:>2026", "[time > 2026]"}, {"time:>=3d", "[time >= 3d]"}, {"time:<today", "[time < today]"}, {"time:<=2026-05", "[time <= 2026-05]"},
	{"time:[2026-05-01 TO 2026-05-22]", "[time in 2026-05-01 2026-05-22]"},
	{"time:[ 3d  TO  * ]", "[time in 3d *]"},
	{"pr:[1 TO 5] x", "(and [pr in 1 5] 'x')"},
	{"(time:[2026 TO 2027])", "[time in 2026 2027]"},
	{"text:>x", "[text = >x]"},
	{"path:C:\\Users\\sam", "[path = C:\\Users\\sam]"},
	{"pr:https://example.com/o/r/pull/7", "[pr = https://example.com/o/r/pull/7]"},
	{`title:"half`, `[title = "half]`},
	{"is:error kind:tool_result", "(and [is = error] [kind = tool_result])"},
	{"(agent:a OR agent:b) x", "(and (or [agent = a] [agent = b]) 'x')"},

	// What is no field is text.
	{"title:", "'title:'"}, {"title: x", "(and 'title:' 'x')"},
	{`branch:""`, `'branch:""'`},
	{"Agent:claude", "'Agent:claude'"},
	{"agnet:x", "'agnet:x'"},
	{"file:///srv/a.go", "'file:///srv/a.go'"},
	{"time::Duration", "'time::Duration'"},
	{"time:12:30", "'time:12:30'"},
	{"since:then", "'since:then'"}, {"since:>2026", "'since:>2026'"},
	{"time:[2026 TO x]", "(and 'time:[2026' 'TO' 'x]')"},
	{"xagent:claude", "'xagent:claude'"},
	{`"agent:claude"`, "'agent:claude'"},

	// What people type.
	{"don't use", "(and 'don't' 'use')"},
	{"Downloads/transcripts", "'Downloads/transcripts'"},
	{"gateway/run.py", "'gateway/run.py'"},
	{"user@host", "'user@host'"}, {"a,b", "'a,b'"}, {"why?", "'why?'"}, {"e=mc2", "'e=mc2'"}, {"#tag", "'#tag'"}, {"[bracket]", "'[bracket]'"},
	{`"quoted words"`, "'quoted words'"},
	{"TODO: fix", "(and 'TODO:' 'fix')"},
	{"error:timeout", "'error:timeout'"},
	{"a|b", "'a|b'"}, {`"`, `'"'`}, {"*", "'*'"}, {`""`, `'""'`},
	{`C:\Users\sam\x`, `'C:\Users\sam\x'`},
	{"std::vector<int>", "'std::vector<int>'"}, {"POL-358", "'POL-358'"},
	{"🎉 日本", "(and '🎉' '日本')"},
	{`"error":"timeout"`, `(and 'error' ':"timeout"')`},
	{`say"x y"`, `(and 'say"x' 'y"')`},
	{`"half a phrase`, `(and '"half' 'a' 'phrase')`},
}

func TestParse(t *testing.T) {
	for _, c := range parsed {
		q, err := Parse(c.src, Options{})
		if err != nil {
			t.Errorf("%s: %v", c.src, err)
			continue
		}
		if got := show(q.Expr); got != c.want {
			t.Errorf("%s\n got %s\nwant %s", c.src, got, c.want)
		}
	}
}

func TestParsePrintsBack(t *testing.T) {
	for _, c := range parsed {
		printsBack(t, c.src)
	}
}

// printsBack fails when a query and what it prints as are not read alike.
func printsBack(t *testing.T, src string) {
	t.Helper()
	q, err := Parse(src, Options{})
	if err != nil {
		return
	}
	for _, e := range []Expr{q.Expr, Simplify(q.Expr)} {
		again, err := Parse(Print(e), Options{})
		if err != nil {
			t.Fatalf("%q prints as %q: %v", src, Print(e), err)
		}
		if !reflect.DeepEqual(again.Expr, e) {
			t.Fatalf("%q is %s, prints as %q, which is %s", src, show(e), Print(e), show(again.Expr))
		}
	}
}

func TestPrint(t *testing.T) {
	for src, want := range map[string]string{
		"a  -b":                  "a NOT b",
		"(a b) OR (c)":           "a b OR c",
		"a AND (b OR -(c d))":    "a (b OR NOT (c d))",
		`-rf`:                    `"-rf"`,
		`rm "-rf" TO`:            `rm "-rf" "TO"`,
		`say"x`:                  `"say\"x"`,
		`C:\Users`:               `"C:\\Users"`,
		`branch:"a" tool:"b c"`:  `branch:a tool:"b c"`,
		`branch:"a*" branch:a*`:  `branch:"a*" branch:a*`,
		"time:[  3d   TO today]": "time:[3d TO today]",
		"time:>=2026 pr:<5":      "time:>=2026 pr:<5",
		"/a b/ title:*":          "/a b/ title:*",
		"f(x) :)":                `"f(x)" ":)"`,
		"":                       "",
	} {
		q, err := Parse(src, Options{})
		if err != nil {
			t.Fatal(err)
		}
		if got := q.String(); got != want {
			t.Errorf("%s prints as %s, want %s", src, got, want)
		}
	}
}

func TestWrongRegexpNamesItsColumn(t *testing.T) {
	for src, want := range map[string]string{
		"/[/":         "/[/ at column 1 of the query is no regular expression (missing closing ]: [); to look for it as text, put it in double quotes",
		"/a)|(b/":     "/a)|(b/ at column 1 of the query is no regular expression (unexpected ): a)|(b); to look for it as text, put it in double quotes",
		"é /(x/ b":    "/(x/ at column 3 of the query is no regular expression (missing closing ): (x); to look for it as text, put it in double quotes",
		"a\nbb /*/ c": "/*/ at line 2, column 4 of the query is no regular expression (missing argument to repetition operator: *); to look for it as text, put it in double quotes",
	} {
		_, err := Parse(src, Options{})
		var e *Error
		if !errors.As(err, &e) {
			t.Errorf("%q: %v", src, err)
		} else if e.Error() != want {
			t.Errorf("%q:\n got %s\nwant %s", src, e, want)
		}
	}
}

// Deep and broken nesting costs neither time nor stack.
func TestParseTakesAnyNesting(t *testing.T) {
	for _, s := range []string{"(", "()", "( ", ")", "(a ", "(a) ", "NOT ", "-a ", `"`, `" `, `"(`, "-(", `\"`, "/", "a:", "(a OR "} {
		long := strings.Repeat(s, 20000)
		printsBack(t, long)
		printsBack(t, "x "+long+strings.Repeat(")", 300))
	}
}

func TestSimplify(t *testing.T) {
	for src, want := range map[string]string{
		"(a b) c":                  "(and 'a' 'b' 'c')",
		"a OR (b OR (c OR d))":     "(or 'a' 'b' 'c' 'd')",
		"NOT (a b)":                "(or (not 'a') (not 'b'))",
		"NOT (a OR NOT b)":         "(and (not 'a') 'b')",
		"NOT (a -(b OR c)) x":      "(and (or (not 'a') 'b' 'c') 'x')",
		"a a NOT b NOT b":          "(and 'a' (not 'b'))",
		"(a OR b) (a OR b)":        "(and (or 'a' 'b') (or 'a' 'b'))",
		"tool:x OR tool:x":         "[tool = x]",
		"":                         "true",
		"NOT (kind:reply OR is:x)": "(and (not [kind = reply]) (not [is = x]))",
	} {
		q, err := Parse(src, Options{})
		if err != nil {
			t.Fatal(err)
		}
		if got := show(Simplify(q.Expr)); got != want {
			t.Errorf("%s is %s, want %s", src, got, want)
		}
	}
	a := Text{"a"}
	for _, c := range []struct {
		in   Expr
		want string
	}{
		{And{a, Const(true)}, "'a'"}, {And{a, Const(false)}, "false"}, {Or{a, Const(true)}, "true"}, {Or{a, Const(false)}, "'a'"},
		{And{}, "true"}, {Or{}, "false"}, {Not{Or{}}, "true"}, {Not{And{a, Not{Const(true)}}}, "true"}, {Not{Not{a}}, "'a'"},
	} {
		if got := show(Simplify(c.in)); got != c.want {
			t.Errorf("%s is %s, want %s", show(c.in), got, c.want)
		}
	}
}
