package project

// For the tests of what git writes.
var (
	ParseGitFile = parseGitFile
	ParsePath    = parsePath
	ParseHead    = parseHead
)
