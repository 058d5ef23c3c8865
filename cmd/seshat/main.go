// Command seshat finds and reads the sessions that AI coding agents leave on a
// person's disk.
package main

import (
	"os"
	"runtime"

	"github.com/seshat-dev/seshat/internal/cli"
)

// version is set by release builds.
var version = "dev"

// room is how much memory may fill up, in bytes, before it is looked through for what
// is not in use: most commands are over before that would pay. It is asked for and
// never touched, so that it costs nothing and only moves the mark.
const room = 16 << 20

func main() {
	untouched := make([]byte, room)
	code := cli.Run(cli.FromOS(version))
	runtime.KeepAlive(untouched)
	os.Exit(code)
}
