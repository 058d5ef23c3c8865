package seshat

import "github.com/seshat-dev/seshat/record"

// JSON gives the value that encoding/json writes as a seshat.archived/1 object: what
// became of one file.
func (it *ArchiveItem) JSON(h record.Home) any {
	return struct {
		Schema  string `json:"schema"`
		Agent   string `json:"agent,omitempty"`
		Store   string `json:"store,omitempty"`
		Session string `json:"session,omitempty"`
		Path    string `json:"path"`
		Did     string `json:"did"`
		Bytes   int64  `json:"bytes"`
		Added   int64  `json:"added"`
		Version int    `json:"version,omitempty"`
		Pending string `json:"pending,omitempty"`
		Reason  string `json:"reason,omitempty"`
	}{record.ArchivedSchema, it.Agent, it.Store, it.Session, h.Short(it.Path), it.Did, it.Size, it.Added, it.Version, it.Pending, it.Reason}
}

// JSON gives the value that encoding/json writes as a seshat.archive/1 object.
func (st *ArchiveStatus) JSON(h record.Home) any {
	type risk struct {
		Until    record.Stamp `json:"until"`
		Sessions int          `json:"sessions"`
		Files    int          `json:"files"`
		Bytes    int64        `json:"bytes"`
		Earliest record.Stamp `json:"earliest,omitzero"`
	}
	return struct {
		Schema    string       `json:"schema"`
		Path      string       `json:"path"`
		Sessions  int          `json:"sessions"`
		Files     int          `json:"files"`
		Versions  int          `json:"versions"`
		Bytes     int64        `json:"bytes"`
		Stored    int64        `json:"stored"`
		Free      int64        `json:"repackable"`
		LastRun   record.Stamp `json:"last_run,omitzero"`
		Gone      int          `json:"gone"`
		Pending   int          `json:"pending"`
		Machines  int          `json:"machines"`
		Forgotten int          `json:"forgotten"`
		Risk      risk         `json:"at_risk"`
	}{record.ArchiveSchema, h.Short(st.Dir), st.Sessions, st.Files, st.Versions, st.Bytes, st.Stored, st.Free, record.Stamp(st.LastRun), st.Gone, st.Pending, st.Machines, st.Forgotten,
		risk{record.Stamp(st.Risk.Until), st.Risk.Sessions, st.Risk.Files, st.Risk.Bytes, record.Stamp(st.Risk.Earliest)}}
}

// JSON gives the value that encoding/json writes as a seshat.exported/1 object.
func (f *ExportedFile) JSON(h record.Home) any {
	return struct {
		Schema  string `json:"schema"`
		Machine string `json:"machine"`
		Agent   string `json:"agent"`
		Store   string `json:"store"`
		Session string `json:"session,omitempty"`
		Source  string `json:"source"`
		Path    string `json:"path"`
		Version int    `json:"version"`
		Bytes   int64  `json:"bytes"`
		Masked  bool   `json:"masked,omitempty"`
		Reason  string `json:"reason,omitempty"`
	}{record.ExportedSchema, f.Machine, f.Agent, f.Store, f.Session, h.Short(f.Source), h.Short(f.Path), f.Version, f.Bytes, f.Masked, f.Reason}
}

// JSON gives the value that encoding/json writes as a seshat.fault/1 object.
func (f *ArchiveFault) JSON(h record.Home) any {
	return struct {
		Schema  string `json:"schema"`
		Machine string `json:"machine,omitempty"`
		Agent   string `json:"agent,omitempty"`
		Store   string `json:"store,omitempty"`
		Session string `json:"session,omitempty"`
		Path    string `json:"path,omitempty"`
		Version int    `json:"version,omitempty"`
		Offset  int64  `json:"offset"`
		Length  int64  `json:"length"`
		Pack    string `json:"pack,omitempty"`
		Reason  string `json:"reason"`
	}{record.FaultSchema, f.Machine, f.Agent, f.Store, f.Session, h.Short(f.Path), f.Version, f.Offset, f.Length, f.Pack, f.Reason}
}

// JSON gives the value that encoding/json writes as a seshat.forgotten/1 object.
func (it *ForgetItem) JSON(h record.Home) any {
	return struct {
		Schema  string `json:"schema"`
		Agent   string `json:"agent"`
		Store   string `json:"store"`
		Session string `json:"session,omitempty"`
		Path    string `json:"path"`
		Did     string `json:"did"`
		Bytes   int64  `json:"bytes"`
		Reason  string `json:"reason,omitempty"`
	}{record.ForgottenSchema, it.Agent, it.Store, it.Session, h.Short(it.Path), it.Did, it.Bytes, it.Reason}
}

// JSON gives the value that encoding/json writes as a seshat.scrubbed/1 object.
func (it *ScrubItem) JSON(h record.Home) any {
	return struct {
		Schema   string   `json:"schema"`
		Agent    string   `json:"agent"`
		Store    string   `json:"store"`
		Session  string   `json:"session,omitempty"`
		Path     string   `json:"path"`
		Did      string   `json:"did"`
		Versions int      `json:"versions,omitempty"`
		Places   int      `json:"places,omitempty"`
		Bytes    int64    `json:"bytes,omitempty"`
		Secrets  []string `json:"secrets,omitempty"`
		Reason   string   `json:"reason,omitempty"`
	}{record.ScrubbedSchema, it.Agent, it.Store, it.Session, h.Short(it.Path), it.Did, it.Versions, it.Places, it.Bytes, it.Secrets, it.Reason}
}
