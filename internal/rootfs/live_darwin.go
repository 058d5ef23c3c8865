package rootfs

import (
	"io/fs"
	"syscall"
	"time"

	"github.com/seshat-dev/seshat/agent"
)

// openFlags keep an open from waiting for a writer, should a name turn into a
// FIFO between two looks.
const openFlags = syscall.O_NONBLOCK

// noLink makes an open fail with errIsLink where the name is a link by now.
const noLink = syscall.O_NOFOLLOW

var errIsLink error = syscall.ELOOP

func fillIdentity(info *agent.Info, fi fs.FileInfo) {
	if st, ok := fi.Sys().(*syscall.Stat_t); ok {
		info.Dev, info.Ino = uint64(st.Dev), st.Ino
		info.CTime = time.Unix(st.Ctimespec.Sec, st.Ctimespec.Nsec)
	}
}

func identify(info agent.Info, _ string) agent.Info { return info }
