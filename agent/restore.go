package agent

import "time"

// Returning is a session whose files are to be put back into a data folder.
type Returning struct {
	Session    string   // its id
	Transcript string   // the name of its transcript below the data folder; empty where that is not among them
	Names      []string // of all files
	Root       Root     // the data folder as it is
	Own        bool     // the agent itself looks there; else it is a folder that somebody chose
	CWD        string   // where the session ran; empty when nothing tells
	Now        time.Time
	Open       func(name string) (File, error) // a file that was kept from the data folder, also one that is not put back
}

// Return is what an agent needs so that it finds a session again, and keeps it.
type Return struct {
	Refused string // why the session would be lost, or do harm: a sentence for people; empty when it is well
	Add     []Addition
	Without map[string]bool   // names of files that would do harm and stay in the archive
	Tails   map[string][]byte // by name, to stand behind a file's bytes: the one thing in them that was not kept
	TailWhy string            // what for, in words for people
	Notes   []string          // sentences for people
	Touch   bool              // the date of a file decides how long the agent keeps it
}

// Addition is a file that is made where it is not there.
type Addition struct {
	Name string // below the data folder
	Data string
}
