package match

import (
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"ayumu/engine"
	"ayumu/lobby/errcode"
)

// agreements are what the players of a match have offered each other and agreed on besides the log. All
// nodes share them as one row, which is replaced as a whole. The value is immutable, also what its slices
// refer to.
//
// The row names the version of the log on which it was written, since turns void offers: every node computes
// the same agreements from the row and the entries after that version, and a turn does not have to write it.
type agreements struct {
	offers     []Offer
	lastOffers []lastOffer // the last offers of each seat and kind
	votes      [engine.MaxSeats]ballot
	events     []Event
	lastSeq    uint64 // the Seq of the newest event
	rematch    string // the id of the rematch; empty until it has started
	nextCode   string // of a private rematch
}

// ballot has the votes to remove an absent seat.
type ballot struct {
	votes uint8     // a bit for each seat that voted
	at    time.Time // the last vote; an absence that began later is another one
}

// lastOffer is the number of turns when a seat last made an offer of a kind.
type lastOffer struct {
	Seat  int
	Kind  OfferKind
	Turns int
}

// openOffer returns the open offer of a kind.
func (a *agreements) openOffer(kind OfferKind) (Offer, bool) {
	for _, o := range a.offers {
		if o.Kind == kind {
			return o, true
		}
	}
	return Offer{}, false
}

// replaceOffer replaces the open offer of a kind.
func (a *agreements) replaceOffer(o Offer) {
	a.offers = slices.Clone(a.offers)
	for i := range a.offers {
		if a.offers[i].Kind == o.Kind {
			a.offers[i] = o
		}
	}
}

// removeOffer removes the open offer of a kind.
func (a *agreements) removeOffer(kind OfferKind) {
	a.offers = slices.DeleteFunc(slices.Clone(a.offers), func(o Offer) bool { return o.Kind == kind })
}

// addEvent adds an event of a version of the match and sets its Seq.
func (a *agreements) addEvent(version int, e Event) {
	a.lastSeq++
	e.Seq, e.Version = a.lastSeq, version
	kept := a.events[max(len(a.events)+1-eventsKept, 0):]
	a.events = append(slices.Clip(kept), e)
}

// addOfferEnd adds the event that a seat has ended an open offer: its own, or another's.
func (a *agreements) addOfferEnd(version int, at time.Time, seat int, o Offer) {
	kind := EventRefused
	if o.Seat == seat {
		kind = EventWithdrawn
	}
	a.addEvent(version, Event{At: at, Kind: kind, Seat: seat, Offer: o.Kind})
}

// void ends the offers that entries of the log decline or make void, and the votes on seats that have left.
// version is that before the first entry, so that readers see the events before the turns. After the end of
// the match only a rematch can be offered.
func (a *agreements) void(version int, entries []Entry) {
	for i, e := range entries {
		switch {
		case e.Kind == EntryEnd:
			a.offers, a.votes = nil, [engine.MaxSeats]ballot{}
		case e.Kind == EntryLeave:
			a.votes[e.Seat] = ballot{}
		case e.Kind == EntryTurn && len(a.offers) > 0:
			a.voidByTurn(version+i, e)
		}
	}
}

func (a *agreements) voidByTurn(version int, e Entry) {
	var open []Offer
	for _, o := range a.offers {
		if o.Kind != OfferUndo && o.Seat == e.Seat {
			open = append(open, o)
			continue
		}
		a.addOfferEnd(version, e.At, e.Seat, o)
	}
	a.offers = open
}

// agreementsRow is what a row of agreements contains, as JSON.
type agreementsRow struct {
	Version  int         `json:"version"` // of the log on which the row was written
	Offers   []offerRow  `json:"offers,omitempty"`
	Offered  []lastOffer `json:"offered,omitempty"`
	Votes    []ballotRow `json:"votes,omitempty"` // by seat
	Events   []Event     `json:"events,omitempty"`
	LastSeq  uint64      `json:"last_seq"`
	Rematch  string      `json:"rematch,omitempty"`
	NextCode string      `json:"next_code,omitempty"`
}

type offerRow struct {
	Offer
	Agreed uint8
}

type ballotRow struct {
	Votes uint8
	At    time.Time
}

// encode returns the row of agreements that are made on a version of the log.
func (a *agreements) encode(version int) []byte {
	row := agreementsRow{
		Version: version, Offered: a.lastOffers, Events: a.events, LastSeq: a.lastSeq, Rematch: a.rematch, NextCode: a.nextCode,
	}
	for _, o := range a.offers {
		row.Offers = append(row.Offers, offerRow{o, o.agreed})
	}
	for seat, b := range a.votes {
		if b.votes != 0 {
			row.Votes = append(row.Votes, make([]ballotRow, seat+1-len(row.Votes))...)
			row.Votes[seat] = ballotRow{b.votes, b.at}
		}
	}
	data, err := json.Marshal(row)
	if err != nil {
		panic(err) // no field of the row can fail
	}
	return data
}

// decodeAgreements returns the agreements of a row, after the entries of a log that followed it. ahead means
// that the row was written on a longer log, which has to be read first.
func decodeAgreements(data []byte, log []Entry) (a agreements, ahead bool, err error) {
	var row agreementsRow
	if err := json.Unmarshal(data, &row); err != nil {
		return a, false, fmt.Errorf("agreements: %w", err)
	}
	if row.Version < 0 || len(row.Votes) > len(a.votes) {
		return a, false, fmt.Errorf("agreements on version %d with the votes on %d seats", row.Version, len(row.Votes))
	}
	a = agreements{
		lastOffers: row.Offered, events: row.Events, lastSeq: row.LastSeq, rematch: row.Rematch, nextCode: row.NextCode,
	}
	for _, o := range row.Offers {
		o.agreed = o.Agreed
		a.offers = append(a.offers, o.Offer)
	}
	for seat, b := range row.Votes {
		a.votes[seat] = ballot{b.Votes, b.At}
	}
	if row.Version > len(log) {
		return a, true, nil
	}
	a.void(row.Version, log[row.Version:])
	return a, false, nil
}

// agreementWrite is the recording of agreements. Its methods are the outcomes of RequestAgreements.
type agreementWrite struct {
	next     agreements
	accepted *Offer // the offer that the command has accepted with them; nil: none
}

// request asks for the recording. The command goes on with Command.agreed.
func (g agreementWrite) request(x *step) {
	x.job.agreementWrite = g
	x.effects.Request = RequestAgreements
	x.effects.Agreements, x.effects.AgreementsVersion = g.next.encode(x.Version()), x.agreementsVersion
}

// recorded makes the agreements the match's, and goes on with the command.
func (g agreementWrite) recorded(x *step, version int64) {
	x.job.agreementWrite = agreementWrite{}
	x.agreements, x.agreementsVersion, x.changed = g.next, version, true
	x.continueCommand(x.job.command.agreed(x, g.accepted))
}

// refused goes on with the command after another node has changed the agreements.
func (g agreementWrite) refused(x *step, in Input) {
	x.job.agreementWrite = agreementWrite{}
	// The row is in the store as it is now. A database that has failed may have lost its newest versions.
	x.agreementsVersion = min(x.agreementsVersion, in.AgreementsVersion-1)
	switch {
	case in.AgreementsVersion == 0:
		x.agreements, x.agreementsVersion, x.changed = agreements{lastSeq: x.lastSeq}, 0, true
		x.continueCommand(x.job.command.run(x)) // again
	case !followInput(in).takeAgreements(x): // written on a longer log than the match has
		if g.next.rematch != x.State.rematch {
			g.failed(x, in.Cause)
			return
		}
		x.readLog(logRequest{cause: in.Cause, following: true})
	case g.next.rematch != x.State.rematch:
		agreementWrite{next: x.withRematch(g.next.rematch, g.next.nextCode)}.request(x)
	default:
		x.continueCommand(x.job.command.run(x)) // again
	}
}

// failed goes on with the command after it has become unclear whether the agreements are recorded.
func (g agreementWrite) failed(x *step, cause error) {
	x.job.agreementWrite = agreementWrite{}
	if g.next.rematch != x.State.rematch { // the new match names this one, so that other nodes can find it
		x.State.rematch, x.nextCode, x.changed = g.next.rematch, g.next.nextCode, true
		x.answer(nil)
		return
	}
	x.answer(&errcode.Error{Code: errcode.Unavailable, Message: "the server could not record that; check whether it took effect, and try again if not", Cause: cause})
}

// withRematch returns the agreements after the rematch has started.
func (a agreements) withRematch(id, code string) agreements {
	a.rematch, a.nextCode = id, code
	return a
}
