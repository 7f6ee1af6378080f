package plain

import (
	"time"

	"ayumu/lobby"
	"ayumu/tui/game"
	"ayumu/tui/words"
)

// printEvents prints what has happened since the last call.
func (t *session) printEvents() {
	t.printOtherEvents()
	t.openNewMatches()
	if revision := t.session.Lobby().UsersRevision(); revision != t.usersRevision {
		t.usersRevision = revision
		t.printChallenges()
	}
	if t.current == nil {
		for _, l := range t.session.VisibleChat(&t.session.Lobby().Chat, t.lastChat) {
			t.lastChat = l.Seq
			t.printf("%s says: %s", l.Author, l.Text)
		}
		return
	}
	t.printChat()
	t.printChanges()
}

// printOtherEvents prints what others did to the user's tables and in matches that are not open.
func (t *session) printOtherEvents() {
	open := ""
	if t.current != nil {
		open = t.current.match.Info.ID
	}
	for _, text := range t.news.Read(t.session, open) {
		t.printf("%s", text)
	}
}

// openNewMatches opens a match that has just started, unless the user is playing another one.
func (t *session) openNewMatches() {
	for _, m := range t.session.SeatedMatches() {
		if t.knownMatches[m.Info.ID] {
			continue
		}
		t.knownMatches[m.Info.ID] = true
		if t.session.Snapshot(m).IsOver() || time.Since(m.Info.Started) > time.Minute {
			continue
		}
		t.printf("Your game %s has started.", words.WithOpponents(m.Info, t.session.Account().ID))
		if t.current != nil && t.current.player != nil && !t.current.snapshot.IsOver() {
			t.printf("To go to it, type games, then play and its number.")
			continue
		}
		t.openMatch(m.Info.ID, "")
	}
}

func (t *session) printChallenges() {
	me := t.session.Account()
	var open map[string]bool // without the tables that are gone
	for _, table := range t.session.Lobby().View().Tables {
		if table.To != me.Name || !table.Concerns(me.ID) {
			continue
		}
		if open == nil {
			open = make(map[string]bool)
		}
		if open[table.ID] = true; t.knownChallenges[table.ID] {
			continue
		}
		t.printf("%s Type tables, then join or decline and its number.", t.tableText(table))
	}
	t.knownChallenges = open
}

// printChat prints new chat lines of the open match: to players the players' room, to spectators the
// spectators' room, and both rooms when the match is over.
func (t *session) printChat() {
	p := t.current
	if p.player != nil || p.snapshot.IsOver() {
		for _, l := range t.session.VisibleChat(&p.match.PlayerChat, p.lastPlayerChat) {
			p.lastPlayerChat = l.Seq
			t.printf("%s says: %s", l.Author, l.Text)
		}
	}
	if p.player == nil || p.snapshot.IsOver() {
		for _, l := range t.session.VisibleChat(&p.match.SpectatorChat, p.lastSpectatorChat) {
			p.lastSpectatorChat = l.Seq
			t.printf("%s says: %s", l.Author, l.Text)
		}
	}
}

// printChanges prints the differences between the last printed snapshot and the newest one.
func (t *session) printChanges() {
	p := t.current
	before, now := p.snapshot, t.session.Snapshot(p.match)
	if before == now {
		return
	}
	p.snapshot = now
	if err := p.feed.Read(now, t.printItem); err != nil {
		t.printf("Some changes cannot be described. Type board for the position.")
	}
	for kind := range p.offeredAt {
		if _, open := now.Offer(kind); !open {
			delete(p.offeredAt, kind)
		}
	}
	t.printPresence(before)
	if now.Version != before.Version || now.Frozen != before.Frozen {
		t.printTurn()
	} else if before.FirstTurnDeadline.IsZero() {
		t.printFirstTurn() // the clock of a match that has just begun
	}
	if now.Rematch != "" && before.Rematch == "" {
		t.printf("The rematch has started.")
		t.knownMatches[now.Rematch] = true
		t.openMatch(now.Rematch, now.NextCode)
	}
}

// printItem prints one entry or event of the open match.
func (t *session) printItem(n lobby.FeedItem) error {
	p := t.current
	switch {
	case n.Event != nil && n.Event.Kind == lobby.EventOffered:
		if o, open := p.snapshot.Offer(n.Event.Offer); n.Event.Seat != p.seat && open && o.At.Equal(n.Event.At) {
			p.offeredAt[o.Kind] = time.Now()
			t.printOffer(o)
		}
		return nil
	case n.Entry != nil && n.Entry.Kind == lobby.EntryTurn:
		player := p.match.Info.Seats[n.Entry.Seat].Name
		if n.Entry.Seat == p.seat {
			player = game.You
		}
		t.printf("%s.", p.game.DescribeTurn(n.Position, n.Entry.Actions, player))
	}
	if text := words.DescribeItem(n, p.snapshot, p.game, p.seat); text != "" {
		t.printf("%s", text)
	}
	return nil
}

// offerTexts has for each kind of offer the words that describe it and the command that accepts it.
var offerTexts = map[lobby.OfferKind]struct{ own, theirs, command string }{
	lobby.OfferDraw:    {"You offered a draw.", "offers a draw", "draw"},
	lobby.OfferUndo:    {"You asked for a takeback.", "asks for a takeback", "undo"},
	lobby.OfferRematch: {"You offered a rematch.", "offers a rematch", "rematch"},
}

func (t *session) printOffer(o lobby.Offer) {
	w := offerTexts[o.Kind]
	name := t.current.match.Info.Seats[o.Seat].Name
	switch {
	case o.Seat == t.current.seat:
		t.printf("%s", w.own)
	case t.current.player == nil:
		t.printf("%s %s.", name, w.theirs)
	default:
		t.printf("%s %s. Type %s to accept, or refuse to decline.", name, w.theirs, w.command)
	}
}

// printPresence prints changes of the players' presence and of votes since the snapshot before.
func (t *session) printPresence(before *lobby.Snapshot) {
	p := t.current
	if p.snapshot.IsOver() {
		return
	}
	for i, a := range p.snapshot.Away {
		name := p.match.Info.Seats[i].Name
		was := before.Away[i]
		switch {
		case i == p.seat || p.snapshot.Position.HasLeft(i):
		case was.Since.IsZero() && !a.Since.IsZero():
			t.printf("%s is away.", name)
		case !was.Since.IsZero() && a.Since.IsZero():
			t.printf("%s is back.", name)
		}
		if a.Claimable && !was.Claimable && p.player != nil && i != p.seat && len(p.snapshot.Away) == 2 {
			t.printf("%s has left. Type claim win, claim draw, or wait.", name)
		}
		if a.Claimable && !was.Claimable && p.player != nil && i != p.seat && len(p.snapshot.Away) > 2 && !p.isOut() {
			t.printf("%s has left. Type vote %s to vote them out, or wait.", name, name)
		}
		if n := p.snapshot.Votes[i]; n > before.Votes[i] {
			t.printf("%s to remove %s from the game.", words.Plural(n, "vote"), name)
		}
	}
}
