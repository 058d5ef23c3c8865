package hook

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"time"
	"unicode"

	"github.com/seshat-dev/seshat/internal/own"
)

// Outcome is how the last attempt of a drain to run the archive ended.
type Outcome struct {
	Began   time.Time `json:"began"`
	Ended   time.Time `json:"ended"`
	Entries int       `json:"entries"` // that it was for and that are done
	Failed  bool      `json:"failed,omitempty"`
}

// Failure is a line of the log.
type Failure struct {
	Time    time.Time
	Message string
}

// The bounds of the log: lines, and bytes of a message.
const (
	maxLines   = 50
	maxMessage = 300
)

// note keeps an outcome, best as it can: the queue is what counts.
func (h Home) note(o Outcome) {
	if b, err := json.Marshal(o); err == nil {
		_ = own.Replace(filepath.Join(h.Dir, stateName), append(b, '\n'))
	}
}

// Last gives the last outcome. ok is false when there is none.
func (h Home) Last() (o Outcome, ok bool) {
	b, err := readRegular(filepath.Join(h.Dir, stateName))
	return o, err == nil && json.Unmarshal(b, &o) == nil
}

// log adds a failure to the log, the oldest of which go.
func (h Home) log(at time.Time, message string) {
	path := filepath.Join(h.Dir, logName)
	old, _ := readRegular(path)
	lines := bytes.SplitAfter(old, []byte("\n"))
	lines = lines[:len(lines)-1] // behind the last line end
	lines = append(lines, []byte(at.UTC().Format(time.RFC3339)+" "+line(message)+"\n"))
	if n := len(lines) - maxLines; n > 0 {
		lines = lines[n:]
	}
	_ = own.Replace(path, bytes.Join(lines, nil))
}

// line makes one line of a message, and no long one.
func line(message string) string {
	message = strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) {
			return ' '
		}
		return r
	}, strings.ToValidUTF8(message, "?"))
	if len(message) > maxMessage {
		message = strings.ToValidUTF8(message[:maxMessage], "") + " ..."
	}
	return message
}

// LastFailure gives the last line of the log. ok is false when there is none.
func (h Home) LastFailure() (f Failure, ok bool) {
	b, _ := readRegular(filepath.Join(h.Dir, logName))
	lines := strings.Split(strings.TrimSpace(string(b)), "\n")
	at, message, ok := strings.Cut(lines[len(lines)-1], " ")
	if !ok {
		return Failure{}, false
	}
	f.Message = message
	var err error
	f.Time, err = time.Parse(time.RFC3339, at)
	return f, err == nil
}

// readRegular reads a small file of seshat's own, and waits for no writer of a FIFO.
func readRegular(path string) ([]byte, error) {
	fi, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if !fi.Mode().IsRegular() || fi.Size() > maxInput {
		return nil, os.ErrInvalid
	}
	return os.ReadFile(path)
}
