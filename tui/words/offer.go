package words

import (
	"ayumu/lobby/match"
	"ayumu/lobby/text"
)

// offerTexts has the phrases for each kind of offer.
var offerTexts = map[match.OfferKind]struct {
	name   string // what is offered: "draw offer"
	theirs string // the predicate for a player who makes it
	mine   string // the sentence of the user who made it, without a full stop
	agreed string // the predicate for a player who accepts it while others have not
	accept string // the label of what accepts it
}{
	match.OfferDraw:    {"draw offer", "offers a draw", "You offered a draw", "agrees to a draw", "accept draw"},
	match.OfferUndo:    {"takeback request", "asks for a takeback", "You asked for a takeback", "agrees to a takeback", "accept takeback"},
	match.OfferRematch: {"rematch offer", "offers a rematch", "You offered a rematch", "agrees to a rematch", "accept rematch"},
}

// DescribeOffer describes an offer of a player to a seat (-1: a spectator), without a full stop: "bob offers a
// draw", and to the seat that made it "You offered a draw".
func DescribeOffer(kind match.OfferKind, by int, s *match.Snapshot, seat int) string {
	if by == seat {
		return offerTexts[kind].mine
	}
	return s.Info.Seats[by].Name + " " + offerTexts[kind].theirs
}

// OfferName names an offer of a kind: "draw offer".
func OfferName(kind match.OfferKind) string { return offerTexts[kind].name }

// AcceptOffer returns the label of what accepts an offer of a kind: "accept draw".
func AcceptOffer(kind match.OfferKind) string { return offerTexts[kind].accept }

// DescribeOpenOffer describes an open offer to a seat (-1: a spectator) as DescribeOffer does, and says of one to several
// players on whose answers besides the seat's own it waits, if the seat has agreed: "You offered a rematch; waiting for carol".
func DescribeOpenOffer(o match.Offer, s *match.Snapshot, seat int) string {
	described := DescribeOffer(o.Kind, o.Seat, s, seat)
	if len(s.Info.Seats) == 2 || seat >= 0 && !o.HasAgreed(seat) {
		return described
	}
	if seat >= 0 && seat != o.Seat {
		described = "You accepted the " + OfferName(o.Kind) + " of " + s.Info.Seats[o.Seat].Name
	}
	var names []string
	for _, other := range o.Missing(s.Info) {
		names = append(names, s.Info.Seats[other].Name)
	}
	return described + "; waiting for " + text.List(names)
}

// DescribeOfferEnd describes to a seat the end of an offer that it declined or withdrew.
func DescribeOfferEnd(o match.Offer, seat int) string {
	if o.Seat == seat {
		return "You withdrew your " + offerTexts[o.Kind].name + "."
	}
	return "You declined the " + offerTexts[o.Kind].name + "."
}

// offerChange describes that another seat agreed to an offer of several players, declined it or withdrew it.
func offerChange(e *match.Event, s *match.Snapshot, seat int) string {
	by, offer := s.Info.Seats[e.Seat].Name, offerTexts[e.Offer].name
	switch {
	case e.Seat == seat:
		return ""
	case e.Kind == match.EventAgreed:
		return by + " " + offerTexts[e.Offer].agreed + "."
	case e.Kind == match.EventRefused && seat >= 0 && len(s.Info.Seats) == 2:
		return by + " declined your " + offer + "."
	case e.Kind == match.EventRefused:
		return by + " declined the " + offer + "."
	case e.Kind == match.EventWithdrawn:
		return by + " withdrew the " + offer + "."
	}
	return ""
}
