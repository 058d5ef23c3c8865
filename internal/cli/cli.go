// Package cli is seshat's command line: flags in, text or JSON out. It finds
// nothing and reads no file of an agent itself; every answer comes from the
// library, and every piece of content passes through internal/term.
//
// A reader may rely on the exit codes: 0 something was found or done; 1 nothing,
// and that is certain; 2 wrong usage, an error, or nothing found but something
// could not be read; 3 secrets found some, or archive verify found damage.
package cli

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"unicode"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"github.com/seshat-dev/seshat"
	"github.com/seshat-dev/seshat/internal/crash"
	"github.com/seshat-dev/seshat/internal/term"
)

// The exit codes.
const (
	exitFound       = 0
	exitNothing     = 1
	exitError       = 2
	exitFault       = 3   // credentials, or damage in the archive, were found
	exitInterrupted = 130 // by Ctrl-C, as shells have it
)

// Process is what the command line gets from its process.
type Process struct {
	Args    []string // without the program's name
	Program string   // absolute path of the program; empty when it is not known
	Home    string
	WorkDir string
	TempDir string
	Vars    map[string]string
	Stdin   *os.File
	Stdout  *os.File
	Stderr  *os.File
	Version string
	Build   string // the version and which file runs; nothing is cached when empty
}

// FromOS reads the process that runs.
func FromOS(version string) Process {
	p := Process{
		Args: os.Args[1:], Program: program(), TempDir: os.TempDir(), Vars: map[string]string{},
		Stdin: os.Stdin, Stdout: os.Stdout, Stderr: os.Stderr, Version: version, Build: build(version),
	}
	if home, err := os.UserHomeDir(); err == nil && home != "" {
		p.Home = filepath.Clean(home)
	}
	p.WorkDir, _ = os.Getwd()
	for _, kv := range os.Environ() {
		if name, value, ok := strings.Cut(kv, "="); ok {
			p.Vars[name] = value
		}
	}
	return p
}

// program gives the path of the program by the name that it was called by, which outlives
// an update that has a link lead to another file.
func program() string {
	exe, err := os.Executable()
	if err != nil {
		return ""
	}
	named, err := exec.LookPath(os.Args[0])
	if err != nil {
		return exe
	}
	path, err := filepath.Abs(named)
	if err != nil {
		return exe
	}
	is, err := os.Stat(path)
	was, err2 := os.Stat(exe)
	if err != nil || err2 != nil || !os.SameFile(is, was) {
		return exe
	}
	return path
}

// build tells this program from any other, also from one of the same version that
// was built on the way to the next.
func build(version string) string {
	path, err := os.Executable()
	if err != nil {
		return ""
	}
	fi, err := os.Stat(path)
	if err != nil {
		return ""
	}
	return fmt.Sprintf("%s %d %d", version, fi.Size(), fi.ModTime().UnixNano())
}

// Run runs the command line and gives its exit code.
func Run(p Process) int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	a := newApp(p)
	root := a.command()
	root.SetArgs(p.Args)
	root.SetContext(ctx)
	err := crash.Caught(root.Execute)
	for _, lib := range a.open {
		_ = lib.Close() // it only read
	}
	a.progress.clear()
	err = a.flushed(err)
	if ctx.Err() != nil && !a.agentRan {
		return exitInterrupted
	}
	return a.code(err)
}

// flushed writes what is left of the output. An exit code says what the output holds, so
// that it is worth nothing where the output is lost.
func (a *app) flushed(err error) error {
	ferr := a.out.Flush()
	var code codeError
	if ferr == nil || err != nil && !errors.As(err, &code) || err != nil && errors.Is(ferr, syscall.EPIPE) {
		return err
	}
	return fmt.Errorf("the output cannot be written: %w", ferr)
}

// codeError ends a command with an exit code and no message of its own.
type codeError int

func (codeError) Error() string { return "" }

// code says what went wrong and gives the exit code.
func (a *app) code(err error) int {
	var code codeError
	switch {
	case err == nil:
		return exitFound
	case errors.As(err, &code):
		return int(code)
	case errors.Is(err, syscall.EPIPE):
		return exitFound // whoever read the output has enough
	}
	fmt.Fprintf(a.p.Stderr, "seshat: %s\n", term.Text(a.tilde(a.mask(plainly(err.Error())))))
	var ambiguous *seshat.AmbiguousError
	if errors.As(err, &ambiguous) {
		for _, c := range ambiguous.Candidates {
			fmt.Fprintf(a.p.Stderr, "  %s  %s\n", term.Line(a.mask(c.Handle)), term.Line(a.path(a.mask(c.Path))))
		}
	}
	return exitError
}

// How cobra says that flags exclude each other, and that there are too many or too few
// arguments.
const (
	together = `^if any flags in the group \[.*\] are set none of the others can be; \[(\S+) (\S+).*\] were all set$`
	counted  = `^accepts (?:at most )?(\d+) arg\(s\), received (\d+)$`
)

// plainly puts what cobra says into a sentence.
func plainly(message string) string {
	if m := regexp.MustCompile(together).FindStringSubmatch(message); m != nil {
		return fmt.Sprintf("--%s and --%s cannot be given together", m[1], m[2])
	}
	if m := regexp.MustCompile(counted).FindStringSubmatch(message); m != nil {
		n, _ := strconv.Atoi(m[1])
		return fmt.Sprintf("the command takes %s, not %s; --help shows how it is used", plural(n, "argument"), m[2])
	}
	if word, ok := strings.CutPrefix(message, "unknown command "); ok {
		return "the command takes no argument " + strings.SplitN(word, " for ", 2)[0]
	}
	return message
}

// app is one run of the command line.
type app struct {
	p        Process
	out      *bufio.Writer
	progress *progress
	paint    term.Painter
	tty      bool

	agents     []string
	roots      []string
	config     string
	color      string
	absolute   bool
	noProgress bool
	quiet      bool
	reveal     bool

	lib      *seshat.Library   // the one opened last
	open     []*seshat.Library // all of them, to be closed at the end
	agentRan bool              // an agent has run, and its exit code is ours
}

func newApp(p Process) *app {
	a := &app{p: p, tty: term.IsTerminal(p.Stdout)}
	a.progress = &progress{w: p.Stderr}
	a.out = bufio.NewWriterSize(a.progress.before(p.Stdout), 64<<10)
	return a
}

// options are the world that this run looks at.
func (a *app) options() seshat.Options {
	return seshat.Options{
		Home: a.p.Home, Vars: a.p.Vars, WorkDir: a.p.WorkDir, TempDir: a.p.TempDir,
		Agents: a.agents, Roots: a.roots, Config: a.config, Build: a.p.Build,
	}
}

// library opens the library with the flags of this run.
func (a *app) library() (*seshat.Library, error) {
	opts := a.options()
	if a.watched() {
		opts.Progress = a.progress.show
	}
	if a.p.Home == "" && len(a.roots) == 0 {
		return nil, fmt.Errorf("no home folder is known, so there is nowhere to look; set HOME, or name a folder with --root AGENT=DIR")
	}
	lib, err := seshat.Open(opts)
	if err == nil {
		a.open = append(a.open, lib)
		a.lib = lib
		if err := a.revealed(); err != nil {
			return nil, err
		}
		for _, problem := range lib.ConfigProblems() {
			a.note("%s", a.tilde(problem))
		}
	}
	return lib, err
}

// path writes a path for people: below the home it starts with ~/.
func (a *app) path(p string) string {
	if a.absolute || a.p.Home == "" || a.p.Home == "/" {
		return p
	}
	if p == a.p.Home {
		return "~"
	}
	if rest, ok := strings.CutPrefix(p, a.p.Home); ok && (rest[0] == '/' || rest[0] == '\\') {
		return "~/" + rest[1:]
	}
	return p
}

// tilde writes the paths in a message for people. A path that only holds the home's, as
// that of a backup does, stays as it is.
func (a *app) tilde(message string) string {
	if a.absolute || a.p.Home == "" || a.p.Home == "/" {
		return message
	}
	parts := strings.Split(message, a.p.Home+"/")
	out := parts[0]
	for _, part := range parts[1:] {
		if r, _ := utf8.DecodeLastRuneInString(out); out != "" && (unicode.IsLetter(r) || unicode.IsDigit(r) || strings.ContainsRune("/._-~", r)) {
			out += a.p.Home + "/" + part
		} else {
			out += "~/" + part
		}
	}
	return out
}

// command builds the command tree.
func (a *app) command() *cobra.Command {
	root := &cobra.Command{
		Use:   "seshat",
		Short: "Find, read, keep and bring back the sessions that AI coding agents leave on your disk",
		Long: "seshat finds, reads, keeps and brings back the sessions that AI coding agents leave on your disk.\n" +
			"It needs no daemon and sends nothing anywhere. Files of an agent are changed by restore, resume and\n" +
			"archive hook --write alone.\n\n" +
			"Exit codes: 0 something was found or done; 1 nothing, and that is certain;\n" +
			"2 wrong usage, an error, or nothing found but something could not be read;\n" +
			"3 secrets found some, or archive verify found damage.",
		SilenceErrors: true,
		SilenceUsage:  true,
		Version:       a.p.Version,
		Args:          cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return cmd.Help()
			}
			return unknownCommand(cmd, args[0])
		},
		PersistentPreRunE: func(*cobra.Command, []string) error { return a.settle() },
	}
	root.SetOut(a.out)
	root.SetErr(a.p.Stderr)
	root.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error {
		if word := a.firstWord(cmd); cmd == root && word != "" {
			return unknownCommand(root, word)
		}
		return fmt.Errorf("%w; %s --help lists the flags", err, cmd.CommandPath())
	})
	f := root.PersistentFlags()
	f.StringSliceVar(&a.agents, "agent", nil, "only these agents ("+strings.Join(seshat.Agents(), ", ")+")")
	f.StringArrayVar(&a.roots, "root", nil, "AGENT=DIR: read this data folder instead of the agent's own (repeatable)")
	f.StringVar(&a.config, "config", "", "config file instead of the usual one")
	f.StringVar(&a.color, "color", "auto", "auto, always or never")
	f.BoolVar(&a.absolute, "absolute-path", false, "print absolute paths instead of ~/")
	f.BoolVar(&a.noProgress, "no-progress", false, "show no progress on the terminal")
	f.BoolVar(&a.reveal, "reveal", false, "show credentials as they stand, where else a marker stands for each")
	f.BoolVarP(&a.quiet, "quiet", "q", false, "print no notes about what was left out or damaged")
	_ = root.RegisterFlagCompletionFunc("agent", fixed(seshat.Agents()...))
	_ = root.RegisterFlagCompletionFunc("color", fixed("auto", "always", "never"))
	root.SetHelpCommand(helpCommand())
	root.AddCommand(a.searchCommand(), a.grepCommand(), a.findCommand(), a.recordsCommand(), a.sessionsCommand(), a.projectsCommand(),
		a.expiringCommand(), a.archiveCommand(), a.showCommand(), a.restoreCommand(), a.resumeCommand(), a.storesCommand(), a.secretsCommand(), a.demoCommand())
	root.InitDefaultCompletionCmd()
	for _, c := range root.Commands() {
		if c.Name() == "completion" {
			c.RunE = func(cmd *cobra.Command, args []string) error {
				if len(args) > 0 {
					return fmt.Errorf("there is no completion for %q; seshat completion --help lists the shells", args[0])
				}
				return cmd.Help()
			}
		}
	}
	return root
}

// helpCommand prints the help page of a command, and knows when there is none.
func helpCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "help [COMMAND]",
		Short: "Show the help page of a command",
		RunE: func(cmd *cobra.Command, args []string) error {
			target, rest, err := cmd.Root().Find(args)
			if err != nil || len(args) > 0 && target == cmd.Root() || len(rest) > 0 {
				return unknownCommand(cmd.Root(), args[0])
			}
			target.InitDefaultHelpFlag()
			target.InitDefaultVersionFlag()
			return target.Help()
		},
	}
}

// firstWord gives the first argument that is no flag and no flag's value.
func (a *app) firstWord(root *cobra.Command) string {
	for i := 0; i < len(a.p.Args); i++ {
		arg := a.p.Args[i]
		switch name, isLong := strings.CutPrefix(arg, "--"); {
		case arg == "--":
			return ""
		case isLong:
			if f := root.PersistentFlags().Lookup(name); f != nil && f.NoOptDefVal == "" {
				i++
			}
		case !strings.HasPrefix(arg, "-"):
			return arg
		}
	}
	return ""
}

// settle checks the flags that every command takes.
func (a *app) settle() error {
	switch a.color {
	case "auto":
		a.paint = term.Painter(a.tty && a.p.Vars["NO_COLOR"] == "" && a.p.Vars["TERM"] != "dumb")
	case "always":
		a.paint = true
	case "never":
		a.paint = false
	default:
		return fmt.Errorf("--color takes auto, always or never, not %q", a.color)
	}
	return nil
}

// unknownCommand names the command that is nearest to what was typed.
func unknownCommand(root *cobra.Command, typed string) error {
	near, best := "", 4
	for _, c := range root.Commands() {
		if c.Hidden {
			continue
		}
		d := seshat.Distance(typed, c.Name())
		if strings.HasPrefix(c.Name(), typed) {
			d = 0
		}
		if d < best && d < len(typed) {
			near, best = c.Name(), d
		}
	}
	if near == "" {
		return fmt.Errorf("there is no command %q; %s --help lists them", typed, root.CommandPath())
	}
	return fmt.Errorf("there is no command %q; did you mean %s %s?", typed, root.CommandPath(), near)
}
