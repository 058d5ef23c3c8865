package blackbox

import (
	"bytes"
	"debug/elf"
	"encoding/binary"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"
)

// vault is a home in which every private store is there as ordinary files, what
// no run may open, and the runs that could.
func vault(t *testing.T) (h *Home, transcript string, shut []string, reads [][]string) {
	h, transcript = withRepo(t)
	h.Vars["SESHAT_DATA_DIR"] = filepath.Join(h.base, dataName)
	h.Write(".claude/paste-cache/0123456789abcdef.txt", "some paste", 0o600)
	h.Write(".claude/history.jsonl", historyLine("see [Pasted text #1]", `{"1":{"id":1,"type":"text","contentHash":"0123456789abcdef"}}`, S1)+"\n", 0o600)
	reads = slices.Clone(allReads)
	for _, s := range privateStores(t, h) {
		reads = append(reads, []string{"stores", s.ID}, []string{"stores", s.ID, "--summary"})
		for _, pattern := range s.Paths {
			name := h.place(s.Agent, pattern)
			if !strings.HasSuffix(pattern, "/") {
				shut = append(shut, h.Write(name, secret(h), 0o600))
				continue
			}
			name = strings.TrimSuffix(name, "/")
			shut = append(shut, h.Mkdir(name), h.Write(name+"/x.json", secret(h), 0o600),
				h.Write(name+"/"+S2+".jsonl", secret(h), 0o600), h.Mkdir(name+"/deep"), h.Write(name+"/deep/CLAUDE.md", "x", 0o600))
		}
	}
	return h, transcript, shut, reads
}

// allReads are the commands that look at a home.
var allReads = [][]string{
	{"sessions", "--all"}, {"projects"}, {"sessions", "--project", "*"}, {"grep", "private-needle"}, {"grep", "--scope", "all", "-F", "private-needle"}, {"records"},
	{"records", "--scope", "conversation"}, {"show", S1}, {"find"}, {"find", "-l", "--coverage", "private"}, {"find", "--json"},
	{"search", "private-needle"}, {"secrets"}, {"secrets", "--ndjson"},
	{"stores"}, {"stores", "claude.history", "--summary"}, {"__complete", "stores", ""}, {"expiring"}, {"expiring", "--within", "100y", "--json"},
	{"search", "private-needle"}, {"search", "private-needle", "--scope", "all", "--ndjson"}, {"search", "public-needle", "--explain"}, {"grep", "--query", "private-needle scope:all"},
	{"sessions", "private-needle"}, {"secrets"}, {"secrets", "--ndjson"}, {"__complete", "search", "store:"},
	{"archive", "--dry-run"}, {"archive", "--include", "file-history"}, {"archive"}, {"archive", "--project", "*", "--json"}, {"archive", "status"}, {"archive", "verify"},
	{"archive", "hook", "install"}, {"archive", "hook", "remove"}, {"archive", "hook", "status"}, {"archive", "hook", "drain"},
}

// Law 2, seen by the kernel: no run opens a private file or folder.
func TestPrivateStoresAreNotOpenedSeenByInotify(t *testing.T) {
	t.Parallel()
	h, transcript, shut, reads := vault(t)
	for _, args := range reads {
		var opened []string
		r := h.Do(Run{Args: args, Around: func(run func()) { opened = opens(t, append(shut, transcript), run) }})
		if args[0] == "secrets" {
			r.exits(t, 1) // what private stores hold is not found
		}
		if args[0] == "records" && !slices.Contains(opened, transcript) {
			// Some file systems, those of other machines above all, send no such events.
			lacking(t, "this file system does not tell who opens a file")
		}
		for _, path := range opened {
			if path != transcript {
				t.Errorf("law 2: seshat %q opened %s", args, path)
			}
		}
	}
}

// opens tells which of some paths are opened while something runs.
func opens(t *testing.T, paths []string, run func()) []string {
	t.Helper()
	fd, err := syscall.InotifyInit1(syscall.IN_NONBLOCK | syscall.IN_CLOEXEC)
	if err != nil {
		lacking(t, "no inotify: %v", err) // its instances for each user are limited
	}
	defer syscall.Close(fd)
	watched := map[int32]string{}
	for _, path := range paths {
		wd, err := syscall.InotifyAddWatch(fd, path, syscall.IN_OPEN)
		if err != nil {
			lacking(t, "no watch on %s: %v", path, err) // they are limited too
		}
		watched[int32(wd)] = path
	}
	run()
	var out []string
	buf := make([]byte, 64<<10)
	for {
		n, err := syscall.Read(fd, buf)
		if err != nil || n <= 0 {
			return out
		}
		for b := buf[:n]; len(b) >= syscall.SizeofInotifyEvent; {
			wd, size := int32(binary.NativeEndian.Uint32(b)), int(binary.NativeEndian.Uint32(b[12:]))
			name := string(bytes.TrimRight(b[syscall.SizeofInotifyEvent:syscall.SizeofInotifyEvent+size], "\x00"))
			if path := filepath.Join(watched[wd], name); !slices.Contains(out, path) {
				out = append(out, path)
			}
			b = b[syscall.SizeofInotifyEvent+size:]
		}
	}
}

// Paths in a line of strace -y: those that a call names, and those of its open
// files. The folder that relative names start in is not one that a call touches.
var (
	tracedName = regexp.MustCompile(`"((?:[^"\\]|\\.)*)"`)
	tracedFile = regexp.MustCompile(`\d<([^>]*)>`)
)

// The same, and law 1, seen by strace: no run opens a private store by whatever
// name, and none opens anything for writing or asks for a change.
func TestNoForbiddenSystemCalls(t *testing.T) {
	t.Parallel()
	strace, err := exec.LookPath("strace")
	if err != nil {
		lacking(t, "no strace here: install it (inotify and the listings still see some of what it does)")
	}
	h, transcript, shut, reads := vault(t)
	trace := h.base + "/trace"
	const calls = "open,openat,openat2,creat,rename,renameat,renameat2,unlink,unlinkat,mkdir,mkdirat,rmdir,link,linkat,symlink,symlinkat," +
		"chmod,fchmod,fchmodat,chown,fchown,fchownat,truncate,ftruncate,utimensat,flock,fcntl,fallocate,setxattr,fsetxattr," +
		"socket,connect,sendto"
	for _, args := range reads {
		h.Do(Run{Args: args, Wrap: []string{strace, "-f", "-y", "-qq", "-o", trace, "-e", "trace=" + calls}})
		b, err := os.ReadFile(trace)
		if err != nil || !strings.Contains(string(b), "openat") {
			// A container may forbid ptrace.
			lacking(t, "strace cannot trace here: %v", err)
		}
		if args[0] == "records" && !strings.Contains(string(b), transcript) {
			t.Fatalf("the trace does not show what was read:\n%s", tail(string(b)))
		}
		for _, line := range lines(string(b)) {
			if why := forbidden(line, h.base, shut); why != "" {
				t.Errorf("seshat %q: %s: %s", args, why, line)
			}
		}
	}
}

// forbidden says which law a traced call breaks, of a home below base in which
// shut may not be opened.
func forbidden(line, base string, shut []string) string {
	for _, call := range []string{"socket(", "connect(", "sendto("} {
		if strings.Contains(line, call) {
			return "nothing is sent anywhere"
		}
	}
	found := tracedName.FindAllStringSubmatch(line, -1)
	isOpen := strings.Contains(line, " open") || strings.HasPrefix(line, "open")
	switch {
	case strings.Contains(line, "flock("), strings.Contains(line, "_SETLK"):
		if own := tracedFile.FindStringSubmatch(line); own != nil && strings.HasPrefix(own[1], base+"/"+dataName+"/") {
			return ""
		}
		return "law 1: locks"
	case strings.Contains(line, "fcntl("):
		return ""
	case !isOpen:
		found = append(found, tracedFile.FindAllStringSubmatch(line, -1)...)
	}
	for _, f := range found {
		name := f[1]
		switch {
		case !strings.HasPrefix(name, base), strings.HasPrefix(name+"/", base+"/"+cacheName+"/"), strings.HasPrefix(name+"/", base+"/"+dataName+"/"):
		case !isOpen, strings.Contains(line, "O_WRONLY"), strings.Contains(line, "O_RDWR"), strings.Contains(line, "O_CREAT"):
			return "law 1: changes " + name
		case slices.ContainsFunc(shut, func(p string) bool { return isSame(p, name) }):
			return "law 2: opens " + name
		}
	}
	return ""
}

// The judge of traced calls sees what it must.
func TestForbiddenSystemCallsAreSeen(t *testing.T) {
	base := t.TempDir()
	shut := base + "/key"
	if err := os.WriteFile(shut, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for line, want := range map[string]bool{
		`12 openat(AT_FDCWD<` + base + `>, "` + base + `/a", O_RDONLY|O_CLOEXEC) = 3<` + base + `/a>`: false,
		`12 openat(AT_FDCWD<` + base + `>, "/etc/x", O_RDWR) = 3</etc/x>`:                             false,
		`12 fcntl(3<` + base + `/a>, F_GETFL) = 0`:                                                    false,
		`12 mkdirat(AT_FDCWD<` + base + `>, "` + base + `/cache", 0700) = 0`:                          false,
		`12 renameat(AT_FDCWD</>, "` + base + `/cache/a", AT_FDCWD</>, "` + base + `/cache/b") = 0`:   false,
		`12 renameat(AT_FDCWD</>, "` + base + `/cache/a", AT_FDCWD</>, "` + base + `/b") = 0`:         true,
		`12 mkdirat(AT_FDCWD<` + base + `>, "` + base + `/cached", 0700) = 0`:                         true,
		`12 openat(AT_FDCWD<` + base + `>, "` + shut + `", O_RDONLY) = 3<` + shut + `>`:               true,
		`12 openat(AT_FDCWD<` + base + `>, "` + base + `/a", O_WRONLY) = 3<` + base + `/a>`:           true,
		`12 fcntl(3<` + base + `/a>, F_SETLK, {l_type=F_RDLCK}) = 0`:                                  true,
		`12 fcntl(3<` + base + `/data/archive/lock>, F_SETLK, {l_type=F_WRLCK}) = 0`:                  false,
		`12 fcntl(3<` + base + `/a>, F_OFD_SETLK, {l_type=F_RDLCK}) = 0`:                              true,
		`12 flock(3<` + base + `/a>, LOCK_SH) = 0`:                                                    true,
		`12 ftruncate(3<` + base + `/a>, 0) = 0`:                                                      true,
		`12 utimensat(3<` + base + `/a>, NULL, NULL, 0) = 0`:                                          true,
		`12 renameat2(AT_FDCWD</>, "/tmp/x", AT_FDCWD</>, "` + base + `/a", 0) = 0`:                   true,
		`12 socket(AF_INET, SOCK_STREAM, IPPROTO_TCP) = 3<TCP:[1]>`:                                   true,
	} {
		if got := forbidden(line, base, []string{shut}); (got != "") != want {
			t.Errorf("%s: %q, want forbidden: %v", line, got, want)
		}
	}
}

// The binary needs nothing of the machine, no loader and no library.
func TestBinaryIsStatic(t *testing.T) {
	f, err := elf.Open(Binary(t))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for _, p := range f.Progs {
		if p.Type == elf.PT_INTERP {
			t.Error("the binary names an interpreter")
		}
	}
}

// isSame reports whether two names lead to one file.
func isSame(a, b string) bool {
	x, err := os.Stat(a)
	if err != nil {
		return false
	}
	y, err := os.Stat(b)
	return err == nil && os.SameFile(x, y) && x.Mode()&fs.ModeType == y.Mode()&fs.ModeType
}

// Law 2 holds for the small files that are read beside a transcript too: one
// that is a link to a private store is left alone.
func TestPrivateFilesBehindSideLinksAreNotOpened(t *testing.T) {
	for what, link := range map[string]string{
		"title": ".claude/projects/-srv-app/" + S3 + "/custom-title.json",
		"meta":  ".claude/projects/-srv-app/" + S3 + "/subagents/agent-abc.meta.json",
		"paste": ".claude/paste-cache/0123456789abcdef.txt",
	} {
		t.Run(what, func(t *testing.T) {
			h, transcript := withRepo(t)
			h.Claude("/srv/app", S3, U("m1", "", "x"))
			h.Write(".claude/projects/-srv-app/"+S3+"/subagents/agent-abc.jsonl", h.Fill("/srv/app", S3, U("s1", "", "x")), 0o600)
			h.Write(".claude/history.jsonl", historyLine("[Pasted text #1]", `{"1":{"id":1,"type":"text","contentHash":"0123456789abcdef"}}`, S3)+"\n", 0o600)
			private := h.Write(".claude/.credentials.json", `{"customTitle":"private-needle"}`, 0o600)
			h.Symlink(private, link)
			h.Vars["SESHAT_DATA_DIR"] = filepath.Join(h.base, dataName)
			for _, args := range [][]string{{"sessions", "--all"}, {"records"}, {"grep", "x"}, {"archive"}} {
				h.Do(Run{Args: args, Around: func(run func()) {
					if opened := opens(t, []string{private, transcript}, run); slices.Contains(opened, private) {
						t.Errorf("law 2: seshat %q opened %s by the name %s", args, private, link)
					}
				}})
			}
		})
	}
}

// A warm list of sessions opens no transcript of Claude Code, forks included.
func TestWarmSessionsOpenNoTranscript(t *testing.T) {
	t.Parallel()
	h := talks(t)
	var transcripts []string
	for _, name := range []string{"-srv-app/" + S1, "-srv-app/" + S2, "-srv-other/" + S3, "-srv-other/" + S4 + "/subagents/agent-a1"} {
		transcripts = append(transcripts, h.Path(".claude/projects/"+name+".jsonl"))
	}
	for i, want := range []int{len(transcripts), 0} {
		var opened []string
		h.Do(Run{Args: []string{"sessions"}, Around: func(run func()) { opened = opens(t, transcripts, run) }})
		if i == 0 && len(opened) == 0 {
			lacking(t, "this file system does not tell who opens a file") // as above
		}
		if len(opened) != want {
			t.Errorf("run %d opens %q, want %d", i, opened, want)
		}
	}
}

// A run of archive opens no file that is as the archive noted it.
func TestArchiveOpensNothingUnchanged(t *testing.T) {
	t.Parallel()
	h := withArchive(t)
	var paths []string
	for _, name := range everyStore(h) {
		h.Touch(name, h.Start)
		if !strings.HasPrefix(name, ".gemini/") && !strings.HasSuffix(name, "agent-c3.jsonl") { // whose heads tell discovery whose they are
			paths = append(paths, h.Path(name))
		}
	}
	grown := h.Path(app + S1 + ".jsonl")
	for i, want := range [][]string{paths, paths, nil, {grown}} {
		if i == 1 {
			time.Sleep(2100 * time.Millisecond) // what has just changed is looked at once more
		}
		if i == 3 {
			h.Append(app+S1+".jsonl", h.Fill("/srv/app", S1, U("m2", "a1", "more")))
		}
		var opened []string
		h.Do(Run{Args: []string{"archive"}, Around: func(run func()) { opened = opens(t, paths, run) }})
		if i == 0 && len(opened) == 0 {
			lacking(t, "this file system does not tell who opens a file")
		}
		for _, path := range opened {
			if !slices.Contains(want, path) {
				t.Errorf("run %d opens %s", i, path)
			}
		}
		if i != 1 && len(opened) != len(want) {
			t.Errorf("run %d opens %d files, want %d", i, len(opened), len(want))
		}
	}
}
