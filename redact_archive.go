package seshat

import (
	"errors"

	"github.com/seshat-dev/seshat/agent"
	"github.com/seshat-dev/seshat/record"
)

// What is archived and put back is redacted in what is told of it, and never in itself:
// files come back byte for byte, under their own names.

// ran redacts what a run of the archive tells.
func (x *redaction) ran(run *ArchiveRun) *ArchiveRun {
	if x == nil || run == nil {
		return run
	}
	for i := range run.Items {
		it := &run.Items[i]
		it.Session, it.Path = x.line(it.Session), x.id(it.Path)
		it.Pending, it.Reason = x.line(it.Pending), x.line(it.Reason)
	}
	run.Stopped = x.line(run.Stopped)
	return run
}

// exported redacts what is told of a file that was written.
func (x *redaction) exported(f *ExportedFile) *ExportedFile {
	if x == nil {
		return f
	}
	f.Machine, f.Session = x.line(f.Machine), x.line(f.Session)
	f.Source, f.Path, f.Reason = x.id(f.Source), x.id(f.Path), x.line(f.Reason)
	return f
}

// faults redacts what is damaged.
func (x *redaction) faults(list []ArchiveFault) []ArchiveFault {
	if x == nil {
		return list
	}
	for i := range list {
		f := &list[i]
		f.Machine, f.Session, f.Path = x.line(f.Machine), x.line(f.Session), x.id(f.Path)
		f.Pack, f.Reason = x.line(f.Pack), x.line(f.Reason)
	}
	return list
}

// forgetting redacts what is forgotten. By what it is done stays as it is.
func (x *redaction) forgetting(f *Forgetting) *Forgetting {
	if x == nil || f == nil {
		return f
	}
	for i := range f.Items {
		it := &f.Items[i]
		it.Session, it.Path, it.Reason = x.line(it.Session), x.id(it.Path), x.line(it.Reason)
	}
	return f
}

// restored redacts what was put back.
func (x *redaction) restored(r *Restored) *Restored {
	if x == nil || r == nil {
		return r
	}
	x.session(&r.Session)
	for i := range r.Items {
		r.Items[i].Path = x.id(r.Items[i].Path)
	}
	r.Notes = x.each(r.Notes)
	return r
}

// resumption redacts what is told of a session that is opened. What it is opened with
// stays as it is.
func (x *redaction) resumption(r *Resumption) *Resumption {
	if x == nil || r == nil {
		return r
	}
	x.session(&r.Session)
	r.Notes = x.each(r.Notes)
	return r
}

// hookEdits redacts what became of settings.
func (x *redaction) hookEdits(list []HookEdit) []HookEdit {
	if x == nil {
		return list
	}
	for i := range list {
		e := &list[i]
		e.Path, e.Backup, e.Err = x.line(e.Path), x.line(e.Backup), x.failure(e.Err)
	}
	return list
}

// hookStatus redacts how the hook stands.
func (x *redaction) hookStatus(h *HookStatus) *HookStatus {
	if x == nil || h == nil {
		return h
	}
	h.Program = x.line(h.Program)
	for i := range h.Settings {
		s := &h.Settings[i]
		s.Path, s.Problem, s.Rule = x.line(s.Path), x.line(s.Problem), x.rule(s.Rule)
		for j := range s.Entries {
			s.Entries[j].Program = x.line(s.Entries[j].Program)
		}
	}
	for i := range h.Off {
		h.Off[i] = HookOff{x.line(h.Off[i].Folder), x.rule(h.Off[i].Rule)}
	}
	if h.Failure != nil {
		h.Failure.Message = x.line(h.Failure.Message)
	}
	for i := range h.Problems {
		p := &h.Problems[i]
		p.Path, p.Reason = x.line(p.Path), x.line(p.Reason)
	}
	return h
}

func (x *redaction) rule(r agent.Rule) agent.Rule {
	r.Setting, r.Path = x.line(r.Setting), x.line(r.Path)
	return r
}

// failure redacts an error that is part of an answer.
func (x *redaction) failure(err error) error {
	if x == nil || err == nil {
		return err
	}
	return maskedError{x.line(err.Error()), err}
}

// maskedError says what another error says, without the credentials in it.
type maskedError struct {
	text string
	err  error
}

func (e maskedError) Error() string { return e.text }

// Is tells what kind of error it is, and does not hand the other one out.
func (e maskedError) Is(target error) bool { return errors.Is(e.err, target) }

// ranAndAnswer redacts both.
func (x *redaction) ranAndAnswer(run *ArchiveRun, ans *record.Answer) (*ArchiveRun, *record.Answer, error) {
	return x.ran(run), x.answer(ans), nil
}
