package corpus

import "bytes"

// maker writes the families of a tree. Each goroutine has its own.
type maker struct {
	lib   *library
	tally *tally
	save  func(name string, data []byte) error // name below the home
	spec  Spec
	buf   []byte
}

// family writes a family of either agent, and gives its entries of the prompt log.
func (mk *maker) family(f *family) ([]entry, error) {
	if mk.spec.Agent == "gemini" {
		return mk.chats(f)
	}
	return mk.sessions(f)
}

// sessions writes a transcript of Claude Code, its subagents' and its fork.
func (mk *maker) sessions(f *family) ([]entry, error) {
	r := newRNG(mk.spec.Seed, f.part)
	s := newSession(r, mk.lib, mk.tally, f.cwd, f.start)
	s.out = mk.buf[:0]
	own, child := f.shares()
	s.latch("permission-mode", "permissionMode", "default")
	partings := s.converse(f.size, len(f.subagents), own)
	base := ".claude/projects/" + folder(f.cwd) + "/"
	if err := mk.write(base+s.id+".jsonl", s.out); err != nil {
		return nil, err
	}
	mk.buf = s.out
	history := s.history
	if f.fork > 0 {
		entries, err := mk.fork(f, s, partings[len(partings)/2], base)
		if err != nil {
			return nil, err
		}
		history = append(history, entries...)
	}
	for i, d := range s.agents {
		if err := mk.subagent(s, d, f.subagents[i], child, base+s.id+"/subagents/agent-"+d.id); err != nil {
			return nil, err
		}
		child = nil
	}
	return history, nil
}

func (mk *maker) write(name string, data []byte) error {
	mk.tally.files++
	mk.tally.bytes += int64(len(data))
	mk.tally.lines += int64(bytes.Count(data, []byte("\n")))
	return mk.save(name, data)
}

// fork writes a session that copies another's first lines, ids and all, and goes
// its own way.
func (mk *maker) fork(f *family, from *session, at parting, base string) ([]entry, error) {
	s := newSession(from.rng, mk.lib, mk.tally, f.cwd, at.now)
	s.print = false
	s.setTail(versions[0])
	s.out = append(s.out, bytes.ReplaceAll(from.out[:at.at], []byte(from.id), []byte(s.id))...)
	s.parent = at.parent
	s.wait(60_000, 600_000)
	s.converse(len(s.out)+f.fork, 0, nil)
	return s.history, mk.write(base+s.id+".jsonl", s.out)
}

// subagent writes the transcript of a subagent and what Claude Code keeps beside it.
func (mk *maker) subagent(parent *session, d dispatched, size int, ps []plant, name string) error {
	s := newSession(parent.rng, mk.lib, mk.tally, parent.cwd, d.at+1200)
	s.id, s.agent, s.branch, s.print = parent.id, d.id, parent.branch, parent.print
	s.setTail(versions[1])
	s.tally.count(d.prompt...)
	s.user(d.prompt, "")
	for i := range ps {
		m := s.newMessage()
		s.text(&m, s.with(&ps[i], s.choose(s.lib.prose, 300)))
	}
	s.work(size)
	if err := mk.write(name+".jsonl", s.out); err != nil {
		return err
	}
	return mk.save(name+".meta.json", []byte(`{"agentType":"general-purpose","description":"`+d.description+`","toolUseId":"`+d.tool+`","spawnDepth":1}`))
}
