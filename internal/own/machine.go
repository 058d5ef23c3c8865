package own

import (
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

// machineName is the file that a machine's id lies in.
const machineName = "machine.id"

// machineID is the shape of one: 16 random bytes as hexadecimal digits.
var machineID = regexp.MustCompile(`^[0-9a-f]{32}$`)

// Machine gives the id that tells this machine from others, and makes one where there is
// none. It is random and says nothing about the machine. An error names the file.
func Machine(dir string) (string, error) {
	id, err := KnownMachine(dir)
	if err != nil || id != "" {
		return id, err
	}
	if err := MakeFolder(dir); err != nil {
		return "", fmt.Errorf("the id of this machine cannot be made: %w", err)
	}
	var b [16]byte
	if _, err := rand.Read(b[:]); err != nil {
		return "", err
	}
	err = Create(filepath.Join(dir, machineName), []byte(hex.EncodeToString(b[:])+"\n"))
	if err != nil && !errors.Is(err, fs.ErrExist) { // another run may have been first
		return "", fmt.Errorf("the id of this machine cannot be made: %w", err)
	}
	return KnownMachine(dir)
}

// KnownMachine gives the id of this machine, or nothing where none was made yet.
func KnownMachine(dir string) (string, error) {
	path := filepath.Join(dir, machineName)
	fi, err := os.Lstat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return "", nil
	case err != nil:
		return "", fmt.Errorf("the id of this machine cannot be read: %w", err)
	case !fi.Mode().IsRegular():
		return "", fmt.Errorf("%s is no file; it must hold the id of this machine", path)
	}
	b, err := os.ReadFile(path)
	if err != nil {
		return "", fmt.Errorf("the id of this machine cannot be read: %w", err)
	}
	id := strings.TrimSpace(string(b))
	if !machineID.MatchString(id) {
		return "", fmt.Errorf("%s does not hold the id of a machine, which is 32 hexadecimal digits; put the right one back, since the archive names its files by it", path)
	}
	return id, nil
}
