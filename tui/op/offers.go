package op

import (
	"context"
	"slices"
	"strings"
	"time"

	"ayumu/lobby/errcode"
	"ayumu/lobby/match"
	"ayumu/tui/words"
)

// OfferGuard is how long a new offer cannot be accepted, so that a key or a line that was meant for something
// else does not accept it. It protects people; a program of the API accepts when it wants.
const OfferGuard = 400 * time.Millisecond

// receivedOffer is an open offer of another seat.
type receivedOffer struct {
	kind    match.OfferKind
	made    time.Time
	shownAt time.Time
}

// noteOffers records when the open offers of others were first shown.
func (m *Match) noteOffers(now time.Time) {
	m.received = slices.DeleteFunc(m.received, func(r receivedOffer) bool {
		o, open := m.Snapshot.Offer(r.kind)
		return !open || o.Seat == m.Seat || !o.At.Equal(r.made)
	})
	for _, o := range m.Snapshot.Offers {
		if o.Seat != m.Seat && !slices.ContainsFunc(m.received, func(r receivedOffer) bool { return r.kind == o.Kind }) {
			m.received = append(m.received, receivedOffer{o.Kind, o.At, now})
		}
	}
}

// OfferState is the state of one kind of offer for a player.
type OfferState int

// The states of an offer.
const (
	OfferNone     OfferState = iota // not open: it can be made
	OfferMade                       // the user's own: it can be withdrawn
	OfferNew                        // of another seat, for less than OfferGuard: it cannot be accepted yet
	OfferReceived                   // of another seat: it can be accepted or declined
	OfferAgreed                     // of another seat and accepted by the user, but not yet by others: it can be declined
)

// OfferState returns the state of a kind of offer at a time. Spectators see no offer as theirs: OfferNone.
func (m *Match) OfferState(kind match.OfferKind, now time.Time) OfferState {
	o, open := m.Snapshot.Offer(kind)
	switch {
	case !open || m.Player == nil:
		return OfferNone
	case o.Seat == m.Seat:
		return OfferMade
	case o.HasAgreed(m.Seat):
		return OfferAgreed
	}
	for _, r := range m.received {
		if r.kind == kind && now.Sub(r.shownAt) >= OfferGuard {
			return OfferReceived
		}
	}
	return OfferNew
}

// OfferToAnswer returns the offer that refusing declines or withdraws: the first of another seat, otherwise
// the user's own; ok is false if none is open.
func (m *Match) OfferToAnswer() (o match.Offer, ok bool) { return offerToAnswer(m.Snapshot, m.Seat) }

func offerToAnswer(s *match.Snapshot, seat int) (o match.Offer, ok bool) {
	if len(s.Offers) == 0 {
		return match.Offer{}, false
	}
	if i := slices.IndexFunc(s.Offers, func(o match.Offer) bool { return o.Seat != seat }); i >= 0 {
		return s.Offers[i], true
	}
	return s.Offers[0], true
}

// NextOfferChange returns when the next new offer can be accepted; zero: there is none.
func (m *Match) NextOfferChange(now time.Time) (next time.Time) {
	for _, r := range m.received {
		if at := r.shownAt.Add(OfferGuard); at.After(now) && (next.IsZero() || at.Before(next)) {
			next = at
		}
	}
	return next
}

// The operations that make an offer, or accept that of another seat.
var (
	Draw = offerOp(match.OfferDraw, Info{Name: "draw", Help: "offer a draw, or accept one", IsOfUse: isDuel, On: On{Screen: As("match =")}})
	Undo = offerOp(match.OfferUndo, Info{Name: "undo", Help: "ask for a takeback of your last move, or accept one", Offline: true, On: On{Screen: As("match u")},
		IsOfUse: func(m *Match) bool { return isDuel(m) && m.Snapshot.Turns > 0 }})

	Rematch = offerOp(match.OfferRematch, Info{Name: "rematch", Help: "offer a rematch, or accept one", Offline: true,
		IsOfUse: func(m *Match) bool { return m.Snapshot.IsOver() && !m.Snapshot.Info.IsOfTournament() },
		On:      On{SSH: Not("the game begins with the other's answer, and the session has ended by then"), Screen: As("match m")}})
)

// OfferOps are the operations that make offers, by their kind.
var OfferOps = map[match.OfferKind]*Op[SeatArgs, seatResult]{match.OfferDraw: Draw, match.OfferUndo: Undo, match.OfferRematch: Rematch}

func offerOp(kind match.OfferKind, i Info) *Op[SeatArgs, seatResult] {
	i.Effect = Changes
	return seatOp(i,
		func(v *Visit, _ SeatArgs) (string, error) {
			if v.Current == nil {
				return "", nil
			}
			switch v.Current.OfferState(kind, time.Now()) {
			case OfferNew:
				return "", &errcode.Error{Code: errcode.NotAllowed, Message: "your opponent has just offered that; type it again to accept"}
			case OfferMade:
				return "", &errcode.Error{Code: errcode.NotAllowed, Message: "your offer is still open; type refuse to withdraw it"}
			case OfferAgreed:
				return "", &errcode.Error{Code: errcode.NotAllowed, Message: "you have accepted already, and others have not answered yet; type refuse to decline after all"}
			}
			return "", nil
		},
		func(ctx context.Context, v *Visit, in SeatArgs) (seatResult, error) {
			player, err := v.asPlayer(in.Match)
			if err != nil {
				return seatResult{}, err
			}
			r, wasOpen := seatResult{player: player, done: "You accepted the " + words.OfferName(kind) + "."}, isOpen(player.Snapshot(), kind)
			if err := player.Offer(ctx, kind); err != nil {
				return seatResult{}, err
			}
			switch o, open := player.Snapshot().Offer(kind); {
			case open:
				r.always = words.DescribeOpenOffer(o, player.Snapshot(), player.Seat()) + "."
			case !wasOpen && !player.Snapshot().Info.Local: // somebody, such as a bot, has answered already
				r.always = words.DescribeOffer(kind, player.Seat(), player.Snapshot(), player.Seat()) + "."
			}
			return r, nil
		})
}

func isOpen(s *match.Snapshot, kind match.OfferKind) bool {
	_, open := s.Offer(kind)
	return open
}

// OfferKind is the kind of an open offer. In line mode it is, unless it is typed, that of Match.OfferToAnswer.
type OfferKind match.OfferKind

// Kind implements Kind.
func (*OfferKind) Kind() string { return "draw, undo or rematch" }

// ParseWord implements Kind.
func (k *OfferKind) ParseWord(_ *Visit, word string) error {
	*k = OfferKind(strings.ToLower(word))
	if OfferOps[match.OfferKind(*k)] == nil {
		return badRequest("refuse draw, undo or rematch")
	}
	return nil
}

// FromVisit implements contextual.
func (k *OfferKind) FromVisit(v *Visit) bool {
	if v.Current == nil {
		return false
	}
	o, open := v.Current.OfferToAnswer()
	*k = OfferKind(o.Kind)
	return open
}

// RefuseArgs are the arguments of Refuse.
type RefuseArgs struct {
	Match MatchID   `json:"match" arg:"MATCH"`
	Kind  OfferKind `json:"kind" arg:"[draw|undo|rematch]" help:"by default the first offer of another player, or else your own"`
}

// RefuseResult is the offer that has ended.
type RefuseResult struct {
	Kind  match.OfferKind `json:"kind"`
	ended string          // a sentence
}

// Refuse declines the offer of another seat, or withdraws the user's own.
var Refuse = New(Spec[RefuseArgs, RefuseResult]{
	Info: Info{Name: "refuse", Help: "decline an offer, or withdraw yours", Group: GroupPlay, Where: AtSeat, Effect: Changes, Session: true, On: On{Screen: As("match x")},
		IsOfUse: func(m *Match) bool { _, isOpen := m.OfferToAnswer(); return isOpen }},
	Confirm: func(v *Visit, in RefuseArgs) (string, error) {
		if v.Current != nil && in.Kind == "" { // one that has come meanwhile was not seen
			return "", errNoOffer
		}
		return "", nil
	},
	Run: func(ctx context.Context, v *Visit, in RefuseArgs) (RefuseResult, error) {
		player, err := v.asPlayer(in.Match)
		if err != nil {
			return RefuseResult{}, err
		}
		s := player.Snapshot()
		o, open := s.Offer(match.OfferKind(in.Kind))
		if in.Kind == "" {
			if o, open = offerToAnswer(s, player.Seat()); !open {
				return RefuseResult{}, errNoOffer
			}
		}
		if !open {
			o.Kind = match.OfferKind(in.Kind) // Player.Refuse says that there is none
		}
		return RefuseResult{o.Kind, words.DescribeOfferEnd(o, player.Seat())}, player.Refuse(ctx, o.Kind)
	},
	Text: func(_ *Visit, _ RefuseArgs, r RefuseResult) Text { return Say("%s", r.ended) },
})

var errNoOffer = &errcode.Error{Code: errcode.NotAllowed, Message: "there is no open offer"}
