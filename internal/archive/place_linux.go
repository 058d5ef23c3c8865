package archive

import (
	"bytes"
	"os"
	"strconv"
	"strings"
)

// fileSystem names the kind of file system that a path lies on, made or not, as the
// table of mounts calls it; empty when that cannot be told.
func fileSystem(path string) string {
	table, err := os.ReadFile("/proc/self/mountinfo")
	if err != nil {
		return ""
	}
	return mountedAt(table, path)
}

// mountedAt finds the kind of the file system that a path lies on in a table of mounts.
// Of two at the same place the later one hides the other.
func mountedAt(table []byte, path string) (kind string) {
	best := -1
	for line := range bytes.Lines(table) {
		mount, rest, ok := strings.Cut(string(line), " - ")
		fields, kinds := strings.Fields(mount), strings.Fields(rest)
		if !ok || len(fields) < 5 || len(kinds) == 0 {
			continue
		}
		at := strings.TrimSuffix(unescape(fields[4]), "/")
		if len(at) >= best && (path == at || strings.HasPrefix(path, at+"/")) {
			best, kind = len(at), kinds[0]
		}
	}
	return kind
}

// unescape undoes the octal escapes of a table of mounts.
func unescape(s string) string {
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] == '\\' && i+3 < len(s) {
			if n, err := strconv.ParseUint(s[i+1:i+4], 8, 8); err == nil {
				b.WriteByte(byte(n))
				i += 3
				continue
			}
		}
		b.WriteByte(s[i])
	}
	return b.String()
}
