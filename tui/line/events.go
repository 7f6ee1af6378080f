package line

import (
	"time"

	"ayumu/lobby"
	"ayumu/tui/words"
)

// events says what has happened since the last time.
func (t *talk) events() {
	t.elsewhere()
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

// elsewhere says what others did to the person's tables and in games that are not open.
func (t *talk) elsewhere() {
	open := ""
	if t.at != nil {
		open = t.at.match.Info.ID
	}
	for _, text := range t.news.Read(t.session, open) {
		t.say("%s", text)
	}
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
	var open map[string]bool // without the tables that are gone
	for _, table := range t.session.Lobby().View().Tables {
		if table.To != me.Name || !table.Concerns(me.ID) {
			continue
		}
		if open == nil {
			open = make(map[string]bool)
		}
		if open[table.ID] = true; t.invited[table.ID] {
			continue
		}
		t.say("%s Type tables to answer.", t.tellTable(table))
	}
	t.invited = open
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
	if err := p.feed.Read(now, t.tell); err != nil {
		t.say("Some of what happened cannot be said; board says the position.")
	}
	for kind := range p.offered {
		if _, open := now.Offer(kind); !open {
			delete(p.offered, kind)
		}
	}
	t.presence(before)
	if now.Version != before.Version || now.Frozen != before.Frozen {
		t.sayTurn()
	} else if before.FirstBy.IsZero() {
		t.sayFirstTurn() // the clock of a match that has just begun
	}
	if now.Next != "" && before.Next == "" {
		t.say("The rematch begins.")
		t.known[now.Next] = true
		t.open(now.Next, now.NextCode)
	}
}

// tell says one thing that has happened in the open match.
func (t *talk) tell(n lobby.News) error {
	p := t.at
	switch {
	case n.Event != nil && n.Event.Kind == lobby.EventOffered:
		if o, open := p.snap.Offer(n.Event.Offer); n.Event.Seat != p.seat && open && o.At.Equal(n.Event.At) {
			p.offered[o.Kind] = time.Now()
			t.sayOffer(o)
		}
		return nil
	case n.Entry != nil && n.Entry.Kind == lobby.Turn:
		name := p.match.Info.Seats[n.Entry.Seat].Name
		if n.Entry.Seat == p.seat {
			name = "You"
		}
		t.say("%s: %s.", name, p.game.Tell(n.Position, n.Entry.Actions))
	}
	if text := words.News(n, p.snap, p.game, p.seat); text != "" {
		t.say("%s", text)
	}
	return nil
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
