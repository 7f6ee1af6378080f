package line

import (
	"context"
	"slices"
	"strings"
	"time"

	"ayumu/lobby"
	"ayumu/tui/board"
	"ayumu/tui/boards"
	"ayumu/tui/words"
)

// place is a match that is open, at a seat or as a watcher.
type place struct {
	match   *lobby.Match
	player  *lobby.Player  // nil for a watcher
	watcher *lobby.Watcher // nil for a player
	seat    int            // -1 for a watcher
	game    board.Game
	snap    *lobby.Snapshot // what has been said
	feed    lobby.Feed      // of the same
	players uint64          // the last lines of the talks that were said
	gallery uint64
	offered map[lobby.OfferKind]time.Time // when offers of others were said
}

// live reports whether a clock of the person's runs on here.
func (p *place) live() bool {
	return p.player != nil && !p.snap.Over() && !p.out() && p.match.Info.Control.Live()
}

// out reports whether the person's seat has left a game that goes on.
func (p *place) out() bool { return p.player != nil && p.snap.Position.Left(p.seat) }

// open goes to a match.
func (t *talk) open(id, code string) {
	p := &place{seat: -1, offered: make(map[lobby.OfferKind]time.Time)}
	player, err := t.session.Sit(id)
	if err == nil {
		p.player, p.match, p.seat = player, player.Match(), player.Seat()
	} else {
		if p.watcher, err = t.session.Watch(id, code); err != nil {
			t.sorry(err)
			return
		}
		p.match = p.watcher.Match()
	}
	game, ok := boards.ByName(p.match.Info.Game)
	if !ok {
		t.say("Sorry: this server has no words for %s.", p.match.Info.Game)
		return
	}
	t.closePlace()
	p.game, p.snap = game, t.session.Snapshot(p.match)
	if p.feed, err = lobby.NewFeed(p.snap, p.snap.Version); err != nil {
		t.sorry(err)
		return
	}
	p.players, p.gallery = p.match.Players.Last(), p.match.Gallery.Last()
	t.at = p
	t.introduce()
}

func (t *talk) closePlace() {
	if t.at != nil && t.at.watcher != nil {
		t.at.watcher.Close()
	}
	t.at = nil
}

// introduce says which game this is.
func (t *talk) introduce() {
	p, s := t.at, t.at.snap
	kind := "casual"
	if s.Info.Rated {
		kind = "rated"
	}
	t.say("%s, %s, %s.", s.Info.Title(), s.Info.Control, kind)
	for i, seat := range s.Info.Seats {
		name := words.Rated(seat.Name, seat.Rating)
		if i == p.seat {
			name = "You"
		}
		t.say("%s: %s.", p.game.Side(s.Position, i), name)
	}
	if d := s.Info.Delay; d > 0 && !s.Over() {
		t.say("Watchers see this game %s late.", words.Plural(d, "turn"))
	}
	if p.player != nil {
		t.say("Type a move to play it. legal lists your moves, board says the position, help says the rest.")
	}
	t.sayTurn()
}

// sayTurn says whose turn it is, or how the game ended.
func (t *talk) sayTurn() {
	p, s := t.at, t.at.snap
	switch {
	case s.Frozen:
		t.say("This game is stopped by a fault of the server. Its host has been told.")
	case s.Over():
		t.say("%s", words.Result(s, p.game, p.seat))
		if text := words.Ratings(s, p.seat, "to"); text != "" {
			t.say("%s", text)
		}
		if p.player != nil {
			t.say("rematch offers another game; lobby leaves.")
		}
	case s.Position.Turn() == p.seat:
		if left, ok := s.Left(p.seat, time.Now()); ok {
			t.say("Your turn, %s left.", words.Clock(left))
		} else {
			t.say("Your turn.")
		}
		t.sayFirstTurn()
	default:
		t.say("%s's turn (%s).", s.Info.Seats[s.Position.Turn()].Name, p.game.Side(s.Position, s.Position.Turn()))
	}
}

// sayFirstTurn says how long the person has for a first move, if that is limited.
func (t *talk) sayFirstTurn() {
	s := t.at.snap
	if left, ok := s.FirstTurn(time.Now()); ok && s.Running == t.at.seat {
		t.say("The first move has to come within %s.", words.Clock(left))
	}
}

func (t *talk) board(string) {
	for _, l := range t.at.game.Lines(t.at.snap.Position) {
		t.say("%s", l)
	}
}

func (t *talk) status(string) {
	s := t.at.snap
	t.sayTurn()
	now := time.Now()
	for i, seat := range s.Info.Seats {
		text := seat.Name + ", " + t.at.game.Side(s.Position, i)
		if left, ok := s.Left(i, now); ok {
			text += ", " + words.Clock(left) + " left"
		}
		if !s.Over() && !s.Away[i].Since.IsZero() {
			text += ", away " + words.Seconds(now.Sub(s.Away[i].Since))
		}
		t.say("%s.", text)
	}
	for _, o := range s.Offers {
		t.sayOffer(o)
	}
	t.say("%s.", words.Plural(t.at.match.Watchers(), "watcher"))
}

func (t *talk) record(string) {
	s := t.at.snap
	entries := s.Standing()
	if len(entries) == 0 {
		t.say("No turn has been made.")
	}
	turns := 0
	for _, e := range entries {
		if e.Kind != lobby.Turn {
			t.say("%s leaves.", s.Info.Seats[e.Seat].Name)
			continue
		}
		turns++
		t.say("%d, %s: %s.", turns, s.Info.Seats[e.Seat].Name, t.at.game.Short(e.Actions))
	}
}

// looksLikeMove reports whether a line that is no command can be read as a move.
func (t *talk) looksLikeMove(line string) bool {
	_, err := t.at.game.Read(t.at.snap.Position, line)
	return err == nil
}

func (t *talk) move(args string) {
	p := t.at
	turn, err := p.game.Read(p.snap.Position, args)
	if err != nil {
		t.say("Sorry: %v.", err)
		return
	}
	t.call(func(ctx context.Context) error {
		_, err := p.player.Act(ctx, p.snap.Version, turn)
		return err
	})
	t.events()
}

// legal lists the moves of the side to move, or those that begin as was typed.
func (t *talk) legal(args string) {
	p, s := t.at, t.at.snap
	switch {
	case s.Over():
		t.say("The game is over.")
		return
	case p.out():
		t.say("You are out of this game.")
		return
	case s.Position.Turn() != p.seat:
		t.say("It is not your turn.")
		return
	}
	var list []string
	for _, a := range s.Position.Legal() {
		if args == "" || startsFrom(a, strings.ToLower(args)) {
			list = append(list, a)
		}
	}
	if len(list) == 0 {
		t.say("%s has no move.", args)
		return
	}
	t.say("%s: %s.", words.Plural(len(list), "move"), strings.Join(list, ", "))
}

// startsFrom reports whether an action is about a point: "b1-b2" about b1, "move 3,-1 1 w" about 3,-1.
func startsFrom(action, point string) bool {
	return strings.HasPrefix(action, point+"-") || slices.Contains(strings.Fields(action), point)
}

// offerRest is how long a fresh offer cannot be accepted.
const offerRest = 400 * time.Millisecond

func (t *talk) offer(kind lobby.OfferKind) {
	if at, theirs := t.at.offered[kind]; theirs && time.Since(at) < offerRest {
		t.say("That was just offered by the other. Type it once more to accept.")
		return
	}
	_, accepts := t.at.offered[kind]
	if t.call(func(ctx context.Context) error { return t.at.player.Offer(ctx, kind) }) && !accepts {
		t.say("Offered.")
	}
	t.events()
}

func (t *talk) draw(string)    { t.offer(lobby.OfferDraw) }
func (t *talk) undo(string)    { t.offer(lobby.OfferUndo) }
func (t *talk) rematch(string) { t.offer(lobby.OfferRematch) }

func (t *talk) refuse(string) {
	if len(t.at.snap.Offers) == 0 {
		t.say("Nothing is offered.")
		return
	}
	p := t.at
	o := p.snap.Offers[0]
	for _, other := range p.snap.Offers {
		if other.Seat != p.seat {
			o = other
			break
		}
	}
	if t.call(func(ctx context.Context) error { return p.player.Refuse(ctx, o.Kind) }) {
		t.say("%s", words.Ended(o, p.seat))
	}
	t.events()
}

func (t *talk) claim(args string) {
	if args = strings.ToLower(args); args != "win" && args != "draw" {
		t.say("Type claim win, or claim draw.")
		return
	}
	t.call(func(ctx context.Context) error { return t.at.player.Claim(ctx, args) })
	t.events()
}

func (t *talk) resign(string) {
	switch {
	case t.at.snap.Over():
		t.say("The game is over.")
		return
	case t.at.out():
		t.say("You are out of this game.")
		return
	}
	player := t.at.player
	t.ask("This gives the game up.", func() {
		t.call(player.Resign)
		t.events()
	})
}

// vote asks, then votes an absent player out: the one who is named, or the first.
func (t *talk) vote(name string) {
	p := t.at
	if len(p.snap.Info.Seats) == 2 {
		t.say("With two players type claim win or claim draw instead.")
		return
	}
	seat := slices.IndexFunc(p.snap.Away, func(a lobby.Away) bool { return a.Claimable })
	if name != "" {
		seat = slices.IndexFunc(p.snap.Info.Seats, func(s lobby.Seat) bool { return strings.EqualFold(s.Name, name) })
	}
	switch {
	case p.snap.Over():
		t.say("The game is over.")
		return
	case name != "" && seat < 0:
		t.say("No player here is called %s.", name)
		return
	case p.out():
		t.say("You are out of this game.")
		return
	case seat < 0 || !p.snap.Away[seat].Claimable:
		t.say("Nobody can be voted out: all are here, or have not been away for long enough.")
		return
	}
	player := p.player
	t.ask("This votes "+p.snap.Info.Seats[seat].Name+" out of the game.", func() {
		if t.call(func(ctx context.Context) error { return player.Vote(ctx, seat) }) {
			t.say("You voted.")
		}
		t.events()
	})
}

func (t *talk) toLobby(string) {
	live := t.at.live()
	t.closePlace()
	t.heard = t.session.Lobby().Chat.Last()
	if live {
		t.say("You are in the lobby. Your game goes on and your clock runs; play leads back.")
		return
	}
	t.say("You are in the lobby.")
}
