package table

import (
	"crypto/subtle"
	"encoding/json"
	"net/netip"
	"strings"
	"time"

	"ayumu/engine"
	"ayumu/lobby/account"
	"ayumu/lobby/clock"
	"ayumu/lobby/errcode"
	"ayumu/lobby/match"
)

// MaxDelay is the longest delay of a match for its spectators, in turns.
const MaxDelay = 20

// maxOptions is the maximum size of a proposal's options, in bytes.
const maxOptions = engine.MaxStartBytes + 1024

// Proposal describes a table to open, or what a quick match should offer.
type Proposal struct {
	Game    string          // in a quick match, "": any
	Options json.RawMessage // in the game's JSON form; nil: defaults, or in a quick match: any
	Clock   *clock.Control  // nil: no clock, or in a quick match: any
	Rated   *bool           // nil: casual, or in a quick match: any
	Private bool
	To      string // the name of the challenged user; empty: an open table
	Quick   bool   // a quick match: the server pairs it in its waves
	Delay   int    // turns by which spectators see the match late, 0 to MaxDelay
	First   First  // who moves first
}

// First states who moves first, that is, who gets seat 0, or the seat to move in a start position. The zero
// value is FirstRandom.
type First string

// The values of First.
const (
	FirstRandom   First = ""
	FirstOwner    First = "owner"    // of the table
	FirstOpponent First = "opponent" // the other player, in a match of two
)

// Terms describe what is played at a table and in its match, and for which origin both count.
type Terms struct {
	Game    string
	Options engine.Options
	Control clock.Control
	Rated   bool
	Private bool
	Code    string       // of a private table and its match; empty otherwise
	Delay   int          // turns by which spectators see the match late
	First   First        // who moves first
	Origin  netip.Prefix // counted in the limits per address; invalid: not counted
}

// NewInfo returns the description of a match on these terms with a number of seats, as far as it follows from them. First
// and Origin are not part of it.
func (t *Terms) NewInfo(seats int) *match.Info {
	return &match.Info{
		Game: t.Game, Options: t.Options.WithSeats(seats), Control: t.Control, Rated: t.Rated, Private: t.Private,
		Code: t.Code, Delay: t.Delay,
	}
}

// TermsOf returns the terms of a match, without First and Origin. It is the inverse of Terms.NewInfo.
func TermsOf(info *match.Info) Terms {
	return Terms{
		Game: info.Game, Options: info.Options, Control: info.Control, Rated: info.Rated, Private: info.Private,
		Code: info.Code, Delay: info.Delay,
	}
}

// Pool returns the rating pool of the match.
func (t *Terms) Pool() string {
	_, maxSeats := t.Options.Seats()
	return account.Pool(t.Game, maxSeats)
}

// IsDurable reports whether the table stays when its owner leaves and when the server restarts.
func (t *Terms) IsDurable() bool { return t.Control.IsCorrespondence() }

// HasCode reports whether the table or match is private and text is its code.
func (t *Terms) HasCode(text string) bool { return t.Private && CodesEqual(t.Code, text) }

// CodesEqual compares a code with a typed text in constant time. Codes are lower-case; typed ones may not
// be. It is false for the empty code.
func CodesEqual(code, typed string) bool {
	return code != "" && subtle.ConstantTimeCompare([]byte(code), []byte(strings.ToLower(typed))) == 1
}

// User is what the table has to know of a user at the time of a change.
type User struct {
	account.Account
	Blocked map[account.ID]account.Block // whom the user has blocked; must not be changed
	// Absent is the time since which the user has had no session; zero: the user is present.
	Absent   time.Time
	Running  int            // running matches of the user
	Starting int            // matches of the user that are being recorded
	Origins  []netip.Prefix // of the user's sessions; needed only with Rules.DistinctOrigins
}

// hasBlocked reports whether the user has blocked the account.
func (u *User) hasBlocked(id account.ID) bool {
	_, blocked := u.Blocked[id]
	return blocked
}

// Users returns the user with an id. It must not change anything.
type Users func(account.ID) User

// Rules are the limits that a table has to know.
type Rules struct {
	MatchesPerUser  int  // running matches of one user who is not a bot
	DistinctOrigins bool // no rated match between users with sessions from the same origin
}

// ErrSameOrigin is the error of a rated match that Rules.DistinctOrigins does not allow.
var ErrSameOrigin = errcode.Errorf(errcode.NotAllowed, "rated games between players from the same address are not allowed on this server; choose a casual game")

// SameOrigin reports whether two of the users have sessions from the same origin. Users without one, such
// as built-in players, count for none.
func SameOrigin(users []User) bool {
	seen := make(map[netip.Prefix]account.ID)
	for _, u := range users {
		for _, from := range u.Origins {
			if other, known := seen[from]; known && other != u.ID {
				return true
			}
			seen[from] = u.ID
		}
	}
	return false
}

// parseOptions returns the options of a proposal in a game, or a BadRequest error.
func (p *Proposal) parseOptions(game engine.Game) (engine.Options, error) {
	if len(p.Options) > maxOptions {
		return nil, errcode.Errorf(errcode.BadRequest, "options have at most %d bytes", maxOptions)
	}
	options, err := game.ParseOptions(p.Options)
	if err != nil {
		return nil, errcode.Errorf(errcode.BadRequest, "%s", err.Error())
	}
	if _, seats := options.Seats(); seats > engine.MaxSeats {
		return nil, errcode.Errorf(errcode.BadRequest, "a game has at most %d seats here", engine.MaxSeats)
	}
	return options, nil
}

// newTerms returns the terms that a user proposes, or why that user cannot propose them. game is the
// proposal's.
func newTerms(p *Proposal, game engine.Game, guest bool) (Terms, error) {
	if p.Quick && p.Game == "" && len(p.Options) > 0 {
		return Terms{}, errcode.Errorf(errcode.BadRequest, "options need a game; name one, or leave the options out")
	}
	options, err := p.parseOptions(game)
	if err != nil {
		return Terms{}, err
	}
	t := Terms{Game: game.Name(), Options: options, Private: p.Private, Delay: p.Delay, First: p.First}
	if p.Rated != nil {
		t.Rated = *p.Rated
	}
	switch {
	case p.Clock != nil:
		t.Control = *p.Clock
	case p.Quick:
		t.Control = clock.Default
	}
	if err := t.checkGuest(guest); err != nil {
		return Terms{}, err
	}
	if t.Delay < 0 || t.Delay > MaxDelay {
		return Terms{}, errcode.Errorf(errcode.BadRequest, "the spectator delay is 0 to %d turns", MaxDelay)
	}
	if err := t.Control.Check(); err != nil {
		return Terms{}, errcode.Errorf(errcode.BadRequest, "%s", err.Error())
	}
	if err := t.checkUnrated(p.Quick); err != nil {
		return Terms{}, err
	}
	return t, t.checkFirst()
}

// checkUnrated returns why options that are never rated cannot be played on these terms.
func (t *Terms) checkUnrated(quick bool) error {
	switch {
	case !engine.NeverRated(t.Options):
		return nil
	case quick:
		return errcode.Errorf(errcode.BadRequest, "a quick match has neither a start position nor a handicap; open a table instead")
	case t.Rated:
		return errcode.Errorf(errcode.NotAllowed, "games from a position or with a handicap are always casual; choose a casual game")
	}
	return nil
}

// checkFirst returns why the terms cannot state who moves first.
func (t *Terms) checkFirst() error {
	_, maxSeats := t.Options.Seats()
	switch {
	case t.First == FirstRandom:
		return nil
	case t.First != FirstOwner && t.First != FirstOpponent:
		return errcode.Errorf(errcode.BadRequest, "who moves first is %q or %q; leave it out for a random choice", FirstOwner, FirstOpponent)
	case maxSeats != 2 && (t.First != FirstOwner || engine.StartPosition(t.Options) == ""):
		return errcode.Errorf(errcode.BadRequest, "who moves first can be chosen only in games of two, or as %q in games from a position", FirstOwner)
	case t.Rated:
		return errcode.Errorf(errcode.NotAllowed, "in rated games the first player is random; choose a casual game")
	}
	return nil
}

// checkGuest returns why a guest cannot play on these terms; nil for users who are no guests.
func (t *Terms) checkGuest(guest bool) error {
	switch {
	case t.Rated && guest:
		return errcode.Errorf(errcode.NotAllowed, "rated games need an SSH key; guests can only play casual games")
	case t.Control.IsCorrespondence() && guest:
		return errcode.Errorf(errcode.NotAllowed, "correspondence games need an SSH key; guests can only play live games")
	}
	return nil
}
