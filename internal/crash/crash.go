// Package crash makes an error of a panic.
//
// A reader may rely on this. What Go prints of a panic may be a piece of what was read,
// with control characters and credentials; as an error it goes the way of all messages,
// which are made safe. The error tells what went wrong and which line of the program it
// was, and holds nothing else of the stack.
package crash

import (
	"fmt"
	"path"
	"runtime"
	"strings"
)

// Error is a panic.
type Error struct {
	What  any
	Place string // the line of the program, such as read.go:12
}

func (e *Error) Error() string {
	return fmt.Sprintf("seshat made a mistake at %s and gave up: %v; please report it with the command that you ran", e.Place, e.What)
}

// Caught runs a function, and gives its panic as an Error.
func Caught(run func() error) (err error) {
	defer func() {
		if what := recover(); what != nil {
			err = &Error{what, place()}
		}
	}()
	return run()
}

// place names the line that panicked, for the function that recovers.
func place() string {
	pcs := make([]uintptr, 64)
	frames := runtime.CallersFrames(pcs[:runtime.Callers(1, pcs)])
	for panicked := false; ; {
		f, more := frames.Next()
		if panicked && !strings.HasPrefix(f.Function, "runtime.") {
			return fmt.Sprintf("%s:%d", path.Base(f.File), f.Line)
		}
		panicked = panicked || f.Function == "runtime.gopanic"
		if !more {
			return "an unknown place"
		}
	}
}
