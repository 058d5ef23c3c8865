package agent

import "fmt"

// Start says how an agent is to be started with a session.
type Start struct {
	Ask  string // a question that it answers and ends; it opens for a person when empty
	File bool   // from the transcript's file as a copy, where it cannot find the session by its id
}

// Launch is how an agent is started with a session of its own.
type Launch struct {
	Program string // its name, as people type it
	Args    []string
	Vars    [][2]string // environment variables that it needs, with values; an empty value stands for none
	Fork    []string    // arguments that open a copy instead; nil where the agent has no such way

	// Anywhere says that the agent finds the session from every folder. Else it has to
	// be started where the session ran.
	Anywhere bool
	// Leftover reports whether a file with that name, new in the folder of the
	// transcript when the agent has ended, is one that harms the session. It is nil
	// where the agent leaves none.
	Leftover func(name string) bool
}

// Running is a process that says it has a session open.
type Running struct {
	PID  int
	Path string // the file that says so, absolute
}

// IDError says that an agent takes no session of such an id.
type IDError struct{ Agent, ID string }

func (e *IDError) Error() string {
	return fmt.Sprintf("%s opens no session with the id %s: it takes only ids that it gives itself", e.Agent, Quoted(e.ID))
}

// IsUUID reports whether an id is a UUID, in letters of either case, as agents give them
// to sessions.
func IsUUID(id string) bool {
	if len(id) != 36 {
		return false
	}
	for i, c := range []byte(id) {
		switch dash := i == 8 || i == 13 || i == 18 || i == 23; {
		case dash && c != '-', !dash && (c < '0' || c > '9') && (c|0x20 < 'a' || c|0x20 > 'f'):
			return false
		}
	}
	return true
}
