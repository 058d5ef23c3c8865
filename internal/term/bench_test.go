package term

import (
	"bytes"
	"testing"
)

func BenchmarkPlain(b *testing.B) {
	text := append(bytes.Repeat([]byte("plain text of a record, and more; "), 100), '\n')
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		plain(text)
	}
}

// Every byte is judged alike wherever it stands among eight.
func TestPrintable(t *testing.T) {
	for at := range 20 {
		for c := range 256 {
			b := bytes.Repeat([]byte("a"), 20)
			b[at] = byte(c)
			want := at
			if c >= 0x20 && c < 0x7f {
				want = len(b)
			}
			if got := printable(b); got != want {
				t.Fatalf("byte %#x at %d: %d, want %d", c, at, got, want)
			}
		}
	}
}
