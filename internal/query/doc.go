// Package query is the language in which people ask for records: words,
// phrases, regular expressions and fields, joined by AND, OR, NOT and
// parentheses. doc/query.md describes it for people who type it.
//
// A query passes through four forms. Parse reads text into an Expr, a small
// algebra of terms. Simplify brings an Expr into one shape: NOT stands at terms
// only, nothing is nested needlessly. Compile makes a Plan of it, which decides
// Subjects: what is known, so far, of a record or a session. Print writes an
// Expr as text that parses into the same Expr.
//
// A reader may rely on this. Whatever a person types is a query; the only error
// is a /regex/ that is none, and it names its column. What looks like an
// operator but lacks an operand, and what looks like a field but is none, is
// text. A Plan never guesses: while facts are missing its answer is Unknown
// unless no further fact could change it, so a source may be left unread
// as soon as the answer is False. Required names pieces of text which every
// matching record holds; it may name too few of them and never too many.
//
// Text is compared in Unicode's composed form (NFC) under simple case folding:
// one character stands for one character. So K finds the Kelvin sign and σ
// finds ς, but ss does not find ß, and full-width letters are not ASCII ones.
package query
