//go:build unix

package blackbox

import (
	"net"
	"os"
	"path/filepath"
	"syscall"
)

// FIFO makes a named pipe and the folders above it, and gives its path. Whoever
// opens it for reading waits for ever.
func (h *Home) FIFO(name string) string {
	h.t.Helper()
	path := h.parent(name)
	if err := syscall.Mkfifo(path, 0o600); err != nil {
		h.t.Fatal(err)
	}
	return path
}

// Socket makes a listening socket and the folders above it, and gives its path.
func (h *Home) Socket(name string) string {
	h.t.Helper()
	path := h.parent(name)
	// The path of a socket is short when it is made; it can be moved then.
	dir, err := os.MkdirTemp("", "s")
	if err != nil {
		h.t.Fatal(err)
	}
	defer os.RemoveAll(dir)
	short := filepath.Join(dir, "s")
	l, err := net.ListenUnix("unix", &net.UnixAddr{Name: short, Net: "unix"})
	if err != nil {
		h.t.Fatal(err)
	}
	l.SetUnlinkOnClose(false)
	h.t.Cleanup(func() { l.Close() })
	if err := os.Rename(short, path); err != nil {
		h.t.Fatal(err)
	}
	return path
}
