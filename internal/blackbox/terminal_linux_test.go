package blackbox

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"unsafe"
)

// onTerminal runs the program with stdout and stderr on a terminal of so many
// columns and gives what the terminal was sent.
func (h *Home) onTerminal(t *testing.T, columns int, args ...string) (string, int) {
	t.Helper()
	master, slave := pty(t, columns)
	sent := make(chan string)
	go func() {
		b, _ := io.ReadAll(master) // ends with an error when the other side closes
		sent <- string(b)
	}()
	r := h.Do(Run{Args: args, Stdout: slave, Each: func(cmd *exec.Cmd) { cmd.Stderr = slave }})
	slave.Close()
	// The terminal puts a carriage return before each line break.
	return strings.ReplaceAll(<-sent, "\r\n", "\n"), r.Code
}

// pty opens a terminal of so many columns. A sandbox may have mounted no /dev/pts.
func pty(t *testing.T, columns int) (master, slave *os.File) {
	t.Helper()
	master, err := os.OpenFile("/dev/ptmx", os.O_RDWR|syscall.O_NOCTTY, 0)
	if err != nil {
		lacking(t, "no terminals here: %v", err)
	}
	t.Cleanup(func() { master.Close() })
	ioctl := func(request uintptr, arg unsafe.Pointer) {
		if _, _, errno := syscall.Syscall(syscall.SYS_IOCTL, master.Fd(), request, uintptr(arg)); errno != 0 {
			lacking(t, "no terminals here: %v", errno)
		}
	}
	var no, unlock uint32
	ioctl(syscall.TIOCSPTLCK, unsafe.Pointer(&unlock))
	ioctl(syscall.TIOCGPTN, unsafe.Pointer(&no))
	size := [4]uint16{24, uint16(columns)}
	ioctl(syscall.TIOCSWINSZ, unsafe.Pointer(&size))
	slave, err = os.OpenFile(fmt.Sprintf("/dev/pts/%d", no), os.O_RDWR|syscall.O_NOCTTY, 0)
	if err != nil {
		lacking(t, "no terminals here: %v", err)
	}
	return master, slave
}

// What a person at a terminal gets.
func TestTerminal(t *testing.T) {
	h, older, newer := library(t)
	if out, code := h.onTerminal(t, 200, "find", "-e", "jsonl", "--color", "never"); out != newer+"\n"+older+"\n" || code != 0 {
		t.Errorf("find prints %q", out)
	}
	if out, code := h.onTerminal(t, 200, "find", "-0"); code != 2 || strings.Contains(out, "\x00") || !strings.HasPrefix(out, "seshat: ") {
		t.Errorf("find -0 writes raw names to a terminal: %d %q", code, out)
	}
	out, _ := h.onTerminal(t, 200, "grep", "literal|third")
	want := "\x1b[35m" + older + "\x1b[0m\n\x1b[32m1\x1b[0m:error: \x1b[1;31mthird\x1b[0m\n\n" +
		"\x1b[35m" + newer + "\x1b[0m\n\x1b[32m1\x1b[0m:an error.* \x1b[1;31mliteral\x1b[0m\n"
	if out != want {
		t.Errorf("grep prints\n%q, want\n%q", out, want)
	}
	plain := older + "\n1:error: third\n"
	for what, run := range map[string]func() (string, int){
		"--color never": func() (string, int) { return h.onTerminal(t, 200, "grep", "third", "--color", "never") },
		"NO_COLOR":      func() (string, int) { h.Vars["NO_COLOR"] = "1"; return h.onTerminal(t, 200, "grep", "third") },
		"TERM=dumb": func() (string, int) {
			delete(h.Vars, "NO_COLOR")
			h.Vars["TERM"] = "dumb"
			return h.onTerminal(t, 200, "grep", "third")
		},
	} {
		clear(h.Vars)
		if out, _ := run(); out != plain {
			t.Errorf("%s: grep prints %q, want %q", what, out, plain)
		}
	}
	clear(h.Vars)
	if out, _ := h.onTerminal(t, 200, "grep", "third", "--no-heading", "-N", "--color", "never"); out != older+":error: third\n" {
		t.Errorf("grep prints %q", out)
	}
}

// A list fits the terminal; a pipe gets it whole.
func TestTerminalWidth(t *testing.T) {
	h := New(t)
	title := strings.Repeat("word ", 30)
	h.Claude("/srv/app", S1, U("m1", "", title))
	out, _ := h.onTerminal(t, 72, "sessions", "--color", "never")
	if row := lines(out); len(row) != 1 || len([]rune(row[0])) > 72 || !strings.HasSuffix(row[0], "…") {
		t.Errorf("the row is %q", row)
	}
	if out := h.Run("sessions").Stdout; !strings.Contains(out, strings.TrimSpace(title)) {
		t.Errorf("a pipe gets %q", out)
	}
}

// What search prints of a text fits too, with what was looked for in sight; handles are
// never cut.
func TestTerminalWidthOfSearch(t *testing.T) {
	h := New(t)
	long := strings.Repeat("word ", 60) + "needle " + strings.Repeat("word ", 60) + "needle"
	h.Claude("/srv/app", S1, U("m1", "", long), A("m2", "m1", "x", T(strings.Repeat("other ", 40)+"needle"), ""))
	out, code := h.onTerminal(t, 50, "search", "needle", "--color", "never")
	rows := lines(out)
	if code != 0 || len(rows) != 6 || !strings.Contains(rows[1], "claude:"+S1) {
		t.Fatalf("search prints\n%s", out)
	}
	for i, row := range rows {
		if (i == 0 || strings.HasPrefix(row, "    ")) && len([]rune(row)) > 50 {
			t.Errorf("row %d has %d columns: %q", i, len([]rune(row)), row)
		}
		if strings.HasPrefix(row, "    ") && !strings.Contains(row, "needle") {
			t.Errorf("row %d does not show what was looked for: %q", i, row)
		}
	}
	if out := h.Run("search", "needle").Stdout; !strings.Contains(out, strings.Repeat("word ", 20)) {
		t.Errorf("a pipe gets\n%s", out)
	}
}

// Case O18 on a terminal: colours are ours, and nothing else is obeyed.
func TestO18OnATerminal(t *testing.T) {
	h, _ := trap(t)
	for _, args := range [][]string{
		{"sessions", "--all"}, {"show", S1}, {"show", S1, "--full"}, {"grep", "-F", "probe"}, {"grep", "-c", "probe"}, {"find"}, {"find", "-l"},
		{"records"}, {"stores", "claude.plans", "--summary"}, {"show", "evil"}, {"stores", hostile}, {hostile},
		{"search", "probe"}, {"search", "prbe"}, {"projects"}, {"expiring", "--within", "100y"}, {"secrets"},
	} {
		for _, columns := range []int{30, 80, 1000} {
			out, _ := h.onTerminal(t, columns, args...)
			if bad := obeyed(ours.ReplaceAllString(out, "$1")); bad != "" {
				t.Errorf("seshat %q in %d columns sends %s", args, columns, bad)
			}
		}
	}
}
