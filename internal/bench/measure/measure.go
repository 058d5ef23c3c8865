// Package measure runs programs and says how long each run took and how much
// memory it needed, and compares two programs run by turns.
//
// A reader may rely on this: a program sees the environment that it is given and
// nothing of the caller's, and its output goes to a buffer or, when it is not
// wanted, to the null device, never through this process. Times are of the whole
// process, from its start to its end. Comparisons are of runs next to each other,
// so that a machine that is slow for a while is slow for both.
package measure

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Command is a program with its arguments and its whole environment.
type Command struct {
	Path string
	Args []string
	Env  []string
	Drop bool // the output is not wanted
}

// Sample is one run.
type Sample struct {
	Wall   time.Duration
	Peak   int64 // bytes of memory at most; 0 where the system does not tell
	Disk   int64 // bytes read from a disk, not from the page cache; likewise
	Exit   int
	Output []byte
}

// Run runs a program to its end. An exit code is no error; an end by a signal is.
func Run(ctx context.Context, c Command) (Sample, error) {
	cmd := exec.CommandContext(ctx, c.Path, c.Args...)
	cmd.Env = c.Env
	var out, complaints bytes.Buffer
	if !c.Drop {
		cmd.Stdout = &out
	}
	cmd.Stderr = &complaints
	start := time.Now()
	err := cmd.Run()
	s := Sample{Wall: time.Since(start), Output: out.Bytes()}
	if cmd.ProcessState != nil {
		s.Peak, s.Disk = usage(cmd.ProcessState)
		s.Exit = cmd.ProcessState.ExitCode()
	}
	var exit *exec.ExitError
	if err != nil && (!errors.As(err, &exit) || s.Exit < 0) {
		return s, fmt.Errorf("%s %s: %w\n%s", c.Path, strings.Join(c.Args, " "), err, complaints.Bytes())
	}
	if s.Exit > 1 {
		return s, fmt.Errorf("%s %s: exit code %d\n%s", c.Path, strings.Join(c.Args, " "), s.Exit, complaints.Bytes())
	}
	return s, nil
}

// Pairs are runs of two programs by turns: ABAB...
type Pairs struct{ A, B []Sample }

// Turns runs two programs by turns, n times each. Before each run, before is
// called; it may be nil, and b may be empty for one program alone.
func Turns(ctx context.Context, a, b Command, n int, before func() error) (Pairs, error) {
	var p Pairs
	one := func(c Command, into *[]Sample) error {
		if c.Path == "" {
			return nil
		}
		if before != nil {
			if err := before(); err != nil {
				return err
			}
		}
		s, err := Run(ctx, c)
		*into = append(*into, s)
		return err
	}
	for range n {
		if err := errors.Join(one(a, &p.A), one(b, &p.B)); err != nil {
			return p, err
		}
	}
	return p, nil
}

// Median gives the middle of the times.
func Median(samples []Sample) time.Duration {
	var all []time.Duration
	for _, s := range samples {
		all = append(all, s.Wall)
	}
	return middle(all)
}

// Ratio gives the middle of how many times as long A took as the B next to it; 0
// when there is no B.
func (p Pairs) Ratio() float64 {
	var all []float64
	for i := range min(len(p.A), len(p.B)) {
		all = append(all, float64(p.A[i].Wall)/float64(p.B[i].Wall))
	}
	return middle(all)
}

// Peak gives the most memory that a run needed.
func Peak(samples []Sample) (most int64) {
	for _, s := range samples {
		most = max(most, s.Peak)
	}
	return most
}

// Disk gives the middle of the bytes that runs of either program read from a disk,
// of the program that read more.
func (p Pairs) Disk() int64 {
	read := func(samples []Sample) int64 {
		var all []int64
		for _, s := range samples {
			all = append(all, s.Disk)
		}
		return middle(all)
	}
	return max(read(p.A), read(p.B))
}

func middle[T time.Duration | float64 | int64](all []T) T {
	if len(all) == 0 {
		return 0
	}
	slices.Sort(all)
	return (all[(len(all)-1)/2] + all[len(all)/2]) / 2
}

// Sum adds up what a program printed for -c: lines PATH:COUNT.
func Sum(output []byte) (total int64, err error) {
	for l := range bytes.Lines(output) {
		text := strings.TrimSpace(string(l))
		n, err := strconv.ParseInt(text[strings.LastIndexByte(text, ':')+1:], 10, 64)
		if err != nil {
			return 0, fmt.Errorf("%q is no count of a file", text)
		}
		total += n
	}
	return total, nil
}
