// Command seshat finds and reads the sessions that AI coding agents leave on a
// person's disk.
package main

import (
	"os"
	"runtime/debug"

	"github.com/seshat-dev/seshat/internal/cli"
)

// version is set by release builds.
var version = "dev"

// growth is how much the heap may grow, in percent, before memory is looked through
// for what is not in use. A command is over before a smaller number would pay.
const growth = 400

func main() {
	debug.SetGCPercent(growth)
	os.Exit(cli.Run(cli.FromOS(version)))
}
