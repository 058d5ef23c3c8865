package gemini

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/seshat-dev/seshat/agent"
	"github.com/seshat-dev/seshat/catalog"
	"github.com/seshat-dev/seshat/internal/jsonscan"
	"github.com/seshat-dev/seshat/internal/rootfs"
)

const (
	defaultAge = "30d" // [packages/cli/src/config/settingsSchema.ts:389-435]
	minimumAge = "1d"
	maxHours   = 2_400_000 // more is no longer a length of time that can be added to a date
)

// layer is one settings file, as far as it speaks of retention.
type layer struct {
	path      string
	retention jsonscan.Value // general.sessionRetention
	trust     jsonscan.Value // security.folderTrust.enabled
	damaged   bool
}

// policy is what the merged settings say on retention.
type policy struct {
	sessions bool          // expired sessions are deleted
	outputs  bool          // expired outputs of tools are; settings that make no sense stop only the former
	age      time.Duration // 0 where no age counts
	ageRule  agent.Rule
	count    int64 // 0 where no number counts; outputs know -1 for none at all
	countRule,
	enabledRule agent.Rule
}

// value is a setting with the file that it stands in; the last file wins.
type value struct {
	jsonscan.Value
	path string
}

func last(layers []layer, key string) (v value) {
	for _, l := range layers {
		if found := l.retention.Get(key); found.Kind() != jsonscan.Absent && found.Kind() != jsonscan.Null {
			v = value{found, l.path}
		}
	}
	return v
}

// policyOf merges settings, from the weakest layer to the strongest, key by key.
func policyOf(layers []layer, note func(path, why string)) policy {
	enabled := last(layers, "enabled")
	p := policy{outputs: enabled.Kind() == jsonscan.Absent || truthy(enabled.Value)}
	p.enabledRule = agent.Rule{Setting: "general.sessionRetention.enabled " + shown(enabled.Value, "is not set, true is the default"), Path: enabled.path}
	if !p.outputs {
		return p
	}
	p.sessions = true
	p.takeAge(last(layers, "maxAge"), last(layers, "minRetention"), note)
	p.takeCount(last(layers, "maxCount"), note)
	if p.age == 0 && p.count == 0 {
		p.sessions = false
	}
	return p
}

// takeAge reads how old sessions may become. An age that makes no sense, or is less
// than the least, turns their clean-up off.
func (p *policy) takeAge(age, least value, note func(path, why string)) {
	switch text := age.Text(); {
	case age.Kind() == jsonscan.Absent:
		p.age, _ = ageOf(defaultAge)
		p.ageRule.Setting = "general.sessionRetention.maxAge is not set, " + defaultAge + " is the default"
	case age.Kind() == jsonscan.String && text == "":
		return // no age counts
	default:
		p.ageRule = agent.Rule{Setting: "general.sessionRetention.maxAge " + shown(age.Value, ""), Path: age.path}
		var ok bool
		if p.age, ok = ageOf(text); !ok {
			p.sessions = false
			note(age.path, "general.sessionRetention.maxAge is no number with h, d, w or m behind it, so that Gemini CLI deletes no session for its age")
			return
		}
	}
	shortest, ok := ageOf(least.Text())
	if !ok {
		shortest, _ = ageOf(minimumAge)
	}
	if p.age < shortest {
		p.sessions = false
		note(cmp.Or(age.path, least.path), "general.sessionRetention.maxAge is less than minRetention, so that Gemini CLI deletes no session, though outputs of tools")
	}
}

// takeCount reads how many sessions may stay.
func (p *policy) takeCount(count value, note func(path, why string)) {
	n, ok := count.Int()
	if !ok {
		return
	}
	p.count, p.countRule = n, agent.Rule{Setting: fmt.Sprintf("general.sessionRetention.maxCount %d", n), Path: count.path}
	if n < 1 {
		p.count, p.sessions = -1, false
		note(count.path, "general.sessionRetention.maxCount is less than 1, so that Gemini CLI deletes no session, though outputs of tools")
	}
}

// shown writes a value that is short and plain, as settings on retention are.
func shown(v jsonscan.Value, absent string) string {
	switch {
	case v.Kind() == jsonscan.Absent:
		return absent
	case v.Kind() == jsonscan.String:
		return agent.Quoted(v.Text())
	case v.Kind() == jsonscan.Object || v.Kind() == jsonscan.Array || len(v) > 40:
		return "of another kind"
	}
	return string(v)
}

var agePattern = regexp.MustCompile(`^(\d+)([hdwm])$`)

// ageOf reads a length of time such as 30d. A month has 30 days; zero and other
// units are none.
func ageOf(s string) (time.Duration, bool) {
	m := agePattern.FindStringSubmatch(s)
	if m == nil {
		return 0, false
	}
	hours := map[string]int64{"h": 1, "d": 24, "w": 7 * 24, "m": 30 * 24}[m[2]]
	n, err := strconv.ParseInt(m[1], 10, 64)
	if err != nil || n > maxHours/hours {
		n = maxHours / hours
	}
	return time.Duration(n*hours) * time.Hour, n > 0
}

// settingsReader reads the settings that the clean-up of projects goes by.
type settingsReader struct {
	env      agent.Env
	cat      *catalog.Catalog
	problems []agent.Problem
	notes    []agent.Problem
	said     map[string]bool
	users    map[string]layer // by data folder
	machine  struct{ defaults, overrides layer }
}

func newSettingsReader(env agent.Env, cat *catalog.Catalog) *settingsReader {
	r := &settingsReader{env: env, cat: cat, said: map[string]bool{}, users: map[string]layer{}}
	overrides := filepath.Join(system(env), "settings.json")
	if file := env.Vars["GEMINI_CLI_SYSTEM_SETTINGS_PATH"]; file != "" {
		overrides = env.Abs(file)
	}
	defaults := filepath.Join(filepath.Dir(overrides), "system-defaults.json")
	if file := env.Vars["GEMINI_CLI_SYSTEM_DEFAULTS_PATH"]; file != "" {
		defaults = env.Abs(file)
	}
	r.machine.defaults, r.machine.overrides = r.aside(defaults, catalog.System), r.aside(overrides, catalog.System)
	return r
}

// aside reads a settings file outside the data folders.
func (r *settingsReader) aside(path string, head catalog.Head) layer {
	v, damaged := r.object(path, head)
	return layerOf(path, v, damaged)
}

// object reads a file that is one object, comments allowed. It is absent where
// there is none.
func (r *settingsReader) object(path string, head catalog.Head) (jsonscan.Value, bool) {
	dir, name := filepath.Dir(path), filepath.Base(path)
	if head == catalog.Repo { // <repo>/.gemini/settings.json
		dir, name = filepath.Dir(dir), ".gemini/"+name
	}
	root, err := rootfs.Aside(r.env, r.cat, dir, head)
	if err != nil {
		r.problem(path, agent.Reason(err)+assumed)
		return nil, true
	}
	if root == nil || r.env.Private != nil && r.env.Private(path, false) {
		return nil, false
	}
	return r.read(root, name)
}

const assumed = "; the dates count it as if it were not there"

func (r *settingsReader) read(root agent.Root, name string) (v jsonscan.Value, damaged bool) {
	b, err := rootfs.ReadSmall(root, name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, false
	case err != nil:
		r.problem(rootfs.Path(root, name), agent.Reason(err)+assumed)
		return nil, true
	}
	b = bytes.TrimSpace(uncomment(bytes.TrimPrefix(b, bom)))
	if len(b) == 0 {
		return nil, false
	}
	objects, whole := jsonscan.Objects(b)
	if !whole {
		r.problem(rootfs.Path(root, name), "is not one JSON object"+assumed)
		return nil, true
	}
	return objects[0], false
}

func layerOf(path string, v jsonscan.Value, damaged bool) layer {
	return layer{path: path, retention: v.Get("general").Get("sessionRetention"), trust: v.Get("security").Get("folderTrust").Get("enabled"), damaged: damaged}
}

// problem says, once, what cannot be read.
func (r *settingsReader) problem(path, why string) { r.say(&r.problems, path, why) }

// note says, once, what is read and means something else than it seems to.
func (r *settingsReader) note(path, why string) { r.say(&r.notes, path, why) }

func (r *settingsReader) say(list *[]agent.Problem, path, why string) {
	if key := path + "\x00" + why; !r.said[key] {
		r.said[key] = true
		*list = append(*list, agent.Problem{Path: path, Reason: why, Reach: catalog.Search})
	}
}

// trust tells whether settings of a project count.
type trust int

const (
	trustUnsure trust = iota
	trusted
	untrusted
)

// trustOf tells whether Gemini CLI trusts a folder: as the nearest entry of its own
// list says, and always where the settings turn the question off.
func (r *settingsReader) trustOf(cwd string, root agent.Root, layers []layer) trust {
	for i := len(layers) - 1; i >= 0; i-- {
		if kind := layers[i].trust.Kind(); kind == jsonscan.Bool {
			if !layers[i].trust.True() {
				return trusted
			}
			break
		}
	}
	var list jsonscan.Value
	if file := r.env.Vars["GEMINI_CLI_TRUSTED_FOLDERS_PATH"]; file != "" {
		list, _ = r.object(r.env.Abs(file), catalog.System)
	} else {
		list, _ = r.read(root, "trustedFolders.json")
	}
	answer, longest := trustUnsure, -1
	for dir, level := range list.Members() {
		at := dir
		if level.Text() == "TRUST_PARENT" {
			at = filepath.Dir(dir)
		}
		if len(dir) <= longest || cwd != filepath.Clean(at) && !strings.HasPrefix(cwd, strings.TrimSuffix(filepath.Clean(at), string(filepath.Separator))+string(filepath.Separator)) {
			continue
		}
		switch level.Text() {
		case "TRUST_FOLDER", "TRUST_PARENT":
			answer, longest = trusted, len(dir)
		case "DO_NOT_TRUST":
			answer, longest = untrusted, len(dir)
		}
	}
	return answer
}

// user reads the settings of a data folder, once for all of its projects.
func (r *settingsReader) user(root agent.Root) layer {
	l, known := r.users[root.Dir()]
	if !known {
		v, damaged := r.read(root, "settings.json")
		l = layerOf(rootfs.Path(root, "settings.json"), v, damaged)
		r.users[root.Dir()] = l
	}
	return l
}

// policies gives what the settings of a project may say: one policy, or two where
// it is not sure whether the project is trusted. unsure says that a file of them
// cannot be read.
func (r *settingsReader) policies(root agent.Root, cwd string) (all []policy, unsure bool) {
	mine := r.user(root)
	base := []layer{r.machine.defaults, mine, r.machine.overrides}
	unsure = r.machine.defaults.damaged || mine.damaged || r.machine.overrides.damaged
	without := policyOf(base, r.note)
	file := filepath.Join(cwd, ".gemini", "settings.json")
	if cwd == "" || !filepath.IsAbs(cwd) || file == mine.path {
		return []policy{without}, unsure
	}
	project := r.aside(file, catalog.Repo)
	unsure = unsure || project.damaged
	if project.retention.Kind() == jsonscan.Absent {
		return []policy{without}, unsure
	}
	level := r.trustOf(cwd, root, base)
	if level == untrusted {
		return []policy{without}, unsure
	}
	with := policyOf([]layer{r.machine.defaults, mine, project, r.machine.overrides}, r.note)
	if level == trusted {
		return []policy{with}, unsure
	}
	return []policy{without, with}, unsure
}
