// Package hook lets Claude Code tell seshat that a session ended: it puts an entry
// into Claude Code's settings and takes it out again, notes in a queue of seshat's
// own that a session ended, and has the archive catch up when the session's
// transcript is quiet.
//
// A reader may rely on this. Install and Remove are functions of bytes: every byte
// of the settings stays but for the entry, and what Remove gives after Install is
// what Install got. Edit replaces a settings file in one step and only while it is
// still the file that was read; what it does not understand it refuses. A Hook takes
// no lock, waits for nobody and says nothing. A Drain is one at a time, and no entry
// of the queue is gone before an archive run that began after it has succeeded.
package hook
