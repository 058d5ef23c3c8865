package claude

import (
	"bytes"

	"github.com/seshat-dev/seshat/internal/jsonscan"
)

// moulds are the forms of usual lines that were read before. Lines of a transcript differ
// in their texts, ids and numbers, and hardly ever in anything else: one that has the form
// of an earlier one need not be taken apart key by key. A form is what such a line has
// between its holes, byte for byte, and of each hole which values fit. So a line that fits
// is valid JSON with the members of the earlier one, and what its reading would say of it
// follows from what fills the holes. Forms with the same beginning share it.
type moulds struct {
	nodes   [][]step // of each node the steps to others; the first node is the start
	recipes []recipe
	room    int // bytes of all steps
	learned int // how many forms are known,
	read    int // and how many lines had one
	filled  []filled
}

// step is what stands before a hole, and the hole.
type step struct {
	before []byte
	hole   hole
	to     int // the next node, or a recipe at the end of a line
}

// hole is what a value must be to fit.
type hole byte

const (
	endHole    hole = iota // the end of the line
	stringHole             // a string,
	wordHole               // one that stands for itself,
	numberHole             // a number,
	resultHole             // what the client keeps of a tool's result, of the usual form,
	anyHole                // or anything
)

// filled is what fills a hole.
type filled struct {
	value jsonscan.Value
	how   jsonscan.Spelling
}

// recipe tells what a usual line of a form is made of: of each text the hole that it fills,
// counted from 1; 0 where there is none.
type recipe struct {
	typ                        form
	compact, apiError, noModel bool
	side                       bool
	uuid, answer, time, text   int
	blocks                     []blockRecipe
}

type blockRecipe struct {
	is             blockKind
	text, name, id int
	texts          []int
}

// How many bytes of forms are kept, how many ways may lead on from a hole, and how many
// holes a line may have. Where there is no more room all forms are forgotten, unless they
// were of little use; lines with more holes are read key by key.
const (
	manyForms = 64 << 10
	manySteps = 16
	manyHoles = 64
)

// cast reads a line that has a known form. It reports whether it has.
func (s *moulds) cast(u *usual, text []byte) bool {
	if len(s.nodes) == 0 {
		return false
	}
	c := jsonscan.NewCursor(text)
	s.filled = s.filled[:0]
	for node := 0; ; {
		st := s.next(node, &c)
		if st == nil {
			return false
		}
		if st.hole == endHole {
			return c.Whole() && s.fill(u, &s.recipes[st.to])
		}
		var f filled
		if st.hole == resultHole {
			if !result(&c) {
				return false
			}
		} else {
			if f = (filled{c.Skip(), c.Spelling()}); f.value == nil || st.hole == wordHole && !f.plain() {
				return false
			}
		}
		s.filled = append(s.filled, f)
		node = st.to
	}
}

// plain reports whether a string stands for itself.
func (f *filled) plain() bool {
	return f.how&(jsonscan.Escaped|jsonscan.Wide|jsonscan.Unsure) == 0 || plain(f.value)
}

// next takes the step from a node that the text at hand allows, or none. It is tried
// sooner the next time.
func (s *moulds) next(node int, c *jsonscan.Cursor) *step {
	steps := s.nodes[node]
	for i := range steps {
		kind, stands := c.Behind(steps[i].before)
		if !stands || !steps[i].hole.fits(kind) {
			continue
		}
		c.Past(len(steps[i].before))
		if i > 0 {
			steps[i-1], steps[i] = steps[i], steps[i-1]
			i--
		}
		return &steps[i]
	}
	return nil
}

// fits reports whether a value of a kind may fit.
func (h hole) fits(k jsonscan.Kind) bool {
	switch h {
	case stringHole, wordHole:
		return k == jsonscan.String
	case numberHole:
		return k == jsonscan.Number
	}
	return true
}

// fill makes a usual line of what fills the holes. It reports whether that is one.
func (s *moulds) fill(u *usual, r *recipe) bool {
	u.begin()
	u.typ, u.compact, u.apiError, u.noModel = r.typ, r.compact, r.apiError, r.noModel
	u.side, u.time = r.side, s.at(r.time).value
	u.uuid, u.answer = s.at(r.uuid).value.Inside(), s.at(r.answer).value.Inside()
	u.text, u.how = s.at(r.text).value, s.at(r.text).how
	s.read++
	for i := range r.blocks {
		from := &r.blocks[i]
		text := s.at(from.text)
		b := usualBlock{is: from.is, text: text.value, how: text.how, name: s.at(from.name).value.Inside(), id: s.at(from.id).value.Inside()}
		b.texts[0] = len(u.texts)
		for _, nth := range from.texts {
			u.listText(s.at(nth).value, s.at(nth).how)
		}
		b.texts[1] = len(u.texts)
		u.blocks = append(u.blocks, b)
	}
	return u.named()
}

func (s *moulds) at(nth int) filled {
	if nth == 0 {
		return filled{}
	}
	return s.filled[nth-1]
}

// learn keeps the form of a usual line that was read key by key.
func (s *moulds) learn(u *usual, text []byte) {
	if u.typ == silentForm {
		return // of many forms, and nothing is wanted of them
	}
	l := learner{Cursor: jsonscan.NewCursor(text), text: text, usual: u, recipe: recipe{typ: u.typ, compact: u.compact, apiError: u.apiError, noModel: u.noModel, side: u.side}}
	l.line()
	if l.odd || len(l.steps) > manyHoles || !l.Whole() {
		return
	}
	if !s.add(&l) && s.read > 8*s.learned { // they were worth it
		*s = moulds{filled: s.filled}
		s.add(&l)
	}
}

// add adds a form. It reports whether there was room.
func (s *moulds) add(l *learner) bool {
	if len(s.nodes) == 0 {
		s.nodes = make([][]step, 1)
	}
	node := 0
	for _, st := range l.steps {
		if node = s.step(node, st); node < 0 {
			return false
		}
	}
	if len(s.nodes[node]) == manySteps {
		return false
	}
	last := step{before: bytes.Clone(l.text[l.from:]), to: len(s.recipes)}
	s.recipes = append(s.recipes, l.recipe)
	s.nodes[node] = append(s.nodes[node], last)
	s.room += len(last.before)
	s.learned++
	return true
}

// step gives the node behind a step, a new one where it was not taken before, or -1.
func (s *moulds) step(node int, st step) int {
	for _, known := range s.nodes[node] {
		if known.hole == st.hole && bytes.Equal(known.before, st.before) {
			return known.to
		}
	}
	if len(s.nodes[node]) == manySteps || s.room > manyForms {
		return -1
	}
	st.before = bytes.Clone(st.before)
	st.to = len(s.nodes)
	s.nodes[node] = append(s.nodes[node], st)
	s.nodes = append(s.nodes, nil)
	s.room += len(st.before)
	return st.to
}

// learner goes over a usual line and notes its holes.
type learner struct {
	jsonscan.Cursor
	text   []byte
	from   int // where the last hole ended
	usual  *usual
	steps  []step
	recipe recipe
	odd    bool // it is not worth to be kept
}

// hole notes a hole where a value stands and gives its number.
func (l *learner) hole(kind hole) int {
	l.steps = append(l.steps, step{before: l.text[l.from:l.At()], hole: kind})
	l.Skip()
	l.from = l.At()
	return len(l.steps)
}

// aside passes over a value that nothing is wanted of.
func (l *learner) aside() {
	switch l.Kind() {
	case jsonscan.String:
		l.hole(stringHole)
	case jsonscan.Number:
		l.hole(numberHole)
	case jsonscan.Object, jsonscan.Array:
		l.hole(anyHole)
	default:
		l.Skip()
	}
}

func (l *learner) line() {
	for more := l.Open('{'); more; more = l.More('}') {
		switch string(l.Key()) {
		case "uuid":
			l.recipe.uuid = l.hole(wordHole)
		case "message":
			l.message()
		case "timestamp":
			before := len(l.steps)
			if l.aside(); len(l.steps) > before {
				l.recipe.time = len(l.steps)
			}
		case "toolUseResult":
			l.hole(resultHole)
		case "type", "isCompactSummary", "isApiErrorMessage", "supersedesUuids":
			l.Skip()
		default:
			l.aside()
		}
	}
}

func (l *learner) message() {
	for more := l.Open('{'); more; more = l.More('}') {
		switch string(l.Key()) {
		case "model":
			l.Skip()
		case "id":
			l.recipe.answer = l.hole(wordHole)
		case "usage":
			l.numbers()
		case "content":
			if l.Kind() == jsonscan.String {
				l.recipe.text = l.hole(stringHole)
				continue
			}
			for more := l.Open('['); more; more = l.More(']') {
				l.block(l.usual.blocks[len(l.recipe.blocks)].is)
			}
		default:
			l.aside()
		}
	}
}

// numbers notes the numbers in an object.
func (l *learner) numbers() {
	if l.Kind() != jsonscan.Object {
		l.aside()
		return
	}
	for more := l.Open('{'); more; more = l.More('}') {
		switch l.Key(); l.Kind() {
		case jsonscan.Object:
			l.numbers()
		default:
			l.aside()
		}
	}
}

func (l *learner) block(is blockKind) {
	b := blockRecipe{is: is}
	text := func(of bool) {
		if !of {
			l.aside()
		} else if l.Kind() == jsonscan.String {
			b.text = l.hole(stringHole)
		} else {
			b.text = l.hole(anyHole)
		}
	}
	for more := l.Open('{'); more; more = l.More('}') {
		switch string(l.Key()) {
		case "type":
			l.Skip()
		case "text":
			text(is == textBlock)
		case "thinking":
			text(is == thinkingBlock)
		case "input":
			text(is == callBlock)
		case "name":
			b.name = l.hole(wordHole)
		case "id":
			b.id = l.hole(wordHole)
		case "content":
			switch l.Kind() {
			case jsonscan.Array:
				l.texts(&b)
			case jsonscan.String:
				text(is == resultBlock || is == serverResultBlock)
			default:
				l.odd = true
				l.Skip()
			}
		default:
			l.aside()
		}
	}
	l.recipe.blocks = append(l.recipe.blocks, b)
}

// texts notes the texts of a result that has several.
func (l *learner) texts(b *blockRecipe) {
	for more := l.Open('['); more; more = l.More(']') {
		for more := l.Open('{'); more; more = l.More('}') {
			switch string(l.Key()) {
			case "type":
				l.Skip()
			case "text":
				b.texts = append(b.texts, l.hole(stringHole))
			default:
				l.aside()
			}
		}
	}
}
