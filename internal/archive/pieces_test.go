package archive

import (
	"bytes"
	"fmt"
	"testing"
)

func placedAt(offset, raw int64) placed {
	return placed{piece{Offset: offset, Raw: raw, SHA256: [32]byte{byte(offset)}}, place{Pack: 1, Stored: 1, Raw: raw}}
}

func TestContiguous(t *testing.T) {
	other := placedAt(10, 5)
	other.at.Raw = 6
	for _, c := range []struct {
		pieces []placed
		size   int64
		want   string
	}{
		{nil, 0, ""},
		{nil, 1, "only 0 of its 1 bytes have a piece"},
		{[]placed{placedAt(0, 10), placedAt(10, 5)}, 15, ""},
		{[]placed{placedAt(0, 10), placedAt(10, 5)}, 12, ""}, // it grew since
		{[]placed{placedAt(0, 10), placedAt(10, 5)}, 16, "only 15 of its 16 bytes have a piece"},
		{[]placed{placedAt(0, 10), placedAt(11, 5)}, 15, "its pieces do not fit together at byte 10"},
		{[]placed{placedAt(0, 10), placedAt(9, 6)}, 15, "its pieces do not fit together at byte 10"},
		{[]placed{placedAt(1, 10)}, 10, "its pieces do not fit together at byte 0"},
		{[]placed{placedAt(0, 0)}, 0, "its pieces do not fit together at byte 0"},
		{[]placed{placedAt(0, 10), other}, 15, "its pieces do not fit together at byte 10"},
	} {
		if got := contiguous(c.pieces, c.size); got != c.want {
			t.Errorf("%v, %d bytes: %q, want %q", c.pieces, c.size, got, c.want)
		}
	}
}

// Pieces are joined up to a size; one that others need too stays by itself.
func TestGroups(t *testing.T) {
	for _, c := range []struct {
		sizes  []int64
		shared int // index of a piece that another version needs; -1 for none
		want   string
	}{
		{[]int64{10, 20, 30}, -1, "[60]"},
		{[]int64{60, 40, 10}, -1, "[100 10]"},
		{[]int64{60, 41, 10}, -1, "[60 51]"},
		{[]int64{100, 100}, -1, "[100 100]"},
		{[]int64{10, 20, 30, 40}, 1, "[10 20 70]"},
		{[]int64{10, 20}, 0, "[10 20]"},
		{nil, -1, "[]"},
	} {
		var pieces []placed
		var at int64
		users := map[[32]byte]int{}
		for i, size := range c.sizes {
			p := placedAt(at, size)
			users[p.SHA256] = 1
			if i == c.shared {
				users[p.SHA256] = 2
			}
			pieces, at = append(pieces, p), at+size
		}
		got := []int64{}
		for _, g := range groups(pieces, users, 100) {
			got = append(got, g.raw)
		}
		if fmt.Sprint(got) != c.want {
			t.Errorf("%v: %v, want %s", c.sizes, got, c.want)
		}
	}
}

// A frame ends at a line end where there is one in its second half.
func TestCutAtLine(t *testing.T) {
	for _, c := range []struct {
		content string
		last    bool
		want    int
	}{
		{"ab\ncd\nef", false, 6},
		{"ab\ncd\nef", true, 8},
		{"ab\ncdefgh", false, 9},
		{"abcdefgh\n", false, 9},
		{"abcdefgh", false, 8},
	} {
		if got := cutAtLine([]byte(c.content), c.last); len(got) != c.want || !bytes.HasPrefix([]byte(c.content), got) {
			t.Errorf("%q, last: %v: %d", c.content, c.last, len(got))
		}
	}
}
