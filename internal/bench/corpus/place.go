package corpus

import "strings"

// place plants a needle in the part of a transcript where it belongs.
func (s *session) place(p *plant) {
	m := s.newMessage()
	switch p.at {
	case inPrompt:
		s.typed(s.with(p, s.choose(s.lib.prose, 200)))
	case inThinking:
		s.think(&m, p)
	case inResult:
		s.output(s.shell(&m, nil), p, 1500)
	case inRead:
		s.fileText(s.read(&m), p, 1500)
	case inCommand, inDescription:
		s.result(s.shell(&m, p), nil)
	case inEdit:
		s.result(s.edit(&m, p), nil)
	case inBlocks:
		s.blocks(&m, s.with(nil, s.choose(s.lib.prose, 300)), s.with(p, nil))
	case inHalves:
		s.halves(&m)
	case inQueued:
		s.queued(p)
	case inAttached:
		s.attached(p)
	case inSummary:
		s.compacted(p)
	case inDispatch:
		s.result(s.dispatch(&m, p), nil)
	case inHistory:
		s.found(p, 1)
		s.tally.count(p.line)
		s.log(p.line.json, s.uuid())
	case inSlashCommand:
		s.command(p)
	case inField:
		s.field(p.nth)
	case inTakenBack:
		s.queue("enqueue", string(p.line.json))
		s.wait(1000, 60_000)
		s.queue("remove", string(p.line.json))
	default:
		s.text(&m, s.with(p, s.choose(s.lib.prose, 400)))
	}
}

// blocks writes a result of two text blocks.
func (s *session) blocks(m *message, first, second []line) {
	c := &call{tool: "mcp__quay__lookup"}
	key := s.lib.line(s.of(nouns))
	s.tally.count(key)
	s.uses(m, c, func() { s.add(`"key":"`, string(key.json), `"`) })
	content := func() {
		s.add(`[{"type":"text","text":"`)
		s.lines(first)
		s.add(`"},{"type":"text","text":"`)
		s.lines(second)
		s.add(`"}]`)
	}
	s.answers(c, content, content)
}

// halves writes one half of a word at the end of a block and the other at the
// start of the next one, in a result and in an answer.
func (s *session) halves(m *message) {
	first, second := []line{s.lib.line("a candle of tallow")}, []line{s.lib.line("wick and wax")}
	s.tally.count(first...)
	s.tally.count(second...)
	s.blocks(m, first, second)
	s.tally.count(first...)
	s.tally.count(second...)
	s.block(m, func() {
		s.add(`{"type":"text","text":"`)
		s.lines(first)
		s.add(`"},{"type":"text","text":"`)
		s.lines(second)
		s.add(`"}`)
	})
}

// queued writes a prompt that waited and then became a record.
func (s *session) queued(p *plant) {
	ls := s.with(p, nil)
	s.queue("enqueue", string(p.line.json))
	s.wait(1000, 60_000)
	s.queue("dequeue", "")
	s.user(ls, "")
}

// attached writes a prompt that waited and was handed over amid a turn.
func (s *session) attached(p *plant) {
	s.with(p, nil)
	s.queue("enqueue", string(p.line.json))
	s.wait(1000, 60_000)
	s.queue("remove", "")
	s.begin()
	s.add(`,"attachment":{"type":"queued_command","prompt":"`, string(p.line.json), `","commandMode":"prompt"},"type":"attachment"`)
	s.named()
	s.end()
}

// compacted writes the summary of a conversation that grew too long.
func (s *session) compacted(p *plant) {
	before := s.parent
	s.parent = ""
	s.begin()
	s.add(`,"logicalParentUuid":"`, before, `","type":"system","subtype":"compact_boundary","content":"Conversation compacted","level":"info","compactMetadata":{"trigger":"auto","preTokens":155000}`)
	s.named()
	s.end()
	ls := s.with(p, s.choose(s.lib.prose, 3000))
	s.begin()
	s.add(`,"type":"user","message":{"role":"user","content":"`)
	s.lines(ls)
	s.add(`"},"isVisibleInTranscriptOnly":true,"isCompactSummary":true`)
	s.named()
	s.end()
}

// command writes a slash command as Claude Code marks it up.
func (s *session) command(p *plant) {
	s.found(p, 1)
	s.tally.count(p.line)
	name, args, _ := strings.Cut(p.text, " ")
	s.log(p.line.json, s.id)
	s.user(nil, `<command-name>`+name+`</command-name>\n            <command-message>`+name[1:]+`</command-message>\n            <command-args>`+args+`</command-args>`)
}

// field writes the decoy word where no text is: in one member or another that
// says something about a record.
func (s *session) field(nth int) {
	m := s.newMessage()
	say := func() { s.text(&m, s.with(nil, s.choose(s.lib.prose, 100))) }
	cwd, branch := s.cwd, s.branch
	switch nth {
	case 0, 1, 2:
		s.cwd += "/" + decoyWord
		s.setTail(versions[0])
		say()
	case 3, 4:
		s.branch = "fix/" + decoyWord
		s.setTail(versions[0])
		say()
	case 5:
		s.parent = decoyWord + "-4242"
		say()
	case 6:
		m.request = "req_" + decoyWord
		say()
	case 7:
		m.id = "msg_" + decoyWord
		say()
	case 8:
		s.thinking(&m, nil, []byte(decoyWord))
	case 9:
		c := s.read(&m)
		s.answers(c, func() { s.add(`"(no content)"`) }, func() { s.add(`{"type":"text","file":{"filePath":"`, c.path, `","content":"`, decoyWord, `"}}`) })
	case 10:
		s.latch("ai-title", "aiTitle", "Find "+decoyWord)
	case 11:
		s.latch("last-prompt", "lastPrompt", "find "+decoyWord)
	default:
		s.add(`{"type":"file-history-snapshot","messageId":"`, s.uuid(), `","snapshot":{"trackedFileBackups":{"`, decoyWord, `.go":{"version":1}}},"isSnapshotUpdate":false}`, "\n")
	}
	s.cwd, s.branch = cwd, branch
	s.setTail(versions[0])
}
