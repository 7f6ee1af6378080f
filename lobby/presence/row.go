package presence

import (
	"net/netip"
	"slices"
	"time"
)

// MaxOrigins is the maximum number of origins in a row.
const MaxOrigins = 32

// Row is what a node writes about a user who has sessions there, or had some and is expected back. The ids of the rows are
// those of the accounts.
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
