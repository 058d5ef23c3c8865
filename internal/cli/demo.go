package cli

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/seshat-dev/seshat/internal/demo"
	"github.com/seshat-dev/seshat/internal/term"
)

// demoSession is the session of the sample home that the demo opens.
const demoSession = "4d7d11a9"

// demoRuns are the commands that the demo shows, on the sample home.
var demoRuns = [][]string{
	{"sessions"},
	{"grep", "-i", "backoff with jitter"},
	{"show", demoSession + ":5", "-C", "1"},
}

func (a *app) demoCommand() *cobra.Command {
	var keep bool
	cmd := &cobra.Command{
		Use:   "demo",
		Short: "Try seshat on a small sample home with invented sessions",
		Long: "demo unpacks a sample home into a temporary folder, runs a few commands on it and removes it. It\n" +
			"never looks at your own home. With --keep the folder stays, to try more.\n\n" +
			"Exit codes: 0 it ran; 2 an error.",
		Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error { return a.demo(keep) },
	}
	cmd.Flags().BoolVar(&keep, "keep", false, "leave the sample home in place and print where it is")
	return cmd
}

func (a *app) demo(keep bool) error {
	dir, err := os.MkdirTemp(a.p.TempDir, "seshat-demo-")
	if err != nil {
		return fmt.Errorf("no temporary folder can be made: %w", err)
	}
	if !keep {
		defer os.RemoveAll(dir)
	}
	if err := demo.Unpack(dir); err != nil {
		return fmt.Errorf("the sample home cannot be unpacked to %s: %w", dir, err)
	}
	for i, args := range demoRuns {
		if i > 0 {
			fmt.Fprintln(a.out)
		}
		fmt.Fprintln(a.out, a.paint.Paint(term.Count, "$ seshat "+quoted(args)))
		if err := a.out.Flush(); err != nil {
			return err
		}
		if code := Run(a.inHome(dir, args)); code != exitFound {
			return fmt.Errorf("the demo's command %s ended with code %d", quoted(args), code)
		}
	}
	if keep {
		fmt.Fprintf(a.out, "\nThe sample home stays in %s. To go on with it:\n  HOME=%s seshat sessions --all\n", dir, dir)
	}
	return nil
}

// inHome is this process with another home and nothing that leads out of it.
func (a *app) inHome(dir string, args []string) Process {
	p := a.p
	p.Home, p.WorkDir, p.TempDir = dir, dir, filepath.Join(dir, "tmp")
	p.Vars = map[string]string{"NO_COLOR": a.p.Vars["NO_COLOR"], "TERM": a.p.Vars["TERM"]}
	p.Args = append([]string{"--color", a.color, "--no-progress"}, args...)
	return p
}

func quoted(args []string) string {
	var out []string
	for _, arg := range args {
		if strings.ContainsAny(arg, " \"'$") {
			arg = "'" + arg + "'"
		}
		out = append(out, arg)
	}
	return strings.Join(out, " ")
}
