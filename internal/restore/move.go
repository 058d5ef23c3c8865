package restore

import (
	"errors"
	"os"
)

// errNoWay says that the system cannot do what is asked in one step here.
var errNoWay = errors.New("this system cannot do that in one step here")

// names gives and takes names below a folder.
type names struct {
	*os.Root
	plain bool // do without what only some systems can do in one step
}

// give gives a file a name that must be free, and says os.ErrExist where it is not.
func (n names) give(from, to string) error {
	err := errNoWay
	if !n.plain {
		err = renameNew(n.Root, from, to)
	}
	if !errors.Is(err, errNoWay) {
		return err
	}
	if err := n.Link(from, to); err != nil {
		return err
	}
	return n.Remove(from)
}

// exchange exchanges the names of two files.
func (n names) exchange(a, b string) error {
	if n.plain {
		return errNoWay
	}
	return exchange(n.Root, a, b)
}

// swap gives the bytes of a step the name of the file that gives way, and tells under
// which name that one is now.
func (n names) swap(s step) (string, error) {
	name, temp := string(s.Name), string(s.Temp)
	err := n.exchange(temp, name)
	if !errors.Is(err, errNoWay) {
		return temp, err
	}
	// For a moment nothing has the name. A run that is killed then is undone.
	if err := n.give(name, s.aside()); err != nil {
		return "", err
	}
	if err := n.give(temp, name); err != nil {
		return "", errors.Join(err, n.give(s.aside(), name))
	}
	return s.aside(), nil
}
