package cli

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/spf13/cobra"
)

// schedulers are what can start a program at certain times, by name.
var schedulers = []string{"systemd", "launchd", "windows"}

func (a *app) archiveScheduleCommand() *cobra.Command {
	kind, daily := "", false
	cmd := &cobra.Command{
		Use:   "schedule",
		Short: "Print what makes your system archive every hour",
		Long: "schedule prints a timer for systemd, an agent for launchd or a task for Windows that runs seshat archive\n" +
			"every hour, and how to install it. It writes nothing and installs nothing. The path of the program and\n" +
			"the variables that tell seshat and the agents where things lie are taken from this run.\n\n" +
			"Exit codes: 0 it was printed; 2 an error.",
		Example: "  seshat archive schedule\n  seshat archive schedule --for launchd --daily",
		Args:    cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			if kind == "" {
				kind = schedulerOf(runtime.GOOS)
			}
			if _, err := among("scheduler", []string{kind}, schedulers); err != nil {
				return err
			}
			exe, err := os.Executable()
			if err != nil {
				return fmt.Errorf("it is not known where this program lies: %w", err)
			}
			if rel, err := filepath.Rel(a.p.TempDir, exe); err == nil && filepath.IsLocal(rel) {
				a.note("this program lies in a folder for temporary files (%s); install it first", a.path(exe))
			}
			s := schedule{exe: exe, daily: daily, vars: a.scheduleVars()}
			text := s.text(kind)
			if err := a.scheduleShown(s, text); err != nil {
				return err
			}
			fmt.Fprint(a.out, text)
			if kind == "windows" && len(s.vars) > 0 {
				a.note("a task of Windows sees no variables of this run; set them for your account: %s", strings.Join(s.names(), ", "))
			}
			return nil
		},
	}
	cmd.Flags().StringVar(&kind, "for", "", strings.Join(schedulers, ", ")+"; that of this system when not given")
	cmd.Flags().BoolVar(&daily, "daily", false, "once a day instead of every hour")
	_ = cmd.RegisterFlagCompletionFunc("for", fixed(schedulers...))
	return cmd
}

// text gives what a scheduler needs.
func (s schedule) text(kind string) string {
	switch kind {
	case "systemd":
		return s.systemd()
	case "launchd":
		return s.launchd()
	}
	return s.windows()
}

// scheduleShown refuses what would show a credential, unless it may be shown. Only the
// library knows that, and only then is it asked.
func (a *app) scheduleShown(s schedule, text string) error {
	parts := []string{s.exe}
	for _, v := range s.vars {
		parts = append(parts, v[1])
	}
	err := a.runnable("the schedule", text, parts...)
	if err == nil || !a.reveal {
		return err
	}
	if _, err := a.library(); err != nil {
		return err
	}
	return a.runnable("the schedule", text, parts...)
}

func schedulerOf(goos string) string {
	switch goos {
	case "darwin":
		return "launchd"
	case "windows":
		return "windows"
	}
	return "systemd"
}

// scheduleVars gives the variables of this run that say where things lie.
func (a *app) scheduleVars() (vars [][2]string) {
	for _, name := range []string{
		"SESHAT_CONFIG", "SESHAT_DATA_DIR", "SESHAT_CACHE_DIR", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME", "CLAUDE_CONFIG_DIR", "GEMINI_CLI_HOME",
	} {
		if value := a.p.Vars[name]; value != "" {
			vars = append(vars, [2]string{name, value})
		}
	}
	return vars
}

// schedule writes what a system needs to run seshat archive now and then.
type schedule struct {
	exe   string
	daily bool
	vars  [][2]string
}

var scheduledArgs = []string{"archive", "--quiet", "--no-progress"}

func (s schedule) names() (names []string) {
	for _, v := range s.vars {
		names = append(names, v[0])
	}
	return names
}

// systemd gives a service and its timer.
func (s schedule) systemd() string {
	when := "hourly"
	if s.daily {
		when = "daily"
	}
	var env strings.Builder
	for _, v := range s.vars {
		fmt.Fprintf(&env, "Environment=%s\n", unitQuote(v[0]+"="+v[1], false))
	}
	return fmt.Sprintf(`# ~/.config/systemd/user/seshat-archive.service
[Unit]
Description=Copy sessions of AI agents into seshat's archive

[Service]
Type=oneshot
%sExecStart=%s %s
# 1 says that nothing was new
SuccessExitStatus=1
Nice=10

# ~/.config/systemd/user/seshat-archive.timer
[Unit]
Description=Copy sessions of AI agents into seshat's archive

[Timer]
OnCalendar=%s
Persistent=true
RandomizedDelaySec=60

[Install]
WantedBy=timers.target

# Put the two parts into these files. Then:
#   systemctl --user daemon-reload
#   systemctl --user enable --now seshat-archive.timer
`, env.String(), unitQuote(s.exe, true), strings.Join(scheduledArgs, " "), when)
}

// unitQuote quotes a word of a unit file. In a command a dollar sign would begin a
// variable.
func unitQuote(word string, command bool) string {
	word = strings.NewReplacer(`\`, `\\`, `"`, `\"`, "%", "%%", "\n", `\n`, "\t", `\t`).Replace(word)
	if command {
		word = strings.ReplaceAll(word, "$", "$$")
	}
	return `"` + word + `"`
}

// launchd gives a property list.
func (s schedule) launchd() string {
	var b strings.Builder
	b.WriteString(`<?xml version="1.0" encoding="UTF-8"?>
<!-- ~/Library/LaunchAgents/dev.seshat.archive.plist; then: launchctl bootstrap gui/$(id -u) ~/Library/LaunchAgents/dev.seshat.archive.plist -->
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0">
<dict>
	<key>Label</key>
	<string>dev.seshat.archive</string>
	<key>ProgramArguments</key>
	<array>
`)
	for _, arg := range append([]string{s.exe}, scheduledArgs...) {
		fmt.Fprintf(&b, "\t\t<string>%s</string>\n", xmlText(arg))
	}
	b.WriteString("\t</array>\n")
	if len(s.vars) > 0 {
		b.WriteString("\t<key>EnvironmentVariables</key>\n\t<dict>\n")
		for _, v := range s.vars {
			fmt.Fprintf(&b, "\t\t<key>%s</key>\n\t\t<string>%s</string>\n", v[0], xmlText(v[1]))
		}
		b.WriteString("\t</dict>\n")
	}
	seconds := 3600
	if s.daily {
		seconds = 86400
	}
	fmt.Fprintf(&b, `	<key>StartInterval</key>
	<integer>%d</integer>
	<key>RunAtLoad</key>
	<true/>
	<key>ProcessType</key>
	<string>Background</string>
</dict>
</plist>
`, seconds)
	return b.String()
}

// windows gives a task for the Task Scheduler.
func (s schedule) windows() string {
	repeat := "\n      <Repetition><Interval>PT1H</Interval></Repetition>"
	if s.daily {
		repeat = ""
	}
	return fmt.Sprintf(`<?xml version="1.0"?>
<!-- Save as seshat-archive.xml; then: schtasks /Create /TN "seshat archive" /XML seshat-archive.xml -->
<Task version="1.2" xmlns="http://schemas.microsoft.com/windows/2004/02/mit/task">
  <Triggers>
    <CalendarTrigger>%s
      <StartBoundary>2026-01-01T00:05:00</StartBoundary>
      <ScheduleByDay><DaysInterval>1</DaysInterval></ScheduleByDay>
    </CalendarTrigger>
  </Triggers>
  <Settings>
    <StartWhenAvailable>true</StartWhenAvailable>
    <DisallowStartIfOnBatteries>false</DisallowStartIfOnBatteries>
    <MultipleInstancesPolicy>IgnoreNew</MultipleInstancesPolicy>
  </Settings>
  <Actions>
    <Exec>
      <Command>"%s"</Command>
      <Arguments>%s</Arguments>
    </Exec>
  </Actions>
</Task>
`, repeat, xmlText(s.exe), strings.Join(scheduledArgs, " "))
}

func xmlText(s string) string {
	var b bytes.Buffer
	_ = xml.EscapeText(&b, []byte(s))
	return b.String()
}
