package measure

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"
)

// The test binary is the program that is run.
func TestMain(m *testing.M) {
	switch os.Getenv("MEASURED") {
	case "":
		os.Exit(m.Run())
	case "print":
		fmt.Println("a:1:2")
		fmt.Println(strings.Join(os.Environ(), ","))
	case "nothing":
		os.Exit(1)
	case "note": // which of two programs this is, behind those before it
		f, err := os.OpenFile(os.Getenv("NOTES"), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
		if err != nil {
			os.Exit(2)
		}
		if _, err := f.WriteString(os.Getenv("NAME")); err != nil {
			os.Exit(2)
		}
	default:
		os.Exit(2)
	}
}

func self(t *testing.T, does string) Command {
	t.Helper()
	path, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return Command{Path: path, Env: []string{"MEASURED=" + does}}
}

func TestRunSeesOnlyItsEnvironment(t *testing.T) {
	t.Setenv("LEAK", "yes")
	s, err := Run(t.Context(), self(t, "print"))
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(string(s.Output), "LEAK") || !strings.Contains(string(s.Output), "MEASURED=print") {
		t.Errorf("the program saw %s", s.Output)
	}
	if s.Wall <= 0 {
		t.Error("a run took no time")
	}
	if runtime.GOOS != "windows" && s.Peak <= 0 {
		t.Error("a run needed no memory")
	}
}

func TestExitCodes(t *testing.T) {
	if s, err := Run(t.Context(), self(t, "nothing")); err != nil || s.Exit != 1 {
		t.Errorf("exit %d, %v: that nothing was found is no error", s.Exit, err)
	}
	if _, err := Run(t.Context(), self(t, "fail")); err == nil {
		t.Error("exit code 2 is no error")
	}
	if _, err := Run(t.Context(), Command{Path: t.TempDir() + "/none"}); err == nil {
		t.Error("a program that is not there is no error")
	}
}

func TestTurns(t *testing.T) {
	calls := 0
	notes := filepath.Join(t.TempDir(), "notes")
	a, b := self(t, "note"), self(t, "note")
	a.Env, b.Env = append(a.Env, "NOTES="+notes, "NAME=A"), append(b.Env, "NOTES="+notes, "NAME=B")
	p, err := Turns(t.Context(), a, b, 2, func() error { calls++; return nil })
	if err != nil || len(p.A) != 2 || len(p.B) != 2 || calls != 4 {
		t.Errorf("%d and %d runs, %d calls before, %v", len(p.A), len(p.B), calls, err)
	}
	if order, err := os.ReadFile(notes); string(order) != "ABAB" {
		t.Errorf("the programs ran in the order %q, %v", order, err)
	}
	c := self(t, "nothing")
	alone, err := Turns(t.Context(), c, Command{}, 3, nil)
	if err != nil || len(alone.A) != 3 || len(alone.B) != 0 || alone.Ratio() != 0 {
		t.Errorf("%d and %d runs, ratio %v, %v", len(alone.A), len(alone.B), alone.Ratio(), err)
	}
}

func TestMedianAndRatio(t *testing.T) {
	at := func(ms ...int) (out []Sample) {
		for _, n := range ms {
			out = append(out, Sample{Wall: time.Duration(n) * time.Millisecond, Peak: int64(n)})
		}
		return out
	}
	if got := Median(at(9, 1, 5)); got != 5*time.Millisecond {
		t.Errorf("the median is %v", got)
	}
	if got := Median(at(1, 3)); got != 2*time.Millisecond {
		t.Errorf("the median of two is %v", got)
	}
	p := Pairs{A: at(10, 200, 30), B: at(10, 100, 10)}
	if got := p.Ratio(); got != 2 { // of 1, 2, 3
		t.Errorf("the ratio is %v", got)
	}
	p.B[0].Disk, p.B[1].Disk = 8, 9
	if got := p.Disk(); got != 8 {
		t.Errorf("%d bytes are from the disk", got)
	}
	if got := Peak(p.A); got != 200 {
		t.Errorf("the peak is %d", got)
	}
}

func TestSum(t *testing.T) {
	if n, err := Sum([]byte("a.jsonl:3\nC:\\b:4\n")); n != 7 || err != nil {
		t.Errorf("%d, %v", n, err)
	}
	if n, err := Sum(nil); n != 0 || err != nil {
		t.Errorf("%d, %v", n, err)
	}
	if _, err := Sum([]byte("a: b\n")); err == nil {
		t.Error("words are a count")
	}
}

func TestEvict(t *testing.T) {
	if !CanEvict {
		t.Skip("Evict is written for Linux on amd64 and arm64; elsewhere bench measures warm files alone")
	}
	dir := t.TempDir()
	if err := os.WriteFile(dir+"/a", []byte("text"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := Evict(dir); err != nil {
		t.Error(err)
	}
	if got, err := os.ReadFile(dir + "/a"); string(got) != "text" {
		t.Errorf("after that the file reads %q, %v", got, err)
	}
}
