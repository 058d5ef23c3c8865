package blackbox

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/seshat-dev/seshat/internal/demo"
)

// What the README prints is what the program prints on the sample home.
func TestReadmeShowsRealOutput(t *testing.T) {
	readme, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	h := New(t)
	h.Vars["TZ"] = "UTC"
	if err := demo.Unpack(h.Dir); err != nil {
		t.Fatal(err)
	}
	runs := 0
	for _, block := range regexp.MustCompile("(?s)```console\n(.*?)```").FindAllStringSubmatch(string(readme), -1) {
		for _, run := range strings.Split(block[1], "$ seshat ")[1:] {
			command, want, _ := strings.Cut(run, "\n")
			if got := h.Run(words(command)...).Stdout; got != want {
				t.Errorf("seshat %s prints\n%s\nthe README has\n%s", command, got, want)
			}
			runs++
		}
	}
	if runs < 2 {
		t.Errorf("the README shows %d runs", runs)
	}
}

// The commands of the first ten minutes find something in the sample home.
func TestReadmeCommandsWork(t *testing.T) {
	readme, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	_, part, _ := strings.Cut(string(readme), "## The first ten minutes")
	_, part, _ = strings.Cut(part, "```sh\n")
	part, _, _ = strings.Cut(part, "```")
	h := New(t)
	if err := demo.Unpack(h.Dir); err != nil {
		t.Fatal(err)
	}
	runs := 0
	for _, line := range lines(part) {
		command, _, _ := strings.Cut(strings.TrimPrefix(line, "seshat "), "#")
		command, _, _ = strings.Cut(command, " | ")
		if r := h.Run(words(command)...); r.Code != 0 {
			t.Errorf("seshat %s exits with %d: %s", command, r.Code, r.Stderr)
		}
		runs++
	}
	if runs < 8 {
		t.Errorf("%d commands", runs)
	}
}

// words splits a command at spaces, those inside single quotes left alone.
func words(command string) []string {
	var out []string
	for i, part := range strings.Split(command, "'") {
		if i%2 == 1 {
			out = append(out, part)
		} else {
			out = append(out, strings.Fields(part)...)
		}
	}
	return out
}

// Every example on every help page runs on the sample home, though it may find nothing
// there: none is a mistake in usage. Those that write to a folder of the person's, read one
// that is not there, or do not end are left out.
func TestHelpExamplesRun(t *testing.T) {
	h := withArchive(t)
	if err := demo.Unpack(h.Dir); err != nil {
		t.Fatal(err)
	}
	commands := regexp.MustCompile(`(?m)^  ([a-z]+)  `)
	var pages [][]string
	for _, name := range commands.FindAllStringSubmatch(h.Run("--help").Stdout, -1) {
		pages = append(pages, []string{name[1]})
	}
	_, list, _ := strings.Cut(h.Run("archive", "--help").Stdout, "Available Commands:")
	for _, name := range commands.FindAllStringSubmatch(list, -1) {
		pages = append(pages, []string{"archive", name[1]})
	}
	h.Vars["PATH"] = filepath.Dir(h.Write("bin/claude", "#!/bin/sh\n", 0o700)) // an agent that does nothing
	runs := 0
	for _, page := range pages {
		_, examples, _ := strings.Cut(h.Run(append(page, "--help")...).Stdout, "\nExamples:\n")
		examples, _, _ = strings.Cut(examples, "\n\n")
		for _, line := range lines(examples) {
			command, _, _ := strings.Cut(strings.TrimPrefix(strings.TrimSpace(line), "seshat "), " | ")
			command, _, _ = strings.Cut(command, " >")
			if runs++; regexp.MustCompile(`^archive (watch|export|import|hook)`).MatchString(command) {
				continue
			}
			r := h.Do(Run{Args: words(command), Free: page[0] == "restore"})
			if r.Code == 2 && !strings.Contains(r.Stderr, "nothing found, but not everything could be read") {
				t.Errorf("seshat %s exits with %d: %s", command, r.Code, r.Stderr)
			}
		}
	}
	if runs < 35 {
		t.Errorf("%d examples", runs)
	}
}
