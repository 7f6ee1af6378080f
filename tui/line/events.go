package line

import (
	"time"

	"ayumu/engine"
	"ayumu/lobby"
	"ayumu/tui/words"
)

// events says what has happened since the last time.
func (t *talk) events() {
	t.newMatches()
	if crowd := t.session.Lobby().Crowd(); crowd != t.crowd {
		t.crowd = crowd
		t.challenges()
	}
	if t.at == nil {
		for _, l := range t.session.Heard(&t.session.Lobby().Chat, t.heard) {
			t.heard = l.Seq
			t.say("%s says: %s", l.From, l.Text)
		}
		return
	}
	t.chat()
	t.changes()
}

// newMatches goes to a game that has just begun, unless the person plays another one.
func (t *talk) newMatches() {
	for _, m := range t.session.Seated() {
		if t.known[m.Info.ID] {
			continue
		}
		t.known[m.Info.ID] = true
		if t.session.Snapshot(m).Over() || time.Since(m.Info.Started) > time.Minute {
			continue
		}
		t.say("Your game %s begins.", words.Versus(m.Info, t.session.Account().ID))
		if t.at != nil && t.at.player != nil && !t.at.snap.Over() {
			t.say("Type games, then play with its number, to go there.")
			continue
		}
		t.open(m.Info.ID, "")
	}
}

func (t *talk) challenges() {
	me := t.session.Account()
	for _, table := range t.session.Lobby().View().Tables {
		if table.To != me.Name || !table.Concerns(me.ID) || t.invited[table.ID] {
			continue
		}
		t.invited[table.ID] = true
		t.say("%s Type tables to answer.", t.tellTable(table))
	}
}

// chat says what was said at the game: players to players and watchers to watchers until it is
// over, then everything to all.
func (t *talk) chat() {
	p := t.at
	if p.player != nil || p.snap.Over() {
		for _, l := range t.session.Heard(&p.match.Players, p.players) {
			p.players = l.Seq
			t.say("%s says: %s", l.From, l.Text)
		}
	}
	if p.player == nil || p.snap.Over() {
		for _, l := range t.session.Heard(&p.match.Gallery, p.gallery) {
			p.gallery = l.Seq
			t.say("%s says: %s", l.From, l.Text)
		}
	}
}

// changes says what is different in the newest snapshot.
func (t *talk) changes() {
	p := t.at
	before, now := p.snap, t.session.Snapshot(p.match)
	if before == now {
		return
	}
	p.snap = now
	if err := now.Each(before.Version, t.entry); err != nil {
		t.say("Some of what happened cannot be said; board says the position.")
	}
	t.offers(before)
	t.presence(before)
	if now.Version != before.Version || now.Frozen != before.Frozen {
		t.sayTurn()
	} else if before.FirstBy.IsZero() {
		t.sayFirstTurn() // the clock of a match that has just begun
	}
	if now.Next != "" && before.Next == "" {
		t.say("The rematch begins.")
		t.known[now.Next] = true
		t.open(now.Next, now.Info.Code)
	}
}

// entry says one entry of the log.
func (t *talk) entry(_ int, e lobby.Entry, pos engine.Position) error {
	p := t.at
	name := "Somebody"
	if e.Seat >= 0 {
		name = p.match.Info.Seats[e.Seat].Name
		if e.Seat == p.seat {
			name = "You"
		}
	}
	switch e.Kind {
	case lobby.Turn:
		t.say("%s: %s.", name, p.game.Tell(pos, e.Actions))
	case lobby.Undo:
		t.say("The last turn of %s was taken back.", p.match.Info.Seats[e.Seat].Name)
	case lobby.Leave:
		t.say("%s left the game.", name)
	}
	return nil
}

// offers says what is newly offered, and what no longer is.
func (t *talk) offers(before *lobby.Snapshot) {
	p := t.at
	for _, o := range p.snap.Offers {
		if old, was := before.Offer(o.Kind); was && old.At.Equal(o.At) {
			continue
		}
		if o.Seat != p.seat {
			p.offered[o.Kind] = time.Now()
			t.sayOffer(o)
		}
	}
	for _, o := range before.Offers {
		if _, open := p.snap.Offer(o.Kind); open {
			continue
		}
		delete(p.offered, o.Kind)
		if p.snap.Version == before.Version && o.Seat == p.seat && p.snap.Next == "" {
			t.say("Your offer was refused or taken back: %s.", offerWords[o.Kind].what)
		}
	}
}

// offerWords say what is offered and which command accepts it.
var offerWords = map[lobby.OfferKind]struct{ what, command string }{
	lobby.OfferDraw:    {"a draw", "draw"},
	lobby.OfferUndo:    {"to take the last turn back", "undo"},
	lobby.OfferRematch: {"a rematch", "rematch"},
}

func (t *talk) sayOffer(o lobby.Offer) {
	w := offerWords[o.Kind]
	name := t.at.match.Info.Seats[o.Seat].Name
	switch {
	case o.Seat == t.at.seat:
		t.say("You have offered %s.", w.what)
	case t.at.player == nil:
		t.say("%s offers %s.", name, w.what)
	default:
		t.say("%s offers %s. Type %s to accept, or refuse.", name, w.what, w.command)
	}
}

// presence says who went and who came back.
func (t *talk) presence(before *lobby.Snapshot) {
	p := t.at
	if p.snap.Over() {
		return
	}
	for i, a := range p.snap.Away {
		name := p.match.Info.Seats[i].Name
		was := before.Away[i]
		switch {
		case i == p.seat || p.snap.Position.Left(i):
		case was.Since.IsZero() && !a.Since.IsZero():
			t.say("%s is away.", name)
		case !was.Since.IsZero() && a.Since.IsZero():
			t.say("%s is back.", name)
		}
		if a.Claimable && !was.Claimable && p.player != nil && i != p.seat && len(p.snap.Away) == 2 {
			t.say("%s has been away for long. Type claim win, claim draw, or wait.", name)
		}
		if a.Claimable && !was.Claimable && p.player != nil && i != p.seat && len(p.snap.Away) > 2 && !p.out() {
			t.say("%s has been away for long. Type vote %s to vote them out, or wait.", name, name)
		}
		if n := p.snap.Votes[i]; n > before.Votes[i] {
			t.say("%s for %s to leave the game.", words.Plural(n, "vote"), name)
		}
	}
}
