package archive

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
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

// lines makes content like that of transcripts.
func lines(size int) []byte {
	rng := rand.New(rand.NewPCG(1, 2))
	words := strings.Fields("error parser the file was read and a test of it failed because value is nil return if err session tool result content type text")
	var b bytes.Buffer
	for b.Len() < size {
		fmt.Fprintf(&b, `{"type":"assistant","uuid":"%016x%016x","message":{"content":[{"type":"text","text":"`, rng.Uint64(), rng.Uint64())
		for range 20 + rng.IntN(200) {
			b.WriteString(words[rng.IntN(len(words))])
			b.WriteByte(' ')
		}
		b.WriteString("\"}]}}\n")
	}
	return b.Bytes()[:size]
}

func benchmarkArchive(b *testing.B, content []byte) *Writer {
	b.Helper()
	w, err := Write(b.TempDir(), "here", time.Now)
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { w.Close() })
	benchmarkPut(b, w, "file", content)
	return w
}

func benchmarkPut(b *testing.B, w *Writer, name string, content []byte) {
	b.Helper()
	ctx := context.Background()
	if _, err := w.Put(ctx, keyOf(name), Label{}, bytes.NewReader(content), int64(len(content)), agent.Info{Size: int64(len(content))}); err != nil {
		b.Fatal(err)
	}
	if err := w.Commit(ctx); err != nil {
		b.Fatal(err)
	}
}

func BenchmarkPut(b *testing.B) {
	content := lines(32 << 20)
	b.SetBytes(int64(len(content)))
	n := byte(0)
	w := benchmarkArchive(b, nil)
	for b.Loop() {
		n++
		for i := 100; i < len(content); i += 1000 {
			content[i] = 'a' + n%26 // new frames
		}
		benchmarkPut(b, w, fmt.Sprint(n), content)
	}
}

// A file of 64 MiB that grew by one.
func BenchmarkPutGrown(b *testing.B) {
	content := lines(64 << 20)
	w := benchmarkArchive(b, content)
	more := lines(1 << 20)
	for b.Loop() {
		b.StopTimer()
		copy(more, fmt.Sprint(len(content)))
		content = append(content, more...)
		b.StartTimer()
		benchmarkPut(b, w, "file", content)
	}
}

func BenchmarkRead(b *testing.B) {
	w := benchmarkArchive(b, lines(96<<20))
	list, err := w.Archive().Sources(context.Background())
	if err != nil {
		b.Fatal(err)
	}
	b.SetBytes(list[0].Versions[0].Size)
	buf := make([]byte, 256<<10)
	for b.Loop() {
		f := w.Archive().File(&list[0], list[0].Versions[0])
		if _, err := io.CopyBuffer(struct{ io.Writer }{io.Discard}, io.NewSectionReader(f, 0, list[0].Versions[0].Size), buf); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkVerify(b *testing.B) {
	w := benchmarkArchive(b, lines(64<<20))
	b.SetBytes(64 << 20)
	for b.Loop() {
		if faults, err := w.Archive().Verify(context.Background(), nil); err != nil || len(faults) > 0 {
			b.Fatal(faults, err)
		}
	}
}

// What a run costs that finds nothing new among 9,000 files, but for looking at them.
func BenchmarkUnchanged(b *testing.B) {
	dir := b.TempDir()
	w, err := Write(dir, "here", time.Now)
	if err != nil {
		b.Fatal(err)
	}
	for n := range 9000 {
		content := fmt.Sprintf("file %d\n", n)
		if _, err := w.Put(context.Background(), keyOf(fmt.Sprintf("projects/-home-me-src-project/%036d/%d.jsonl", n, n)), Label{Store: "claude.session", Session: fmt.Sprint(n)}, strings.NewReader(content), int64(len(content)), agent.Info{Size: int64(len(content)), MTime: time.Now(), Ino: uint64(n)}); err != nil {
			b.Fatal(err)
		}
	}
	if err := errors.Join(w.Commit(context.Background()), w.Close()); err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		w, err := Write(dir, "here", time.Now)
		if err != nil {
			b.Fatal(err)
		}
		list, err := w.Sources(context.Background())
		if err != nil || len(list) != 9000 {
			b.Fatal(len(list), err)
		}
		for _, s := range list {
			w.Look(s.ID, s.Live, s.Pending, s.Gone)
		}
		if err := errors.Join(w.Commit(context.Background()), w.Close()); err != nil {
			b.Fatal(err)
		}
	}
}
