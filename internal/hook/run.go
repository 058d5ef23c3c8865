package hook

import (
	"encoding/json"
	"io"
	"path/filepath"
	"time"
)

// Where seshat's own things for the hook lie, below its data folder.
const (
	folder      = "hook"
	queueName   = "queue"
	lockName    = "lock"
	stateName   = "last.json"
	logName     = "failures.log"
	backupsName = "backups"
)

// Home is the folder of seshat's own things for the hook.
type Home struct{ Dir string }

// HomeIn gives that of a data folder.
func HomeIn(data string) Home { return Home{filepath.Join(data, folder)} }

// Queue gives the queue.
func (h Home) Queue() Queue { return Queue{filepath.Join(h.Dir, queueName)} }

// Backups gives the folder for what settings held before they were edited.
func (h Home) Backups() string { return filepath.Join(h.Dir, backupsName) }

// maxInput is how many bytes of Claude Code's input are read. What it says of a session
// takes a few hundred.
const maxInput = 1 << 20

// patience is how long the input is waited for.
const patience = 100 * time.Millisecond

// Hook is one run of the entry in the settings.
type Hook struct {
	Home Home
	Now  func() time.Time
	// Trusted gives what a path of a transcript leads to when that lies in a data
	// folder that is known, and "" otherwise.
	Trusted func(path string) string
	// Start starts a drain that outlives this process.
	Start func() error
}

// input is what Claude Code says of an event; everything else in it is of no use here.
type input struct {
	Event      string `json:"hook_event_name"`
	Transcript string `json:"transcript_path"`
}

// Run notes that a session ended or began, and starts a drain. It waits for no lock,
// reads no transcript and prints nothing. Input that does not come in time, or is not
// what Claude Code writes, names no transcript, and the entry is made all the same.
func (h Hook) Run(in io.Reader) error {
	said := h.read(in)
	e := Entry{Time: h.Now(), Event: SessionEnd}
	if said.Event == SessionStart {
		e.Event = SessionStart // whose transcript is about to be written, and nothing to wait for
	} else if said.Transcript != "" {
		e.Transcript = h.Trusted(said.Transcript)
	}
	if err := h.Home.Queue().Put(e); err != nil {
		return err
	}
	return h.Start()
}

// read gives what the input says, as far as it comes in time. Whoever writes it may
// never close it.
func (h Hook) read(in io.Reader) (said input) {
	got := make(chan input, 1)
	go func() {
		var v input
		if json.NewDecoder(io.LimitReader(in, maxInput)).Decode(&v) != nil {
			v = input{}
		}
		got <- v
	}()
	select {
	case said = <-got:
	case <-time.After(patience):
	}
	return said
}
