package presence

import (
	"encoding/json"
	"net/netip"
	"slices"
	"time"
)

// Kind is the kind of the rows in the shared store. Their ids are the name of the node, a slash and the id of the
// account.
const Kind = "presence"

// MaxOrigins is the maximum number of origins in a row.
const MaxOrigins = 32

// Row is what a node writes about a user who has sessions there, or had some and is expected back.
type Row struct {
	Sessions int            `json:"sessions,omitempty"`
	Origins  []netip.Prefix `json:"origins,omitempty"` // of the sessions, each once, at most MaxOrigins
	Absence  Absence        `json:"absence,omitzero"`  // if there is no session
	Name     string         `json:"name"`
	Bot      bool           `json:"bot,omitempty"`
	// ReturnDigest is the digest of a guest's return code; "" for others.
	ReturnDigest string `json:"return_digest,omitempty"`
	// Changes counts the changes that sessions of the node have made to the account in the store.
	Changes int `json:"changes,omitempty"`
}

// Absence is the absence of a user. The zero value means that the user is present.
type Absence struct {
	Since   time.Time `json:"since,omitzero"`
	Dropped bool      `json:"dropped,omitempty"` // the last connection broke; false: the user left
	// NodeDied means that the user was on a node that has died or started again.
	NodeDied bool `json:"-"`
	// Excused means that the server is to blame: it was stopping, has died, or has not seen the user since it started.
	Excused bool `json:"excused,omitempty"`
}

// IsPresent reports whether the user is present.
func (a Absence) IsPresent() bool { return a.Since.IsZero() }

// Distinct returns each origin once, at most MaxOrigins of them.
func Distinct(origins []netip.Prefix) []netip.Prefix {
	slices.SortFunc(origins, netip.Prefix.Compare)
	origins = slices.Compact(origins)
	return origins[:min(len(origins), MaxOrigins)]
}

// Encode returns the row as it is stored.
func (r *Row) Encode() []byte {
	data, err := json.Marshal(r)
	if err != nil {
		panic(err) // no field of the row can fail
	}
	return data
}

// Decode reads a stored row. nil, that of a deleted row, is the zero Row.
func Decode(data []byte) (r Row, err error) {
	if data == nil {
		return Row{}, nil
	}
	err = json.Unmarshal(data, &r)
	return r, err
}
