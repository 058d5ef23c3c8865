package corpus

// signatureBytes is how long the signature of reasoning is.
var signatureBytes = []step{{0, 280}, {5000, 700}, {9000, 2400}, {10_000, 6000}}

// parting is a place where a fork may leave a transcript.
type parting struct {
	at     int
	parent string
	now    int64
}

// converse writes turns until the transcript is that long, all its subagents are
// called and all needles planted, and gives the places between turns.
func (s *session) converse(size, subagents int, ps []plant) []parting {
	var partings []parting
	reserved := dispatches(ps)
	for {
		s.turn(size, subagents-reserved)
		partings = append(partings, parting{len(s.out), s.parent, s.now})
		if len(ps) > 0 {
			s.place(&ps[0])
			if ps[0].at == inDispatch {
				reserved--
			}
			ps = ps[1:]
		}
		if len(s.out) >= size && len(ps) == 0 && len(s.agents) >= subagents {
			return partings
		}
		s.wait(20_000, 3_000_000)
	}
}

// work writes steps until the transcript is that long: what a subagent does.
func (s *session) work(size int) {
	for len(s.out) < size {
		s.step()
	}
	m := s.newMessage()
	s.text(&m, s.with(nil, s.choose(s.lib.prose, s.between(300, 3000))))
}

// turn writes a prompt, what the agent does about it, and what it says at the end.
// It is shorter when the transcript is long enough.
func (s *session) turn(size, subagents int) {
	ls := s.with(nil, s.choose(s.lib.prose, s.between(60, 900)))
	s.typed(ls)
	for steps := s.between(6, 24); steps > 0 && len(s.out) < size; steps-- {
		if len(s.agents) < subagents && s.percent(12) {
			s.delegate()
		} else {
			s.step()
		}
	}
	for len(s.out) >= size && len(s.agents) < subagents {
		s.delegate()
	}
	m := s.newMessage()
	s.text(&m, s.with(nil, s.choose(s.lib.prose, s.between(150, 2500))))
	s.ended()
}

// typed writes a prompt and its entry in the prompt log.
func (s *session) typed(ls []line) {
	display := s.joined(ls)
	if s.print {
		s.queue("enqueue", string(display))
		s.queue("dequeue", "")
	} else {
		s.log(display, s.id)
	}
	s.user(ls, "")
}

// step writes one answer with its tool calls, and their results.
func (s *session) step() {
	m := s.newMessage()
	if s.percent(45) {
		s.think(&m, nil)
	}
	if s.percent(32) {
		s.text(&m, s.with(nil, s.choose(s.lib.prose, s.between(30, 700))))
	}
	calls := []*call{s.anyCall(&m)}
	if s.percent(10) {
		calls = append(calls, s.anyCall(&m))
	}
	for _, c := range calls {
		s.result(c, nil)
	}
}

// delegate calls a subagent.
func (s *session) delegate() {
	m := s.newMessage()
	s.result(s.dispatch(&m, nil), nil)
}

func (s *session) think(m *message, p *plant) {
	var ls []line
	if p != nil || s.percent(32) {
		ls = s.with(p, s.choose(s.lib.prose, s.between(100, 2600)))
	}
	s.thinking(m, ls, s.lib.blob(s.rng, s.sample(signatureBytes)&^3))
}

func (s *session) anyCall(m *message) *call {
	switch at := s.n(100); {
	case at < 38:
		return s.shell(m, nil)
	case at < 66:
		return s.read(m)
	case at < 74:
		return s.grep(m)
	case at < 94:
		return s.edit(m, nil)
	default:
		return s.write(m)
	}
}

// ended writes what stands at the end of a turn and is no record.
func (s *session) ended() {
	s.begin()
	s.add(`,"type":"system","subtype":"turn_duration","durationMs":`)
	s.int(s.between(4000, 900_000))
	s.add(`,"messageCount":`)
	s.int(s.between(4, 200))
	s.named()
	s.add(`,"isMeta":false`)
	s.end()
	if s.percent(30) {
		s.latch("ai-title", "aiTitle", fill(s.rng, "Make the {n} {a} in {p}", ""))
	}
	if s.percent(40) {
		s.latch("last-prompt", "lastPrompt", fill(s.rng, "please check the {n} and the {M}", ""))
	}
	if s.percent(4) {
		s.add(`{"type":"pr-link","sessionId":"`, s.id, `","prNumber":`)
		number := s.between(1, 4000)
		s.int(number)
		s.add(`,"prUrl":"https://github.com/theo/quay/pull/`)
		s.int(number)
		s.add(`","prRepository":"theo/quay","timestamp":"`)
		s.stamp()
		s.add("\"}\n")
	}
}

// latch writes a line that says something of the whole session.
func (s *session) latch(typ, key, value string) {
	s.add(`{"type":"`, typ, `","`, key, `":"`, string(escape(nil, value)), `","sessionId":"`, s.id, "\"}\n")
}

// queue writes an operation on the prompts that wait.
func (s *session) queue(operation, content string) {
	s.add(`{"type":"queue-operation","operation":"`, operation, `","timestamp":"`)
	s.stamp()
	s.add(`","sessionId":"`, s.id, `"`)
	if content != "" {
		s.add(`,"content":"`, content, `"`)
	}
	s.add("}\n")
}
