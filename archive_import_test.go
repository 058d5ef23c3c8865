package seshat

import "testing"

func TestExportedFolder(t *testing.T) {
	for name, want := range map[string]string{
		"home/sam/.claude": "/home/sam/.claude", "C%3A/Users/sam/.claude": `C:\Users\sam\.claude`, "D:/x": `D:\x`, "ab:/x": "/ab:/x", "a/b": "/a/b",
	} {
		if got := exportedFolder(name); got != want {
			t.Errorf("%s is %s, want %s", name, got, want)
		}
	}
}
