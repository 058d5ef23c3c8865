// Package scrub finds values in the bytes of files, in whatever way JSON spells them,
// and says which bytes are to be blotted out.
//
// A reader may rely on this. A value is found as it stands, with characters spelt as
// escapes (\n, \/, \u0041), and inside strings of JSON that stand in strings of JSON,
// up to a depth. Stretches to blot out never part an escape, so that what was JSON is
// JSON when each of their bytes became Filler. Marks know values by keyed hashes alone
// and find them again without what told that they are credentials. What is blotted out
// of a file depends on its bytes and the marks alone, and of a log that grew by whole
// lines on the old bytes as it did before.
package scrub
