package seshat

import (
	"fmt"

	"github.com/seshat-dev/seshat/record"
)

// hookJSON is a seshat.hook/1 object.
type hookJSON struct {
	Schema   string           `json:"schema"`
	Agent    string           `json:"agent"`
	State    HookState        `json:"state"`
	Program  string           `json:"program"`
	Settings []hookSettings   `json:"settings"`
	Off      []hookOff        `json:"off,omitempty"`
	Queue    int              `json:"queue"`
	LastRun  *hookRun         `json:"last_run,omitempty"`
	Failure  *hookFailureJSON `json:"last_failure,omitempty"`
}

type hookSettings struct {
	Path    string          `json:"path"`
	State   HookState       `json:"state"`
	Entries []hookEntryJSON `json:"entries,omitempty"`
	Problem string          `json:"problem,omitempty"`
	Off     *hookRule       `json:"off,omitempty"`
}

type hookEntryJSON struct {
	Event   string   `json:"event"`
	Program string   `json:"program"`
	Runs    HookRuns `json:"runs"`
}

type hookRule struct {
	Setting string `json:"setting"`
	Path    string `json:"path"`
}

type hookOff struct {
	Folder string `json:"folder"`
	hookRule
}

type hookRun struct {
	Began   record.Stamp `json:"began"`
	Ended   record.Stamp `json:"ended"`
	Entries int          `json:"entries"`
	Failed  bool         `json:"failed,omitempty"`
}

type hookFailureJSON struct {
	Time    record.Stamp `json:"time"`
	Message string       `json:"message"`
}

// JSON gives the value that encoding/json writes as a seshat.hook/1 object.
func (h *HookStatus) JSON(home record.Home) any {
	o := hookJSON{Schema: record.HookSchema, Agent: "claude", State: h.State, Program: home.Short(h.Program), Queue: h.Queue}
	for _, s := range h.Settings {
		x := hookSettings{Path: home.Short(s.Path), State: s.State, Problem: s.Problem}
		for _, e := range s.Entries {
			x.Entries = append(x.Entries, hookEntryJSON{e.Event, home.Short(e.Program), e.Runs})
		}
		if s.Rule.Setting != "" {
			x.Off = &hookRule{s.Rule.Setting, home.Short(s.Rule.Path)}
		}
		o.Settings = append(o.Settings, x)
	}
	for _, f := range h.Off {
		o.Off = append(o.Off, hookOff{home.Short(f.Folder), hookRule{f.Rule.Setting, home.Short(f.Rule.Path)}})
	}
	if l := h.Last; l != nil {
		o.LastRun = &hookRun{record.Stamp(l.Began), record.Stamp(l.Ended), l.Entries, l.Failed}
	}
	if f := h.Failure; f != nil {
		o.Failure = &hookFailureJSON{record.Stamp(f.Time), f.Message}
	}
	return o
}

// Answer sums the status up: its matches are the settings that hold the hook.
func (h *HookStatus) Answer() *record.Answer {
	ans := &record.Answer{Complete: true}
	for _, s := range h.Settings {
		if len(s.Entries) > 0 {
			ans.Matches++
		}
		if s.Problem != "" {
			ans.Complete = false
			ans.Sources.Failed++
			ans.Warnings = append(ans.Warnings, record.Warning{Path: s.Path, Reason: s.Problem})
		} else {
			ans.Sources.Read++
		}
	}
	for _, p := range h.Problems {
		ans.Warnings = append(ans.Warnings, record.Warning{Path: p.Path, Reason: fmt.Sprintf("%s; whether it turns hooks off cannot be told", p.Reason)})
	}
	for _, what := range h.Unseen {
		ans.Warnings = append(ans.Warnings, record.Warning{Reason: what + " cannot be seen here; they can keep hooks from running"})
	}
	return ans
}
