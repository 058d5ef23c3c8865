// Package blackbox tests the whole program from outside. A test builds a home
// folder out of a few lines, runs the real binary in it and looks only at what
// comes out: stdout, stderr, the exit code and the disk.
//
// A reader may rely on this. The binary is built once for each test process, from
// the tree that is tested, without cgo. A run sees nothing but the test's own
// temporary folder: its environment is made from nothing, and a run whose home
// lies anywhere else is refused. Around every run the home and the temporary
// folder are listed with type, mode, size, time and hash of everything in them,
// and a run that changed, made or removed anything fails the test: that is law 1.
// A run that does not end is killed and fails the test.
//
// What a test expects is written down by hand or counted in the test, never
// taken from the program.
package blackbox
