package corpus

import "strings"

// resultBytes is how long the line of a tool result gets, about.
var resultBytes = []step{
	{0, 700}, {500, 730}, {1000, 850}, {2500, 1350}, {5000, 2700}, {7000, 5300}, {8000, 8700}, {9000, 17_500},
	{9500, 29_000}, {9700, 42_000}, {9900, 84_000}, {9990, 240_000}, {10_000, 330_000},
}

// envelope is about what a result's line has besides what the tool returned.
const envelope = 720

// answers writes the line of a tool result: content as the agent saw it, then
// the client's own copy of it.
func (s *session) answers(c *call, content, own func()) {
	s.wait(20, 20_000)
	s.begin()
	s.add(`,"promptId":"`, s.prompt, `","type":"user","message":{"role":"user","content":[{"tool_use_id":"`, c.id, `","type":"tool_result","content":`)
	content()
	s.add(`}]}`)
	s.named()
	s.add(`,"toolUseResult":`)
	own()
	s.add(`,"sourceToolAssistantUUID":"`, c.uuid, `"`)
	s.end()
}

// result answers a call.
func (s *session) result(c *call, p *plant) {
	room := max(s.sample(resultBytes)-envelope, 40)
	switch c.tool {
	case "Bash":
		s.output(c, p, room/2)
	case "Read":
		if p == nil && s.percent(9) {
			s.image(c, room/2)
		} else {
			s.fileText(c, p, room/2)
		}
	case "Grep":
		s.hits(c, room/2)
	case "Edit":
		s.edited(c, min(room*4/3, 340_000))
	case "Write":
		s.written(c)
	case "Agent":
		s.reported(c, room/2)
	}
}

// output is what a command printed.
func (s *session) output(c *call, p *plant, bytes int) {
	ls := s.with(p, s.choose(s.lib.shell, bytes))
	failed := s.percent(6)
	s.answers(c, func() {
		s.add(`"`)
		if failed {
			s.add(`Exit code 1\n`)
		}
		s.lines(ls)
		if failed {
			s.add(`","is_error":true`)
		} else {
			s.add(`","is_error":false`)
		}
	}, func() {
		if failed {
			s.add(`"Error: Exit code 1\n`)
			s.lines(ls)
			s.add(`"`)
			return
		}
		s.add(`{"stdout":"`)
		s.lines(ls)
		s.add(`","stderr":"","interrupted":false,"isImage":false,"noOutputExpected":false}`)
	})
}

// fileText is a file with its lines numbered.
func (s *session) fileText(c *call, p *plant, bytes int) {
	pool := s.lib.code
	if strings.HasSuffix(c.path, ".md") {
		pool = s.lib.prose
	}
	ls := s.with(nil, s.choose(pool, bytes))
	if p != nil {
		p.at = inRead
		ls = append(ls, p.line)
		s.found(p, 1)
		s.tally.count(p.line)
	}
	s.answers(c, func() {
		s.add(`"`)
		for i, l := range ls {
			if i > 0 {
				s.add(`\n`)
			}
			s.number(i + 1)
			s.out = append(s.out, l.json...)
		}
		s.add(`"`)
	}, func() {
		s.add(`{"type":"text","file":{"filePath":"`, c.path, `","content":"`)
		s.lines(ls)
		s.add(`","numLines":`)
		s.int(len(ls))
		s.add(`,"startLine":1,"totalLines":`)
		s.int(len(ls))
		s.add(`}}`)
	})
}

// number adds the number of a file's line, as one version or the other does.
func (s *session) number(n int) {
	if !s.arrow {
		s.int(n)
		s.add(`\t`)
		return
	}
	for width := 100_000; width > n && width > 1; width /= 10 {
		s.add(" ")
	}
	s.int(n)
	s.add("→")
}

func (s *session) image(c *call, bytes int) {
	data := string(s.lib.blob(s.rng, max(bytes, 2000)))
	s.answers(c, func() {
		s.add(`[{"type":"image","source":{"type":"base64","data":"`, data, `","media_type":"image/png"}}]`)
	}, func() {
		s.add(`{"type":"image","file":{"base64":"`, data, `","type":"image/png","originalSize":`)
		s.int(len(data) * 3 / 4)
		s.add(`}}`)
	})
}

// hits is what a search printed.
func (s *session) hits(c *call, bytes int) {
	name := file(s.rng)
	ls := s.with(nil, s.choose(s.lib.code, bytes/2))
	first := s.between(1, 400)
	content := func() {
		for i, l := range ls {
			if i > 0 {
				s.add(`\n`)
			}
			s.add(name, ":")
			s.int(first + 3*i)
			s.add(":")
			s.out = append(s.out, l.json...)
		}
	}
	s.answers(c, func() {
		s.add(`"`)
		content()
		s.add(`"`)
	}, func() {
		s.add(`{"mode":"content","numFiles":0,"filenames":[],"content":"`)
		content()
		s.add(`","numLines":`)
		s.int(len(ls))
		s.add(`}`)
	})
}

// edited is the word that a file was changed; the client's copy has the file as
// it was, and the change.
func (s *session) edited(c *call, bytes int) {
	said := s.lib.line("The file " + c.path + " has been updated successfully.")
	s.tally.count(said)
	original := s.choose(s.lib.code, bytes)
	s.answers(c, func() {
		s.add(`"`, string(said.json), `"`)
	}, func() {
		s.add(`{"filePath":"`, c.path, `","oldString":"`)
		s.lines(c.old)
		s.add(`","newString":"`)
		s.lines(c.new)
		s.add(`","originalFile":"`)
		s.lines(original)
		s.add(`","structuredPatch":[{"oldStart":12,"oldLines":`)
		s.int(len(c.old))
		s.add(`,"newStart":12,"newLines":`)
		s.int(len(c.new))
		s.add(`,"lines":[`)
		s.patch("-", c.old)
		s.add(`,`)
		s.patch("+", c.new)
		s.add(`]}],"userModified":false,"replaceAll":false}`)
	})
}

func (s *session) patch(sign string, ls []line) {
	for i, l := range ls {
		if i > 0 {
			s.add(",")
		}
		s.add(`"`, sign, string(l.json), `"`)
	}
}

func (s *session) written(c *call) {
	said := s.lib.line("File created successfully at: " + c.path)
	s.tally.count(said)
	s.answers(c, func() {
		s.add(`"`, string(said.json), `"`)
	}, func() {
		s.add(`{"type":"create","filePath":"`, c.path, `","content":"`)
		s.lines(c.new)
		s.add(`","structuredPatch":[],"originalFile":null}`)
	})
}

// reported is what a subagent said at its end.
func (s *session) reported(c *call, bytes int) {
	ls := s.with(nil, s.choose(s.lib.prose, min(bytes, 6000)))
	blocks := func() {
		s.add(`[{"type":"text","text":"`)
		s.lines(ls)
		s.add(`"},{"type":"text","text":"agentId: `, c.agent.id, `"}]`)
	}
	s.answers(c, blocks, func() {
		s.add(`{"status":"completed","prompt":"`)
		s.lines(c.agent.prompt)
		s.add(`","agentId":"`, c.agent.id, `","content":`)
		blocks()
		s.add(`,"totalDurationMs":`)
		s.int(s.between(4000, 400_000))
		s.add(`,"totalTokens":`)
		s.int(s.between(4000, 90_000))
		s.add(`,"totalToolUseCount":`)
		s.int(s.between(1, 60))
		s.add(`}`)
	})
}
