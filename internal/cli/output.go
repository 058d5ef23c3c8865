package cli

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"sync"

	"github.com/spf13/cobra"

	"github.com/seshat-dev/seshat/internal/crash"
	"github.com/seshat-dev/seshat/internal/term"
	"github.com/seshat-dev/seshat/record"
)

// form is how an answer is printed.
type form struct{ json, ndjson bool }

func (f *form) flags(cmd *cobra.Command) {
	cmd.Flags().BoolVar(&f.json, "json", false, "one JSON object with all items and a summary")
	cmd.Flags().BoolVar(&f.ndjson, "ndjson", false, "one JSON object a line, the summary last")
	cmd.MarkFlagsMutuallyExclusive("json", "ndjson")
}

func (f form) structured() bool { return f.json || f.ndjson }

// answerSchema is the schema of an answer printed as one object.
const answerSchema = "seshat.answer/1"

// items prints the objects of an answer as they come.
type items struct {
	a      *app
	f      form
	count  int
	buffer bytes.Buffer // of the object at hand
}

// start begins an answer in a structured form.
func (a *app) start(f form) *items {
	if f.json {
		fmt.Fprintf(a.out, "{\"schema\":%q,\"items\":[", answerSchema)
	}
	return &items{a: a, f: f}
}

// add prints one object.
func (it *items) add(v any) error {
	b, err := encodeIn(&it.buffer, v)
	if err != nil {
		return err
	}
	return it.write(b)
}

// objects prints n objects that are there already, encoded on all cores, and the summary
// of the answer.
func (a *app) objects(f form, n int, object func(i int) any, ans *record.Answer) error {
	encoded, errs := make([][]byte, n), make([]error, n)
	workers := min(runtime.GOMAXPROCS(0), 1+n/256)
	crashes := make([]error, workers)
	var all sync.WaitGroup
	for w := range workers {
		all.Go(func() {
			crashes[w] = crash.Caught(func() error {
				for i := w * n / workers; i < (w+1)*n/workers; i++ {
					encoded[i], errs[i] = encode(object(i))
				}
				return nil
			})
		})
	}
	all.Wait()
	if err := errors.Join(crashes...); err != nil {
		return err
	}
	items := a.start(f)
	for i, b := range encoded {
		if errs[i] != nil {
			return errs[i]
		}
		if err := items.write(b); err != nil {
			return err
		}
	}
	return items.end(ans)
}

// write prints one object that is encoded.
func (it *items) write(b []byte) error {
	if it.f.json && it.count > 0 {
		it.a.out.WriteByte(',')
	}
	it.count++
	if it.f.json {
		b = append([]byte("\n"), bytes.TrimSuffix(b, []byte("\n"))...)
	}
	_, err := it.a.out.Write(b)
	return err
}

// end prints the summary of an answer and gives its exit code.
func (it *items) end(ans *record.Answer) error {
	b, err := encode(ans.JSON(it.a.path))
	if err != nil {
		return err
	}
	return it.endEncoded(b, ans)
}

func (it *items) endEncoded(b []byte, ans *record.Answer) error {
	if it.f.json {
		fmt.Fprintf(it.a.out, "\n],\"summary\":%s}\n", bytes.TrimSuffix(b, []byte("\n")))
	} else if _, err := it.a.out.Write(b); err != nil {
		return err
	}
	return exitOf(ans)
}

func encode(v any) ([]byte, error) { return encodeIn(new(bytes.Buffer), v) }

// encodeIn encodes in the memory of a buffer, until that is used again.
func encodeIn(b *bytes.Buffer, v any) ([]byte, error) {
	b.Reset()
	e := json.NewEncoder(b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return nil, err
	}
	return term.JSON(b.Bytes()), nil
}

// exitOf is the exit code of an answer.
func exitOf(ans *record.Answer) error {
	switch {
	case ans.Matches > 0:
		return nil
	case ans.Complete:
		return codeError(exitNothing)
	}
	return codeError(exitError)
}

// maxNotes is how many warnings are printed for people; JSON has them all.
const maxNotes = 3

// finish prints what an answer in text has to say about itself, on stderr, and
// gives the exit code.
func (a *app) finish(ans *record.Answer) error {
	if err := a.out.Flush(); err != nil {
		return err
	}
	if !a.quiet {
		for i, w := range ans.Warnings {
			if i == maxNotes {
				a.note("%d more such notes; --json has them all", len(ans.Warnings)-maxNotes)
				break
			}
			a.note("%s", a.warning(w))
		}
		a.note("%s", hiddenNote(ans.Hidden))
		if ans.Matches == 0 {
			a.note("%s", nothingNote(ans))
		}
	}
	return exitOf(ans)
}

// note prints a line for people on stderr, unless it is empty.
func (a *app) note(format string, args ...any) {
	text := fmt.Sprintf(format, args...)
	if text == "" || a.quiet {
		return
	}
	a.progress.clear()
	fmt.Fprintf(a.p.Stderr, "seshat: %s\n", term.Line(a.mask(text)))
}

func (a *app) warning(w record.Warning) string {
	place := a.path(w.Path)
	switch {
	case place == "":
		return w.Reason
	case w.Line > 0:
		return fmt.Sprintf("%s:%d: %s", place, w.Line, w.Reason)
	}
	return fmt.Sprintf("%s: %s", place, w.Reason)
}

// hiddenNote says what a default left out.
func hiddenNote(h record.Hidden) string {
	var parts []string
	for _, p := range []struct {
		n    int
		what string
	}{
		{h.Print, "from print-mode runs (--all)"}, {h.Subagent, "of subagents without a transcript of their own (--all)"},
		{h.Superseded, "taken back or rewritten (--superseded)"}, {h.Copy, "copies of records in earlier sessions (--copies)"},
		{h.Excluded, "excluded by the config"},
	} {
		if p.n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", p.n, p.what))
		}
	}
	if len(parts) == 0 {
		return ""
	}
	return "not shown: " + strings.Join(parts, ", ")
}

func nothingNote(ans *record.Answer) string {
	switch {
	case ans.Complete && ans.Sources.Read == 0:
		return "nothing found: no agent has left a session here"
	case ans.Complete:
		return fmt.Sprintf("nothing found in %s", plural(ans.Sources.Read, "file"))
	}
	var lost []string
	if n := ans.Sources.Failed; n > 0 {
		lost = append(lost, plural(n, "file")+" not at all")
	}
	if n := ans.DamagedLines + ans.Pending; n > 0 {
		lost = append(lost, plural(n, "line")+" only in part")
	}
	if len(lost) == 0 {
		lost = append(lost, "some text of a kind that seshat does not know")
	}
	return "nothing found, but not everything could be read: " + strings.Join(lost, " and ")
}

func plural(n int, word string) string {
	if n == 1 {
		return "1 " + word
	}
	return fmt.Sprintf("%d %ss", n, word)
}
