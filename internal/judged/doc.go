// Package judged measures how well a ranking of sessions serves people: a sample
// home of about a hundred sessions, queries as people type them, and for each the
// sessions that answer it, graded. doc/ranking.md describes the set and holds the
// figures.
//
// A reader may rely on this. The home is the same at every call: what Write writes
// depends on nothing but this package, and the ids of sessions are made from their
// names. Grades were given from what the sessions say, before search had a ranking; a
// change of ranking is no reason to change one. A list of results is
// judged by its session ids alone, so that whatever answers a query can be measured,
// and what is not graded counts as no answer.
//
// The sessions stand in sessions/*.txt as a script of who said what, and the queries
// in queries.txt. The script is written out in the shapes that Claude Code and Gemini
// CLI leave on a disk.
package judged
