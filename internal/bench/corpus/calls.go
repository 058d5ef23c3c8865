package corpus

// call is a tool call with what its result needs to know of it.
type call struct {
	id, tool, uuid string
	path           string
	old, new       []line
	agent          *dispatched
}

// uses writes a tool_use block; write adds its input.
func (s *session) uses(m *message, c *call, write func()) {
	c.id = string(s.token(nil, "toolu_01", 22))
	s.block(m, func() {
		s.add(`{"type":"tool_use","id":"`, c.id, `","name":"`, c.tool, `","input":{`)
		write()
		s.add(`},"caller":{"type":"direct"}}`)
	})
	c.uuid = s.parent
}

// shell writes a call of Bash.
func (s *session) shell(m *message, p *plant) *call {
	c := &call{tool: "Bash"}
	command := []line{s.lib.calls[s.n(len(s.lib.calls))]}
	if s.percent(15) {
		command = append(command, s.choose(s.lib.shell, s.between(50, 600))...)
	}
	what := s.lib.descriptions[s.n(len(s.lib.descriptions))]
	if p != nil && p.at == inDescription {
		what = p.line
		s.found(p, 1)
		p = nil
	}
	command = s.with(p, command)
	s.tally.count(what)
	s.uses(m, c, func() {
		s.add(`"command":"`)
		s.lines(command)
		s.add(`","description":"`, string(what.json), `"`)
	})
	return c
}

// onFile writes a call with a path; write adds what else it has.
func (s *session) onFile(m *message, tool string, write func(c *call)) *call {
	c := &call{tool: tool, path: s.cwd + "/" + file(s.rng)}
	s.tally.count(s.lib.line(c.path))
	s.uses(m, c, func() {
		s.add(`"file_path":"`, c.path, `"`)
		if write != nil {
			write(c)
		}
	})
	return c
}

func (s *session) read(m *message) *call { return s.onFile(m, "Read", nil) }

func (s *session) edit(m *message, p *plant) *call {
	old := append([]line(nil), s.choose(s.lib.code, s.between(60, 900))...)
	s.tally.count(old...)
	repl := append([]line(nil), s.choose(s.lib.code, s.between(60, 1400))...)
	if p != nil { // never first: the first line has the key before it
		repl = append(repl, p.line)
		s.found(p, 1)
	}
	s.tally.count(repl...)
	return s.onFile(m, "Edit", func(c *call) {
		c.old, c.new = old, repl
		s.add(`,"old_string":"`)
		s.lines(old)
		s.add(`","new_string":"`)
		s.lines(repl)
		s.add(`","replace_all":false`)
	})
}

func (s *session) write(m *message) *call {
	content := append([]line(nil), s.choose(s.lib.code, s.between(400, 6000))...)
	s.tally.count(content...)
	return s.onFile(m, "Write", func(c *call) {
		c.new = content
		s.add(`,"content":"`)
		s.lines(content)
		s.add(`"`)
	})
}

func (s *session) grep(m *message) *call {
	c := &call{tool: "Grep", path: s.cwd + "/src"}
	pattern := s.lib.line(camel(s.rng, false))
	s.tally.count(pattern, s.lib.line(c.path))
	s.uses(m, c, func() {
		s.add(`"pattern":"`, string(pattern.json), `","path":"`, c.path, `","output_mode":"content"`)
	})
	return c
}

// dispatch writes a call of a subagent.
func (s *session) dispatch(m *message, p *plant) *call {
	d := dispatched{id: string(s.hex([]byte("a"), 16)), at: s.now}
	what := s.lib.descriptions[s.n(len(s.lib.descriptions))]
	d.description = string(what.json)
	d.prompt = append(d.prompt, s.choose(s.lib.prose, s.between(300, 2500))...)
	if p != nil {
		d.prompt = append(d.prompt, p.line)
		s.found(p, 2) // the subagent's own transcript has it too
	}
	s.tally.count(what)
	s.tally.count(d.prompt...)
	c := &call{tool: "Agent", agent: &d}
	s.uses(m, c, func() {
		s.add(`"description":"`, d.description, `","prompt":"`)
		s.lines(d.prompt)
		s.add(`","subagent_type":"general-purpose"`)
	})
	d.tool = c.id
	s.agents = append(s.agents, d)
	return c
}
