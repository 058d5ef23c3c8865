package rootfs

import (
	"hash/fnv"
	"io"
	"io/fs"
	"sort"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/seshat-dev/seshat/agent"
)

// Memory is a Root held in memory, for tests and for trees that are not on the
// disk. The zero value is an empty folder. It may be added to while it is read.
type Memory struct {
	Folder string // what Dir answers

	mu     sync.RWMutex
	nodes  map[string]*node
	inodes uint64 // given so far
}

type node struct {
	mode   fs.FileMode
	data   string
	target string // of a link, a name in the same root
	mtime  time.Time
	err    error // given by List and Open
	ino    uint64
}

// File adds a regular file and the folders above it.
func (m *Memory) File(name, data string, mtime time.Time) {
	m.mu.Lock()
	defer m.mu.Unlock()
	n := m.add(name, 0o600)
	n.data, n.mtime = data, mtime
}

// Touch sets the modification time of a name that is there, such as a folder's.
func (m *Memory) Touch(name string, mtime time.Time) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.nodes[name].mtime = mtime
}

// Special adds a name of another type, such as fs.ModeNamedPipe or fs.ModeDir.
func (m *Memory) Special(name string, mode fs.FileMode) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.add(name, mode|0o600)
}

// Link adds a symbolic link to another name in the root.
func (m *Memory) Link(name, target string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.add(name, fs.ModeSymlink|0o777).target = target
}

// Move gives a file another name; it stays the same file.
func (m *Memory) Move(name, to string) {
	n := m.nodes[name]
	delete(m.nodes, name)
	m.add(to, 0)
	m.nodes[to] = n
}

// Fail makes opening or listing a name give err.
func (m *Memory) Fail(name string, err error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.nodes[name].err = err
}

func (m *Memory) add(name string, mode fs.FileMode) *node {
	if m.nodes == nil {
		m.nodes = map[string]*node{"": {mode: fs.ModeDir | 0o700, ino: 1}}
		m.inodes = 1
	}
	if i := strings.LastIndexByte(name, '/'); i > 0 && m.nodes[name[:i]] == nil {
		m.add(name[:i], fs.ModeDir|0o700)
	}
	m.inodes++
	n := &node{mode: mode, ino: m.inodes}
	m.nodes[name] = n
	return n
}

// Dir answers the Folder field.
func (m *Memory) Dir() string { return m.Folder }

// resolve follows links in every component but, unless last is set, the last.
func (m *Memory) resolve(name string, last bool) (string, *node, error) {
	missing := &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
	if name == "" && m.nodes == nil {
		return "", &node{mode: fs.ModeDir | 0o700}, nil
	}
	at := ""
	parts := strings.Split(name, "/")
	for hops, i := 0, 0; i < len(parts); i++ {
		if parts[i] != "" {
			at = join(at, parts[i])
		}
		n := m.nodes[at]
		if n == nil {
			return "", nil, missing
		}
		for n.mode&fs.ModeSymlink != 0 && (last || i < len(parts)-1) {
			if hops++; hops > 40 {
				return "", nil, &fs.PathError{Op: "open", Path: name, Err: syscall.ELOOP}
			}
			if m.nodes[n.target] == nil {
				return "", nil, missing
			}
			at, n = n.target, m.nodes[n.target]
		}
	}
	if n := m.nodes[at]; n != nil {
		return at, n, nil
	}
	return "", nil, missing
}

// List gives the entries of a folder.
func (m *Memory) List(name string) ([]agent.Info, error) {
	m.mu.RLock()
	defer m.mu.RUnlock()
	at, n, err := m.resolve(name, true)
	if err != nil || n.err != nil {
		return nil, firstError(err, n)
	}
	var infos []agent.Info
	for child, c := range m.nodes {
		if child == "" {
			continue
		}
		dir, base := "", child
		if i := strings.LastIndexByte(child, '/'); i >= 0 {
			dir, base = child[:i], child[i+1:]
		}
		if dir == at {
			infos = append(infos, m.info(c, base))
		}
	}
	sort.Slice(infos, func(i, j int) bool { return infos[i].Name < infos[j].Name })
	return infos, nil
}

func firstError(err error, n *node) error {
	if err != nil {
		return err
	}
	return n.err
}

// info tells about a node. The device number is made of the folder's name, so
// that two roots share no identity.
func (m *Memory) info(n *node, base string) agent.Info {
	dev := fnv.New64a()
	dev.Write([]byte(m.Folder))
	return agent.Info{Name: base, Mode: n.mode, Size: int64(len(n.data)), MTime: n.mtime, CTime: n.mtime, Dev: dev.Sum64(), Ino: n.ino}
}

// Lstat tells about a name.
func (m *Memory) Lstat(name string) (agent.Info, error) { return m.stat(name, false) }

// Stat tells about what a name leads to.
func (m *Memory) Stat(name string) (agent.Info, error) { return m.stat(name, true) }

func (m *Memory) stat(name string, follow bool) (agent.Info, error) {
	m.mu.RLock()
	defer m.mu.RUnlock()
	_, n, err := m.resolve(name, follow)
	if err != nil {
		return agent.Info{}, err
	}
	return m.info(n, name[strings.LastIndexByte(name, '/')+1:]), nil
}

// Resolve gives the name that a name leads to.
func (m *Memory) Resolve(name string) (string, bool, error) {
	m.mu.RLock()
	defer m.mu.RUnlock()
	at, _, err := m.resolve(name, true)
	return at, true, err
}

// Open opens a regular file.
func (m *Memory) Open(name string) (agent.File, error) {
	m.mu.RLock()
	defer m.mu.RUnlock()
	_, n, err := m.resolve(name, true)
	if err != nil || n.err != nil {
		return nil, firstError(err, n)
	}
	if !n.mode.IsRegular() {
		return nil, &fs.PathError{Op: "open", Path: name, Err: agent.ErrNotRegular}
	}
	return memoryFile{strings.NewReader(n.data), m.info(n, name[strings.LastIndexByte(name, '/')+1:])}, nil
}

type memoryFile struct {
	io.ReaderAt
	info agent.Info
}

func (f memoryFile) Close() error     { return nil }
func (f memoryFile) Info() agent.Info { return f.info }
