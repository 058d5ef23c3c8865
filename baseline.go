package seshat

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"github.com/seshat-dev/seshat/internal/secret"
	"github.com/seshat-dev/seshat/record"
)

// Baseline is a list of credentials that are known: an earlier answer of Secrets.
type Baseline struct {
	path   string
	prints map[string]bool
	keys   map[string]bool // the ids of the keys that the fingerprints were made with
}

// listedSecret is what a baseline needs of a seshat.secret/1 object, or of an answer
// that holds some.
type listedSecret struct {
	Schema      string          `json:"schema"`
	Fingerprint string          `json:"fingerprint"`
	KeyID       string          `json:"key_id"`
	Items       json.RawMessage `json:"items"`
}

// ReadBaseline reads what seshat secrets --json or --ndjson printed. A file that holds
// anything else is an error.
func ReadBaseline(path string) (*Baseline, error) {
	if fi, err := os.Stat(path); err == nil && !fi.Mode().IsRegular() {
		return nil, &fs.PathError{Op: "read the baseline", Path: path, Err: errors.New("not a regular file")}
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("the baseline cannot be read: %w", err)
	}
	defer f.Close()
	b := &Baseline{path: path, prints: map[string]bool{}, keys: map[string]bool{}}
	known := false
	for d := json.NewDecoder(f); ; known = true {
		var one listedSecret
		err := d.Decode(&one)
		if err == io.EOF && known {
			return b, nil
		}
		if err != nil || !b.add(one) {
			return nil, usagef("the baseline %s is not what seshat secrets --json or --ndjson printed", path)
		}
	}
}

// add takes an object, and reports whether it belongs into a baseline.
func (b *Baseline) add(one listedSecret) bool {
	switch one.Schema {
	case record.SummarySchema:
		return true
	case record.SecretSchema:
		b.prints[one.Fingerprint], b.keys[one.KeyID] = true, true
		return one.Fingerprint != "" && one.KeyID != ""
	case "":
		return false
	}
	var items []listedSecret
	if err := json.Unmarshal(one.Items, &items); err != nil {
		return false
	}
	for _, item := range items {
		if item.Schema != record.SecretSchema || !b.add(item) {
			return false
		}
	}
	return true
}

// check refuses a baseline whose fingerprints another key made.
func (b *Baseline) check(key func() (*secret.Key, error)) error {
	if b == nil || len(b.keys) == 0 {
		return nil
	}
	k, err := key()
	if err != nil {
		return err
	}
	for id := range b.keys {
		if id != k.ID() {
			return usagef("the baseline %s was made with another key (%.8s, not %s): its fingerprints say nothing here; make a new one with seshat secrets --json", b.path, secret.Mask(id), k.ID())
		}
	}
	return nil
}

func (b *Baseline) has(fingerprint string) bool { return b != nil && b.prints[fingerprint] }
