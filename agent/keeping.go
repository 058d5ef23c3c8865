package agent

import "strings"

// Keeping is what an archive has to know of an agent beside the families of its
// stores.
type Keeping struct {
	Alone []string             // stores of family no that are kept on their own: prompt logs, memory, registries
	Asked map[string]string    // stores that are kept, with their session, only when they are asked for, by the word for them
	Refs  map[string]Reference // by store of family ref: what refers to its files
}

// Reference says how files of a store of family ref are referred to.
type Reference struct {
	In    []string                   // stores in whose sources a reference may stand
	After []string                   // words in the raw bytes behind which the name of a file stands
	Names func(base string) []string // what may stand there for a file of that name; none where no bytes can tell
}

// PlainName reports whether a name is spelt in one way in every text: it holds nothing
// but ASCII letters, digits, dots, dashes and underscores.
func PlainName(name string) bool {
	return name != "" && strings.IndexFunc(name, func(r rune) bool { return !Plain(r) }) < 0
}

// Plain reports whether a character may stand in a plain name.
func Plain(r rune) bool {
	return 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9' || r == '.' || r == '-' || r == '_'
}

// NameAndStem is a Reference's Names of files that are referred to by their name, with
// or without the extension.
func NameAndStem(base string) []string {
	if !PlainName(base) {
		return nil
	}
	if i := strings.LastIndexByte(base, '.'); i > 0 {
		return []string{base, base[:i]}
	}
	return []string{base}
}

// Stretch is some bytes of a file.
type Stretch struct{ From, To int64 }
