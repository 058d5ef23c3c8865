package archive

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"time"

	_ "modernc.org/sqlite" // the driver "sqlite"

	"github.com/seshat-dev/seshat/agent"
)

const (
	manifestName  = "manifest.db"
	formatVersion = 1
)

// schema is the manifest. Names and folders are blobs, for they may be any bytes;
// times are nanoseconds since 1970, 0 when there is none. doc/archive-format.md
// describes it.
const schema = `
CREATE TABLE meta (key TEXT PRIMARY KEY, value INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE folder (id INTEGER PRIMARY KEY, machine TEXT NOT NULL, agent TEXT NOT NULL, dir BLOB NOT NULL, UNIQUE (machine, agent, dir));
CREATE TABLE source (
	id INTEGER PRIMARY KEY AUTOINCREMENT, uid BLOB NOT NULL UNIQUE, folder INTEGER NOT NULL REFERENCES folder, name BLOB NOT NULL,
	store TEXT NOT NULL, session TEXT NOT NULL, subagent TEXT NOT NULL, family TEXT NOT NULL,
	live BLOB NOT NULL, gone INTEGER NOT NULL, pending TEXT NOT NULL);
CREATE TABLE version (
	source INTEGER NOT NULL REFERENCES source, number INTEGER NOT NULL, size INTEGER NOT NULL, sha256 BLOB NOT NULL,
	mtime INTEGER NOT NULL, mode INTEGER NOT NULL, kept INTEGER NOT NULL, masked INTEGER NOT NULL, live_sha256 BLOB,
	PRIMARY KEY (source, number)) WITHOUT ROWID;
CREATE TABLE piece (
	source INTEGER NOT NULL, version INTEGER NOT NULL, offset INTEGER NOT NULL, raw INTEGER NOT NULL, sha256 BLOB NOT NULL,
	PRIMARY KEY (source, version, offset), FOREIGN KEY (source, version) REFERENCES version) WITHOUT ROWID;
CREATE INDEX piece_sha256 ON piece (sha256);
CREATE TABLE frame (sha256 BLOB PRIMARY KEY, pack INTEGER NOT NULL REFERENCES pack, offset INTEGER NOT NULL, stored INTEGER NOT NULL, raw INTEGER NOT NULL, repacked INTEGER NOT NULL DEFAULT 0) WITHOUT ROWID;
CREATE INDEX frame_pack ON frame (pack, offset);
CREATE TABLE pack (number INTEGER PRIMARY KEY AUTOINCREMENT, size INTEGER NOT NULL);
CREATE TABLE mention (pack INTEGER NOT NULL REFERENCES pack, source INTEGER NOT NULL, PRIMARY KEY (pack, source)) WITHOUT ROWID;
CREATE TABLE removed (pack INTEGER PRIMARY KEY);
CREATE TABLE tombstone (agent TEXT NOT NULL, session TEXT NOT NULL, time INTEGER NOT NULL, why TEXT NOT NULL, PRIMARY KEY (agent, session)) WITHOUT ROWID;
PRAGMA user_version = 1;
`

// address gives the name by which the driver opens a file.
func address(path string, mode string, pragmas ...string) string {
	slashed := filepath.ToSlash(path)
	if !strings.HasPrefix(slashed, "/") {
		slashed = "/" + slashed // a drive's letter
	}
	q := "?mode=" + mode + "&_txlock=immediate"
	for _, p := range pragmas {
		q += "&_pragma=" + url.QueryEscape(p)
	}
	return "file://" + (&url.URL{Path: slashed}).EscapedPath() + q
}

// patience is how long a reader or a writer waits in the few moments in which SQLite
// wants a file for itself: when the first one opens it and the last one closes it.
const patience = "busy_timeout(10000)"

func openForReading(path string) (*sql.DB, error) {
	db, err := openAndCheck(path, address(path, "ro", patience, "query_only(1)"))
	if err == nil || errors.Is(err, fs.ErrNotExist) || errors.Is(err, errNewer) {
		return db, err
	}
	// WAL wants to make files beside the manifest, which a reader may not be allowed. Where
	// none are needed, nobody is writing.
	if fi, lookErr := os.Stat(path + "-wal"); errors.Is(lookErr, fs.ErrNotExist) || lookErr == nil && fi.Size() == 0 {
		if db, again := openAndCheck(path, address(path, "ro", "query_only(1)")+"&immutable=1"); again == nil {
			return db, nil
		}
	}
	return nil, err
}

func openAndCheck(path, at string) (*sql.DB, error) {
	db, err := sql.Open("sqlite", at)
	if err != nil {
		return nil, err
	}
	db.SetMaxIdleConns(4)
	if err := checkFormat(db, path); err != nil {
		db.Close()
		return nil, err
	}
	return db, nil
}

// openForWriting opens the manifest, which is made when the file is empty. journal is
// SQLite's journal_mode.
func openForWriting(path, journal string) (*sql.DB, error) {
	db, err := sql.Open("sqlite", address(path, "rw", patience, "journal_mode("+journal+")", "synchronous(FULL)", "fullfsync(1)",
		"checkpoint_fullfsync(1)", "secure_delete(1)", "cache_spill(0)"))
	if err != nil {
		return nil, err
	}
	db.SetMaxOpenConns(1)
	if err = makeSchema(db); err == nil {
		err = checkFormat(db, path)
	}
	if err != nil {
		db.Close()
		return nil, err
	}
	return db, nil
}

func makeSchema(db *sql.DB) error {
	tx, err := db.Begin()
	if err != nil {
		return err
	}
	defer tx.Rollback()
	var made int
	if err := tx.QueryRow("SELECT count(*) FROM sqlite_schema").Scan(&made); err != nil || made > 0 {
		return err
	}
	if _, err := tx.Exec(schema); err != nil {
		return err
	}
	return tx.Commit()
}

var errNewer = errors.New("use a newer seshat")

func checkFormat(db *sql.DB, path string) error {
	var format int
	if err := db.QueryRow("PRAGMA user_version").Scan(&format); err != nil {
		return fmt.Errorf("%s: cannot be read as the archive's manifest, which seshat archive verify --rebuild makes anew from the packs: %w", path, err)
	}
	switch {
	case format > formatVersion:
		return fmt.Errorf("%s: the archive has format %d and this seshat knows %d: %w", path, format, formatVersion, errNewer)
	case format == 0:
		return &fs.PathError{Op: "open", Path: path, Err: fs.ErrNotExist}
	}
	return nil
}

// queryer is a database or a transaction.
type queryer interface {
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
}

// each calls a function for each row of a query; it scans the row.
func each(ctx context.Context, q queryer, row func(scan func(...any) error) error, query string, args ...any) error {
	rows, err := q.QueryContext(ctx, query, args...)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		if err := row(rows.Scan); err != nil {
			return err
		}
	}
	return rows.Err()
}

// loadSources loads all sources. The versions are asked of another queryer, which may be
// the same: when it is not, both are asked at the same time.
func loadSources(ctx context.Context, q, forVersions queryer) ([]Source, error) {
	var versions []numbered
	var failed error
	done := make(chan struct{})
	load := func() {
		defer close(done)
		versions, failed = loadVersions(ctx, forVersions)
	}
	if q != forVersions {
		go load()
	}
	list, err := loadBareSources(ctx, q)
	if q == forVersions {
		load()
	}
	<-done
	if err := errors.Join(err, failed); err != nil {
		return nil, err
	}
	at := make(map[int64]int, len(list))
	for i := range list {
		at[list[i].ID] = i
	}
	for _, v := range versions {
		if i, ok := at[v.source]; ok {
			list[i].Versions = append(list[i].Versions, v.Version)
		}
	}
	return list, nil
}

// numbered is a version and the number of its source.
type numbered struct {
	source int64
	Version
}

func loadVersions(ctx context.Context, q queryer) (list []numbered, err error) {
	err = each(ctx, q, func(scan func(...any) error) error {
		id, v, err := scanVersion(scan)
		list = append(list, numbered{id, v})
		return err
	}, "SELECT source, number, size, sha256, mtime, mode, kept, masked FROM version ORDER BY source, number")
	return list, err
}

func loadBareSources(ctx context.Context, q queryer) (list []Source, err error) {
	folders := map[int64]Key{}
	err = each(ctx, q, func(scan func(...any) error) error {
		var id int64
		var k Key
		var dir []byte
		err := scan(&id, &k.Machine, &k.Agent, &dir)
		k.Dir = string(dir)
		folders[id] = k
		return err
	}, "SELECT id, machine, agent, dir FROM folder")
	if err != nil {
		return nil, err
	}
	err = each(ctx, q, func(scan func(...any) error) error {
		s, err := scanSource(scan, folders)
		list = append(list, s)
		return err
	}, "SELECT id, folder, name, store, session, subagent, family, live, gone, pending FROM source")
	return list, err
}

func scanSource(scan func(...any) error, folders map[int64]Key) (s Source, err error) {
	var folder, gone int64
	var name, live sql.RawBytes
	if err = scan(&s.ID, &folder, &name, &s.Store, &s.Session, &s.Subagent, &s.Family, &live, &gone, &s.Pending); err != nil {
		return s, err
	}
	key, ok := folders[folder]
	if !ok {
		return s, errors.New("a source has no folder")
	}
	s.Key = key
	s.Name = string(name)
	s.Live = parseInfo(live)
	if s.Live != (agent.Info{}) {
		s.Live.Name = lastName(s.Name)
	}
	s.Gone = timeOf(gone)
	return s, nil
}

// appendInfo puts into bytes what a file looked like: nothing for none.
func appendInfo(b []byte, i agent.Info) []byte {
	if i == (agent.Info{}) {
		return b
	}
	for _, n := range [...]uint64{uint64(i.Size), uint64(nanoseconds(i.MTime)), uint64(nanoseconds(i.CTime)), i.Dev, i.Ino, uint64(i.Mode)} {
		b = little.AppendUint64(b, n)
	}
	return b
}

func parseInfo(b []byte) (i agent.Info) {
	c := cursor{b: b}
	i = agent.Info{Size: int64(c.uint64()), MTime: c.time(), CTime: c.time(), Dev: c.uint64(), Ino: c.uint64(), Mode: fs.FileMode(c.uint64())}
	if c.done() != nil {
		return agent.Info{}
	}
	return i
}

func scanVersion(scan func(...any) error) (id int64, v Version, err error) {
	var sum sql.RawBytes
	var mtime, kept, mode int64
	if err = scan(&id, &v.Number, &v.Size, &sum, &mtime, &mode, &kept, &v.Masked); err != nil {
		return id, v, err
	}
	copy(v.SHA256[:], sum)
	v.MTime, v.Mode, v.Kept = timeOf(mtime), fs.FileMode(mode), timeOf(kept)
	return id, v, nil
}

func lastName(name string) string { return name[strings.LastIndexByte(name, '/')+1:] }

func timeOf(ns int64) time.Time {
	if ns == 0 {
		return time.Time{}
	}
	return time.Unix(0, ns)
}

func nanoseconds(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	return t.UnixNano()
}
