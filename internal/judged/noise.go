package judged

import (
	"fmt"
	"strconv"
	"strings"
)

// expand writes out the lines of a text that stand for many: what a tool prints when
// it says one word again and again.
func expand(text string) string {
	var out []string
	for line := range strings.SplitSeq(text, "\n") {
		kind, rest, _ := strings.Cut(line, " ")
		cut := strings.LastIndexByte(rest, ' ')
		if write := noises[kind]; write != nil && cut > 0 {
			if n, err := strconv.Atoi(rest[cut+1:]); err == nil {
				for i := range n {
					out = append(out, write(rest[:cut], i))
				}
				continue
			}
		}
		out = append(out, line)
	}
	return strings.Join(out, "\n")
}

// noises are the kinds of such lines: those of a lock file, a directory listing, a
// log.
var noises = map[string]func(word string, i int) string{
	"%lock": func(word string, i int) string {
		return fmt.Sprintf(`"node_modules/%s-%s": { "version": "%d.%d.%d", "integrity": "sha512-%s" },`,
			word, token(5, word, "name", strconv.Itoa(i)), i%7, i%11, i%3, token(32, word, "hash", strconv.Itoa(i)))
	},
	"%list": func(word string, i int) string { return fmt.Sprintf("%s_%04d", word, i+1) },
	"%log": func(word string, i int) string {
		return fmt.Sprintf("%02d:%02d:%02d %s", 3+i/30, i*7%60, i*13%60, word)
	},
}

// exchanges are n edits of a long session that nobody looks for: a call, its result
// and a word about it, none of which stands in a query.
func exchanges(from, n int) []item {
	var out []item
	for i := range n {
		k := from + i
		file := fmt.Sprintf("pkg/%s/%s.go", folders[k%len(folders)], files[k*5%len(files)])
		out = append(out,
			item{mark: call, text: fmt.Sprintf("Edit: %s | %s | %s", file, names[k%len(names)], names[(k+3)%len(names)])},
			item{mark: result, text: "The file " + file + " has been updated successfully."},
			item{mark: reply, text: fmt.Sprintf(remarks[k*3%len(remarks)], file)})
	}
	return out
}

var (
	folders = []string{"store", "view", "money", "people", "letters", "search", "audit"}
	files   = []string{"list", "form", "rules", "row", "page", "sum", "parse", "print"}
	names   = []string{"newOwner", "ownerOf", "loadOwner", "ownerRow", "saveOwner", "ownerName", "ownerList"}
	remarks = []string{
		"%s builds again, four callers changed with it.",
		"Moved on to %s; its comments still used the old name.",
		"%s needed nothing but the names.",
		"The tests beside %s pass.",
		"Two helpers in %s were not used by anybody and are gone.",
	}
)
