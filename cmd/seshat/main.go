// Command seshat finds and reads the sessions that AI coding agents leave on a
// person's disk.
package main

import (
	"os"

	"github.com/seshat-dev/seshat/internal/cli"
)

// version is set by release builds.
var version = "dev"

func main() {
	keepRoom()
	os.Exit(cli.Run(cli.FromOS(version)))
}
