package plain

import (
	"context"
	"slices"
	"strings"
	"time"

	"ayumu/engine/search"
	"ayumu/lobby"
	"ayumu/tui/op"
	"ayumu/tui/words"
)

// seatCommands act at the user's seat in the open match.
type seatCommands struct{ *session }

// looksLikeMove reports whether a line can be parsed as a move.
func (t seatCommands) looksLikeMove(line string) bool {
	_, err := t.current.Game.ParseTurn(t.current.Snapshot.Position, line)
	return err == nil
}

func (t seatCommands) move(args string) {
	p := t.current
	if t.review != nil {
		t.printf("An earlier position is shown. Type live to return, or try and the move.")
		return
	}
	turn, err := p.Game.ParseTurn(p.Snapshot.Position, args)
	if err != nil {
		t.printf("Error: %v.", err)
		return
	}
	if p.IsOwnTurn() {
		if why := t.coach.Warn(p.Snapshot.Position, turn); why != "" {
			t.printf("%s Type the same move again to play it anyway.", why)
			return
		}
	}
	before := p.Snapshot
	if t.call(func(ctx context.Context) error {
		_, err := p.Player.Act(ctx, before.Version, turn)
		return err
	}) {
		t.comment(before, turn)
	}
	t.printEvents()
}

// comment prints what the engine thinks of the user's turn, if it is one of the first mistakes in the game that follows
// the lessons.
func (t seatCommands) comment(before *lobby.Snapshot, turn []string) {
	c := t.coach.Comments()
	isTurn := func(h search.Choice) bool { return slices.Equal(h.Actions, turn) }
	if !c.Begin(t.hintedAt == before.Position && slices.ContainsFunc(t.hinted, isTurn)) {
		return
	}
	ctx, cancel := context.WithTimeout(t.ctx, op.CallTimeout)
	defer cancel()
	text, _ := c.Judge(ctx, before.Position, turn) // a failure is reported by the engine, and the game goes on without
	if c.End(text); text != "" {
		t.printf("%s", text)
	}
}

// printLegal lists the user's legal actions, or those from the point args.
func (t seatCommands) printLegal(args string) {
	p, s := t.current, t.current.Snapshot
	switch {
	case s.IsOver():
		t.printf("The game is over.")
		return
	case p.IsOut():
		t.printf("You are out of this game.")
		return
	case s.Position.Turn() != p.Seat:
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

// offer makes an offer, or accepts the opponent's.
func (t seatCommands) offer(kind lobby.OfferKind) {
	state := t.current.OfferState(kind, time.Now())
	switch state {
	case op.OfferNew:
		t.printf("Your opponent has just offered that. Type it again to accept.")
		return
	case op.OfferMade:
		t.printf("Your offer is still open. Type refuse to withdraw it.")
		return
	}
	player := t.current.Player
	if t.call(func(ctx context.Context) error { return player.Offer(ctx, kind) }) && state == op.OfferNone {
		matchCommands(t).printOffer(lobby.Offer{Kind: kind, Seat: t.current.Seat})
	}
	t.printEvents()
}

func (t seatCommands) offerDraw(string)    { t.offer(lobby.OfferDraw) }
func (t seatCommands) offerUndo(string)    { t.offer(lobby.OfferUndo) }
func (t seatCommands) offerRematch(string) { t.offer(lobby.OfferRematch) }

// refuse declines the first offer of another player, or withdraws the user's own.
func (t seatCommands) refuse(string) {
	p := t.current
	o, open := p.OfferToAnswer()
	if !open {
		t.printf("There is no open offer.")
		return
	}
	if t.call(func(ctx context.Context) error { return p.Player.Refuse(ctx, o.Kind) }) {
		t.printf("%s", words.DescribeOfferEnd(o, p.Seat))
	}
	t.printEvents()
}

func (t seatCommands) claim(args string) {
	if args = strings.ToLower(args); args != "win" && args != "draw" {
		t.printf("Usage: claim win, or claim draw.")
		return
	}
	t.call(func(ctx context.Context) error { return t.current.Player.Claim(ctx, args) })
	t.printEvents()
}

func (t seatCommands) resign(string) {
	switch {
	case t.current.Snapshot.IsOver():
		t.printf("The game is over.")
		return
	case t.current.IsOut():
		t.printf("You are out of this game.")
		return
	}
	player, warning := t.current.Player, "You are about to resign."
	if t.current.Snapshot.CanAbort {
		warning = "You are about to lose the game; abort ends it without a winner."
	}
	t.askConfirm(warning, func() {
		t.call(player.Resign)
		t.printEvents()
	})
}

// abort ends the match without a winner, after a confirmation where it is possible.
func (t seatCommands) abort(string) {
	player := t.current.Player
	do := func() {
		t.call(player.Abort)
		t.printEvents()
	}
	if !t.current.Snapshot.CanAbort {
		do() // for the reason why it is not possible
		return
	}
	t.askConfirm("You are about to abort the game. Nobody wins or loses.", do)
}

// vote votes an absent player out after a confirmation: the named one, or the first.
func (t seatCommands) vote(name string) {
	p := t.current
	if !p.IsMultiplayer() {
		t.printf("In a game of two, type claim win or claim draw instead.")
		return
	}
	seat, votable := p.VotableSeat()
	if name != "" {
		seat = slices.IndexFunc(p.Snapshot.Info.Seats, func(s lobby.Seat) bool { return strings.EqualFold(s.Name, name) })
		votable = seat >= 0 && p.CanVoteOut(seat)
	}
	switch {
	case p.Snapshot.IsOver():
		t.printf("The game is over.")
		return
	case name != "" && seat < 0:
		t.printf("No player in this game is named %s.", name)
		return
	case p.IsOut():
		t.printf("You are out of this game.")
		return
	case !votable:
		t.printf("No player can be voted out: everyone is here, or has not been away long enough.")
		return
	}
	player := p.Player
	t.askConfirm("You are about to vote "+p.Snapshot.Info.Seats[seat].Name+" out of the game.", func() {
		if t.call(func(ctx context.Context) error { return player.Vote(ctx, seat) }) {
			t.printf("Vote recorded.")
		}
		t.printEvents()
	})
}
