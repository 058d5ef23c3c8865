// Package secret finds credentials in text: tokens of providers, private keys,
// passwords in URLs, headers and assignments.
//
// A reader may rely on this. Find looks over the whole of a text, tells places as
// byte ranges of that very text, in order and without overlap, allocates nothing where
// there is nothing, and takes time in proportion to the text whatever stands in it.
// The Candidates test over raw JSON passes every line whose decoded text Find finds
// something in; it may pass more. Nothing here prints or sends a value, or keeps one
// but Known, in memory; all but Known may be called from several goroutines at once.
//
// A Redactor changes no byte outside of what was found, leaves no piece of a value, and
// leaves a text alone that was redacted before. Of a value of twelve characters or more
// no copy is left in the text, whatever stands around it.
//
// It does not find what is encoded once more (base64, gzip), split over several
// strings, drawn in a picture, or a password that looks like a word.
//
// The shapes of tokens are facts that their providers publish and that public rule
// sets, such as that of gitleaks, list; rules.go has them as data.
package secret
