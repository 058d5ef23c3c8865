package corpus

import "strconv"

// session writes one transcript of Claude Code.
type session struct {
	page

	id     string // of the session, also in a subagent's transcript
	agent  string // the subagent's id
	cwd    string
	branch string
	prompt string // id of the prompt that is worked on
	parent string // uuid of the line before
	arrow  bool   // how the version numbers the lines of files
	tail   []byte // what ends most lines
	model  string
	print  bool // run by a program, its prompts through the queue

	agents []dispatched
}

// dispatched is a subagent that a transcript has called.
type dispatched struct {
	id, tool, description string
	prompt                []line
	at                    int64
}

var versions = []string{"2.1.186", "2.1.200", "2.1.211", "2.1.227"}

func newSession(r *rng, lib *library, t *tally, cwd string, start int64) *session {
	s := &session{page: page{rng: r, lib: lib, tally: t, now: start}, id: r.uuid(), cwd: cwd, branch: "main", model: "claude-opus-4-8"}
	s.arrow, s.print = r.percent(35), r.percent(10)
	if r.percent(60) {
		s.branch = r.of([]string{"fix/", "feature/", "chore/"}) + r.of(stems) + "-" + r.of(nouns)
	}
	s.setTail(r.of(versions))
	return s
}

func (s *session) setTail(version string) {
	entrypoint := "cli"
	if s.print {
		entrypoint = "sdk-cli"
	}
	s.tail = append(s.tail[:0], `,"userType":"external","entrypoint":"`+entrypoint+`","cwd":"`...)
	s.tail = append(s.tail, s.cwd+`","sessionId":"`+s.id+`","version":"`+version+`","gitBranch":"`+s.branch+`"`...)
}

// begin opens a line that is a node of the conversation.
func (s *session) begin() {
	if s.parent == "" {
		s.add(`{"parentUuid":null`)
	} else {
		s.add(`{"parentUuid":"`, s.parent, `"`)
	}
	if s.agent != "" {
		s.add(`,"isSidechain":true,"agentId":"`, s.agent, `"`)
	} else {
		s.add(`,"isSidechain":false`)
	}
}

// named adds the uuid and time of a node and makes it the next one's parent.
func (s *session) named() {
	s.parent = s.uuid()
	s.add(`,"uuid":"`, s.parent, `","timestamp":"`)
	s.stamp()
	s.add(`"`)
}

// end closes a line.
func (s *session) end() {
	s.out = append(s.out, s.tail...)
	s.add("}\n")
}

// user writes what a person typed: lines, or a command in its markup.
func (s *session) user(ls []line, markup string) {
	s.snapshot()
	s.prompt = s.uuid()
	s.begin()
	s.add(`,"promptId":"`, s.prompt, `","type":"user","message":{"role":"user","content":"`, markup)
	s.lines(ls)
	s.add(`"}`)
	s.named()
	s.add(`,"permissionMode":"default","promptSource":"typed"`)
	s.end()
}

// snapshot writes the line before a prompt.
func (s *session) snapshot() {
	if s.agent != "" {
		return
	}
	id := s.uuid()
	s.add(`{"type":"file-history-snapshot","messageId":"`, id, `","snapshot":{"messageId":"`, id, `","trackedFileBackups":{},"timestamp":"`)
	s.stamp()
	s.add(`"},"isSnapshotUpdate":false}`, "\n")
}

// log notes a prompt for the prompt log.
func (s *session) log(display []byte, session string) {
	e := entry{at: s.now, cwd: s.cwd, json: append([]byte(`{"display":"`), display...)}
	e.json = append(e.json, `","pastedContents":{},"timestamp":`+strconv.FormatInt(s.now, 10)+`,"project":"`+s.cwd+`","sessionId":"`+session+"\"}\n"...)
	s.history = append(s.history, e)
}

// message is one answer of the model, written as a line for each of its blocks.
type message struct {
	id, request string
	in, out     int
	created     int
	read        int
}

func (s *session) newMessage() message {
	return message{
		id: string(s.token(nil, "msg_01", 22)), request: string(s.token(nil, "req_011", 21)),
		in: s.between(2, 4000), out: s.between(20, 3000), created: s.between(100, 20_000), read: s.between(10_000, 180_000),
	}
}

// block writes a line of an answer; write adds the block.
func (s *session) block(m *message, write func()) {
	s.wait(300, 9000)
	s.begin()
	s.add(`,"message":{"model":"`, s.model, `","id":"`, m.id, `","type":"message","role":"assistant","content":[`)
	write()
	s.add(`],"stop_reason":"tool_use","usage":{"input_tokens":`)
	s.int(m.in)
	s.add(`,"cache_creation_input_tokens":`)
	s.int(m.created)
	s.add(`,"cache_read_input_tokens":`)
	s.int(m.read)
	s.add(`,"output_tokens":`)
	s.int(m.out)
	s.add(`,"service_tier":"standard","cache_creation":{"ephemeral_1h_input_tokens":0,"ephemeral_5m_input_tokens":`)
	s.int(m.created)
	s.add(`}}},"requestId":"`, m.request, `","type":"assistant"`)
	s.named()
	s.end()
}

// text writes a block of prose.
func (s *session) text(m *message, ls []line) {
	s.block(m, func() {
		s.add(`{"type":"text","text":"`)
		s.lines(ls)
		s.add(`"}`)
	})
}

// thinking writes a block of reasoning; most have no text.
func (s *session) thinking(m *message, ls []line, signature []byte) {
	s.block(m, func() {
		s.add(`{"type":"thinking","thinking":"`)
		s.lines(ls)
		s.add(`","signature":"`, string(signature), `"}`)
	})
}
