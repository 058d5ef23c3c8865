//go:build !linux && !darwin

package rootfs

import (
	"errors"
	"hash/fnv"
	"io/fs"
	"path/filepath"

	"github.com/seshat-dev/seshat/agent"
)

const openFlags = 0

// noLink is not to be had here.
const noLink = 0

var errIsLink = errors.New("is a link")

// fillIdentity leaves device, inode and ctime unknown: os.FileInfo does not
// carry them here.
func fillIdentity(*agent.Info, fs.FileInfo) {}

// identify names a file by the path it resolves to, which is enough to follow a
// link only once.
func identify(info agent.Info, path string) agent.Info {
	if real, err := filepath.EvalSymlinks(path); err == nil {
		h := fnv.New64a()
		h.Write([]byte(real))
		info.Dev, info.Ino = 1, h.Sum64()
	}
	return info
}
