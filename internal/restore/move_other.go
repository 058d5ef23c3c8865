//go:build !linux && !darwin

package restore

import "os"

func renameNew(*os.Root, string, string) error { return errNoWay }

func exchange(*os.Root, string, string) error { return errNoWay }
