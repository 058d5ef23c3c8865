package archive

// slack is how much more room than content a buffer has: the decompressor is quicker
// where it may write a little over the end.
const slack = 64

// rooms are how large buffers for content are, so that one serves many frames.
var rooms = [...]int{firstFrame, 4 * firstFrame, 16 * firstFrame, frameTarget, maxFrame}

// mostSpares bounds how many buffers of one size wait for use.
const mostSpares = 8

// spares are buffers that are not in use.
type spares [len(rooms)][][]byte

// class gives the index of the least room for so many bytes, of at most maxFrame.
func class(n int64) int {
	i := 0
	for int64(rooms[i]) < n {
		i++
	}
	return i
}

// roomFor gives how much memory so much content takes.
func roomFor(n int64) int { return rooms[class(n)] }

// take gives an empty buffer for content: the one that was used last, as the processor's
// cache may still have it.
func (s *spares) take(n int64) []byte {
	i := class(n)
	last := len(s[i]) - 1
	if last < 0 {
		return make([]byte, 0, rooms[i]+slack)
	}
	b := s[i][last]
	s[i] = s[i][:last]
	return b
}

// give takes a buffer that take gave back. Any other is left alone.
func (s *spares) give(b []byte) {
	for i, room := range rooms {
		if cap(b) == room+slack && len(s[i]) < mostSpares {
			s[i] = append(s[i], b[:0])
		}
	}
}
