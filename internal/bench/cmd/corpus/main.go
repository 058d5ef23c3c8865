// Command corpus writes a tree of transcripts for measuring, and prints as JSON
// what is in it: go run ./internal/bench/cmd/corpus -size 200m DIR
package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"

	"github.com/seshat-dev/seshat/internal/bench/corpus"
)

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "corpus:", err)
		os.Exit(2)
	}
}

func run() error {
	agent := flag.String("agent", "claude", "whose transcripts: claude or gemini")
	size := flag.String("size", "200m", "how large: 2m, 200m, 1g or 7g")
	seed := flag.Uint64("seed", 1, "another seed makes another tree")
	goroutines := flag.Int("j", 2, "how many goroutines write; the tree is the same")
	flag.Parse()
	if flag.NArg() != 1 {
		return fmt.Errorf("name the folder that becomes the home, for example: corpus -size 200m /tmp/home")
	}
	spec, err := corpus.Named(*agent, *size)
	if err != nil {
		return err
	}
	spec.Seed = *seed
	tree, err := corpus.Write(flag.Arg(0), spec, *goroutines)
	if err != nil {
		return err
	}
	out := json.NewEncoder(os.Stdout)
	out.SetIndent("", "  ")
	out.SetEscapeHTML(false)
	return out.Encode(tree)
}
