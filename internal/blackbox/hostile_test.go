package blackbox

import (
	"fmt"
	"regexp"
	"unicode/utf8"
)

// hostile is the text of case O18, with isolates, line separators and DEL added.
const hostile = "probe \x1b[2J\x1b[H\x1b[31mRED\x1b[0m \x1b]0;TITLE\x07 \x1b]52;c;QUJD\x07 \x1b]8;;http://x.invalid\x07link\x1b]8;;\x07 " +
	"real\rSPOOF bell\x07 back\b\b\b tab\tok \u202egnp.exe\u202c \u009b31m C1 \u2066iso\u2069 \u200fmark sep\u2028par\u2029 del\x7f end"

// visible is the same text as people see it.
const visible = `probe \x1b[2J\x1b[H\x1b[31mRED\x1b[0m \x1b]0;TITLE\x07 \x1b]52;c;QUJD\x07 \x1b]8;;http://x.invalid\x07link\x1b]8;;\x07 ` +
	`real\rSPOOF bell\x07 back\x08\x08\x08 tab` + "\t" + `ok \u202egnp.exe\u202c \u009b31m C1 \u2066iso\u2069 \u200fmark sep\u2028par\u2029 del\x7f end`

// obeyed finds the first thing in an output that a terminal could obey.
func obeyed(s string) string {
	for i := 0; i < len(s); {
		r, n := utf8.DecodeRuneInString(s[i:])
		bad := r < 0x20 && r != '\n' && r != '\t' || r >= 0x7f && r <= 0x9f || r == utf8.RuneError && n == 1 ||
			r == 0x2028 || r == 0x2029 || r == 0x061c || r == 0x200e || r == 0x200f || r >= 0x202a && r <= 0x202e || r >= 0x2066 && r <= 0x2069
		if bad {
			return fmt.Sprintf("%q in %q", s[i:i+n], s[max(0, i-40):min(len(s), i+40)])
		}
		i += n
	}
	return ""
}

// ours are the colours that seshat itself sets, each ended before the next.
var ours = regexp.MustCompile("\x1b\\[[0-9;]+m([^\x1b]*)\x1b\\[0m")
