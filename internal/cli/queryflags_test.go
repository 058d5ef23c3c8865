package cli

import (
	"strings"
	"testing"

	"github.com/seshat-dev/seshat"
)

// The help page of search names every field there is.
func TestHelpListsFields(t *testing.T) {
	help := (&app{}).searchCommand().Long
	for _, f := range seshat.Fields() {
		if !strings.Contains(help, "\n  "+f.Name+" ") || !strings.Contains(help, f.Example+"\n") {
			t.Errorf("%s: is not on the page", f.Name)
		}
	}
}
