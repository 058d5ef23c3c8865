package corpus

import (
	"regexp"
	"strconv"
)

// Templates of lines. A letter in braces is filled in: n a noun (or the subject of
// the line), v a verb, a an adjective, d an adverb, f a file, i a name, I an
// exported name, p a package, N a number, H a hash, M another noun.
var (
	proseTemplates = []string{
		"The {a} {n} {v} before the {M} is {a}, so the {a} path is {d} taken.",
		"I'll look at how {f} {v} the {n} first, then change the {M}.",
		"Now the {n} {v} what the {M} expects; let me run the tests again.",
		"That was the cause: `{i}` {v} a {a} {n} when the {M} is {a}.",
		"- `{f}`: {i} now {v} the {n} instead of the {M}",
		"- the {a} {n} {v} {d}, which the {M} relies on",
		"## What changed in the {n}",
		"1. **{I}** {v} the {n}; {N} callers were updated.",
		"There are {N} places where a {a} {n} {v} the {M}. Most of them are in {p}.",
		"Done. All {N} tests pass, and `{i}` {d} {v} a {n} now.",
		"One thing to decide: should the {n} {v} {d}, or only when a {M} is {a}?",
		"The failing case is the one where {i} gets a {a} {n} \u2014 the {M} {v} it {d}.",
		"It looks like \"{i}\" was meant to be \"{I}\"; the {n} {v} both {d}.",
		"Let me think about the {n}. If the {M} {v} {d}, then {i} has to be {a}. Otherwise a {a} {n} could be seen by {p}, and the {M} would be wrong for every {a} request until the next restart of the {n}.",
		"The user wants the {n} to be {a}. I should check {f} and the {M} in {p} before I edit anything, because {i} {v} there {d}.",
		"Please make sure that the {n} {v} {d} when the {M} is {a}, and add a test for it in {p}.",
		"can you check why {i} {v} a {a} {n} in {f}?",
		"> {I} {v} the {n} with the {M}",
		"| `{i}` | {a} | the {n} {v} the {M} |",
	}
	codeTemplates = []string{
		"func {I}(ctx context.Context, {i} string) (*{I}, bool) {",
		"\tif {i} := {i}.{I}({i}); {i} != nil {",
		"\t\treturn fmt.Sprintf(\"%s: {n} %q {v}\", {i}, {i})",
		"\t{i} := make(map[string]*{I}, {N})",
		"\tfor _, {i} := range {i} {",
		"\t\t{i} = append({i}, {I}{ {I}: {N}, {I}: \"{n}\" })",
		"\t}", "}", "", "\t\t}", "  });", "    pass",
		"// {I} {v} the {n} of a {a} {M}.",
		"\tdefer {i}.Close()",
		"export const {i} = async ({ {i}, {i} }: {I}Props): Promise<{I}> => {",
		"  const {i} = await fetch(`/api/{p}/${{i}}`, { method: \"POST\" });",
		"  return <{I} className=\"{n}-{M}\" {i}={{i}} />;",
		"    def {i}(self, {i}: dict[str, int]) -> list[str]:",
		"        self.{i} = [x for x in {i} if x[\"{n}\"] > {N}]",
		"        raise {I}(f\"{n} {{i}} is {a}\")",
		"SELECT {i}, count(*) FROM {p}_{n} WHERE {n}_id = {N} GROUP BY 1;",
		"\tcase {N}: // {a} {n}",
		"\t\tt.Run(\"{a} {n}\", func(t *testing.T) {",
		"\t\t\twant: []string{\"{n}\", \"{M}\"},",
		"import { {I} } from \"../{p}/{n}\";",
		"# the {n} {v} {d}",
	}
	shellTemplates = []string{
		"ok  \tgithub.com/theo/{p}/internal/{n}\t0.{N}s",
		"--- PASS: Test{I} (0.0{N}s)",
		"    {n}_test.go:{N}: {i} is \"{n}\", want \"{M}\"",
		"\x1b[32m\u2713\x1b[39m {p}/{n} {v} the {M} \x1b[2m({N} ms)\x1b[22m",
		"\x1b[1m\x1b[33m{a}\x1b[39m\x1b[22m {n}: {N} of {N}",
		"-rw-r--r--  1 theo  staff  {N} Mar 12 09:41 {n}_{M}.go",
		"drwxr-xr-x  8 theo  staff   256 Mar 12 09:41 {n}",
		"{H} {p}: the {n} {v} {d}",
		" {f} | {N} ++++++++-----",
		"added {N} packages, and audited {N} packages in {N}s",
		"2026-03-12T09:41:{N}Z INFO {p}: {n} {v} {M} id={H} took={N}ms",
		"2026-03-12T09:41:{N}Z DEBUG {p}: {a} {n} {H}",
		"    at {i} (/home/theo/src/{p}/{n}.ts:{N}:{N})",
		"goroutine {N} [running]:",
		"{f}:{N}:{N}: {i} declared and not used",
		"@@ -{N},7 +{N},9 @@ func {I}(",
		"+\t{i} := {I}({i}, \"{n}\")",
		"-\t{i} := {I}({i})",
		" \treturn {i}",
		"Building the {n}... done in {N}ms",
		"PASS", "",
	}
)

var blanks = regexp.MustCompile(`\{[nMvadfiIpNH]\}`)

// fill fills in a template. A subject stands for the first noun or name.
func fill(r *rng, template, subject string) string {
	return blanks.ReplaceAllStringFunc(template, func(b string) string {
		letter := b[1]
		if subject != "" && (letter == 'n' || letter == 'i') {
			given := subject
			subject = ""
			return given
		}
		return blank(r, letter)
	})
}

// blank gives the text for one blank of a template.
func blank(r *rng, letter byte) string {
	switch letter {
	case 'n', 'M':
		return r.of(nouns)
	case 'v':
		return r.of(verbs)
	case 'a':
		return r.of(adjectives)
	case 'd':
		return r.of(adverbs)
	case 'f':
		return file(r)
	case 'i':
		return camel(r, false)
	case 'I':
		return camel(r, true)
	case 'p':
		return r.of(packages)
	case 'N':
		return strconv.Itoa(r.between(2, 999))
	default: // H
		return string(r.hex(nil, 10))
	}
}
