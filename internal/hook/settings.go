package hook

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// The events that seshat has an entry for.
const (
	SessionEnd   = "SessionEnd"
	SessionStart = "SessionStart"
)

// Install puts the program's entry for each event into settings. Where an entry of
// seshat's is there it starts the program from now on, and a second one is taken out.
// When nothing has to change, what it gives is what it got.
func Install(settings []byte, p Program, events []string) ([]byte, error) {
	if err := p.Check(); err != nil {
		return nil, fmt.Errorf("the entry would start %s: %w", p.Path, err)
	}
	var err error
	for _, event := range events {
		if settings, err = install(settings, p, event); err != nil {
			return nil, err
		}
	}
	return settings, nil
}

func install(b []byte, p Program, event string) ([]byte, error) {
	t, err := read(b, event)
	if err != nil {
		return nil, err
	}
	switch {
	case !t.hasHooks:
		return t.layout.addMember(b, t.top, true, "hooks", object{{event, array{p.group()}}}), nil
	case !t.hasEvent:
		return t.layout.addMember(b, t.hooks, false, event, array{p.group()}), nil
	}
	ours := t.ours(p)
	if len(ours) == 0 {
		return t.layout.addElement(b, t.event, p.group()), nil
	}
	for i := len(ours) - 1; i > 0; i-- { // from behind, so that places before it stay
		b = t.without(b, ours[i])
		if t, err = read(b, event); err != nil {
			return nil, err
		}
	}
	return t.refreshed(b, t.ours(p)[0], p), nil
}

// Remove takes every entry of seshat's out of settings, with the brackets that came
// with it. When there is none, what it gives is what it got.
func Remove(settings []byte, p Program) ([]byte, error) {
	for {
		events, err := eventsOf(settings)
		if err != nil {
			return nil, err
		}
		i := slices.IndexFunc(events, func(event string) bool {
			t, err := read(settings, event)
			return err == nil && len(t.ours(p)) > 0
		})
		if i < 0 {
			return settings, unreadable(settings, events)
		}
		t, err := read(settings, events[i])
		if err != nil {
			return nil, err
		}
		ours := t.ours(p)
		settings = t.without(settings, ours[len(ours)-1])
	}
}

// unreadable says why it is not sure that settings hold no entry, or nil.
func unreadable(b []byte, events []string) error {
	for _, event := range events {
		if event != SessionEnd && event != SessionStart {
			continue
		}
		if _, err := read(b, event); err != nil {
			return err
		}
	}
	return nil
}

// Found is an entry of seshat's in settings.
type Found struct {
	Event   string
	Program string // that it starts
}

// Look lists the entries of seshat's in settings.
func Look(settings []byte, p Program) (out []Found, err error) {
	events, err := eventsOf(settings)
	if err != nil {
		return nil, err
	}
	for _, event := range events {
		t, err := read(settings, event)
		if err != nil {
			continue
		}
		for _, at := range t.ours(p) {
			out = append(out, Found{event, t.groups[at.group].handlers[at.handler].program})
		}
	}
	return out, unreadable(settings, events)
}

// tree is what is known of the settings around one event.
type tree struct {
	layout   layout
	top      span // the whole object
	hooks    span // the object of all events
	event    span // the array of the event
	hasHooks bool
	hasEvent bool
	groups   []group
}

// group is an element of an event: handlers with what they have in common.
type group struct {
	span
	hooks    span
	handlers []handler
}

type handler struct {
	span
	command  string
	line     span // where the command stands
	args     []string
	withArgs bool
	program  string // that it starts, when it is seshat's
}

// place names a handler of an event.
type place struct{ group, handler int }

// errShape says that hooks are not what Claude Code's documentation says of them.
var errShape = errors.New("is not of the shape that seshat knows")

var errNoObject = errors.New("is not a JSON object")

// eventsOf lists the events that settings have hooks for.
func eventsOf(b []byte) (out []string, err error) {
	t, err := read(b, "")
	if err != nil || !t.hasHooks {
		return nil, err
	}
	for _, m := range members(b, t.hooks) {
		if !slices.Contains(out, m.key) {
			out = append(out, m.key)
		}
	}
	return out, nil
}

// read reads settings as far as they say something of an event.
func read(b []byte, event string) (*tree, error) {
	if err := valid(b); err != nil {
		return nil, err
	}
	from := space(b, 0)
	if b[from] != '{' {
		return nil, errNoObject
	}
	t := &tree{top: valueAt(b, from)}
	top := members(b, t.top)
	t.layout = settled(b, top)
	var err error
	if t.hooks, t.hasHooks, err = one(b, top, "hooks", '{', `"hooks"`); err != nil || !t.hasHooks || event == "" {
		return t, err
	}
	if t.event, t.hasEvent, err = one(b, members(b, t.hooks), event, '[', event); err != nil || !t.hasEvent {
		return t, err
	}
	for _, e := range elements(b, t.event) {
		g, err := groupAt(b, e)
		if err != nil {
			return nil, fmt.Errorf("what stands in %q %w", event, err)
		}
		t.groups = append(t.groups, g)
	}
	return t, nil
}

// one gives the only member of a name, which must be an object or an array as its
// bracket tells.
func one(b []byte, all []member, name string, open byte, called string) (val span, there bool, err error) {
	for _, m := range all {
		if m.key != name {
			continue
		}
		if there {
			return span{}, false, fmt.Errorf("has %s twice", called)
		}
		val, there = m.val, true
	}
	if there && b[val.from] != open {
		return span{}, false, fmt.Errorf("%s in it %w", called, errShape)
	}
	return val, there, nil
}

func groupAt(b []byte, at span) (group, error) {
	g := group{span: at}
	if b[at.from] != '{' {
		return g, errShape
	}
	var there bool
	var err error
	if g.hooks, there, err = one(b, members(b, at), "hooks", '[', `a "hooks"`); err != nil || !there {
		return g, errShape
	}
	for _, e := range elements(b, g.hooks) {
		if b[e.from] != '{' {
			return g, errShape
		}
		g.handlers = append(g.handlers, handlerAt(b, e))
	}
	return g, nil
}

func handlerAt(b []byte, at span) handler {
	h := handler{span: at}
	kind := ""
	for _, m := range members(b, at) { // of a repeated key the last counts
		switch m.key {
		case "type":
			kind = text(m.val.of(b))
		case "command":
			h.command, h.line = text(m.val.of(b)), m.val
		case "args":
			h.args, h.withArgs = texts(m.val.of(b))
		}
	}
	if kind != "command" {
		h.command = ""
	}
	return h
}

// ours lists the handlers of the event that are seshat's, in order.
func (t *tree) ours(p Program) (out []place) {
	for i := range t.groups {
		for j := range t.groups[i].handlers {
			h := &t.groups[i].handlers[j]
			var ok bool
			if h.program, ok = p.starts(h.command, h.args, h.withArgs); ok {
				out = append(out, place{i, j})
			}
		}
	}
	return out
}

// refreshed makes a handler of seshat's start the program. When it does already,
// nothing changes.
func (t *tree) refreshed(b []byte, at place, p Program) []byte {
	h := t.groups[at.group].handlers[at.handler]
	command := p.command()
	if h.withArgs {
		command = p.Path
	}
	switch {
	case h.withArgs != (p.GOOS == "windows"): // it came from another platform
		l := t.layout
		l.lined = false
		var w strings.Builder
		l.write(&w, p.handler())
		return slices.Replace(slices.Clone(b), h.from, h.to, []byte(w.String())...)
	case h.command == command:
		return b
	}
	return slices.Replace(slices.Clone(b), h.line.from, h.line.to, []byte(quote(command))...)
}

// without takes a handler out, and what is left of no use by that.
func (t *tree) without(b []byte, at place) []byte {
	g := t.groups[at.group]
	if len(g.handlers) > 1 {
		return cut(b, spans(g.handlers), at.handler)
	}
	if len(t.groups) > 1 {
		return cut(b, spans(t.groups), at.group)
	}
	if left, stays := empty(b, t.event, g.span, false); stays {
		return left
	}
	events := members(b, t.hooks)
	i := slices.IndexFunc(events, func(m member) bool { return m.val == t.event })
	if len(events) > 1 {
		return cut(b, wholes(events), i)
	}
	if left, stays := empty(b, t.hooks, events[i].whole(), false); stays {
		return left
	}
	top := members(b, t.top)
	i = slices.IndexFunc(top, func(m member) bool { return m.val == t.hooks })
	if len(top) > 1 {
		return cut(b, wholes(top), i)
	}
	left, _ := empty(b, t.top, top[i].whole(), true)
	return left
}

// whole is a member with its key.
func (m member) whole() span { return span{m.name.from, m.val.to} }

func wholes(all []member) (out []span) {
	for _, m := range all {
		out = append(out, m.whole())
	}
	return out
}

func spans[T interface{ at() span }](all []T) (out []span) {
	for _, x := range all {
		out = append(out, x.at())
	}
	return out
}

func (s span) at() span { return s }

// valid says why settings are not what can be edited, or nil.
func valid(b []byte) error {
	var syntax *json.SyntaxError
	var any json.RawMessage
	err := json.Unmarshal(b, &any)
	switch {
	case err == nil:
		return nil
	case bytes.HasPrefix(b, []byte("\xef\xbb\xbf")), bytes.HasPrefix(b, []byte("\xff\xfe")), bytes.HasPrefix(b, []byte("\xfe\xff")):
		return errors.New("begins with a byte order mark")
	case len(bytes.TrimSpace(b)) == 0:
		return errors.New("is empty, which is not JSON")
	case commented(b):
		return errors.New("has comments, which are not JSON")
	case errors.As(err, &syntax):
		return fmt.Errorf("is not JSON, as line %d shows", 1+bytes.Count(b[:min(int(syntax.Offset), len(b))], []byte("\n")))
	}
	return errors.New("is not JSON")
}

// commented reports whether a comment stands anywhere outside of strings.
func commented(b []byte) bool {
	for i := 0; i+1 < len(b); i++ {
		switch {
		case b[i] == '"':
			for i++; i < len(b) && b[i] != '"'; i++ {
				if b[i] == '\\' {
					i++
				}
			}
		case b[i] == '/' && (b[i+1] == '/' || b[i+1] == '*'):
			return true
		}
	}
	return false
}

// Switches are the settings that keep hooks from running.
type Switches struct {
	Off         bool // disableAllHooks is true
	On          bool // disableAllHooks is false, which overrules settings that come later
	ManagedOnly bool // allowManagedHooksOnly is true, which counts in managed settings
}

// ReadSwitches reads them. [official documentation: hooks, settings-reference]
func ReadSwitches(settings []byte) (s Switches, err error) {
	if err := valid(settings); err != nil {
		return s, err
	}
	from := space(settings, 0)
	if settings[from] != '{' {
		return s, errNoObject
	}
	for _, m := range members(settings, valueAt(settings, from)) { // of a repeated key the last counts
		val := string(m.val.of(settings))
		switch m.key {
		case "disableAllHooks":
			s.Off, s.On = val == "true", val == "false"
		case "allowManagedHooksOnly":
			s.ManagedOnly = val == "true"
		}
	}
	return s, nil
}
