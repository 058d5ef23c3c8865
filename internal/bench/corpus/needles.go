package corpus

// Queries for what is planted: rare, and hard to find or easy to find wrongly.
const (
	qRare = iota
	qRareFolded
	qQuoted
	qNewline
	qBackslash
	qAccent
	qDecoy
	qCJK
	qIdentifier
	qRegex
	qMixedFolded
	qMixed
	qSlash
	qEmoji
	qSeam
	qCommand
	qAngle
	qHalves
)

const (
	rareWord  = "zephyrloom"
	decoyWord = "deadbeefcafe4242"
	seamWord  = "gossamerbridge"
)

var needleQueries = []Query{
	qRare:        {Name: "rare literal", Pattern: rareWord},
	qRareFolded:  {Name: "rare literal -i", Pattern: rareWord, Flags: []string{"-i"}},
	qQuoted:      {Name: "with quotes", Pattern: `say "hello seshat" twice`},
	qNewline:     {Name: "behind an escaped newline", Pattern: "^nebulafort"},
	qBackslash:   {Name: "tab and backslash", Pattern: "col\tC:\\temp\\notes", Flags: []string{"-F"}},
	qAccent:      {Name: "accents, three spellings", Pattern: "crème lumière"},
	qDecoy:       {Name: "word also in fields", Pattern: decoyWord},
	qCJK:         {Name: "CJK", Pattern: "検索の極意"},
	qIdentifier:  {Name: "identifier", Pattern: "reticulateSplinesV3"},
	qRegex:       {Name: "rare regex with a literal", Pattern: `get[A-Z][a-z]+Account\w+V7`},
	qMixedFolded: {Name: "mixed case -i", Pattern: "zaphodmixed case", Flags: []string{"-i"}},
	qMixed:       {Name: "mixed case", Pattern: "ZaphodMixed Case"},
	qSlash:       {Name: "slashes", Pattern: "/opt/lumen/slashes"},
	qEmoji:       {Name: "emoji", Pattern: "🦉 nightowl"},
	qSeam:        {Name: "across a seam", Pattern: "description: " + seamWord, Flags: []string{"-F"}},
	qCommand:     {Name: "slash command", Pattern: "^/deploy gossamer --now$"},
	qAngle:       {Name: "markup", Pattern: "<lumen&tag>"},
	qHalves:      {Name: "halves of two blocks", Pattern: "tallowwick"},
}

// place is where a needle stands.
type place int

const (
	inReply place = iota
	inResult
	inPrompt
	inCommand // of a shell
	inRead
	inThinking
	inEdit
	inBlocks // of a tool result
	inQueued
	inAttached
	inSummary
	inDispatch // and so in the call too: two records
	inSubagent
	inHistory // and nowhere else: its transcript is gone
	anywhere  // how many places a needle may be given

	inDescription // of a call
	inSlashCommand
	inHalves
	inField     // where it must not match
	inTakenBack // a prompt that its author withdrew
)

// form is one spelling of a needle. Without json the text is written as
// JavaScript writes it.
type form struct {
	text, json string
	times      int
	hits       []int
	alone      bool // on its text line
	at         place
}

// forms are all needles of a tree.
var forms = []form{
	{text: rareWord, times: 15, hits: []int{qRare, qRareFolded}},
	{text: "ZephyrLoom", times: 6, hits: []int{qRareFolded}},
	{text: `say "hello seshat" twice`, times: 11, hits: []int{qQuoted}},
	{text: "nebulafort stands at the start", times: 7, hits: []int{qNewline}, alone: true},
	{text: "unebulafort", times: 3},
	{text: "col\tC:\\temp\\notes", times: 5, hits: []int{qBackslash}},
	{text: "crème lumière", times: 5, hits: []int{qAccent}},
	{text: "crème lumière", json: `cr\u00e8me lumi\u00E8re`, times: 4, hits: []int{qAccent}},
	{text: "cre\u0300me lumie\u0300re", times: 2, hits: []int{qAccent}},
	{text: "cre\u0300me lumie\u0300re", json: `cre\u0300me lumie\u0300re`, times: 1, hits: []int{qAccent}},
	{text: decoyWord, times: 3, hits: []int{qDecoy}},
	{times: 13, at: inField},
	{text: "検索の極意", times: 6, hits: []int{qCJK}},
	{text: "検索の極意", json: `\u691c\u7d22\u306e\u6975\u610f`, times: 2, hits: []int{qCJK}},
	{text: "reticulateSplinesV3", times: 8, hits: []int{qIdentifier}},
	{text: "getHarbourAccountLedgerV7", times: 5, hits: []int{qRegex}},
	{text: "getAccountV7", times: 2},
	{text: "ZaphodMixed Case", times: 4, hits: []int{qMixed, qMixedFolded}},
	{text: "zaphodmixed case", times: 3, hits: []int{qMixedFolded}},
	{text: "ZAPHODMIXED CASE", times: 3, hits: []int{qMixedFolded}},
	{text: "/opt/lumen/slashes", times: 3, hits: []int{qSlash}},
	{text: "/opt/lumen/slashes", json: `\/opt\/lumen\/slashes`, times: 2, hits: []int{qSlash}},
	{text: "🦉 nightowl", times: 3, hits: []int{qEmoji}},
	{text: "🦉 nightowl", json: `\ud83e\udd89 nightowl`, times: 2, hits: []int{qEmoji}},
	{text: seamWord + " over the river", times: 4, hits: []int{qSeam}, alone: true, at: inDescription},
	{text: seamWord + " without a key", times: 2, alone: true},
	{text: "/deploy gossamer --now", times: 3, hits: []int{qCommand}, alone: true, at: inSlashCommand},
	{text: "<lumen&tag>", times: 3, hits: []int{qAngle}},
	{text: "<lumen&tag>", json: `\u003clumen\u0026tag\u003e`, times: 2, hits: []int{qAngle}},
	{times: 2, at: inHalves},
	{text: rareWord, times: 3, at: inTakenBack},
}

// plant is one needle on its way into a transcript.
type plant struct {
	line line
	text string // of line
	hits []int
	at   place
	nth  int // of its form
}

// plants gives every needle of a tree, text around it.
func plants(r *rng, lib *library) []plant {
	var out []plant
	at := place(0)
	for _, f := range forms {
		for nth := range f.times {
			p := plant{hits: f.hits, at: f.at, nth: nth}
			if f.at == 0 {
				p.at, at = at, (at+1)%anywhere
			}
			if f.alone && p.at == inRead { // where every line has a number before it
				p.at = inResult
			}
			before, after := "", ""
			if !f.alone {
				before, after = fill(r, "the {a} {n} {v} ", ""), fill(r, " when the {M} is {a}", "")
			}
			p.text = before + f.text + after
			shown := p.text
			if p.at == inDescription {
				shown = "description: " + p.text
			}
			json := f.json
			if json == "" {
				json = string(escape(nil, f.text))
			}
			p.line = line{append(escape(nil, before), json+string(escape(nil, after))...), lib.marker.of(shown)}
			out = append(out, p)
		}
	}
	return out
}
