package crash

import (
	"errors"
	"regexp"
	"testing"
)

func TestCaught(t *testing.T) {
	want := errors.New("an error")
	if err := Caught(func() error { return want }); err != want {
		t.Errorf("%v", err)
	}
	var list []int
	err := Caught(func() error { return errors.New(string(rune(list[len(list)]))) })
	var e *Error
	if !errors.As(err, &e) || !regexp.MustCompile(`^crash_test\.go:\d+$`).MatchString(e.Place) {
		t.Errorf("%v", err)
	}
}
