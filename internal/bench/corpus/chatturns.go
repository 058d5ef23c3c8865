package corpus

// converse writes turns until the chat is that long, all its subagents are called
// and all needles planted.
func (c *chat) converse(size, subagents int, ps []plant) {
	reserved := dispatches(ps)
	for {
		c.turn(size, subagents-reserved)
		if len(ps) > 0 {
			c.place(&ps[0])
			if ps[0].at == inDispatch {
				reserved--
			}
			ps = ps[1:]
		}
		if c.percent(3) {
			c.rewound(c.lib.line(fill(c.rng, "no, {v} the {n} first", "")))
		}
		if len(c.out) >= size && len(ps) == 0 && len(c.agents) >= subagents {
			return
		}
		c.wait(20_000, 3_000_000)
	}
}

func (c *chat) turn(size, subagents int) {
	c.typed(c.with(nil, c.choose(c.lib.prose, c.between(60, 900))), true)
	for steps := c.between(6, 24); steps > 0 && len(c.out) < size; steps-- {
		a := c.thoughtful(nil)
		if len(c.agents) < subagents && c.percent(12) {
			a.calls = append(a.calls, c.delegate(nil))
		} else {
			a.calls = append(a.calls, c.anyTool())
		}
		c.say(a)
	}
	for len(c.out) >= size && len(c.agents) < subagents {
		a := c.newAnswer()
		a.calls = append(a.calls, c.delegate(nil))
		c.say(a)
	}
	c.closing(nil)
}

// thoughtful begins an answer, with thoughts as a rule and sometimes prose.
func (c *chat) thoughtful(p *plant) *answer {
	a := c.newAnswer()
	if p != nil || c.percent(70) {
		subject := c.lib.line(fill(c.rng, "Looking at the {n}", ""))
		c.tally.count(subject)
		a.subject = subject.json
		a.thoughts = c.joined(c.with(p, c.choose(c.lib.prose, c.between(100, 900))))
	}
	if c.percent(32) {
		a.text = c.joined(c.with(nil, c.choose(c.lib.prose, c.between(30, 700))))
	}
	return a
}

// closing is what the model says at the end of a turn.
func (c *chat) closing(p *plant) {
	a := c.newAnswer()
	a.text = c.joined(c.with(p, c.choose(c.lib.prose, c.between(150, 2500))))
	c.say(a)
}

// rewound writes a short turn that is taken back: nothing of it counts.
func (c *chat) rewound(prompt line) {
	kept := c.tally
	c.tally = newTally()
	id := c.typed(c.with(nil, []line{prompt}), false)
	a := c.thoughtful(nil)
	a.calls = append(a.calls, c.anyTool())
	c.say(a)
	c.add(`{"$rewindTo":"`, id, "\"}\n")
	c.tally = kept
}

// place plants a needle where it belongs, as far as Gemini CLI has that place.
func (c *chat) place(p *plant) {
	a := c.newAnswer()
	switch p.at {
	case inPrompt, inQueued, inAttached:
		c.typed(c.with(p, nil), true)
		return
	case inThinking:
		a = c.thoughtful(p)
	case inResult, inBlocks:
		a.calls = append(a.calls, c.shell(nil, p))
	case inRead:
		a.calls = append(a.calls, c.read(p))
	case inCommand, inDescription:
		a.calls = append(a.calls, c.shell(p, nil))
	case inEdit:
		a.calls = append(a.calls, c.replace(p))
	case inDispatch:
		a.calls = append(a.calls, c.delegate(p))
	case inHistory, inSlashCommand:
		c.found(p, 1)
		c.tally.count(p.line)
		c.log(p.line.json, c.uuid())
		return
	case inHalves:
		a.text = []byte(`tallow\nwick`)
		c.tally.count(c.lib.line("tallow"), c.lib.line("wick"))
	case inTakenBack:
		c.rewound(p.line)
		return
	case inField:
		a = c.field(p.nth)
	default:
		a.text = c.joined(c.with(p, c.choose(c.lib.prose, 400)))
	}
	c.say(a)
}

// field gives an answer with the decoy word where no text is: in an id, in the
// name of the model, or in what the client shows of a call.
func (c *chat) field(nth int) *answer {
	a := c.newAnswer()
	a.text = c.joined(c.with(nil, c.choose(c.lib.prose, 100)))
	switch nth % 3 {
	case 0:
		a.id = decoyWord + "-" + string(c.hex(nil, 8))
	case 1:
		a.model = decoyWord
	default:
		t := c.read(nil)
		t.shown = "Reads " + decoyWord
		t.display = quoted([]byte(decoyWord))
		a.calls = append(a.calls, t)
	}
	return a
}
