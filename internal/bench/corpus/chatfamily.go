package corpus

import (
	"cmp"
	"maps"
	"path"
	"slices"
	"time"
)

// chats writes a chat of Gemini CLI and those of its subagents.
func (mk *maker) chats(f *family) ([]entry, error) {
	r := newRNG(mk.spec.Seed, f.part)
	c := newChat(r, mk.lib, mk.tally, r.uuid(), f.cwd, "main", f.start)
	c.out = append(mk.buf[:0], c.out...)
	own, child := f.shares()
	c.context()
	c.converse(f.size, len(f.subagents), own)
	folder := ".gemini/tmp/" + path.Base(f.cwd) + "/chats/"
	minute := time.UnixMilli(f.start).UTC().Format("2006-01-02T15-04")
	if err := mk.write(folder+"session-"+minute+"-"+c.id[:8]+".jsonl", c.out); err != nil {
		return nil, err
	}
	mk.buf = c.out
	for i, d := range c.agents {
		s := newChat(r, mk.lib, mk.tally, d.id, f.cwd, "subagent", d.at+900)
		s.tally.count(d.prompt...)
		s.typed(d.prompt, false)
		for j := range child {
			s.closing(&child[j])
		}
		child = nil
		for len(s.out) < f.subagents[i] {
			a := s.thoughtful(nil)
			a.calls = append(a.calls, s.anyTool())
			s.say(a)
		}
		s.closing(nil)
		if err := mk.write(folder+c.id+"/"+d.id+".jsonl", s.out); err != nil {
			return nil, err
		}
	}
	return c.history, nil
}

// promptLogs writes the prompt log of each project and says where projects are.
func promptLogs(logs [][]entry, save func(string, []byte) error) error {
	of := map[string][]entry{}
	for _, e := range slices.Concat(logs...) {
		of[e.cwd] = append(of[e.cwd], e)
	}
	registry := []byte("{\n  \"projects\": {")
	for i, cwd := range slices.Sorted(maps.Keys(of)) {
		slug := path.Base(cwd)
		if i > 0 {
			registry = append(registry, ',')
		}
		registry = append(registry, "\n    \""+cwd+"\": \""+slug+"\""...)
		slices.SortStableFunc(of[cwd], func(a, b entry) int { return cmp.Compare(a.at, b.at) })
		log := []byte("[\n")
		for i, e := range of[cwd] {
			if i > 0 {
				log = append(log, ",\n"...)
			}
			log = append(log, e.json...)
		}
		if err := save(".gemini/tmp/"+slug+"/logs.json", append(log, "\n]"...)); err != nil {
			return err
		}
		if err := save(".gemini/tmp/"+slug+"/.project_root", []byte(cwd)); err != nil {
			return err
		}
	}
	return save(".gemini/projects.json", append(registry, "\n  }\n}"...))
}
