package secret

import (
	"cmp"
	"slices"
	"strings"
)

// Edit is a stretch of a text, in bytes, and the marker that stands in its place.
type Edit struct {
	From, To int
	Marker   string
}

// Edits are what has to be changed in a text, in order and apart from each other.
type Edits []Edit

// Apply gives the changed text.
func (e Edits) Apply(text string) string {
	if len(e) == 0 {
		return text
	}
	var b strings.Builder
	past := 0
	for _, x := range e {
		b.WriteString(text[past:x.From])
		b.WriteString(x.Marker)
		past = x.To
	}
	b.WriteString(text[past:])
	return b.String()
}

// With gives these and other edits of the same text. Where two overlap, the whole
// stretch is changed once.
func (e Edits) With(other Edits) Edits {
	switch {
	case len(other) == 0:
		return e
	case len(e) == 0:
		return other
	}
	all := append(slices.Clone(e), other...)
	slices.SortStableFunc(all, func(a, b Edit) int { return cmp.Or(a.From-b.From, b.To-a.To) })
	out := all[:1]
	for _, x := range all[1:] {
		if last := &out[len(out)-1]; x.From < last.To {
			last.To = max(last.To, x.To)
		} else {
			out = append(out, x)
		}
	}
	return out
}

// Within gives the edits of a piece of the text, such as a line. A value of several
// lines is changed in each that it touches.
func (e Edits) Within(from, to int) Edits {
	first, _ := slices.BinarySearchFunc(e, from, func(x Edit, from int) int { return cmp.Compare(x.To, from+1) })
	var out Edits
	for _, x := range e[first:] {
		if x.From >= to {
			break
		}
		out = append(out, Edit{max(x.From, from) - from, min(x.To, to) - from, x.Marker})
	}
	return out
}

// Ranges gives where ranges of the text, in order, stand in the changed one. What lies
// inside a value or reaches into it takes the whole marker, so that it does not tell
// which part of the value is meant; ranges that become one are one.
func (e Edits) Ranges(ranges [][]int) [][]int {
	if len(e) == 0 {
		return ranges
	}
	var out [][]int
	i, shift := 0, 0 // the first edit that may touch, and how far what stands before it moved
	for _, r := range ranges {
		for i < len(e) && e[i].To <= r[0] {
			shift += len(e[i].Marker) - (e[i].To - e[i].From)
			i++
		}
		from, to := e.place(i, shift, r[0], false), e.place(i, shift, r[1], r[0] < r[1])
		if last := len(out) - 1; last >= 0 && from < out[last][1] || last >= 0 && from == out[last][0] && to == out[last][1] {
			out[last][1] = max(out[last][1], to)
			continue
		}
		out = append(out, []int{from, to})
	}
	return out
}

// place gives where a place of the text stands in the changed one, from an edit on: one
// inside a value is the beginning of the marker, or its end.
func (e Edits) place(i, shift, at int, end bool) int {
	for ; i < len(e) && e[i].From < at; i++ {
		x := e[i]
		switch {
		case at < x.To && end:
			return x.From + shift + len(x.Marker)
		case at < x.To:
			return x.From + shift
		}
		shift += len(x.Marker) - (x.To - x.From)
	}
	return at + shift
}
