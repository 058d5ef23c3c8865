package archive

import (
	"encoding/binary"
	"errors"
	"hash/crc32"
	"io/fs"
	"time"
)

// A pack is a row of records. A record is a skippable frame of zstd, which a
// decompressor passes over, so that a pack as a whole decompresses to the bytes it
// holds. The record of a frame stands right before the zstd frame it tells of.
const (
	skippableMagic = 0x184D2A5A
	recordTag      = "SESH"
	recordHead     = 8 + len(recordTag) + 2 // magic, length, tag, version, kind
	recordTail     = 4                      // CRC-32C of everything from the tag on
	maxRecord      = 64 << 20
)

// Kinds of records.
const (
	packRecord    = 1
	frameRecord   = 2
	sourceRecord  = 3
	versionRecord = 4
	tombRecord    = 5
)

// uid is a random name: of a pack, or of a source, so that both are told from those of
// other archives.
type uid [16]byte

// frameHeader is the record before a zstd frame.
type frameHeader struct {
	Source     uid // the first one that needed it; others may share it
	Version    uint32
	Offset     uint64 // in that version
	Raw        uint32 // length of what the frame holds
	Stored     uint32 // length of the zstd frame that follows
	Encryption uint16 // 0: none; others are reserved
	SHA256     [32]byte
}

// sourceState is the record that tells what a source is. Of several of one source the
// one with the highest Seq counts.
type sourceState struct {
	Source uid
	Seq    uint64
	Key
	Label
}

// versionState is the record that tells what a version is made of, from an offset on.
// Those before it are told by records with a lower Seq.
type versionState struct {
	Source uid
	Seq    uint64
	Version
	LiveSHA256 [32]byte // of the bytes of the file that a masked version stands for
	From       uint64   // offset of the first piece in Pieces; what was told before of bytes from here on does not count any more
	Pieces     []piece  // their offsets follow from their lengths
}

// Tombstone says that something was forgotten, and is not to be kept again.
type Tombstone struct {
	Agent   string
	Session string // or "sha256:" and the hash of a key, for a source that no session owned
	Time    time.Time
	Why     string
}

// piece is a part of a version: what one frame holds.
type piece struct {
	Offset int64
	Raw    int64
	SHA256 [32]byte
}

var (
	little     = binary.LittleEndian
	castagnoli = crc32.MakeTable(crc32.Castagnoli)
	errRecord  = errors.New("a record of the pack is damaged")
)

// appendRecord appends a record whose body a function appends.
func appendRecord(b []byte, kind byte, body func([]byte) []byte) []byte {
	start := len(b)
	b = little.AppendUint32(b, skippableMagic)
	b = little.AppendUint32(b, 0)
	b = append(b, recordTag...)
	b = append(b, formatVersion, kind)
	b = body(b)
	b = little.AppendUint32(b, crc32.Checksum(b[start+8:], castagnoli))
	little.PutUint32(b[start+4:], uint32(len(b)-start-8))
	return b
}

func appendPackHeader(b []byte, id uid) []byte {
	return appendRecord(b, packRecord, func(b []byte) []byte { return append(b, id[:]...) })
}

func (h *frameHeader) append(b []byte) []byte {
	return appendRecord(b, frameRecord, func(b []byte) []byte {
		b = append(b, h.Source[:]...)
		b = little.AppendUint32(b, h.Version)
		b = little.AppendUint64(b, h.Offset)
		b = little.AppendUint32(b, h.Raw)
		b = little.AppendUint32(b, h.Stored)
		b = little.AppendUint16(b, h.Encryption)
		return append(b, h.SHA256[:]...)
	})
}

func (s *sourceState) append(b []byte) []byte {
	return appendRecord(b, sourceRecord, func(b []byte) []byte {
		b = append(b, s.Source[:]...)
		b = little.AppendUint64(b, s.Seq)
		return appendTexts(b, s.Machine, s.Agent, s.Dir, s.Name, s.Store, s.Session, s.Subagent, s.Family)
	})
}

func (v *versionState) append(b []byte) []byte {
	return appendRecord(b, versionRecord, func(b []byte) []byte {
		b = append(b, v.Source[:]...)
		b = little.AppendUint64(b, v.Seq)
		b = little.AppendUint32(b, uint32(v.Number))
		b = little.AppendUint64(b, uint64(v.Size))
		b = append(b, v.SHA256[:]...)
		b = little.AppendUint64(b, uint64(nanoseconds(v.MTime)))
		b = little.AppendUint32(b, uint32(v.Mode))
		b = little.AppendUint64(b, uint64(nanoseconds(v.Kept)))
		b = append(b, flagsOf(v.Version))
		b = append(b, v.LiveSHA256[:]...)
		b = little.AppendUint64(b, v.From)
		b = little.AppendUint32(b, uint32(len(v.Pieces)))
		for _, p := range v.Pieces {
			b = little.AppendUint32(b, uint32(p.Raw))
			b = append(b, p.SHA256[:]...)
		}
		return b
	})
}

func (t *Tombstone) append(b []byte) []byte {
	return appendRecord(b, tombRecord, func(b []byte) []byte {
		b = little.AppendUint64(b, uint64(nanoseconds(t.Time)))
		return appendTexts(b, t.Agent, t.Session, t.Why)
	})
}

func appendTexts(b []byte, texts ...string) []byte {
	for _, text := range texts {
		b = little.AppendUint32(b, uint32(len(text)))
		b = append(b, text...)
	}
	return b
}

func flagsOf(v Version) byte {
	if v.Masked {
		return 1
	}
	return 0
}

// record is a record as it lies in a pack.
type record struct {
	Kind byte
	Body []byte
	Size int // of all of it
}

// parseRecord reads the record that bytes begin with. It needs recordHead bytes to tell
// how long it is; when there are fewer than that is, need is more than len(b).
func parseRecord(b []byte) (r record, need int, err error) {
	if len(b) < recordHead {
		return r, recordHead, nil
	}
	length := int64(little.Uint32(b[4:]))
	if little.Uint32(b) != skippableMagic || length < int64(recordHead-8+recordTail) || length > maxRecord ||
		string(b[8:8+len(recordTag)]) != recordTag || b[recordHead-2] != formatVersion {
		return r, 0, errRecord
	}
	size := 8 + int(length)
	if len(b) < size {
		return r, size, nil
	}
	end := size - recordTail
	if crc32.Checksum(b[8:end], castagnoli) != little.Uint32(b[end:]) {
		return r, 0, errRecord
	}
	return record{Kind: b[recordHead-1], Body: b[recordHead:end], Size: size}, size, nil
}

// cursor takes values off the front of a body; what is not there makes it bad.
type cursor struct {
	b   []byte
	bad bool
}

func (c *cursor) take(n int) []byte {
	if n < 0 || n > len(c.b) {
		c.bad, c.b = true, nil
		return make([]byte, min(max(n, 0), 64))
	}
	got := c.b[:n]
	c.b = c.b[n:]
	return got
}

func (c *cursor) uint16() uint16 { return little.Uint16(c.take(2)) }
func (c *cursor) uint32() uint32 { return little.Uint32(c.take(4)) }
func (c *cursor) uint64() uint64 { return little.Uint64(c.take(8)) }
func (c *cursor) uid() uid       { return uid(c.take(16)) }
func (c *cursor) hash() [32]byte { return [32]byte(c.take(32)) }
func (c *cursor) time() time.Time {
	return timeOf(int64(c.uint64()))
}

func (c *cursor) text() string {
	n := c.uint32()
	if uint64(n) > uint64(len(c.b)) {
		c.bad = true
		return ""
	}
	return string(c.take(int(n)))
}

// done reports whether everything was there and nothing is left.
func (c *cursor) done() error {
	if c.bad || len(c.b) > 0 {
		return errRecord
	}
	return nil
}

func parseFrameHeader(body []byte) (h frameHeader, err error) {
	c := cursor{b: body}
	h = frameHeader{Source: c.uid(), Version: c.uint32(), Offset: c.uint64(), Raw: c.uint32(), Stored: c.uint32(), Encryption: c.uint16(), SHA256: c.hash()}
	return h, c.done()
}

func parseSourceState(body []byte) (s sourceState, err error) {
	c := cursor{b: body}
	s.Source, s.Seq = c.uid(), c.uint64()
	for _, text := range []*string{&s.Machine, &s.Agent, &s.Dir, &s.Name, &s.Store, &s.Session, &s.Subagent, &s.Family} {
		*text = c.text()
	}
	return s, c.done()
}

func parseVersionState(body []byte) (v versionState, err error) {
	c := cursor{b: body}
	v.Source, v.Seq = c.uid(), c.uint64()
	v.Number, v.Size, v.SHA256 = int(c.uint32()), int64(c.uint64()), c.hash()
	v.MTime, v.Mode, v.Kept = c.time(), fs.FileMode(c.uint32()), c.time()
	v.Masked = c.take(1)[0]&1 != 0
	v.LiveSHA256 = c.hash()
	v.From = c.uint64()
	count := c.uint32()
	if uint64(count)*36 != uint64(len(c.b)) {
		return v, errRecord
	}
	for range count {
		v.Pieces = append(v.Pieces, piece{Raw: int64(c.uint32()), SHA256: c.hash()})
	}
	return v, c.done()
}

func parseTombstone(body []byte) (t Tombstone, err error) {
	c := cursor{b: body}
	t = Tombstone{Time: c.time(), Agent: c.text(), Session: c.text(), Why: c.text()}
	return t, c.done()
}
