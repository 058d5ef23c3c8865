package cli

import (
	"encoding/xml"
	"io"
	"strings"
	"testing"
)

// A path with all that has a meaning somewhere comes out as it is where the system reads
// it.
func TestScheduleQuotes(t *testing.T) {
	s := schedule{exe: `/opt/a "b" $c %d\e<&>/seshat`, vars: [][2]string{{"SESHAT_DATA_DIR", `/x "y" $z %`}}}
	unit := s.systemd()
	for _, want := range []string{
		`ExecStart="/opt/a \"b\" $$c %%d\\e<&>/seshat" archive --quiet --no-progress` + "\n",
		`Environment="SESHAT_DATA_DIR=/x \"y\" $z %%"` + "\n", "OnCalendar=hourly\n", "SuccessExitStatus=1\n",
	} {
		if !strings.Contains(unit, want) {
			t.Errorf("%q is not in\n%s", want, unit)
		}
	}
	if s.daily = true; !strings.Contains(s.systemd(), "OnCalendar=daily\n") {
		t.Error("not daily")
	}
	for _, text := range []string{s.launchd(), s.windows()} {
		var texts []string
		for d := xml.NewDecoder(strings.NewReader(text)); ; {
			tok, err := d.Token()
			if err == io.EOF {
				break
			}
			if err != nil {
				t.Fatalf("%v in\n%s", err, text)
			}
			if data, ok := tok.(xml.CharData); ok {
				texts = append(texts, strings.TrimSpace(string(data)))
			}
		}
		all := "\n" + strings.Join(texts, "\n") + "\n"
		if !strings.Contains(all, "\n"+s.exe+"\n") && !strings.Contains(all, "\n\""+s.exe+"\"\n") {
			t.Errorf("the program is not in\n%s", text)
		}
	}
}

func TestByteProgress(t *testing.T) {
	if got, want := byteProgress("kept", 100<<20, 400<<20, 2e9), "kept 100.0 MB of 400.0 MB, 50.0 MB/s, 6s left"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if got, want := byteProgress("kept", 0, 400<<20, 2e9), "kept 0 B of 400.0 MB"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
