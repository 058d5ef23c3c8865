// Package config reads seshat's own settings and knows where seshat keeps its
// own things.
//
// A reader may rely on this. A config that is missing is an empty one; one that
// does not parse is an error with its line; a key that nothing knows is reported
// and otherwise without effect. Nothing here is written.
package config

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/BurntSushi/toml"
)

// Config is what a config file says.
type Config struct {
	Agents   map[string]Agent `toml:"agents"`
	Exclude  []string         `toml:"exclude"` // globs on project paths
	Projects []Project        `toml:"projects"`
	Archive  Archive          `toml:"archive"`

	// AllowReveal lets credentials be shown where nobody can be asked.
	AllowReveal bool `toml:"allow_reveal"`

	Path    string   `toml:"-"` // the file that was read; empty when there was none
	Unknown []string `toml:"-"` // keys that nothing knows
}

// Project is a rule: whatever ran in the folder prefix, or below it, worked on the
// project whose folder is root.
type Project struct {
	Prefix string `toml:"prefix"`
	Root   string `toml:"root"`
}

// Problem says why a rule cannot be meant, or "". A relative path would mean another
// folder in every run, and below the top everything would be one project.
func (p Project) Problem() string {
	for _, key := range []struct{ name, path string }{{"prefix", p.Prefix}, {"root", p.Root}} {
		switch {
		case key.path == "":
			return key.name + " is missing"
		case !wellFormed(key.path):
			return fmt.Sprintf("%s = %q is not an absolute path and does not start with ~/", key.name, key.path)
		}
	}
	if strings.Trim(p.Prefix, `/\`) == "" {
		return fmt.Sprintf("prefix = %q is everything there is", p.Prefix)
	}
	return ""
}

// wellFormed reports whether a path names one folder, on whatever platform.
func wellFormed(p string) bool {
	drive := len(p) > 2 && p[1] == ':' && (p[2] == '\\' || p[2] == '/')
	return p == "~" || drive || strings.HasPrefix(p, "~/") || strings.HasPrefix(p, `~\`) || strings.HasPrefix(p, "/") || strings.HasPrefix(p, `\\`)
}

// Agent is what the config says of one agent.
type Agent struct {
	Roots []string `toml:"roots"` // data folders beside the default ones
}

// Load reads a config file. A file that is not there is an empty config, unless
// it was asked for by name.
func Load(path string, asked bool) (Config, error) {
	var c Config
	b, err := readRegular(path)
	if errors.Is(err, fs.ErrNotExist) && !asked {
		return c, nil
	}
	if err != nil {
		return c, fmt.Errorf("the config %s cannot be read: %w", path, err)
	}
	meta, err := toml.Decode(string(b), &c)
	if err != nil {
		var pe toml.ParseError
		if errors.As(err, &pe) {
			return c, fmt.Errorf("the config %s does not parse at line %d: %s", path, pe.Position.Line, pe.Message)
		}
		return c, fmt.Errorf("the config %s does not parse: %w", path, err)
	}
	c.Path = path
	for _, key := range meta.Undecoded() {
		c.Unknown = append(c.Unknown, key.String())
	}
	return c, nil
}

// readRegular reads a file, and waits for no writer of a FIFO.
func readRegular(path string) ([]byte, error) {
	if fi, err := os.Stat(path); err == nil && !fi.Mode().IsRegular() {
		return nil, &fs.PathError{Op: "open", Path: path, Err: errors.New("not a regular file")}
	}
	return os.ReadFile(path)
}

// Dir gives the folder of the config file on a platform, from a home and
// environment variables.
func Dir(goos, home string, vars map[string]string) string {
	switch {
	case vars["XDG_CONFIG_HOME"] != "":
		return filepath.Join(vars["XDG_CONFIG_HOME"], "seshat")
	case goos == "darwin":
		return filepath.Join(home, "Library", "Application Support", "seshat")
	case goos == "windows" && vars["APPDATA"] != "":
		return filepath.Join(vars["APPDATA"], "seshat")
	}
	return filepath.Join(home, ".config", "seshat")
}

// CacheDir gives the folder that seshat keeps derived things in, which may be
// deleted at any time: the one that SESHAT_CACHE_DIR names, resolved against the
// current folder, or the platform's usual one. It is empty where none is known.
func CacheDir(goos, home, workDir string, vars map[string]string) string {
	return keepDir("cache", goos, home, workDir, vars, []string{"Library", "Caches"}, []string{".cache"})
}

// DataDir gives the folder that seshat keeps what cannot be made again in: the one that
// SESHAT_DATA_DIR names, resolved against the current folder, or the platform's usual
// one. It is empty where none is known.
func DataDir(goos, home, workDir string, vars map[string]string) string {
	return keepDir("data", goos, home, workDir, vars, []string{"Library", "Application Support"}, []string{".local", "share"})
}

// keepDir gives the folder for cache or data; mac and other are where a home has it.
func keepDir(what, goos, home, workDir string, vars map[string]string, mac, other []string) string {
	upper := strings.ToUpper(what)
	switch named := vars["SESHAT_"+upper+"_DIR"]; {
	case filepath.IsAbs(named):
		return filepath.Clean(named)
	case named != "":
		return filepath.Join(workDir, named)
	}
	switch xdg := vars["XDG_"+upper+"_HOME"]; {
	case filepath.IsAbs(xdg):
		return filepath.Join(xdg, "seshat")
	case goos == "windows" && vars["LOCALAPPDATA"] != "":
		return filepath.Join(vars["LOCALAPPDATA"], "seshat", what)
	case home == "":
		return ""
	case goos == "darwin":
		other = mac
	}
	return filepath.Join(home, filepath.Join(other...), "seshat")
}

// File gives the config file: the one that SESHAT_CONFIG names, or config.toml in
// Dir. asked tells whether it was named.
func File(goos, home string, vars map[string]string) (path string, asked bool) {
	if path := vars["SESHAT_CONFIG"]; path != "" {
		return path, true
	}
	return filepath.Join(Dir(goos, home, vars), "config.toml"), false
}
