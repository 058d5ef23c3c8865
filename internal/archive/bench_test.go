package archive

import (
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/seshat-dev/seshat/agent"
)

// tree gives the folder that benchmarks archive, the one that SESHAT_BENCH_TREE names.
func tree(b *testing.B) (dir string, files []string, size int64) {
	b.Helper()
	dir = os.Getenv("SESHAT_BENCH_TREE")
	if dir == "" {
		b.Skip("SESHAT_BENCH_TREE names no folder")
	}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() {
			fi, err := d.Info()
			if err != nil {
				return err
			}
			files, size = append(files, path), size+fi.Size()
		}
		return err
	})
	if err != nil {
		b.Fatal(err)
	}
	return dir, files, size
}

func putTree(b *testing.B, w *Writer, dir string, files []string) {
	b.Helper()
	ctx := context.Background()
	for _, path := range files {
		f, err := os.Open(path)
		if err != nil {
			b.Fatal(err)
		}
		fi, _ := f.Stat()
		rel, _ := filepath.Rel(dir, path)
		live := agent.Info{Size: fi.Size(), MTime: fi.ModTime(), Mode: fi.Mode()}
		_, err = w.Put(ctx, Key{Agent: "claude", Dir: dir, Name: filepath.ToSlash(rel)}, Label{}, f, fi.Size(), live)
		f.Close()
		if err != nil {
			b.Fatal(err)
		}
	}
	if err := w.Commit(ctx); err != nil {
		b.Fatal(err)
	}
}

func BenchmarkTree(b *testing.B) {
	dir, files, size := tree(b)
	for b.Loop() {
		to := filepath.Join(b.TempDir(), "archive")
		w, err := Write(to, "here", time.Now)
		if err != nil {
			b.Fatal(err)
		}
		start := time.Now()
		putTree(b, w, dir, files)
		b.ReportMetric(float64(size)/1e6/time.Since(start).Seconds(), "putMB/s")
		st, err := w.Archive().Stats(context.Background())
		if err != nil {
			b.Fatal(err)
		}
		stored, _ := sizeOnDisk(to)
		start = time.Now()
		done, err := w.Repack(context.Background(), nil)
		if err != nil {
			b.Fatal(err)
		}
		b.ReportMetric(100*float64(done.After)/float64(size), "%repacked")
		b.ReportMetric(float64(size)/1e6/time.Since(start).Seconds(), "repackMB/s")
		start = time.Now()
		faults, err := w.Archive().Verify(context.Background(), nil)
		if err != nil || len(faults) > 0 {
			b.Fatal(err, faults)
		}
		b.ReportMetric(float64(size)/1e6/time.Since(start).Seconds(), "verifyMB/s")
		w.Close()
		b.ReportMetric(100*float64(stored)/float64(size), "%")
		b.ReportMetric(float64(st.Frames), "frames")
		os.RemoveAll(to)
	}
}
