package secret

import (
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

func TestKey(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "a", "b")
	var ids [8]string
	var all sync.WaitGroup
	for i := range ids { // the first of several runs at once makes the key
		all.Go(func() {
			k, err := OpenKey(dir)
			if err != nil {
				t.Error(err)
				return
			}
			ids[i] = k.ID() + k.Fingerprint("x")
		})
	}
	all.Wait()
	for _, id := range ids {
		if id != ids[0] || len(id) != 24 {
			t.Errorf("the keys of several runs are %q", ids)
		}
	}
	left, err := os.ReadDir(dir)
	if err != nil || len(left) != 1 {
		t.Errorf("beside the key: %v, %v", left, err)
	}
}

func TestKeyThatIsNone(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, keyName)
	if err := os.WriteFile(path, []byte("short"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := OpenKey(dir); err == nil || !strings.Contains(err.Error(), path) {
		t.Errorf("a key of five bytes gives %v", err)
	}
	if _, err := OpenKey(path); err == nil {
		t.Error("a file is no folder")
	}
}

// HMAC-SHA-256 under a key of zeros, by `printf 'value\0hello' | openssl dgst -sha256
// -mac HMAC -macopt hexkey:00...` (32 bytes), first 16 digits.
func TestFingerprint(t *testing.T) {
	const wantFingerprint = "933c30c046003faa"
	k := &Key{}
	if got := k.Fingerprint("hello"); got != wantFingerprint {
		t.Errorf("the fingerprint is %s, want %s", got, wantFingerprint)
	}
}

// A private key is the same key however its lines are broken; a value that is cut at the
// end of a text counts from twelve characters on.
func TestCanonicalAndCut(t *testing.T) {
	line := "MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7VJTUt9Us8cKB"
	head, foot := "-----BEGIN "+"PRIVATE KEY-----", "-----END "+"PRIVATE KEY-----"
	var values []string
	for _, br := range []string{"\n", `\n`, "\r\n", "\n+ "} {
		text := "x " + head + br + line + br + line + br + foot + " y"
		found := Find(text)
		if len(found) != 1 || text[:found[0].From] != "x " || text[found[0].To:] != " y" {
			t.Fatalf("with %q: %v", br, found)
		}
		values = append(values, Canonical(text, found[0]))
	}
	for _, v := range values {
		if v != line+line {
			t.Errorf("the key reads %q", v)
		}
	}
	token := "gh" + "p_" + "q7Zk2LmX9"
	for _, c := range []struct {
		text  string
		found bool
	}{{token[:12], true}, {token[:11], false}, {token[:12] + " ", false}, {"see " + token, true}} {
		found := Find(c.text)
		if len(found) > 0 != c.found || c.found && (!found[0].Cut || found[0].To != len(c.text)) {
			t.Errorf("%d characters at the end: %v", len(c.text), found)
		}
	}
	if got := Mask("use " + token + "Vb8RtWc"); got != "use [secret:github-token]" {
		t.Errorf("masked: %q", got)
	}
}
