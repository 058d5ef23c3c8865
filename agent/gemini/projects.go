package gemini

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"path"
	"regexp"
	"strings"

	"github.com/seshat-dev/seshat/agent"
	"github.com/seshat-dev/seshat/internal/jsonscan"
	"github.com/seshat-dev/seshat/internal/rootfs"
	"github.com/seshat-dev/seshat/record"
)

// shared lists the session ids that many sessions have by construction: each
// file with one is a session of its own.
var shared = map[string]bool{"a2a-server": true}

// identify tells of each chat which session it belongs to, and gives all sources
// of a data folder a root that knows where its projects lie.
func identify(ctx context.Context, srcs []*agent.Source) error {
	byRoot := map[string]*dataRoot{}
	for _, src := range srcs {
		if d := byRoot[src.Root.Dir()]; d == nil {
			byRoot[src.Root.Dir()] = newDataRoot()
		}
		byRoot[src.Root.Dir()].learn(src)
	}
	heads := map[*agent.Source]meta{}
	for _, src := range srcs {
		if err := ctx.Err(); err != nil {
			return err
		}
		if isChat(src) && src.Problem == "" {
			m := headMeta(ctx, src)
			heads[src] = m
			byRoot[src.Root.Dir()].match(src, m.hash)
		}
	}
	for _, src := range srcs {
		d := byRoot[src.Root.Dir()]
		if isChat(src) {
			name(src, heads[src])
			src.Family, src.Rank = d.family(src, heads[src]), rank(src)
		}
		src.Root = located{src.Root, d}
	}
	return nil
}

// rank puts the file that Gemini CLI goes on writing before its copies: a folder
// with a name before the one it was copied from, a chat before its older form.
func rank(src *agent.Source) int {
	n := 0
	if isHash(projectFolder(src)) {
		n += 2
	}
	if src.Store.ID == storeLegacy {
		n++
	}
	return n
}

func isChat(src *agent.Source) bool {
	switch src.Store.ID {
	case storeChats, storeLegacy, storeSubagents:
		return true
	}
	return false
}

// name fills in the session and the subagent of a chat from its metadata. Old
// subagents lie among the sessions, and nothing tells whose they are.
func name(src *agent.Source, m meta) {
	if src.Store.ID == storeSubagents {
		return // its place tells
	}
	if src.Session = m.session; src.Session == "" {
		src.Session = stem(src.Name)
	}
	if m.kind == "subagent" {
		src.Subagent = src.Session
	}
}

// dataRoot is what discovery learnt of the projects of one data folder.
type dataRoot struct {
	cwds   map[string]string // by the project's folder below tmp/
	marked map[string]bool   // folders whose own marker told
	hashes map[string]string // by projectHash
}

func newDataRoot() *dataRoot {
	return &dataRoot{cwds: map[string]string{}, marked: map[string]bool{}, hashes: map[string]string{}}
}

// learn reads a marker or the registry. A marker wins over the registry, and the
// one in tmp/ over the one in history/.
func (d *dataRoot) learn(src *agent.Source) {
	if src.Problem != "" {
		return
	}
	switch src.Store.ID {
	case storeMarker:
		parts := strings.Split(src.Name, "/")
		cwd := strings.TrimSpace(string(content(src)))
		if len(parts) != 3 || cwd == "" {
			return
		}
		if own := parts[0] == "tmp"; own || !d.marked[parts[1]] {
			d.cwds[parts[1]] = cwd
			d.marked[parts[1]] = d.marked[parts[1]] || own
		}
		d.hashes[hashOf(cwd)] = cwd
	case storeProjects:
		registry, _, _, _ := jsonscan.First(content(src))
		for cwd, slug := range registry.Get("projects").Members() {
			if s := slug.Text(); s != "" && d.cwds[s] == "" {
				d.cwds[s] = cwd
			}
			d.hashes[hashOf(cwd)] = cwd
		}
	}
}

// match learns from a chat in a known project what the project's hash is. Where
// keys are in lower case, as on Windows, it is not the hash of the key.
func (d *dataRoot) match(src *agent.Source, hash string) {
	cwd := d.cwds[projectFolder(src)]
	if isHash(hash) && windowsKey(cwd) && d.hashes[hash] == "" {
		d.hashes[hash] = cwd
	}
}

// cwd gives the folder that the project of a source lies in, or "".
func (d *dataRoot) cwd(src *agent.Source) string {
	dir := projectFolder(src)
	if cwd := d.cwds[dir]; cwd != "" {
		return cwd
	}
	return d.hashes[dir]
}

// family names what the files of one session have in common: the project, whose
// hash all copies of a file keep, and the session's id.
func (d *dataRoot) family(src *agent.Source, m meta) string {
	base := src.Root.Dir() + "\x00"
	if shared[src.Session] {
		return base + src.Name
	}
	return base + d.project(src, m) + "\x00" + src.Session
}

func (d *dataRoot) project(src *agent.Source, m meta) string {
	dir := projectFolder(src)
	switch cwd := d.cwds[dir]; {
	case isHash(m.hash):
		return m.hash
	case isHash(dir) || cwd == "":
		return dir
	default:
		return hashOf(cwd)
	}
}

// located is a root that knows where the projects below it lie.
type located struct {
	agent.Root
	data *dataRoot
}

// projectFolder gives the name of the folder below tmp/ that a source lies in.
func projectFolder(src *agent.Source) string {
	parts := strings.Split(src.Name, "/")
	if len(parts) < 3 || parts[0] != "tmp" {
		return ""
	}
	return parts[1]
}

// originOf tells where what a source holds ran: the folder, or where only that is
// known its hash.
func originOf(src *agent.Source, hash string) record.Origin {
	if src.Store.ID == storeContext {
		return record.Origin{CWD: src.Root.Dir()}
	}
	dir, cwd := projectFolder(src), ""
	if l, ok := src.Root.(located); ok {
		cwd = l.data.cwd(src)
	} else if b, err := rootfs.ReadSmall(src.Root, path.Join("tmp", dir, ".project_root")); err == nil && dir != "" {
		cwd = strings.TrimSpace(string(b))
	}
	if cwd != "" {
		return record.Origin{CWD: cwd}
	}
	switch {
	case isHash(hash):
		return record.Origin{CWDHash: hash}
	case isHash(dir):
		return record.Origin{CWDHash: dir}
	}
	return record.Origin{}
}

func hashOf(cwd string) string {
	sum := sha256.Sum256([]byte(cwd))
	return hex.EncodeToString(sum[:])
}

var hexHash = regexp.MustCompile(`^[0-9a-f]{64}$`)

// isHash reports whether a name is the hash of a project's folder.
func isHash(s string) bool { return hexHash.MatchString(s) }

// windowsKey reports whether a folder is spelt as the registry spells it on
// Windows, where case is lost.
func windowsKey(cwd string) bool {
	return len(cwd) > 2 && cwd[1] == ':' && (cwd[2] == '\\' || cwd[2] == '/') || strings.HasPrefix(cwd, `\\`)
}
