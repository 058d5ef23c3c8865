package archive

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/seshat-dev/seshat/internal/own"
)

// journalFor says with which of SQLite's journals a manifest is kept in a folder, made
// or not, or why an archive cannot be safe there.
//
// WAL needs memory that all processes share, which file systems of a network do not
// give; there the older journal is used, with which a reader may wait for the moment of
// a commit. Where several machines write to what they take for the same folder, or where
// neither locks nor a sync can be relied on, there is no archive.
func journalFor(dir string) (string, error) {
	dir = own.Followed(dir)
	if name := syncedBy(dir); name != "" {
		return "", fmt.Errorf("%s: the archive cannot be kept in a folder that %s copies between machines, which would damage it: choose another folder with SESHAT_DATA_DIR", dir, name)
	}
	kind := fileSystem(dir)
	switch {
	case slices.Contains(unsafe, kind):
		return "", fmt.Errorf("%s: the archive cannot be kept on a file system of the kind %s, which gives no locks or loses what was written: choose another folder with SESHAT_DATA_DIR", dir, kind)
	case slices.Contains(networks, kind):
		return "DELETE", nil
	}
	return "WAL", nil
}

// networks are file systems that several machines may share, with locks.
var networks = []string{"nfs", "nfs4", "nfsd", "smbfs", "cifs", "smb2", "smb3", "afpfs", "afs", "ncpfs", "ceph", "fuse.ceph", "lustre", "gpfs", "beegfs",
	"glusterfs", "fuse.glusterfs", "ocfs2", "gfs2", "9p", "virtiofs", "vboxsf", "vmhgfs", "fuse.vmhgfs-fuse", "prl_fs", "remote"}

// unsafe are file systems that stand for something without locks or a real sync.
var unsafe = []string{"fuse.sshfs", "sshfs", "fuse.rclone", "rclone", "fuse.s3fs", "fuse.gcsfuse", "fuse.goofys", "fuse.mount-s3", "fuse.blobfuse", "fuse.blobfuse2",
	"davfs", "fuse.davfs2", "webdav", "ftp", "fuse.curlftpfs", "fuse.gvfsd-fuse", "fuse.google-drive-ocamlfuse", "fuse.onedriver"}

// syncedBy names the service that copies a folder to other machines, as its path tells.
func syncedBy(dir string) string {
	parts := strings.Split(filepath.ToSlash(dir), "/")
	for i, part := range parts {
		switch lower := strings.ToLower(part); {
		case lower == "dropbox" || strings.HasPrefix(lower, "dropbox (") || strings.HasPrefix(lower, "dropbox-"):
			return "Dropbox"
		case lower == "mobile documents" && i > 0 && parts[i-1] == "Library", lower == "icloud drive", lower == "iclouddrive":
			return "iCloud Drive"
		case lower == "onedrive" || strings.HasPrefix(lower, "onedrive - ") || strings.HasPrefix(lower, "onedrive-"):
			return "OneDrive"
		case lower == "google drive" || lower == "googledrive" || lower == "my drive" || strings.HasPrefix(lower, "googledrive-"):
			return "Google Drive"
		case lower == "cloudstorage" && i > 0 && parts[i-1] == "Library":
			return "a cloud service"
		case lower == "nextcloud", lower == "owncloud", lower == "pcloud", lower == "pclouddrive", lower == "megasync", lower == "box sync", lower == "syncthing":
			return part
		}
	}
	return ""
}
