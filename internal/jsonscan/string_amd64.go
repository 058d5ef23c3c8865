package jsonscan

import (
	"encoding/binary"

	"golang.org/x/sys/cpu"
)

// What stringEnd tells of a string beside its end.
const (
	strClosed  = 1 << iota // the closing quote was found
	strControl             // a raw control character stands in it
	strUnknown             // so does an escape that JSON does not know,
	strUnicode             // and one by number, whose digits go over the end of a block
	strCarry               // the next byte is escaped
	strNumber              // an escape by number stands in it,
	strSlash               // a slash that is escaped,
	strWide                // or near it a byte that is not ASCII,
	strOdd                 // an escape by number that most programs would not write,
	strEscape              // an escape (these two of stringEndWide alone)
)

// stringEnd looks through the inside of a string in blocks of 32 bytes for its
// closing quote. It gives the number of bytes before it, or that of all blocks.
//
//go:noescape
func stringEnd(p *byte, blocks int) (n int, flags uint64)

// stringEndWide does what stringEnd does, in blocks of 64 bytes. It reads up to four bytes
// behind the last one, and looks at the digits of all escapes by number.
//
//go:noescape
func stringEndWide(p *byte, blocks int) (n int, flags uint64)

// wide is set where the processor compares 64 bytes at once.
var wide = cpu.X86.HasAVX512F && cpu.X86.HasAVX512BW && cpu.X86.HasBMI1

// pastBlock is how many bytes behind its last block stringEndWide reads.
const pastBlock = 4

// spelling tells by the flags of stringEndWide how a string is written.
func spelling(flags uint64) (s Spelling) {
	if flags&strWide != 0 {
		s |= Wide
	}
	if flags&strEscape != 0 {
		s |= Escaped
	}
	if flags&(strOdd|strSlash) != 0 {
		s |= Odd
	}
	return s
}

// skipBlocks walks over the inside of a string in long steps. It gives where to go
// on: at the closing quote where closed is set. ok is false where a closer look at
// the escapes is needed, or nothing was gained. Of a string that is closed it tells how it
// is written from i on.
func skipBlocks(b []byte, i int) (next int, closed, strict, ok bool, how Spelling) {
	if blocks := (len(b) - i - pastBlock) / 64; wide && blocks > 0 {
		n, flags := stringEndWide(&b[i], blocks)
		strict = flags&(strControl|strUnknown) == 0
		if flags&strClosed != 0 {
			return i + n, true, strict, true, spelling(flags)
		}
		if flags&strCarry == 0 { // else the byte at hand is escaped
			if next, closed, rest, ok, _ := skipNarrow(b, i+n); ok {
				return next, closed, strict && rest, true, Unsure
			}
			return i + n, false, strict, true, Unsure
		}
		return i + n - 1, false, strict, true, Unsure
	}
	return skipNarrow(b, i)
}

// skipNarrow does what skipBlocks does, in blocks of 32 bytes.
func skipNarrow(b []byte, i int) (next int, closed, strict, ok bool, how Spelling) {
	blocks := (len(b) - i) / 32
	if blocks == 0 || !cpu.X86.HasAVX2 || !cpu.X86.HasBMI1 {
		return i, false, true, false, Unsure
	}
	n, flags := stringEnd(&b[i], blocks)
	strict = flags&(strControl|strUnknown) == 0
	closed = flags&strClosed != 0
	if flags&strCarry != 0 {
		n-- // the backslash is looked at again with what follows it
	}
	next = i + n
	return next, closed, strict, flags&strUnicode == 0 || hexadecimal(b[i:next], b[i:]), Unsure
}

// usualBlocks looks at the inside of a string, which is valid, up to some place, and tells
// what stands up to there.
func usualBlocks(b []byte) (upTo int, has written) {
	blocks := len(b) / 32
	if blocks == 0 || !cpu.X86.HasAVX2 || !cpu.X86.HasBMI1 {
		return 0, written{}
	}
	n, flags := stringEnd(&b[0], blocks)
	if flags&strCarry != 0 {
		n--
	}
	return n, written{slash: flags&strSlash != 0, number: flags&strNumber != 0, wide: flags&strWide != 0}
}

// hexadecimal reports whether every \u near the end of a block of the inside of a
// string is known to have its four digits. What follows the inside is looked at too.
func hexadecimal(inside, more []byte) bool {
	for end := 32; end-5 < len(inside); end += 32 {
		if end+3 <= len(more) && !backslash(binary.LittleEndian.Uint64(more[end-5:])) {
			continue
		}
		for at := end - 5; at < end && at+1 < len(more); at++ {
			if more[at] != '\\' || more[at+1] != 'u' {
				continue
			}
			if _, ok := hex4(more[at:]); !ok {
				return false
			}
		}
	}
	return true
}
