package rootfs

import (
	"io/fs"
	"os"
	"slices"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"github.com/seshat-dev/seshat/agent"
)

// list lists a folder and looks at each name from there, which saves the system the way
// down for each.
func list(path string, flags int) ([]agent.Info, error) {
	f, err := os.OpenFile(path, os.O_RDONLY|syscall.O_DIRECTORY|flags, 0)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	names, err := f.Readdirnames(-1)
	if err != nil && len(names) == 0 {
		return nil, err
	}
	slices.Sort(names)
	dir := int(f.Fd())
	infos, crashed := lookAtAll(len(names), func(i int) agent.Info { return lookIn(dir, names[i]) })
	if crashed != nil {
		return nil, crashed
	}
	return infos, err
}

// lookIn tells about a name in an open folder. One that is gone since it was listed has
// no name.
func lookIn(dir int, name string) agent.Info {
	var st unix.Stat_t
	for {
		switch err := unix.Fstatat(dir, name, &st, unix.AT_SYMLINK_NOFOLLOW); err {
		case nil:
			return agent.Info{
				Name: name, Mode: modeOf(st.Mode), Size: st.Size, MTime: time.Unix(st.Mtim.Unix()),
				CTime: time.Unix(st.Ctim.Unix()), Dev: uint64(st.Dev), Ino: st.Ino,
			}
		case unix.EINTR:
		default:
			return agent.Info{}
		}
	}
}

// modeOf gives a mode of the system as Go writes it.
func modeOf(mode uint32) fs.FileMode {
	m := fs.FileMode(mode & 0o777)
	switch mode & unix.S_IFMT {
	case unix.S_IFBLK:
		m |= fs.ModeDevice
	case unix.S_IFCHR:
		m |= fs.ModeDevice | fs.ModeCharDevice
	case unix.S_IFDIR:
		m |= fs.ModeDir
	case unix.S_IFIFO:
		m |= fs.ModeNamedPipe
	case unix.S_IFLNK:
		m |= fs.ModeSymlink
	case unix.S_IFSOCK:
		m |= fs.ModeSocket
	}
	for bit, is := range map[uint32]fs.FileMode{unix.S_ISGID: fs.ModeSetgid, unix.S_ISUID: fs.ModeSetuid, unix.S_ISVTX: fs.ModeSticky} {
		if mode&bit != 0 {
			m |= is
		}
	}
	return m
}
