package lines

import (
	"bytes"
	"errors"
	"strings"
	"testing"
)

func collect(t *testing.T, data string) []Line {
	t.Helper()
	var out []Line
	for l, err := range Scan(strings.NewReader(data), int64(len(data))) {
		if err != nil {
			t.Fatal(err)
		}
		l.Text = bytes.Clone(l.Text)
		out = append(out, l)
	}
	return out
}

func TestScanLengths(t *testing.T) {
	// Lines around the size of the window, where an off-by-one would show.
	for _, n := range []int{0, 1, window - 1, window, window + 1, 2 * window, 5*window + 3} {
		long := strings.Repeat("x", n)
		data := "a\n" + long + "\n\nb"
		got := collect(t, data)
		want := strings.Split(data, "\n")
		if len(got) != len(want) {
			t.Fatalf("length %d: %d lines, want %d", n, len(got), len(want))
		}
		offset := int64(0)
		for i, l := range got {
			if string(l.Text) != want[i] || l.No != i+1 || l.Offset != offset || l.Ended != (i < len(want)-1) {
				t.Fatalf("length %d: line %d is wrong: %d bytes at %d, ended %v", n, i+1, len(l.Text), l.Offset, l.Ended)
			}
			offset += int64(len(want[i])) + 1
		}
	}
}

func TestScanEmpty(t *testing.T) {
	if got := collect(t, ""); len(got) != 0 {
		t.Errorf("an empty file has no lines, got %d", len(got))
	}
	if got := collect(t, "\n"); len(got) != 1 || !got[0].Ended || !got[0].Blank() {
		t.Errorf("one newline is one blank line, got %v", got)
	}
}

func TestScanShrunkFile(t *testing.T) {
	var lines int
	var last error
	for _, err := range Scan(strings.NewReader("one\ntwo\n"), 4000) {
		lines++
		last = err
	}
	if lines != 1 || !errors.Is(last, ErrShrank) {
		t.Errorf("a file that shrank must end in ErrShrank, got %d lines and %v", lines, last)
	}
}

func FuzzScan(f *testing.F) {
	f.Add([]byte("a\nb\n\nc"))
	f.Fuzz(func(t *testing.T, data []byte) {
		var whole []byte
		for l, err := range Scan(bytes.NewReader(data), int64(len(data))) {
			if err != nil {
				t.Fatal(err)
			}
			whole = append(whole, l.Text...)
			if l.Ended {
				whole = append(whole, '\n')
			}
		}
		if !bytes.Equal(whole, data) {
			t.Fatalf("the lines do not add up to the file")
		}
	})
}

func BenchmarkScan(b *testing.B) {
	data := strings.Repeat(strings.Repeat("x", 4000)+"\n", 5000)
	b.SetBytes(int64(len(data)))
	for b.Loop() {
		for _, err := range Scan(strings.NewReader(data), int64(len(data))) {
			if err != nil {
				b.Fatal(err)
			}
		}
	}
}
