package query

import (
	"strconv"
	"strings"
	"time"

	"github.com/seshat-dev/seshat/internal/when"
)

// valueTest makes a test of one value of a field out of a filter. The empty value
// is one that is not there, and passes none.
func valueTest(f Field, term Filter, o Options) func(string) bool {
	test := comparison(f, term, o)
	return func(v string) bool { return v != "" && test(compose(v)) }
}

func comparison(f Field, term Filter, o Options) func(string) bool {
	want := compose(term.Value)
	switch {
	case term.Op == Present:
		return func(string) bool { return true }
	case f.Match == BySubstring:
		n := newNeedle(want)
		return func(v string) bool { _, ok := n.find(v, false); return ok }
	case f.Match == ByPathPart:
		return pathPart(o.path(want), term.Op == Glob)
	case f.Match == ByFolder || f.Match == ByProject:
		return folder(o.path(want), f.Match == ByProject, sameAs(term.Op))
	case f.Match == ByNumber:
		return numbered(term)
	}
	return ordered(term)
}

// ordered compares whole values.
func ordered(term Filter) func(string) bool {
	want, to := compose(term.Value), compose(term.To)
	switch term.Op {
	case Is:
		return func(v string) bool { return strings.EqualFold(v, want) }
	case Glob:
		return func(v string) bool { return globMatch(want, v) }
	case Above:
		return func(v string) bool { return order(v, want) > 0 }
	case AtLeast:
		return func(v string) bool { return order(v, want) >= 0 }
	case Below:
		return func(v string) bool { return order(v, want) < 0 }
	case AtMost:
		return func(v string) bool { return order(v, want) <= 0 }
	}
	return func(v string) bool {
		return (want == "*" || order(v, want) >= 0) && (to == "*" || order(v, to) <= 0)
	}
}

// order compares two values: numbers by size, everything else by its folded
// characters.
func order(a, b string) int {
	x, errX := strconv.ParseUint(a, 10, 64)
	y, errY := strconv.ParseUint(b, 10, 64)
	switch {
	case errX != nil || errY != nil:
		return strings.Compare(strings.Map(foldRune, a), strings.Map(foldRune, b))
	case x < y:
		return -1
	case x > y:
		return 1
	}
	return 0
}

// path writes the path of a filter in full.
func (o Options) path(p string) string {
	if o.Home != "" && (p == "~" || strings.HasPrefix(p, "~/") || strings.HasPrefix(p, `~\`)) {
		return compose(o.Home) + p[1:]
	}
	return p
}

// pathPart looks for a part of a path. A glob stands for the path from the
// beginning of some part of it to its end.
func pathPart(want string, glob bool) func(string) bool {
	want = strings.ReplaceAll(want, `\`, "/")
	if glob {
		return func(v string) bool {
			v = slashed(v)
			return globMatch(want, v) || globMatch("*/"+want, v)
		}
	}
	n := newNeedle(want)
	return func(v string) bool {
		_, ok := n.find(strings.ReplaceAll(v, `\`, "/"), false)
		return ok
	}
}

// sameAs compares a name with a pattern or, where quotes made it plain, a name.
func sameAs(op Op) func(pattern, name string) bool {
	if op == Glob {
		return globMatch
	}
	return strings.EqualFold
}

// folder compares a folder: its name where want has no slash, else its path. The
// path of a project is compared part by part, so that * stays inside a part, and
// one that does not begin at a root may stand at its end.
func folder(want string, project bool, same func(pattern, name string) bool) func(string) bool {
	switch want = slashed(want); {
	case project && !isPath(want):
		return func(v string) bool { return same(want, v) }
	case !isPath(want):
		return func(v string) bool {
			v = slashed(v)
			return same(want, v[strings.LastIndexByte(v, '/')+1:]) || same(want, v)
		}
	case !project:
		return func(v string) bool { return same(want, slashed(v)) }
	}
	patterns := strings.Split(want, "/")
	if !rooted(want) {
		patterns = append([]string{"**"}, patterns...)
	}
	return func(v string) bool { return componentsMatch(patterns, strings.Split(slashed(v), "/"), same) }
}

func isPath(s string) bool { return strings.ContainsAny(s, `/\`) }

// rooted reports whether a path begins at a root: with a slash, or a drive.
func rooted(p string) bool { return p[0] == '/' || len(p) > 1 && p[1] == ':' }

// numbered compares addresses of pull requests: by the whole, or by the number
// that they end in.
func numbered(term Filter) func(string) bool {
	trim := func(s string) string { return strings.TrimSuffix(strings.TrimPrefix(s, "#"), "/") }
	term.Value, term.To = trim(term.Value), trim(term.To)
	test := ordered(term)
	return func(v string) bool {
		v = trim(v)
		return (term.Op == Is || term.Op == Glob) && test(v) || test(v[strings.LastIndexByte(v, '/')+1:])
	}
}

// timeTest makes a test of the stretch in which a subject was written.
func timeTest(term Filter, now time.Time) func(first, last time.Time) bool {
	if term.Op == Present {
		return func(first, _ time.Time) bool { return !first.IsZero() }
	}
	from, to := stretch(term.Value, now), stretch(term.To, now)
	var in func(first, last time.Time) bool
	switch op := timeOp(term); op {
	case AtLeast:
		in = func(_, last time.Time) bool { return !last.Before(from.begin) }
	case Above:
		in = func(_, last time.Time) bool { return !last.Before(from.after) }
	case Below:
		in = func(first, _ time.Time) bool { return first.Before(from.begin) }
	case AtMost:
		in = func(first, _ time.Time) bool { return first.Before(from.after) }
	case InBetween:
		in = func(first, last time.Time) bool {
			return (term.Value == "*" || !last.Before(from.begin)) && (term.To == "*" || first.Before(to.after))
		}
	default:
		in = func(first, last time.Time) bool { return !last.Before(from.begin) && first.Before(from.end) }
	}
	return func(first, last time.Time) bool { return !first.IsZero() && in(first, last) }
}

// timeOp tells since: and until: as comparisons of the time.
func timeOp(term Filter) Op {
	switch term.Field {
	case "since":
		return AtLeast
	case "until":
		return AtMost
	}
	return term.Op
}

// period is what a time means: the stretch from begin to end, and the first moment
// that is later than it. An age is a stretch until now, and later than an age is
// what is later than where it begins.
type period struct{ begin, end, after time.Time }

func stretch(s string, now time.Time) period {
	span, err := when.Parse(s, now)
	if err != nil {
		return period{} // an open end
	}
	p := period{span.From, span.To, span.To}
	if isAge(s) {
		p.after = span.From.Add(1)
	}
	return p
}

// isAge reports whether a time that when can read is an age: only those begin with
// a digit and end in a small letter.
func isAge(s string) bool {
	last := s[len(s)-1]
	return s[0] >= '0' && s[0] <= '9' && last >= 'a' && last <= 'z'
}
