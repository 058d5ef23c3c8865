package seshat

import (
	"errors"
	"io/fs"
	"slices"
	"strings"
	"time"

	"github.com/seshat-dev/seshat/internal/archive"
	"github.com/seshat-dev/seshat/internal/rootfs"
)

// movable gives what stays the same of a key when a session moves to the folder of
// another project.
func movable(key archive.Key) archive.Key {
	parts := strings.SplitN(key.Name, "/", 3)
	if len(parts) == 3 {
		key.Name = parts[0] + "/" + parts[2]
	}
	return key
}

// source gives what the archive has of a file already, or nil. One that was found in the
// folder of another project, and is there no more, has moved.
func (k *keeper) source(f *keepFile) (s *archive.Source, moved bool, err error) {
	if s = k.known[f.key]; s != nil || f.label.Session == "" {
		return s, false, nil
	}
	for _, old := range k.moved[movable(f.key)] {
		if old.Label != f.label || old.Key == f.key || k.there(old.Key) || !k.begins(f, old) {
			continue
		}
		if k.w != nil {
			if err := k.w.Move(old.ID, f.key); err != nil {
				return nil, false, err
			}
		}
		delete(k.known, old.Key)
		old.Key = f.key
		k.known[f.key] = old
		return old, true, nil
	}
	return nil, false, nil
}

// begins reports whether a file begins with what the archive holds of a source.
func (k *keeper) begins(f *keepFile, s *archive.Source) bool {
	if len(s.Versions) == 0 {
		return false
	}
	v := current(s)
	return v.Size > 0 && v.Size <= f.info().Size && beginsWith(f.Source.Source, v)
}

// there reports whether a file may still be where the archive has it from.
func (k *keeper) there(key archive.Key) bool {
	root, known := k.roots[key.Dir]
	if !known {
		var err error
		if root, err = k.l.opts.Open(key.Dir); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return true
		}
		k.roots[key.Dir] = root
	}
	if root == nil {
		return false
	}
	_, err := root.Lstat(key.Name)
	return !errors.Is(err, fs.ErrNotExist)
}

// gone marks what is on the disk no more. What discovery did not find is looked at once
// more: a folder that cannot be listed hides what is in it.
func (k *keeper) gone() {
	found := map[archive.Key]bool{}
	for _, f := range k.set.files {
		found[f.key] = true
	}
	var keys []archive.Key
	for key, s := range k.known {
		if s.Gone.IsZero() && !found[key] && !k.there(key) {
			keys = append(keys, key)
		}
	}
	slices.SortFunc(keys, func(a, b archive.Key) int { return strings.Compare(a.Dir+"\x00"+a.Name, b.Dir+"\x00"+b.Name) })
	for _, key := range keys {
		s := k.known[key]
		if k.w != nil {
			k.w.Look(s.ID, s.Live, s.Pending, time.Now())
		}
		k.out.Items = append(k.out.Items, ArchiveItem{Agent: s.Agent, Store: s.Store, Session: s.Session, Path: keyPath(key), Did: ArchiveGone, Size: s.Live.Size})
	}
}

// keyPath gives the path that the archive has a file from.
func keyPath(key archive.Key) string {
	return rootfs.Path(&rootfs.Memory{Folder: key.Dir}, key.Name)
}
