package corpus

// tool begins a call.
func (c *chat) tool(name string) toolCall {
	return toolCall{id: name + "_" + string(c.hex(nil, 12)), name: name, shown: fill(c.rng, "{I} on {f}", "")}
}

// room is how many bytes of text a result gets: it stands on two lines.
func (c *chat) room() int { return max(c.sample(resultBytes)-envelope, 40) / 2 }

func quoted(text []byte) []byte { return append(append([]byte{'"'}, text...), '"') }

// members puts JSON strings behind their keys.
func members(pairs ...string) (out []byte) {
	for i := 0; i < len(pairs); i += 2 {
		if i > 0 {
			out = append(out, ',')
		}
		out = append(out, `"`+pairs[i]+`":"`+pairs[i+1]+`"`...)
	}
	return out
}

// shell runs a command. A needle can be in it, in its description, or in what it
// printed.
func (c *chat) shell(inCall, inOutput *plant) toolCall {
	t := c.tool("run_shell_command")
	what := c.lib.descriptions[c.n(len(c.lib.descriptions))]
	if inCall != nil && inCall.at == inDescription {
		what = inCall.line
		c.found(inCall, 1)
		inCall = nil
	}
	c.tally.count(what)
	command := c.joined(c.with(inCall, []line{c.lib.calls[c.n(len(c.lib.calls))]}))
	t.args = members("command", string(command), "description", string(what.json))
	t.result = c.joined(c.with(inOutput, c.choose(c.lib.shell, c.room())))
	t.display = quoted(t.result)
	return t
}

// onFile gives the path for a call, counted.
func (c *chat) onFile() string {
	path := c.cwd + "/" + file(c.rng)
	c.tally.count(c.lib.line(path))
	return path
}

func (c *chat) read(p *plant) toolCall {
	t := c.tool("read_file")
	t.args = members("file_path", c.onFile())
	t.result = c.joined(c.with(p, c.choose(c.lib.code, c.room())))
	t.display = []byte(`""`)
	return t
}

func (c *chat) replace(p *plant) toolCall {
	t := c.tool("replace")
	path := c.onFile()
	before := c.joined(c.with(nil, c.choose(c.lib.code, c.between(60, 900))))
	after := c.choose(c.lib.code, c.between(60, 1400))
	if p != nil { // never first: the first line has the key before it
		after = append(after, p.line)
		c.found(p, 1)
	}
	c.tally.count(after...)
	changed := c.joined(after)
	t.args = members("file_path", path, "old_string", string(before), "new_string", string(changed))
	said := c.lib.line("Successfully modified file: " + path)
	c.tally.count(said)
	t.result = said.json
	original := c.joined(c.choose(c.lib.code, c.room()))
	t.display = append([]byte(`{"fileDiff":"`), before...)
	t.display = append(append(t.display, `\n`...), changed...)
	t.display = append(t.display, `",`...)
	t.display = append(t.display, members("fileName", "changed", "originalContent", string(original), "newContent", string(original))...)
	t.display = append(t.display, '}')
	return t
}

func (c *chat) writeFile() toolCall {
	t := c.tool("write_file")
	path := c.onFile()
	content := c.joined(c.with(nil, c.choose(c.lib.code, c.between(400, 6000))))
	t.args = members("file_path", path, "content", string(content))
	said := c.lib.line("Successfully created and wrote to new file: " + path)
	c.tally.count(said)
	t.result = said.json
	t.display = append(append([]byte(`{`), members("fileDiff", string(content), "fileName", "new")...), '}')
	return t
}

// delegate calls a subagent.
func (c *chat) delegate(p *plant) toolCall {
	t := c.tool("codebase_investigator")
	d := dispatched{id: c.uuid(), at: c.now}
	d.prompt = append(d.prompt, c.choose(c.lib.prose, c.between(300, 2500))...)
	if p != nil {
		d.prompt = append(d.prompt, p.line)
		c.found(p, 2)
	}
	c.tally.count(d.prompt...)
	t.agent, t.args = d.id, members("objective", string(c.joined(d.prompt)))
	t.result = c.joined(c.with(nil, c.choose(c.lib.prose, c.between(400, 5000))))
	t.display = quoted(t.result)
	c.agents = append(c.agents, d)
	return t
}

func (c *chat) anyTool() toolCall {
	switch at := c.n(100); {
	case at < 40:
		return c.shell(nil, nil)
	case at < 75:
		return c.read(nil)
	case at < 94:
		return c.replace(nil)
	default:
		return c.writeFile()
	}
}
