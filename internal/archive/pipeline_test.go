package archive

import (
	"errors"
	"testing"

	"github.com/klauspost/compress/zstd"

	"github.com/seshat-dev/seshat/internal/crash"
)

// A panic in any goroutine of a pipeline is its error, and nobody waits for ever.
func TestPipelinePanics(t *testing.T) {
	encoder := func() (*zstd.Encoder, error) { return zstd.NewWriter(nil) }
	for name, add := range map[string]func(*pipeline){
		"a worker":       func(p *pipeline) { p.frame([]byte("x"), nil, false, func(*job) error { return nil }) }, // a piece that is none
		"what stores it": func(p *pipeline) { p.frame([]byte("x"), &piece{}, false, func(*job) error { panic("stored") }) },
	} {
		p, err := newPipeline(2, encoder)
		if err != nil {
			t.Fatal(err)
		}
		add(p)
		var e *crash.Error
		if err := p.drain(); !errors.As(err, &e) {
			t.Errorf("%s: %v", name, err)
		}
		if err := p.close(); !errors.As(err, &e) {
			t.Errorf("%s: close gives %v", name, err)
		}
	}
}
