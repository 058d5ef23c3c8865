// Command bench times seshat on a tree that the command corpus made, next to
// ripgrep where that is installed, and checks that seshat counts what was planted.
// It prints a Markdown table. It fails when a count is wrong, never because of a
// time.
//
// The programs run with the tree as their home and with folders beside it for
// what they keep: the machine's own home is not read.
package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"regexp"

	"github.com/seshat-dev/seshat/internal/bench/corpus"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, os.Args[1:], os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, args []string, out io.Writer) error {
	f := flag.NewFlagSet("bench", flag.ContinueOnError)
	seshat := f.String("seshat", "bin/seshat", "the program to measure")
	rg := f.String("rg", "rg", "the program to compare with; left out where it is not installed")
	home := f.String("home", "", "the folder that corpus wrote; what it printed stands in the same name with .json")
	runs := f.Int("n", 5, "how often each is run")
	only := f.String("only", "", "only rows whose name matches this regular expression")
	if err := f.Parse(args); err != nil {
		return err
	}
	if *home == "" {
		return fmt.Errorf("name a tree: -home DIR")
	}
	b, err := newBench(*seshat, *rg, *home)
	if err != nil {
		return err
	}
	if b.only, err = regexp.Compile(*only); err != nil {
		return err
	}
	b.runs, b.out = max(*runs, 1), out
	return b.run(ctx)
}

// bench is one run of all measurements on one tree.
type bench struct {
	seshat, rg string // rg is empty where it is not installed
	home       string
	own        string // where seshat keeps its own things
	tree       corpus.Tree
	runs       int
	only       *regexp.Regexp
	out        io.Writer
	wrong      int // counts
}

func newBench(seshat, rg, home string) (*bench, error) {
	b := &bench{}
	var err error
	if b.home, err = filepath.Abs(home); err != nil {
		return nil, err
	}
	if b.seshat, err = filepath.Abs(seshat); err != nil {
		return nil, err
	}
	if b.rg, err = exec.LookPath(rg); err != nil {
		b.rg = ""
	}
	b.own = b.home + ".own"
	told, err := os.ReadFile(b.home + ".json")
	if err != nil {
		return nil, fmt.Errorf("what is planted in the tree is not known: %w", err)
	}
	if err := json.Unmarshal(told, &b.tree); err != nil {
		return nil, fmt.Errorf("%s.json: %w", b.home, err)
	}
	return b, nil
}

// env is the whole environment of the programs.
func (b *bench) env() []string {
	env := []string{
		"HOME=" + b.home, "USERPROFILE=" + b.home, "TMPDIR=" + b.own,
		"XDG_CACHE_HOME=" + filepath.Join(b.own, "cache"), "XDG_CONFIG_HOME=" + filepath.Join(b.own, "config"),
		"XDG_DATA_HOME=" + filepath.Join(b.own, "data"), "XDG_STATE_HOME=" + filepath.Join(b.own, "state"),
		"LOCALAPPDATA=" + filepath.Join(b.own, "cache"), "APPDATA=" + filepath.Join(b.own, "config"),
	}
	if root := os.Getenv("SYSTEMROOT"); root != "" { // no program starts on Windows without it
		env = append(env, "SYSTEMROOT="+root)
	}
	return env
}
