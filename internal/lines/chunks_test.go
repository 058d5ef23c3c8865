package lines_test

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/seshat-dev/seshat/internal/lines"
)

// texts are files of every size around the steps in which they are read.
func texts(rnd *rand.Rand) [][]byte {
	long := strings.Repeat("x", 700<<10)
	all := [][]byte{nil, []byte("\n"), []byte("a"), []byte("a\nb"), []byte(long), []byte(long + "\n" + long), []byte("a\n" + long + "\nb\n")}
	for _, size := range []int{100, 256 << 10, 1 << 20, 9 << 20} {
		var b bytes.Buffer
		for b.Len() < size {
			b.WriteString(strings.Repeat("y", rnd.IntN(9000)))
			b.WriteByte('\n')
		}
		all = append(all, b.Bytes(), b.Bytes()[:size])
	}
	return all
}

// All chunks together are the file, and each but the last ends a line.
func TestChunksAreTheFile(t *testing.T) {
	for _, text := range texts(rand.New(rand.NewPCG(1, 1))) {
		c := lines.NewChunks(bytes.NewReader(text), int64(len(text)))
		for round := range 3 {
			var got []byte
			for {
				chunk, at, err := c.Next()
				if err != nil || int(at) != len(got) {
					t.Fatalf("%d bytes: a chunk at %d after %d bytes, %v", len(text), at, len(got), err)
				}
				if len(chunk) == 0 {
					break
				}
				if got = append(got, chunk...); len(got) < len(text) && chunk[len(chunk)-1] != '\n' {
					t.Fatalf("%d bytes: a chunk ends inside a line at %d", len(text), len(got))
				}
			}
			if !bytes.Equal(got, text) {
				t.Fatalf("%d bytes, round %d: the chunks hold %d bytes that differ", len(text), round, len(got))
			}
			if n := len(text) / 3; n > 0 {
				if b, err := c.Bytes(int64(n), n); err != nil || !bytes.Equal(b, text[n:2*n]) {
					t.Errorf("%d bytes: the middle third differs, %v", len(text), err)
				}
			}
			c.Keep()
		}
		c.Close()
	}
}

func TestChunksOfAFileThatShrank(t *testing.T) {
	c := lines.NewChunks(strings.NewReader("a\nb"), 100)
	defer c.Close()
	if _, _, err := c.Next(); !errors.Is(err, lines.ErrShrank) {
		t.Errorf("error %v", err)
	}
	if _, err := c.Bytes(50, 10); !errors.Is(err, lines.ErrShrank) {
		t.Errorf("error %v of bytes behind the end", err)
	}
}

func TestLineAt(t *testing.T) {
	rnd := rand.New(rand.NewPCG(2, 2))
	for range 2000 {
		b := bytes.Repeat([]byte{'.'}, 1+rnd.IntN(3000))
		for range rnd.IntN(5) {
			b[rnd.IntN(len(b))] = '\n'
		}
		at := rnd.IntN(len(b))
		from := bytes.LastIndexByte(b[:at], '\n') + 1
		to := len(b)
		if i := bytes.IndexByte(b[at:], '\n'); i >= 0 {
			to = at + i
		}
		if f, e := lines.LineAt(b, at); f != from || e != to {
			t.Fatalf("line around %d is %d to %d, want %d to %d", at, f, e, from, to)
		}
	}
}
