package words

import "ayumu/lobby/match"

// offerTexts has the phrases for each kind of offer.
var offerTexts = map[match.OfferKind]struct {
	name   string // what is offered: "draw offer"
	theirs string // the predicate for a player who makes it
	mine   string // the sentence of the user who made it, without a full stop
	accept string // the label of what accepts it
}{
	match.OfferDraw:    {"draw offer", "offers a draw", "You offered a draw", "accept draw"},
	match.OfferUndo:    {"takeback request", "asks for a takeback", "You asked for a takeback", "accept takeback"},
	match.OfferRematch: {"rematch offer", "offers a rematch", "You offered a rematch", "accept rematch"},
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

// DescribeOfferEnd describes to a seat the end of an offer that it declined or withdrew.
func DescribeOfferEnd(o match.Offer, seat int) string {
	if o.Seat == seat {
		return "You withdrew your " + offerTexts[o.Kind].name + "."
	}
	return "You declined the " + offerTexts[o.Kind].name + "."
}

// offerEnd describes that another seat declined or withdrew an offer.
func offerEnd(e *match.Event, s *match.Snapshot, seat int) string {
	by, offer := s.Info.Seats[e.Seat].Name, offerTexts[e.Offer].name
	switch {
	case e.Seat == seat:
		return ""
	case e.Kind == match.EventRefused && seat >= 0 && len(s.Info.Seats) == 2:
		return by + " declined your " + offer + "."
	case e.Kind == match.EventRefused:
		return by + " declined the " + offer + "."
	case e.Kind == match.EventWithdrawn:
		return by + " withdrew the " + offer + "."
	}
	return ""
}
