package seshat

import (
	"context"
	"errors"
	"strings"
	"time"

	"github.com/seshat-dev/seshat/record"
)

// ArchiveStatus tells how the archive is.
type ArchiveStatus struct {
	Dir       string
	None      bool // there is no archive yet
	Sessions  int
	Files     int
	Versions  int
	Bytes     int64 // of all versions
	Stored    int64 // that the archive takes on the disk
	Free      int64 // of these, bytes that repack would free
	LastRun   time.Time
	Gone      int // files that are on the disk of this machine no more
	Pending   int // files of which not all is kept yet
	Machines  int // that files were kept from
	Forgotten int // sessions that are not kept again
	Risk      ArchiveRisk
}

// ArchiveRisk is what agents may delete soon and is not in the archive, or not wholly.
type ArchiveRisk struct {
	Until    time.Time // soon
	Sessions int
	Files    int
	Bytes    int64
	Earliest time.Time // the first may go; zero when nothing is at risk
}

// riskDays is what soon means.
const riskDays = 7

// ArchiveStatus tells how large the archive is, when something was archived last, and
// what is at risk. An archive that is not there is no error.
func (l *Library) ArchiveStatus(ctx context.Context) (*ArchiveStatus, *record.Answer, error) {
	dir, err := l.ArchiveDir()
	if err != nil {
		return nil, nil, err
	}
	st := &ArchiveStatus{Dir: dir}
	if err := l.countArchive(ctx, st); err != nil {
		return nil, nil, err
	}
	st.Risk.Until = time.Now().AddDate(0, 0, riskDays)
	exp, ans, err := l.disk().Expiring(ctx, ExpiringQuery{Until: st.Risk.Until})
	if err != nil {
		return nil, nil, err
	}
	for _, loss := range exp.Losses {
		st.Risk.add(exp, loss)
	}
	ans.Matches = st.Files
	x := l.redaction()
	st.Dir = x.line(st.Dir)
	return st, x.answer(ans), nil
}

// add counts what of a loss is not archived wholly.
func (r *ArchiveRisk) add(exp *Expiring, loss *Loss) {
	any := false
	for _, f := range loss.Fates {
		if held := exp.holdings.of(f.Source); held == "" || held == HeldWhole {
			continue
		}
		any = true
		r.Files++
		if f.Source.Info.Mode.IsRegular() {
			r.Bytes += f.Source.Info.Size
		}
		if r.Earliest.IsZero() || f.Earliest.Before(r.Earliest) {
			r.Earliest = f.Earliest
		}
	}
	if any && loss.Family != "" {
		r.Sessions++
	}
}

// countArchive counts what the archive holds.
func (l *Library) countArchive(ctx context.Context, st *ArchiveStatus) error {
	a, err := l.openArchive()
	if errors.Is(err, ErrNoArchive) {
		st.None = true
		return nil
	}
	if err != nil {
		return err
	}
	defer a.Close()
	stats, err := a.Stats(ctx)
	if err != nil {
		return err
	}
	st.Files, st.Versions, st.Bytes, st.Stored, st.Free = stats.Sources, stats.Versions, stats.Raw, stats.Stored, stats.Garbage
	st.LastRun = stats.LastRun
	tombstones, err := a.Tombstones(ctx)
	if err != nil {
		return err
	}
	for _, t := range tombstones {
		if !strings.HasPrefix(t.Session, "sha256:") { // these stand for single files
			st.Forgotten++
		}
	}
	all, err := a.Sources(ctx)
	if err != nil {
		return err
	}
	sessions, machines := map[[3]string]bool{}, map[string]bool{}
	for i := range all {
		s := &all[i]
		machines[s.Machine] = true
		if s.Session != "" {
			sessions[[3]string{s.Machine, s.Agent, s.Session}] = true
		}
		if !s.Gone.IsZero() {
			st.Gone++
		}
		if s.Pending != "" {
			st.Pending++
		}
	}
	st.Sessions, st.Machines = len(sessions), len(machines)
	return nil
}
