package catalog

import (
	"fmt"
	"strings"
)

// Head says which folder a pattern starts in. The empty head is the agent's
// data folder.
type Head string

// The heads, as patterns spell them.
const (
	Data       Head = ""
	Home       Head = "~"
	Repo       Head = "<repo>"     // root of a repository that a transcript, registry or marker names
	UserData   Head = "<userData>" // folder of the agent's desktop app
	System     Head = "<system>"   // the agent's machine-wide folder
	TempDir    Head = "<tmpdir>"
	Plans      Head = "<plansDirectory>"      // a setting of that name
	AutoMemory Head = "<autoMemoryDirectory>" // a setting of that name
)

var heads = map[string]Head{
	string(Home): Home, string(Repo): Repo, string(UserData): UserData, string(System): System,
	string(TempDir): TempDir, string(Plans): Plans, string(AutoMemory): AutoMemory,
}

// pattern is one path of a store, for example
//
//	projects/<project>/<session>/**/agent-<agent>.jsonl
//
// <name> stands for one or more characters inside one component, **/ for any
// number of folders, and a trailing slash means everything below.
type pattern struct {
	store    *Store
	head     Head
	parts    []part
	below    bool // trailing slash
	literals int  // characters written out, slashes included; the more, the stronger
}

// part is one component: literal pieces with a hole between each two. A part
// with one piece has no hole.
type part struct {
	pieces []string
	any    bool // **
}

func (p part) literal() bool { return !p.any && len(p.pieces) == 1 }

func parsePattern(text string, s *Store) (*pattern, error) {
	p := &pattern{store: s}
	rest := text
	if first, after, ok := strings.Cut(text, "/"); ok {
		if h, known := heads[first]; known {
			p.head, rest = h, after
		}
	}
	if rest == "" && p.head != Data {
		p.below = true // the whole folder of that head
		return p, nil
	}
	if strings.HasSuffix(rest, "/") {
		p.below, rest = true, strings.TrimSuffix(rest, "/")
		p.literals++
	}
	for i, comp := range strings.Split(rest, "/") {
		if i > 0 {
			p.literals++
		}
		if comp == "**" {
			p.parts = append(p.parts, part{any: true})
			p.literals-- // the slash behind ** may stand for nothing
			continue
		}
		pieces, err := splitHoles(comp)
		if err != nil {
			return nil, fmt.Errorf("pattern %q: %w", text, err)
		}
		for _, piece := range pieces {
			p.literals += len(piece)
		}
		p.parts = append(p.parts, part{pieces: pieces})
	}
	return p, nil
}

func splitHoles(comp string) ([]string, error) {
	if comp == "" {
		return nil, fmt.Errorf("empty component")
	}
	var pieces []string
	for {
		i := strings.IndexByte(comp, '<')
		if i < 0 {
			return append(pieces, comp), nil
		}
		j := strings.IndexByte(comp[i:], '>')
		if j < 0 {
			return nil, fmt.Errorf("%q has no closing >", comp)
		}
		pieces = append(pieces, comp[:i])
		comp = comp[i+j+1:]
	}
}

// match reports whether name fits the part, every hole taking at least one
// character.
func (p part) match(name string) bool {
	first, last := p.pieces[0], p.pieces[len(p.pieces)-1]
	if p.literal() {
		return name == first
	}
	holes := len(p.pieces) - 1
	if len(name) < len(first)+len(last)+holes || !strings.HasPrefix(name, first) || !strings.HasSuffix(name, last) {
		return false
	}
	middle := name[len(first) : len(name)-len(last)]
	for _, piece := range p.pieces[1:holes] {
		// Leave one character for the hole before the piece.
		i := strings.Index(middle[min(1, len(middle)):], piece)
		if i < 0 {
			return false
		}
		middle = middle[1+i+len(piece):]
	}
	return len(middle) > 0
}
