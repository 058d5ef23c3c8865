package own

import (
	"os"
	"path/filepath"
	"slices"
)

// Outside reports whether a folder, made or not, lies in none of some others,
// links followed.
func Outside(dir string, of []string) bool {
	inside := map[string]bool{}
	var there []os.FileInfo
	for _, other := range of {
		inside[filepath.Clean(other)], inside[Followed(other)] = true, true
		if fi, err := os.Stat(other); err == nil {
			there = append(there, fi)
		}
	}
	for _, at := range []string{filepath.Clean(dir), Followed(dir)} {
		for {
			// A name may be spelt in another way and lead to the same folder.
			fi, err := os.Stat(at)
			if inside[at] || err == nil && slices.ContainsFunc(there, func(other os.FileInfo) bool { return os.SameFile(fi, other) }) {
				return false
			}
			up := filepath.Dir(at)
			if up == at {
				break
			}
			at = up
		}
	}
	return true
}

// Followed gives the path that a path leads to, as far as that is there.
func Followed(path string) string {
	path = filepath.Clean(path)
	if real, err := filepath.EvalSymlinks(path); err == nil {
		return real
	}
	if up := filepath.Dir(path); up != path {
		return filepath.Join(Followed(up), filepath.Base(path))
	}
	return path
}
