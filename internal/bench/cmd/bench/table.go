package main

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"runtime"
	"strings"
	"time"

	"github.com/seshat-dev/seshat/internal/bench/measure"
)

// header prints what was measured, on which machine, and the head of the table.
func (b *bench) header(ctx context.Context) {
	against := "without ripgrep"
	if b.rg != "" {
		if s, err := measure.Run(ctx, b.theirs("--version")); err == nil {
			first, _, _ := strings.Cut(string(s.Output), "\n")
			against = "next to " + first
		}
	}
	fmt.Fprintf(b.out, "%s, %s, %d cores, %s/%s, %s, %s\n\n", time.Now().Format("2006-01-02"), processor(), runtime.NumCPU(), runtime.GOOS, runtime.GOARCH, runtime.Version(), against)
	fmt.Fprintf(b.out, "%s, seed %d: %.1f MB in %d files, %d lines; medians of %d runs by turns\n\n", b.tree.Spec.Agent, b.tree.Spec.Seed, float64(b.tree.Bytes)/1e6, b.tree.Files, b.tree.Lines, b.runs)
	fmt.Fprintln(b.out, "| what | seshat ms | rg ms | ratio | peak MiB | |")
	fmt.Fprintln(b.out, "|---|---:|---:|---:|---:|---|")
}

// row prints one line of the table as soon as it is known.
func (b *bench) row(name string, p measure.Pairs, note string) {
	theirs, ratio, most := "", "", ""
	if disk := p.Disk(); disk > b.tree.Bytes/100 { // that is what was timed, then
		note = strings.TrimPrefix(fmt.Sprintf("%s, %d MB from the disk", note, disk/1e6), ", ")
	}
	if len(p.B) > 0 {
		theirs, ratio = millis(measure.Median(p.B)), fmt.Sprintf("%.2f", p.Ratio())
	}
	if peak := measure.Peak(p.A); peak > 0 {
		most = fmt.Sprintf("%d", peak>>20)
	}
	fmt.Fprintf(b.out, "| %s | %s | %s | %s | %s | %s |\n", strings.ReplaceAll(name, "|", `\|`), millis(measure.Median(p.A)), theirs, ratio, most, note)
}

// millis gives a time with as many digits as mean something.
func millis(d time.Duration) string {
	ms := d.Seconds() * 1000
	if ms < 20 {
		return fmt.Sprintf("%.1f", ms)
	}
	return fmt.Sprintf("%.0f", ms)
}

// processor names the machine's processor where the system tells it in a file.
func processor() string {
	f, err := os.Open("/proc/cpuinfo")
	if err != nil {
		return "unknown processor"
	}
	defer f.Close()
	for s := bufio.NewScanner(f); s.Scan(); {
		if key, value, ok := strings.Cut(s.Text(), ":"); ok && strings.TrimSpace(key) == "model name" {
			return strings.TrimSpace(value)
		}
	}
	return "unknown processor"
}
