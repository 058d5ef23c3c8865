package cli

import (
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"github.com/seshat-dev/seshat"
	"github.com/seshat-dev/seshat/catalog"
	"github.com/seshat-dev/seshat/internal/term"
	"github.com/seshat-dev/seshat/internal/when"
)

// findFlags are the flags of find, with fd's meaning.
type findFlags struct {
	form
	glob, fixed, fullPath bool
	sensitive, ignoreCase bool
	extensions, types     []string
	details, zero         bool
	within                string
	stores, coverages     []string
}

func (a *app) findCommand() *cobra.Command {
	var ff findFlags
	cmd := &cobra.Command{
		Use:   "find [PATTERN]",
		Short: "List the files that agents keep on disk",
		Long: "find lists the sources of every store, private ones by name only. PATTERN is a regular expression\n" +
			"on the file's name, case-insensitive unless it has a capital letter; flags mean what they mean in\n" +
			"fd. On a terminal paths start with ~/; elsewhere they are absolute.\n\n" +
			"Exit codes: 0 a file was found; 1 none was; 2 an error, or none was and a folder could not be listed.",
		Example: "  seshat find -e jsonl --changed-within 2d\n  seshat find -g 'agent-*' -l\n  seshat find --store claude.plans",
		Args:    cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			pattern := ""
			if len(args) > 0 {
				pattern = args[0]
			}
			return a.find(cmd, &ff, pattern)
		},
	}
	f := cmd.Flags()
	f.BoolVarP(&ff.glob, "glob", "g", false, "PATTERN is a glob on the whole name")
	f.BoolVarP(&ff.fixed, "fixed-strings", "F", false, "PATTERN is plain text")
	f.BoolVarP(&ff.fullPath, "full-path", "p", false, "match the whole path, not only the name")
	f.BoolVarP(&ff.sensitive, "case-sensitive", "s", false, "upper and lower case differ")
	f.BoolVarP(&ff.ignoreCase, "ignore-case", "i", false, "upper and lower case are the same")
	f.StringSliceVarP(&ff.extensions, "extension", "e", nil, "only files with this extension")
	f.StringSliceVarP(&ff.types, "type", "t", nil, "only: f file, d folder, l link, s socket, p pipe")
	f.BoolVarP(&ff.details, "list-details", "l", false, "print size, time and store before the path")
	f.BoolVarP(&ff.zero, "print0", "0", false, "end each path with a NUL byte, unescaped")
	f.StringVar(&ff.within, "changed-within", "", "only files changed since then: 2d, 3w, 2026-05-22, yesterday ...")
	f.StringSliceVar(&ff.stores, "store", nil, "only files of these stores")
	coverageFlag(cmd, &ff.coverages, "files of stores")
	ff.form.flags(cmd)
	cmd.MarkFlagsMutuallyExclusive("glob", "fixed-strings")
	cmd.MarkFlagsMutuallyExclusive("case-sensitive", "ignore-case")
	cmd.MarkFlagsMutuallyExclusive("print0", "json", "ndjson", "list-details")
	return cmd
}

func (a *app) find(cmd *cobra.Command, ff *findFlags, pattern string) error {
	if ff.zero && a.tty {
		return fmt.Errorf("find -0 writes raw names, which a terminal could obey: pipe it to another program")
	}
	if err := notEmpty(cmd, "changed-within"); err != nil {
		return err
	}
	wanted, err := ff.filter(pattern, time.Now())
	if err != nil {
		return err
	}
	lib, err := a.library()
	if err != nil {
		return err
	}
	for _, id := range ff.stores {
		if _, err := lib.Store(id); err != nil {
			return err
		}
	}
	list, ans, err := lib.Sources(cmd.Context(), wanted)
	if err != nil {
		return err
	}
	switch {
	case ff.structured():
		return a.objects(ff.form, len(list), func(i int) any { return list[i].JSON(a.path) }, ans)
	case ff.details:
		a.sourceTable(list)
	default:
		for _, s := range list {
			a.printPath(s.Path, ff.zero)
		}
	}
	if len(list) == 0 && ans.Complete {
		a.note("no file that an agent keeps here is like that")
		return codeError(exitNothing)
	}
	return a.finish(ans)
}

func (a *app) printPath(p string, zero bool) {
	switch {
	case zero:
		fmt.Fprintf(a.out, "%s\x00", p)
	case a.tty:
		fmt.Fprintln(a.out, a.paint.Paint(term.Place, term.Line(a.path(p))))
	default:
		fmt.Fprintln(a.out, term.Line(p))
	}
}

func (a *app) sourceTable(list []*seshat.Source) {
	t := table{paint: a.paint, width: term.Columns(a.p.Stdout)}
	for _, s := range list {
		p := s.Path
		if a.tty {
			p = a.path(p)
		}
		size := bytesText(s.Info.Size)
		if s.Info.Mode.IsDir() {
			size = "-"
		}
		mark := string(s.State)
		if s.State == seshat.SourceUnread {
			mark = string(s.Store.Coverage)
		}
		t.add(cell{size, term.Count}, cell{minute(s.Info.MTime), term.Dim}, cell{s.Store.ID, term.Plain},
			cell{mark, term.Dim}, cell{term.Line(p), term.Place})
	}
	t.print(a.out)
}

// filter builds the test that a source must pass.
func (ff *findFlags) filter(pattern string, now time.Time) (func(*seshat.Source) bool, error) {
	named, err := ff.nameTest(pattern)
	if err != nil {
		return nil, err
	}
	types, err := typeTest(ff.types)
	if err != nil {
		return nil, err
	}
	coverages, err := among("coverage", ff.coverages, catalog.Coverages())
	if err != nil {
		return nil, err
	}
	var span when.Span
	if ff.within != "" {
		if span, err = when.Parse(ff.within, now); err != nil {
			return nil, fmt.Errorf("--changed-within: %w", err)
		}
	}
	return func(s *seshat.Source) bool {
		return named(s.Path) && types(s.Info.Mode) && (len(coverages) == 0 || slices.Contains(coverages, s.Store.Coverage)) &&
			(len(ff.stores) == 0 || slices.Contains(ff.stores, s.Store.ID)) && ff.hasExtension(s.Path) &&
			(ff.within == "" || !s.Info.MTime.Before(span.From))
	}, nil
}

func (ff *findFlags) hasExtension(p string) bool {
	if len(ff.extensions) == 0 {
		return true
	}
	name := strings.ToLower(filepath.Base(p))
	for _, e := range ff.extensions {
		if strings.HasSuffix(name, "."+strings.ToLower(strings.TrimPrefix(e, "."))) {
			return true
		}
	}
	return false
}

// nameTest builds the test on a path's name, or with --full-path on all of it.
// Names are compared in Unicode's composed form, since some systems store them
// in another.
func (ff *findFlags) nameTest(pattern string) (func(string) bool, error) {
	flags := seshat.PatternFlags{Fixed: ff.fixed, IgnoreCase: ff.ignoreCase, SmartCase: !ff.sensitive && !ff.ignoreCase}
	if ff.glob {
		if flags.SmartCase {
			flags.IgnoreCase, flags.SmartCase = strings.ToLower(pattern) == pattern, false
		}
		expr, err := globExpression(pattern)
		if err != nil {
			return nil, err
		}
		pattern = expr
	}
	p, err := seshat.CompilePattern([]string{pattern}, flags)
	if err != nil {
		return nil, err
	}
	return func(full string) bool {
		name := strings.TrimSuffix(filepath.ToSlash(full), "/")
		if !ff.fullPath {
			name = path.Base(name)
		}
		return p.Match(name)
	}, nil
}

// globExpression writes a glob as a regular expression on the whole name. It
// knows *, **, ?, [a-z], [!a-z] and {a,b}.
func globExpression(glob string) (string, error) {
	var out strings.Builder
	out.WriteString("^")
	depth := 0
	for i := 0; i < len(glob); i++ {
		switch c := glob[i]; c {
		case '*':
			if strings.HasPrefix(glob[i:], "**") {
				out.WriteString(".*")
				i++
			} else {
				out.WriteString("[^/]*")
			}
		case '?':
			out.WriteString("[^/]")
		case '[':
			n := strings.IndexByte(glob[min(i+2, len(glob)):], ']')
			if n < 0 {
				return "", fmt.Errorf("the glob %q has a [ without its ]", glob)
			}
			class := strings.ReplaceAll(glob[i+1:i+2+n], `\`, `\\`)
			if class[0] == '!' {
				class = "^" + class[1:]
			}
			out.WriteString("[" + class + "]")
			i += n + 2
		case '{':
			out.WriteString("(?:")
			depth++
		case '}', ',':
			switch {
			case depth == 0:
				out.WriteString(regexp.QuoteMeta(string(c)))
			case c == '}':
				out.WriteString(")")
				depth--
			default:
				out.WriteString("|")
			}
		case '\\':
			if i++; i < len(glob) {
				out.WriteString(regexp.QuoteMeta(glob[i : i+1]))
			}
		default:
			if c < utf8.RuneSelf {
				out.WriteString(regexp.QuoteMeta(string(c)))
			} else {
				out.WriteByte(c)
			}
		}
	}
	if depth > 0 {
		return "", fmt.Errorf("the glob %q has a { without its }", glob)
	}
	return out.String() + "$", nil
}

func typeTest(names []string) (func(fs.FileMode) bool, error) {
	var tests []func(fs.FileMode) bool
	for _, name := range names {
		switch name {
		case "f", "file":
			tests = append(tests, fs.FileMode.IsRegular)
		case "d", "dir", "directory":
			tests = append(tests, fs.FileMode.IsDir)
		case "l", "symlink":
			tests = append(tests, func(m fs.FileMode) bool { return m&fs.ModeSymlink != 0 })
		case "s", "socket":
			tests = append(tests, func(m fs.FileMode) bool { return m&fs.ModeSocket != 0 })
		case "p", "pipe":
			tests = append(tests, func(m fs.FileMode) bool { return m&fs.ModeNamedPipe != 0 })
		default:
			return nil, fmt.Errorf("there is no type %q; they are f, d, l, s and p", name)
		}
	}
	return func(m fs.FileMode) bool {
		return len(tests) == 0 || slices.ContainsFunc(tests, func(is func(fs.FileMode) bool) bool { return is(m) })
	}, nil
}
