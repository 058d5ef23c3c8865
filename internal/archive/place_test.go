package archive

import "testing"

func TestSyncedBy(t *testing.T) {
	for dir, want := range map[string]string{
		"/home/me/.local/share/seshat/archive":                               "",
		"/home/me/Dropbox/seshat":                                            "Dropbox",
		"/home/me/Dropbox (Work)/seshat":                                     "Dropbox",
		"/home/me/dropboxes":                                                 "",
		"/Users/me/Library/Mobile Documents/com~apple~CloudDocs/x":           "iCloud Drive",
		"/Users/me/Mobile Documents/x":                                       "",
		"/Users/me/Library/CloudStorage/Box-Box/x":                           "a cloud service",
		"/Users/me/Library/CloudStorage/GoogleDrive-me@example.com/My Drive": "a cloud service",
		"/mnt/c/Users/me/OneDrive - Company/x":                               "OneDrive",
		"/home/me/Google Drive/x":                                            "Google Drive",
		"/home/me/Nextcloud/x":                                               "Nextcloud",
	} {
		if got := syncedBy(dir); got != want {
			t.Errorf("%s: %q, want %q", dir, got, want)
		}
	}
}
