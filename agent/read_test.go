package agent_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/seshat-dev/seshat/agent"
	"github.com/seshat-dev/seshat/internal/rootfs"
)

var epoch = time.Unix(0, 0)

func sourceOf(text string) *agent.Source {
	m := &rootfs.Memory{Folder: "/home/u/.agent"}
	m.File("a", text, epoch)
	return &agent.Source{Root: m, Name: "a"}
}

// A pass that goes on after nobody listens any more must not reach the listener.
func TestItemsEndsThoughThePassGoesOn(t *testing.T) {
	emitted := 0
	var p agent.Pass = func(_ context.Context, _ *agent.Source, _ agent.File, _ agent.Plan, emit func(agent.Item) error) error {
		for range 5 {
			emitted++
			_ = emit(agent.Item{Unknown: &agent.Unknown{What: "x"}})
		}
		return errors.New("late")
	}
	got := 0
	for range p.Items(context.Background(), sourceOf("x"), agent.Plan{}) {
		got++
		if got == 2 {
			break
		}
	}
	if got != 2 || emitted != 5 {
		t.Errorf("%d items of %d emitted, want 2 of 5", got, emitted)
	}
}

func TestItemsGivesTheErrorLast(t *testing.T) {
	late := errors.New("late")
	var p agent.Pass = func(_ context.Context, _ *agent.Source, f agent.File, _ agent.Plan, emit func(agent.Item) error) error {
		data, err := agent.Whole(f)
		if err != nil || string(data) != "text" {
			t.Errorf("%q %v", data, err)
		}
		if err := emit(agent.Item{}); err != nil {
			return err
		}
		return late
	}
	var errs []error
	for _, err := range p.Items(context.Background(), sourceOf("text"), agent.Plan{}) {
		errs = append(errs, err)
	}
	if len(errs) != 2 || errs[0] != nil || errs[1] != late {
		t.Errorf("%v", errs)
	}
	for _, err := range agent.Pass(nil).Items(context.Background(), &agent.Source{}, agent.Plan{}) {
		if !errors.Is(err, agent.ErrNoReader) {
			t.Errorf("no pass: %v", err)
		}
	}
}
