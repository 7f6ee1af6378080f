package table

import (
	"slices"
	"time"

	"ayumu/engine"
	"ayumu/lobby/account"
	"ayumu/lobby/clock"
	"ayumu/lobby/rating"
)

// View is an immutable state of an open table, as sessions see it.
type View struct {
	ID      string
	Game    string
	Options engine.Options
	Control clock.Control
	Rated   bool
	Private bool
	Quick   bool
	Any     AnyTerms // what a quick match accepts any value of; Game and the others then have the defaults
	First   First    // who moves first in a match of two
	To      string   // the name of the challenged user, or empty
	Owner   string
	Seated  []string       // the owner first
	Ready   []string       // names of those of Seated who are ready
	Rating  *rating.Rating // the owner's in this pool; nil for a guest
	Opened  time.Time
	Delay   int // turns by which spectators will see the match late

	users    []account.ID                   // the seated users, then the challenged one
	blockers []map[account.ID]account.Block // the blocks of each seated user who has any
	code     string                         // of a private table; empty otherwise
}

// Involves reports whether the account has a seat at the table or is challenged by it.
func (t *View) Concerns(id account.ID) bool { return slices.Contains(t.users, id) }

// Challenged returns the user whom the table challenges; ok is false if there is none, or the user has joined.
func (t *View) Challenged() (id account.ID, ok bool) {
	if t.To == "" || len(t.users) == len(t.Seated) {
		return 0, false
	}
	return t.users[len(t.users)-1], true
}

// HasBlocked reports whether a seated user has blocked the account.
func (t *View) HasBlocked(id account.ID) bool {
	for _, m := range t.blockers {
		if _, blocked := m[id]; blocked {
			return true
		}
	}
	return false
}

// FreeSeats returns the number of seats that nobody has, without the one of a challenged user.
func (t *View) FreeSeats() int {
	_, limit := t.Options.Seats()
	free := limit - len(t.Seated)
	if t.To != "" && !slices.Contains(t.Seated, t.To) {
		free--
	}
	return free
}

// AnyTerms states of which terms a quick match accepts any value.
type AnyTerms struct{ Game, Options, Clock, Rated bool }

// Equal reports whether two states of a table are displayed alike.
func (t *View) Equal(o *View) bool {
	return t.ID == o.ID && t.To == o.To && t.Options == o.Options && t.Control == o.Control && t.Rated == o.Rated &&
		t.First == o.First && slices.Equal(t.Seated, o.Seated) && slices.Equal(t.Ready, o.Ready)
}

// Code returns the code of a private table for those whom the table concerns, and "" for others.
func (t *View) Code(id account.ID) string {
	if t.Concerns(id) {
		return t.code
	}
	return ""
}

// NewView returns a table as sessions see it. Of users it needs the account and whom they have blocked.
func NewView(t *State, users Users) *View {
	v := &View{
		ID: t.ID, Game: t.Game, Options: t.Options, Control: t.Control, Rated: t.Rated, Private: t.Private,
		Quick: t.Request.Quick, First: t.First, Opened: t.Opened, Delay: t.Delay, code: t.Code, users: t.Everyone(),
	}
	if r := t.Request; r.Quick {
		v.Any = AnyTerms{Game: r.Game == "", Options: len(r.Options) == 0, Clock: r.Clock == nil, Rated: r.Rated == nil}
	}
	for i, id := range t.Seated {
		u := users(id)
		if i == 0 {
			v.Owner = u.Name
			if r, ok := u.Rating(t.Pool()); ok {
				v.Rating = &r
			}
		}
		v.Seated = append(v.Seated, u.Name)
		if slices.Contains(t.Ready, id) {
			v.Ready = append(v.Ready, u.Name)
		}
		if len(u.Blocked) > 0 {
			v.blockers = append(v.blockers, u.Blocked)
		}
	}
	if t.To != 0 {
		v.To = users(t.To).Name
	}
	return v
}
