package project

import (
	"path"
	"strings"
)

// Paths are handled by how they are written, not by the platform that runs: what
// was recorded on Windows is read on Linux too.

// Windows reports whether a path is written as Windows writes it.
func Windows(p string) bool { return drive(p) || strings.HasPrefix(p, `\\`) }

// drive reports whether a path begins with a drive letter and a slash.
func drive(p string) bool {
	return len(p) > 2 && p[1] == ':' && (p[2] == '\\' || p[2] == '/') && (p[0]|0x20 >= 'a' && p[0]|0x20 <= 'z')
}

// absolute reports whether a path names a place without a folder to start in.
func absolute(p string) bool { return strings.HasPrefix(p, "/") || Windows(p) }

// clean gives the shortest spelling of a path: no dots, no slash at its end, one
// kind of slash, and drive letters as capitals, which programs write either way.
func clean(p string) string {
	switch {
	case p == "":
		return ""
	case drive(p):
		rest := path.Clean("/" + strings.ReplaceAll(p[2:], `\`, "/"))
		return strings.ToUpper(p[:1]) + ":" + strings.ReplaceAll(rest, "/", `\`)
	case Windows(p):
		return `\` + strings.ReplaceAll(path.Clean("/"+strings.ReplaceAll(p, `\`, "/")), "/", `\`)
	}
	return path.Clean(p)
}

// separator gives the slash that a clean path is written with.
func separator(p string) string {
	if Windows(p) {
		return `\`
	}
	return "/"
}

// join puts a name, or several with a slash between them, below a clean folder.
func join(dir, name string) string {
	sep := separator(dir)
	if sep == `\` {
		name = strings.ReplaceAll(name, "/", sep)
	}
	return strings.TrimSuffix(dir, sep) + sep + name
}

// parent gives the folder of a clean path and its last name; the top of a file
// system has none.
func parent(p string) (dir, name string) {
	sep := separator(p)
	i := strings.LastIndex(p, sep)
	switch {
	case i < 0 || i == len(p)-1:
		return p, ""
	case i == 0, drive(p) && i == 2:
		return p[:i+1], p[i+1:]
	}
	return p[:i], p[i+1:]
}

// base gives the last name of a clean path, or "" for the top of a file system.
func base(p string) string {
	_, name := parent(p)
	if name == "" && !absolute(p) {
		return p
	}
	return name
}

// below gives the names that lead from a clean folder to a clean path in it.
func below(p, dir string) (names string, ok bool) {
	if p == dir {
		return "", true
	}
	sep := separator(dir)
	rest, ok := strings.CutPrefix(p, strings.TrimSuffix(dir, sep)+sep)
	return rest, ok && dir != ""
}

// names gives the components of a clean path.
func names(p string) []string {
	return strings.FieldsFunc(p, func(r rune) bool { return r == '/' || r == '\\' && Windows(p) })
}
