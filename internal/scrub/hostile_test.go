package scrub

import (
	"context"
	"strings"
	"testing"
	"time"
)

// No input takes much longer than another.
func TestHostile(t *testing.T) {
	m := NewMarks(openKey(t, t.TempDir()))
	m.Add("rule", value, true)
	for _, piece := range []string{`\`, `"`, `\"`, `\\"`, `\u005c`, value, value + " ", `{"a":"`, "x\n", "\"\n", "AKIA", "password=", "://a:b@", "-----BEGIN PRIVATE KEY-----", `ghp_`} {
		text := strings.Repeat(piece, 2<<20/len(piece))
		began := time.Now()
		if _, err := m.Places(context.Background(), strings.NewReader(text), int64(len(text))); err != nil {
			t.Fatal(err)
		}
		if err := Search(context.Background(), strings.NewReader(text), int64(len(text)), func(*Found) {}); err != nil {
			t.Fatal(err)
		}
		if took := time.Since(began); took > 10*time.Second {
			t.Errorf("2 MB of %q take %v", piece, took)
		} else {
			t.Logf("%q: %v", piece, took)
		}
	}
}
