package cli

import (
	"bufio"
	"fmt"
	"strings"

	"github.com/seshat-dev/seshat/internal/term"
)

// irreversible is what a person is asked before it is done.
type irreversible struct {
	command, before, shown string // what asks, before what, and what --dry-run shows
	question               string
	list                   func() // prints what it is about
}

// confirmed asks on the terminal. Without one it is an error.
func (a *app) confirmed(x irreversible) (bool, error) {
	if !term.IsTerminal(a.p.Stdin) || !term.IsTerminal(a.p.Stderr) {
		return false, fmt.Errorf("%s asks before it %s, and there is no terminal to ask on; --yes answers for you, --dry-run shows what would %s", x.command, x.before, x.shown)
	}
	a.progress.clear()
	x.list()
	if err := a.out.Flush(); err != nil {
		return false, err
	}
	fmt.Fprintf(a.p.Stderr, "%s It cannot be undone. [y/N] ", x.question)
	answer, _ := bufio.NewReader(a.p.Stdin).ReadString('\n')
	switch strings.ToLower(strings.TrimSpace(answer)) {
	case "y", "yes":
		return true, nil
	}
	return false, nil
}
