package jsonscan

import (
	"bytes"
	"testing"
)

// Code as a transcript holds it: most of what is walked over.
var code = bytes.Repeat([]byte(`\tif err := p.next(); err != nil {\n\t\treturn fmt.Errorf(\"parser: %w\", err)\n\t}\n`), 200)

func BenchmarkUsual(b *testing.B) {
	b.SetBytes(int64(len(code)))
	for b.Loop() {
		if !Usual(code) {
			b.Fatal("it is")
		}
	}
}

func BenchmarkCursor(b *testing.B) {
	line := []byte(`{"parentUuid":"9f059d56-c90f-4a97-91b4-1a4e383504df","message":{"id":"msg_1","content":[{"type":"text","text":"` + string(code) + `"}]},"toolUseResult":{"stdout":"` + string(code) + `"}}`)
	b.SetBytes(int64(len(line)))
	for b.Loop() {
		c := NewCursor(line)
		for more := c.Open('{'); more; more = c.More('}') {
			c.Key()
			c.Skip()
		}
		if !c.Whole() {
			b.Fatal("it is")
		}
	}
}
