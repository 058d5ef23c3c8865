package gemini

import (
	"bytes"

	"github.com/seshat-dev/seshat/agent"
	"github.com/seshat-dev/seshat/internal/jsonscan"
)

// readParts reads a file that is one JSON value, takes it apart, and emits what is
// wrong with it. It gives no parts where the byte test lets nothing of it pass and
// not all are asked for.
func readParts(f agent.File, plan agent.Plan, take func(data []byte) ([]jsonscan.Value, *agent.Damage), emit func(agent.Item) error) (data []byte, parts []jsonscan.Value, err error) {
	if data, err = agent.Whole(f); err != nil {
		return nil, nil, err
	}
	passed := plan.Passes(data)
	parts, damage := take(data)
	if damage != nil {
		damage.Cleared = !passed
		err = emit(agent.Item{Damage: damage})
	}
	if !passed && !plan.Every {
		parts = nil
	}
	return data, parts, err
}

// salvageParts gives the whole objects of a broken file that are parts of it,
// wherever they begin.
func salvageParts(data []byte, isPart func(jsonscan.Value) bool) (parts []jsonscan.Value) {
	budget := 16*len(data) + 1<<16 // no file costs more than a few passes
	for i := 0; i < len(data) && budget > 0; {
		n := bytes.IndexByte(data[i:], '{')
		if n < 0 {
			break
		}
		i += n
		switch v, rest, _, ok := jsonscan.First(data[i:]); {
		case !ok:
			budget -= len(data) - i
			i++
		case isPart(v):
			parts = append(parts, v)
			i = len(data) - len(rest)
		default:
			budget -= len(data) - len(rest) - i
			i++
		}
	}
	return parts
}
