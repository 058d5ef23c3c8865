package own

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"regexp"
	"runtime"
	"strings"
	"unicode/utf8"
)

// maxName is how long a component of a path may be on every platform, in bytes.
const maxName = 255

// SafeName gives the name that a file or folder of some other machine gets here: its own
// where this platform can have it, else one in which %XX stands for a byte that cannot be
// in a name. It is one component of a path and never leads elsewhere.
func SafeName(name string) string { return safeName(name, runtime.GOOS) }

func safeName(name, goos string) string {
	var out strings.Builder
	for i := range len(name) {
		if c := name[i]; c == 0 || c == '/' || goos == "windows" && (c < ' ' || strings.IndexByte(`<>:"\|?*`, c) >= 0) {
			fmt.Fprintf(&out, "%%%02X", c)
		} else {
			out.WriteByte(c)
		}
	}
	safe := out.String()
	switch {
	case safe == "":
		return "%"
	case safe == "." || safe == "..":
		return strings.ReplaceAll(safe, ".", "%2E")
	case goos == "windows" && strings.ContainsAny(safe[len(safe)-1:], ". "):
		safe = fmt.Sprintf("%s%%%02X", safe[:len(safe)-1], safe[len(safe)-1])
	case goos == "windows" && device.MatchString(safe):
		safe = fmt.Sprintf("%%%02X%s", safe[0], safe[1:])
	}
	if goos == "windows" && !utf8.ValidString(safe) {
		safe = strings.ToValidUTF8(safe, "%EF%BF%BD") + "~" + hash8(name)
	}
	if len(safe) > maxName {
		cut := maxName - 9
		for cut > 0 && !utf8.RuneStart(safe[cut]) {
			cut--
		}
		safe = safe[:cut] + "~" + hash8(name)
	}
	return safe
}

// device is a name that Windows keeps for a device, whatever comes behind a dot.
var device = regexp.MustCompile(`(?i)^(con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])(\..*)?$`)

func hash8(s string) string {
	sum := sha256.Sum256([]byte(s))
	return hex.EncodeToString(sum[:4])
}
