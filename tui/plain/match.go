package plain

import (
	"context"
	"slices"
	"strings"
	"time"

	"ayumu/lobby"
	"ayumu/tui/game"
	"ayumu/tui/words"
)

// openMatch is the state of the open match, as a player or a spectator.
type openMatch struct {
	match             *lobby.Match
	player            *lobby.Player    // nil for a spectator
	spectator         *lobby.Spectator // nil for a player
	seat              int              // -1 for a spectator
	game              game.Game
	snapshot          *lobby.Snapshot // the last one that was printed
	feed              lobby.Feed      // at the same version
	lastPlayerChat    uint64          // the last printed line of each chat room
	lastSpectatorChat uint64
	offeredAt         map[lobby.OfferKind]time.Time // when offers of others were printed
}

// isLive reports whether the user has a seat here in a running game with a live clock.
func (p *openMatch) isLive() bool {
	return p.player != nil && !p.snapshot.IsOver() && !p.isOut() && p.match.Info.Control.IsLive()
}

// isOut reports whether the user's seat has left the game.
func (p *openMatch) isOut() bool { return p.player != nil && p.snapshot.Position.HasLeft(p.seat) }

// openMatch opens a match, as a player if the user has a seat, else as a spectator. code opens a private
// one.
func (t *session) openMatch(id, code string) {
	p := &openMatch{seat: -1, offeredAt: make(map[lobby.OfferKind]time.Time)}
	player, err := t.session.Sit(id)
	if err == nil {
		p.player, p.match, p.seat = player, player.Match(), player.Seat()
	} else {
		if p.spectator, err = t.session.Watch(id, code); err != nil {
			t.printError(err)
			return
		}
		p.match = p.spectator.Match()
	}
	game, ok := t.config.Games.ByName(p.match.Info.Game)
	if !ok {
		t.printf("Error: line mode does not support %s.", p.match.Info.Game)
		return
	}
	t.closeMatch()
	p.game, p.snapshot = game, t.session.Snapshot(p.match)
	if p.feed, err = lobby.NewFeed(p.snapshot, p.snapshot.Version); err != nil {
		t.printError(err)
		return
	}
	p.lastPlayerChat, p.lastSpectatorChat = p.match.PlayerChat.Last(), p.match.SpectatorChat.Last()
	t.current = p
	t.printMatch()
}

func (t *session) closeMatch() {
	if t.current != nil && t.current.spectator != nil {
		t.current.spectator.Close()
	}
	t.current = nil
}

// printMatch prints the open match's game, time control, seats and turn.
func (t *session) printMatch() {
	p, s := t.current, t.current.snapshot
	kind := "casual"
	if s.Info.Rated {
		kind = "rated"
	}
	t.printf("%s, %s, %s.", s.Info.Title(), s.Info.Control, kind)
	for i, seat := range s.Info.Seats {
		name := words.NameAndRating(seat.Name, seat.Rating)
		if i == p.seat {
			name = "You"
		}
		t.printf("%s: %s.", p.game.Side(s.Position, i), name)
	}
	if d := s.Info.Delay; d > 0 && !s.IsOver() {
		t.printf("Spectator delay: %s.", words.Plural(d, "turn"))
	}
	if p.player != nil {
		t.printf("Type a move to play it. legal lists your moves, board describes the position, help lists all commands.")
	}
	t.printTurn()
}

// printTurn prints whose turn it is, or how the game ended.
func (t *session) printTurn() {
	p, s := t.current, t.current.snapshot
	switch {
	case s.Frozen:
		t.printf("This game was stopped by an internal error. The operator has been notified.")
	case s.IsOver():
		t.printf("%s", words.Result(s, p.game, p.seat))
		if text := words.DescribeRatings(s, p.seat, "to"); text != "" {
			t.printf("%s", text)
		}
		if p.player != nil {
			t.printf("Type rematch to offer a rematch, or lobby to leave.")
		}
	case s.Position.Turn() == p.seat:
		if left, ok := s.Remaining(p.seat, time.Now()); ok {
			t.printf("Your turn, %s left.", words.Clock(left))
		} else {
			t.printf("Your turn.")
		}
		t.printFirstTurn()
	default:
		t.printf("%s's turn (%s).", s.Info.Seats[s.Position.Turn()].Name, p.game.Side(s.Position, s.Position.Turn()))
	}
}

// printFirstTurn prints the time left for the user's first move, if it is limited.
func (t *session) printFirstTurn() {
	s := t.current.snapshot
	if left, ok := s.FirstTurnRemaining(time.Now()); ok && s.RunningSeat == t.current.seat {
		consequence := "the game is aborted"
		if len(s.Info.Seats) > 2 {
			consequence = "you are out of the game"
		}
		t.printf("Make your first move within %s or %s.", words.Clock(left), consequence)
	}
}

func (t *session) printBoard(string) {
	for _, l := range t.current.game.DescribePosition(t.current.snapshot.Position) {
		t.printf("%s", l)
	}
}

func (t *session) printStatus(string) {
	s := t.current.snapshot
	t.printTurn()
	now := time.Now()
	for i, seat := range s.Info.Seats {
		text := seat.Name + ", " + t.current.game.Side(s.Position, i)
		if left, ok := s.Remaining(i, now); ok {
			text += ", " + words.Clock(left) + " left"
		}
		if !s.IsOver() && !s.Away[i].Since.IsZero() {
			text += ", away " + words.Seconds(now.Sub(s.Away[i].Since))
		}
		t.printf("%s.", text)
	}
	for _, o := range s.Offers {
		t.printOffer(o)
	}
	t.printf("%s.", words.Plural(t.current.match.SpectatorCount(), "spectator"))
}

func (t *session) printRecord(string) {
	s := t.current.snapshot
	entries := s.TurnEntries()
	if len(entries) == 0 {
		t.printf("No turns have been played.")
	}
	turns := 0
	for _, e := range entries {
		if e.Kind != lobby.EntryTurn {
			t.printf("%s leaves.", s.Info.Seats[e.Seat].Name)
			continue
		}
		turns++
		t.printf("%d, %s: %s.", turns, s.Info.Seats[e.Seat].Name, t.current.game.ShortTurn(e.Actions))
	}
}

// looksLikeMove reports whether a line can be parsed as a move.
func (t *session) looksLikeMove(line string) bool {
	_, err := t.current.game.ParseTurn(t.current.snapshot.Position, line)
	return err == nil
}

func (t *session) move(args string) {
	p := t.current
	turn, err := p.game.ParseTurn(p.snapshot.Position, args)
	if err != nil {
		t.printf("Error: %v.", err)
		return
	}
	t.call(func(ctx context.Context) error {
		_, err := p.player.Act(ctx, p.snapshot.Version, turn)
		return err
	})
	t.printEvents()
}

// printLegal lists the user's legal actions, or those from the point args.
func (t *session) printLegal(args string) {
	p, s := t.current, t.current.snapshot
	switch {
	case s.IsOver():
		t.printf("The game is over.")
		return
	case p.isOut():
		t.printf("You are out of this game.")
		return
	case s.Position.Turn() != p.seat:
		t.printf("It is not your turn.")
		return
	}
	var list []string
	for _, a := range s.Position.Legal() {
		if args == "" || startsFrom(a, strings.ToLower(args)) {
			list = append(list, a)
		}
	}
	if len(list) == 0 {
		t.printf("%s has no legal move.", args)
		return
	}
	t.printf("%s: %s.", words.Plural(len(list), "move"), strings.Join(list, ", "))
}

// startsFrom reports whether an action is about a point: "b1-b2" about b1, "move 3,-1 1 w" about 3,-1.
func startsFrom(action, point string) bool {
	return strings.HasPrefix(action, point+"-") || slices.Contains(strings.Fields(action), point)
}

// offerGuard is how long a new offer cannot be accepted, so that nobody accepts it by accident.
const offerGuard = 400 * time.Millisecond

func (t *session) offer(kind lobby.OfferKind) {
	if at, theirs := t.current.offeredAt[kind]; theirs && time.Since(at) < offerGuard {
		t.printf("Your opponent has just offered that. Type it again to accept.")
		return
	}
	_, accepts := t.current.offeredAt[kind]
	if t.call(func(ctx context.Context) error { return t.current.player.Offer(ctx, kind) }) && !accepts {
		t.printf("%s", offerTexts[kind].own)
	}
	t.printEvents()
}

func (t *session) offerDraw(string)    { t.offer(lobby.OfferDraw) }
func (t *session) offerUndo(string)    { t.offer(lobby.OfferUndo) }
func (t *session) offerRematch(string) { t.offer(lobby.OfferRematch) }

func (t *session) refuse(string) {
	if len(t.current.snapshot.Offers) == 0 {
		t.printf("There is no open offer.")
		return
	}
	p := t.current
	o := p.snapshot.Offers[0]
	for _, other := range p.snapshot.Offers {
		if other.Seat != p.seat {
			o = other
			break
		}
	}
	if t.call(func(ctx context.Context) error { return p.player.Refuse(ctx, o.Kind) }) {
		t.printf("%s", words.DescribeOfferEnd(o, p.seat))
	}
	t.printEvents()
}

func (t *session) claim(args string) {
	if args = strings.ToLower(args); args != "win" && args != "draw" {
		t.printf("Usage: claim win, or claim draw.")
		return
	}
	t.call(func(ctx context.Context) error { return t.current.player.Claim(ctx, args) })
	t.printEvents()
}

func (t *session) resign(string) {
	switch {
	case t.current.snapshot.IsOver():
		t.printf("The game is over.")
		return
	case t.current.isOut():
		t.printf("You are out of this game.")
		return
	}
	player := t.current.player
	t.askConfirm("You are about to resign.", func() {
		t.call(player.Resign)
		t.printEvents()
	})
}

// voteCommand votes an absent player out after a confirmation: the named one, or the first.
func (t *session) voteCommand(name string) {
	p := t.current
	if len(p.snapshot.Info.Seats) == 2 {
		t.printf("In a game of two, type claim win or claim draw instead.")
		return
	}
	seat := slices.IndexFunc(p.snapshot.Away, func(a lobby.Away) bool { return a.Claimable })
	if name != "" {
		seat = slices.IndexFunc(p.snapshot.Info.Seats, func(s lobby.Seat) bool { return strings.EqualFold(s.Name, name) })
	}
	switch {
	case p.snapshot.IsOver():
		t.printf("The game is over.")
		return
	case name != "" && seat < 0:
		t.printf("No player in this game is named %s.", name)
		return
	case p.isOut():
		t.printf("You are out of this game.")
		return
	case seat < 0 || !p.snapshot.Away[seat].Claimable:
		t.printf("No player can be voted out: everyone is here, or has not been away long enough.")
		return
	}
	player := p.player
	t.askConfirm("You are about to vote "+p.snapshot.Info.Seats[seat].Name+" out of the game.", func() {
		if t.call(func(ctx context.Context) error { return player.Vote(ctx, seat) }) {
			t.printf("Vote recorded.")
		}
		t.printEvents()
	})
}

func (t *session) toLobby(string) {
	live := t.current.isLive()
	t.closeMatch()
	t.lastChat = t.session.Lobby().Chat.Last()
	if live {
		t.printf("You are in the lobby. Your game continues and your clock keeps running. Type play to return.")
		return
	}
	t.printf("You are in the lobby.")
}
