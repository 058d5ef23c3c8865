//go:build !unix

package hook

import (
	"io/fs"
	"os"
)

func replaceable(fs.FileInfo) error { return nil }

func keepOwner(*os.File, fs.FileInfo) error { return nil }
