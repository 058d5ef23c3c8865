package secret

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/seshat-dev/seshat/internal/own"
)

// Key is the random key of an installation, by which values are told apart without
// being kept. It leaves the folder it lies in for nowhere: without it a fingerprint
// tells nothing of a value, not even of one that can be guessed.
type Key struct{ bytes [keySize]byte }

// keySize is its length in bytes, keyName the file it lies in.
const (
	keySize = 32
	keyName = "secrets.key"
)

// OpenKey gives the key that lies in a folder, and makes one where there is none: the
// folders 0700, the file 0600, whatever the umask. An error names the file.
func OpenKey(dir string) (*Key, error) {
	path := filepath.Join(dir, keyName)
	k, err := readKey(path)
	if !errors.Is(err, fs.ErrNotExist) {
		return k, err
	}
	if err := own.MakeFolder(dir); err != nil {
		return nil, fmt.Errorf("the key for fingerprints cannot be made: %w", err)
	}
	if err := makeKey(path); err != nil && !errors.Is(err, fs.ErrExist) {
		return nil, fmt.Errorf("the key for fingerprints cannot be made: %w", err)
	}
	return readKey(path)
}

// ReadKey gives the key that lies in a folder, and makes none.
func ReadKey(dir string) (*Key, error) { return readKey(filepath.Join(dir, keyName)) }

func readKey(path string) (*Key, error) {
	fi, err := os.Lstat(path)
	if err != nil {
		return nil, fmt.Errorf("the key for fingerprints cannot be read: %w", err)
	}
	if !fi.Mode().IsRegular() || fi.Size() != keySize {
		return nil, fmt.Errorf("%s is no key for fingerprints: it must be a file of %d bytes; delete it to get a new one, to which old baselines do not belong", path, keySize)
	}
	b, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("the key for fingerprints cannot be read: %w", err)
	}
	k := &Key{}
	copy(k.bytes[:], b)
	return k, nil
}

// makeKey writes a new key, where no other run was first.
func makeKey(path string) error {
	var b [keySize]byte
	if _, err := rand.Read(b[:]); err != nil {
		return err
	}
	return own.Create(path, b[:])
}

// ID names the key without telling it: 8 hexadecimal digits.
func (k *Key) ID() string { return k.sum("id", "")[:8] }

// Fingerprint tells a value from others: the first 64 bits of an HMAC-SHA-256, as 16
// hexadecimal digits. Equal values have equal ones under one key.
func (k *Key) Fingerprint(value string) string { return k.sum("value", value)[:16] }

func (k *Key) sum(what, value string) string { return hex.EncodeToString(k.Seal(what, value)) }

// Seal gives the HMAC-SHA-256 of a value; what tells the uses of the key apart.
func (k *Key) Seal(what, value string) []byte {
	h := hmac.New(sha256.New, k.bytes[:])
	h.Write([]byte(what))
	h.Write([]byte{0})
	h.Write([]byte(value))
	return h.Sum(nil)
}
