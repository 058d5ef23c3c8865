package agent

import (
	"errors"
	"io"
	"io/fs"
	"time"
)

// Root is a folder of an agent as a small file system. It is shaped like fs.FS
// but fit for other people's folders: names are any bytes, slash-separated and
// relative ("" is the folder itself); a file is opened without blocking and only
// when it is regular; private stores cannot be opened or listed through it.
type Root interface {
	// Dir is the absolute path of the folder.
	Dir() string
	// List gives the entries of a folder, sorted by name, links not followed.
	List(name string) ([]Info, error)
	// Lstat tells about a name without following a link at its end.
	Lstat(name string) (Info, error)
	// Stat tells about what a name leads to.
	Stat(name string) (Info, error)
	// Resolve gives what a name leads to when all links are followed: a name in
	// the root, or an absolute path where that is outside.
	Resolve(name string) (real string, inside bool, err error)
	// Open opens a regular file.
	Open(name string) (File, error)
}

// File is an open regular file: random access and what it was when opened.
type File interface {
	io.ReaderAt
	io.Closer
	Info() Info
}

// Hurt is a File of which some bytes cannot be had. It reads on behind them: in their
// place it gives zeros between two newlines, so that no line of the rest is lost.
type Hurt interface {
	// Hurt says which of the bytes that were read cannot be had; nil where all could.
	Hurt() error
}

// Info tells about one name in a Root. Dev and Ino are zero where a platform
// lacks them, CTime likewise.
type Info struct {
	Name  string // last component
	Mode  fs.FileMode
	Size  int64
	MTime time.Time
	CTime time.Time
	Dev   uint64
	Ino   uint64

	Archived bool // it is not on the disk any more: seshat's archive has it
}

// Errors that a Root gives for a name it will not open.
var (
	ErrPrivate    = errors.New("a private store is never opened")
	ErrNotRegular = errors.New("not a regular file")
	ErrLink       = errors.New("a link is not followed here")
)

// Reason says in a few words why a file or folder could not be looked at.
func Reason(err error) string {
	var pe *fs.PathError
	switch {
	case errors.Is(err, fs.ErrPermission):
		return "permission denied"
	case errors.Is(err, fs.ErrNotExist):
		return "is not there"
	case errors.As(err, &pe):
		return pe.Err.Error()
	}
	return err.Error()
}
