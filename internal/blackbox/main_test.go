package blackbox

import (
	"os"
	"testing"
)

func TestMain(m *testing.M) {
	if helper := helpers[os.Getenv("BLACKBOX_HELPER")]; helper != nil {
		os.Exit(helper()) // this process is a tool of a test
	}
	code := m.Run()
	Clean()
	os.Exit(code)
}

// helpers are what the test binary can do for a test in a process of its own.
var helpers = map[string]func() int{}
