package corpus

import (
	"regexp"
	"strings"
)

// common are the queries that match so much of the filler that planting would be
// pointless. Every line of filler knows which of them it matches.
var common = []Query{
	{Name: "common word", Pattern: "parser"},
	{Name: "very common word", Pattern: "error"},
	{Name: "commonest word", Pattern: "the"},
	{Name: "common word -i", Pattern: "parser", Flags: []string{"-i"}},
	{Name: "regex, no literal", Pattern: "[A-Z]{3}[0-9]{6}"},
	{Name: "regex, common", Pattern: `func \w+\(ctx`},
}

// marks says which of the common queries a text line matches, a bit each.
type marks uint8

// marker tells the marks of lines.
type marker []*regexp.Regexp

func newMarker() marker {
	var m marker
	for _, q := range common {
		p := q.Pattern
		if len(q.Flags) > 0 {
			p = "(?i)" + p
		}
		m = append(m, regexp.MustCompile(p))
	}
	return m
}

// of gives the marks of one text line.
func (m marker) of(line string) marks {
	var bits marks
	for i, re := range m {
		if re.MatchString(line) {
			bits |= 1 << i
		}
	}
	return bits
}

// line is a text line, ready to be put into a JSON string.
type line struct {
	json  []byte
	marks marks
}

// subject is what a line is about, when it has to be about something.
type subject int

const (
	plain subject = iota
	parsing
	failing
	tracking
	subjects
)

// pool holds lines of one kind by subject. Lines are made once and used many
// times: so a tree is written about as fast as it can be copied.
type pool [subjects][]line

const poolSize = 6000

func newPool(r *rng, m marker, templates []string) *pool {
	var p pool
	words := [subjects][]string{
		plain:    {""},
		parsing:  {"parser", "parserState", "Parser"},
		failing:  {"error", "error", "errorPage"},
		tracking: {"OPS104233", "WEB200871", "NET551902"},
	}
	for about := range subjects {
		size := poolSize
		if about != plain {
			size /= 10
		}
		for len(p[about]) < size {
			template := r.of(templates)
			if about != plain && !strings.Contains(template, "{n}") && !strings.Contains(template, "{i}") {
				continue
			}
			text := fill(r, template, r.of(words[about]))
			p[about] = append(p[about], line{escape(nil, text), m.of(text)})
		}
	}
	return &p
}

// library is the filler that all transcripts of a tree are made of.
type library struct {
	marker              marker
	prose, code, shell  *pool
	base64              []byte // long enough to cut from anywhere
	calls, descriptions []line // short ones: commands, and what they are for
}

// blobSize is the length of the base64 that images and signatures are cut from.
const blobSize = 1 << 20

func newLibrary(seed uint64) *library {
	r := newRNG(seed, -1)
	m := newMarker()
	lib := &library{
		marker: m, prose: newPool(r, m, proseTemplates), code: newPool(r, m, codeTemplates), shell: newPool(r, m, shellTemplates),
		base64: make([]byte, blobSize),
	}
	const digits = base62 + "+/"
	for i := range lib.base64 {
		lib.base64[i] = digits[r.n(64)]
	}
	for range 400 {
		lib.calls = append(lib.calls, lib.line(fill(r, r.of(commandTemplates), "")))
		lib.descriptions = append(lib.descriptions, lib.line(fill(r, r.of(descriptionTemplates), "")))
	}
	return lib
}

var (
	commandTemplates = []string{
		"go test ./internal/{p}/... -run Test{I} -count=1 2>&1 | tail -{N}",
		"git log --oneline -{N} -- {f}", "git diff HEAD~1 -- \"{f}\"", "npm run test -- --filter {p}",
		"rg -n \"{i}\" src/{p} | head -{N}", "cd /home/theo/src/{p} && make build && ls -la",
		"sed -n '{N},{N}p' {f}", "curl -s http://localhost:8080/api/{p}/{N} | jq '.{n}'",
	}
	descriptionTemplates = []string{"Run the {n} tests", "Show the last commits of the {n}", "Find where the {n} {v}", "Build and list the {n}", "Check the {a} {n}"}
)

// line makes a line of a text that is not in a pool.
func (l *library) line(text string) line { return line{escape(nil, text), l.marker.of(text)} }

// blob gives so many characters of base64.
func (l *library) blob(r *rng, n int) []byte {
	n = min(n, blobSize)
	at := r.n(blobSize - n + 1)
	return l.base64[at : at+n]
}

// passage chooses lines of about so many bytes. One record in some is about a
// subject, and then some of its lines are.
func (l *library) passage(r *rng, p *pool, bytes int, into []line) []line {
	about := plain
	switch at := r.n(1000); {
	case at < 170:
		about = parsing
	case at < 285:
		about = failing
	case at < 300:
		about = tracking
	}
	for i := 0; bytes > 0; i++ {
		from := p[plain]
		if about != plain && (i == 0 || r.n(14) == 0) {
			from = p[about]
		}
		next := from[r.n(len(from))]
		into = append(into, next)
		bytes -= len(next.json) + 2
	}
	return into
}
