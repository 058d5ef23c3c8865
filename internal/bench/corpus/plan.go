package corpus

// family is a transcript with those of its subagents and the fork that left it:
// what is written by one goroutine, from a sequence of its own.
type family struct {
	part       int
	size       int   // of the transcript
	subagents  []int // sizes
	fork       int   // size of what the fork adds; 0 for no fork
	start      int64
	cwd        string
	plants     []plant
	dispatches int // how many of them stand in the prompt of a subagent
}

// weights is how sizes of transcripts differ: most are small.
var weights = []step{{0, 20}, {2000, 120}, {5000, 420}, {8000, 1300}, {9500, 4000}, {9950, 9000}, {10_000, 14_000}}

// firstStart is when the first session began: 2026-01-05T08:00:00Z.
const firstStart = 1_767_600_000_000

// plan shares files and bytes out among families.
func plan(spec Spec, ps []plant) []*family {
	r := newRNG(spec.Seed, -2)
	var out []*family
	total := 0
	for files := 0; files < spec.Files; {
		f := &family{part: len(out), size: r.sample(weights), start: firstStart + int64(len(out))*1_900_000}
		f.cwd = "/home/theo/src/" + projects[r.n(len(projects))]
		total += f.size
		files++
		for files < spec.Files && len(f.subagents) < 12 && r.percent(38) {
			f.subagents = append(f.subagents, r.sample(weights)*2/3)
			total += f.subagents[len(f.subagents)-1]
			files++
		}
		if spec.Agent == "claude" && files < spec.Files && r.percent(3) {
			f.fork = f.size / 3
			total += f.size/2 + f.fork
			files++
		}
		out = append(out, f)
	}
	for _, f := range out {
		f.scale(spec.Bytes, int64(total))
	}
	share(out, ps)
	return out
}

// scale turns weights into bytes.
func (f *family) scale(bytes, total int64) {
	in := func(weight int) int { return int(int64(weight) * bytes / total) }
	f.size, f.fork = in(f.size), in(f.fork)
	for i, w := range f.subagents {
		f.subagents[i] = in(w)
	}
}

// share gives needles to families, far apart.
func share(families []*family, ps []plant) {
	stride := len(families)*3/7 | 1
	for gcd(stride, len(families)) != 1 {
		stride += 2
	}
	for i, p := range ps {
		f := families[i*stride%len(families)]
		if p.at == inDispatch && f.dispatches == len(f.subagents) || p.at == inSubagent && len(f.subagents) == 0 {
			p.at = inReply
		}
		if p.at == inDispatch {
			f.dispatches++
		}
		f.plants = append(f.plants, p)
	}
}

// shares gives the needles of the transcript itself, and those of a subagent's.
func (f *family) shares() (own, child []plant) {
	for _, p := range f.plants {
		if p.at == inSubagent {
			child = append(child, p)
		} else {
			own = append(own, p)
		}
	}
	return own, child
}

// dispatches counts the calls of subagents that are to carry needles.
func dispatches(ps []plant) (n int) {
	for _, p := range ps {
		if p.at == inDispatch {
			n++
		}
	}
	return n
}

func gcd(a, b int) int {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}
