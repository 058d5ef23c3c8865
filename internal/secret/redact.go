package secret

import (
	"cmp"
	"encoding/base64"
	"slices"
	"strings"
)

// Redactor puts a marker in the place of every credential in a text, such as
// [secret:github-token:0123456789abcdef]: the rule that found it and the fingerprint of
// its value. It may be used from several goroutines at once. The zero Redactor knows no
// key, and its markers have no fingerprint.
type Redactor struct {
	key func() (*Key, error)
}

// NewRedactor gives a redactor that asks for the key of fingerprints when it finds a
// credential. Where there is none, markers come without a fingerprint: a text is never
// shown because something is missing.
func NewRedactor(key func() (*Key, error)) *Redactor { return &Redactor{key} }

// Mask gives a line with a marker without a fingerprint in the place of every
// credential: for what is said before anything is known of an installation.
func Mask(line string) string { return (&Redactor{}).Line(line) }

// Line gives a line with a marker in the place of every credential.
func (r *Redactor) Line(line string) string {
	edits, _ := r.LookLine(line)
	return edits.Apply(line)
}

// Look gives what has to be changed in a text, and the values that stand in it: where
// one of them stands again without what it was told by, that is changed too.
func (r *Redactor) Look(text string) (Edits, []Value) { return r.look(text, false) }

// ellipsis is what stands behind a text that was cut to be a title.
const ellipsis = "…"

// LookLine does the same for a title, a path or a message. It may have been cut: then its
// end is where that was done, not the ellipsis behind it. And an agent may have made the
// name of a folder of it.
func (r *Redactor) LookLine(line string) (Edits, []Value) {
	whole := strings.TrimSuffix(line, ellipsis)
	edits, values := r.look(whole, whole != line)
	if plain := spelt(whole); plain != whole {
		more, _ := r.look(plain, false)
		edits = edits.With(more)
	}
	return edits, values
}

// Holds reports whether a line has a credential in it.
func Holds(line string) bool {
	whole := strings.TrimSuffix(line, ellipsis)
	if len(search(whole, whole != line)) > 0 {
		return true
	}
	plain := spelt(whole)
	return plain != whole && len(search(plain, false)) > 0
}

func (r *Redactor) look(text string, cut bool) (Edits, []Value) {
	found := search(text, cut)
	if len(found) == 0 {
		return nil, nil
	}
	var edits Edits
	var values []Value
	for _, s := range spans(found) {
		marker := r.marker(text, s.kept)
		edits = append(edits, Edit{s.from, s.to, marker})
		values = appendValues(values, text, s.kept, marker)
	}
	var again Known
	again.Add(values)
	return edits.With(again.Look(text, Ends{})), values
}

// marker writes what stands in the place of a finding.
func (r *Redactor) marker(text string, f Finding) string {
	if r.key != nil {
		if k, err := r.key(); err == nil {
			return markerHead + f.Rule.ID + ":" + k.Fingerprint(Canonical(text, f)) + "]"
		}
	}
	return markerHead + f.Rule.ID + "]"
}

// markerHead is what every marker begins with, and maxMarker the length of none.
const (
	markerHead = "[secret:"
	maxMarker  = 80
)

// ruleNames are the names of all rules.
var ruleNames = func() map[string]bool {
	all := map[string]bool{}
	for _, r := range Rules() {
		all[r.ID] = true
	}
	return all
}()

// marked reports whether a stretch of a text lies inside a marker: a text that was
// redacted once is not redacted again. A marker holds nothing but the name of a rule and
// a fingerprint, so that nothing can hide in one.
func marked(text string, from, to int) bool {
	first := max(0, from-maxMarker)
	i := strings.LastIndex(text[first:min(len(text), from+1)], markerHead)
	if i < 0 {
		return false
	}
	inside := text[first+i+len(markerHead):]
	end := strings.IndexByte(inside[:min(len(inside), maxMarker)], ']')
	if end < 0 || first+i+len(markerHead)+end < to {
		return false
	}
	id, print, fingerprinted := strings.Cut(inside[:end], ":")
	return ruleNames[id] && (!fingerprinted || len(print) == 16 && lowerHex.all(print))
}

// span is a stretch of a text in which findings overlap, and the one that is kept.
type span struct {
	from, to int
	kept     Finding
}

// spans puts findings together that overlap: of each stretch nothing is shown, whichever
// of them is right.
func spans(found []Finding) []span {
	var out []span
	all := slices.Clone(found)
	slices.SortFunc(all, func(a, b Finding) int { return cmp.Or(a.From-b.From, b.To-a.To) })
	for _, f := range all {
		if last := len(out) - 1; last >= 0 && f.From < out[last].to {
			out[last].to = max(out[last].to, f.To)
			continue
		}
		out = append(out, span{from: f.From, to: f.To})
	}
	kept := apart(all)
	for i := range out {
		for len(kept) > 1 && kept[0].To <= out[i].from {
			kept = kept[1:]
		}
		out[i].kept = kept[0]
	}
	return out
}

// Value is a credential that was found, with what stands in its place.
type Value struct {
	text, marker string
	cut          bool // more of it may stand elsewhere
}

// Bounds of the values that are looked for again.
const (
	leastAgain = 6   // characters that one has at the least
	leastBare  = 12  // and from which on it counts inside a longer word too
	mostLines  = 200 // of a private key
)

// appendValues adds what of a finding is looked for elsewhere: the value as it stands,
// what a URL or an Authorization header spells in another way, and each line of a
// private key.
func appendValues(all []Value, text string, f Finding, marker string) []Value {
	value := text[f.From:f.To]
	add := func(v string) {
		if len(v) >= leastAgain {
			all = append(all, Value{strings.Clone(v), marker, f.Cut})
		}
	}
	switch f.Rule {
	case privateKey:
		lines := 0
		eachRun(value, func(from, to int) {
			if lines++; to-from >= leastLine && lines <= mostLines && keyLine(value[from:to]) {
				add(value[from:to])
			}
		})
		return all
	case basicAuth, connection:
		if plain := unescaped(value); plain != value {
			add(plain)
		}
	case header:
		if raw, err := base64.RawStdEncoding.DecodeString(strings.TrimRight(value, "=")); err == nil && basicPair(value) {
			if _, password, _ := strings.Cut(string(raw), ":"); password != "" {
				add(password)
			}
		}
	}
	add(value)
	return all
}
