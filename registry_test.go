package seshat

import (
	"slices"
	"testing"
)

// What names the agents and what makes their adapters are two lists of the same.
func TestAgentsAreThoseOfTheAdapters(t *testing.T) {
	all, err := adapters()
	if err != nil {
		t.Fatal(err)
	}
	if got, want := Agents(), agentNames(all); !slices.Equal(got, want) {
		t.Errorf("the agents are %q, their adapters %q", got, want)
	}
}
