package web

import (
	"crypto/sha256"
	"encoding/hex"
	"time"

	"ayumu/lobby/match"
)

// Times for which requests share what a match shows without a turn in between: its clocks, and how many watch.
const (
	runningPeriod  = 250 * time.Millisecond
	finishedPeriod = time.Minute
)

// maxPages bounds the memory of pages: a page with all turns of a long game has about 200 KiB.
const maxPages = 128

// pageKey identifies what a page or a text file shows of a match. All who may see the same get the same bytes.
type pageKey struct {
	name     string // of the template, or the ending of the file
	match    string
	names    string // of the players: that of a deleted account is not shown any more
	version  int    // that the client may see
	lost     int    // how often the database had lost entries
	isOver   bool
	turn     int
	isHidden bool // for clients with the code of a private match, or a code that is none
	site     string
	period   int64 // in which it was made
}

// sharedPage is what was made for a key. It is never changed.
type sharedPage struct {
	content []byte
	tag     string
	err     error
}

// shared returns what a page or a text file shows of a match. It is made once for all who ask at the same time.
func (v *visit) shared(snap *match.Snapshot, name string, turn int, render func() ([]byte, error)) *sharedPage {
	k := pageKey{name: name, match: snap.Info.ID, names: names(snap.Info), version: snap.Version, lost: snap.Lost, isOver: snap.IsOver(), turn: turn, isHidden: v.isHidden(), site: v.siteName()}
	period := runningPeriod
	if k.isOver {
		period = finishedPeriod
	}
	k.period = time.Now().UnixNano() / int64(period)
	return v.pages.Lookup(&k, func() *sharedPage {
		content, err := render()
		return &sharedPage{content, entityTag(content), err}
	})
}

// writeShared writes what shared has returned.
func (v *visit) writeShared(contentType string, p *sharedPage) error {
	if p.err != nil {
		return p.err
	}
	return v.writeTagged(contentType, p.content, p.tag)
}

// entityTag returns the value of ETag for a content.
func entityTag(content []byte) string {
	sum := sha256.Sum256(content)
	return `"` + hex.EncodeToString(sum[:12]) + `"`
}
