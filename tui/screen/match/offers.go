package match

import (
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"

	"ayumu/lobby/match"
	"ayumu/tui/game"
	"ayumu/tui/op"
	"ayumu/tui/screen"
	"ayumu/tui/words"
)

// offerKeys are the keys that make and accept offers, one for each kind. No board gives these keys a meaning
// while they work.
var offerKeys = map[match.OfferKind]string{match.OfferDraw: "=", match.OfferUndo: "u", match.OfferRematch: "m"}

// playerKeys are the bindings of a player: offers, claims, votes and resigning.
var playerKeys = screen.Bindings[*playing]{
	// In the status bar an answer comes before the same key's usual meaning.
	{Key: screen.Keys("=", "=", ""), Rank: rankAnswer + 3, When: (*playing).CanClaim, Label: "claim", Do: (*playing).askClaim},
	acceptKey(match.OfferDraw), acceptKey(match.OfferUndo), acceptKey(match.OfferRematch),
	{Key: screen.Keys("=", "=", "offer a draw, or accept one; when your opponent is away, claim the win or a draw"), Rank: rankEnd,
		When: (*playing).isRunningDuel, Listed: (*playing).isDuel, LabelOf: unlessOffered(match.OfferDraw, "draw"), Do: offer(match.OfferDraw)},
	{Key: screen.Keys("u", "u", "ask for a takeback, or accept one (casual games)"), Rank: rankEnd + 2,
		When: (*playing).asksForTakeback, Listed: (*playing).isDuel, LabelOf: func(v *playing) string {
			if !v.hasTakeback() {
				return ""
			}
			return unlessOffered(match.OfferUndo, "takeback")(v)
		}, Do: offer(match.OfferUndo)},
	{Key: screen.Keys("m", "m", "offer a rematch after the game, or accept one"), Rank: rankReview + 2, When: (*playing).canRematch, LabelOf: (*playing).rematchLabel, Do: offer(match.OfferRematch)},
	{Key: screen.Keys("x", "x", "decline an offer, or withdraw your own"), Rank: rankAnswer + 2,
		When: func(v *playing) bool { return v.isRunning() || len(v.Snapshot.Offers) > 0 }, LabelOf: (*playing).refuseLabel, Do: (*playing).refuse},
	{Key: screen.Keys("=", "=", "vote out a player who is away; all people who are here must agree"), Rank: rankAnswer + 3,
		When: func(v *playing) bool { return v.isRunning() && v.IsMultiplayer() }, Listed: (*playing).IsMultiplayer, LabelOf: (*playing).voteLabel, Do: (*playing).vote},
	{Key: screen.Keys("", "[ ]", ""), Rank: rankEnd + 4, When: (*playing).isRunning, LabelOf: func(v *playing) string { // less important while the match is running
		if v.isReviewing {
			return ""
		}
		return "review"
	}},
}

// acceptKey returns the binding that accepts an offer of another seat.
func acceptKey(kind match.OfferKind) screen.Binding[*playing] {
	return screen.Binding[*playing]{Key: screen.Keys(offerKeys[kind], offerKeys[kind], ""), Rank: rankAnswer, When: received(kind),
		Label: words.AcceptOffer(kind), Do: offer(kind)}
}

func (v *playing) isRunningDuel() bool { return v.isRunning() && v.isDuel() }

// asksForTakeback reports whether the key of takebacks asks for one. While a turn of several actions is being made, it
// takes back the last of them.
func (v *playing) asksForTakeback() bool { return v.isRunningDuel() && len(v.shownDraft()) == 0 }

// atLivePosition returns a label for players of a running match at the live position.
func atLivePosition(label string) func(*playing) string {
	return func(v *playing) string {
		if v.Snapshot.IsOver() || v.isReviewing || v.IsOut() {
			return ""
		}
		return label
	}
}

// unlessOffered is atLivePosition for the key of an offer, which does nothing while an offer of the user is open.
func unlessOffered(kind match.OfferKind, label string) func(*playing) string {
	return func(v *playing) string {
		if _, open := v.Snapshot.Offer(kind); open {
			return ""
		}
		return atLivePosition(label)(v)
	}
}

// hasTakeback reports whether the user has a turn that can be taken back.
func (v *playing) hasTakeback() bool {
	return !v.Snapshot.Info.Rated && !v.Snapshot.Info.IsOfTournament() && slices.ContainsFunc(v.turns.Entries, func(e match.Entry) bool { return e.Kind == match.EntryTurn && e.Seat == v.Seat })
}

// canRematch reports whether the game is over and none of a tournament.
func (v *playing) canRematch() bool { return v.isOver() && !v.Snapshot.Info.IsOfTournament() }

func (v *playing) rematchLabel() string {
	if _, open := v.Snapshot.Offer(match.OfferRematch); open || v.isReviewing {
		return ""
	}
	return "rematch"
}

func (v *playing) refuseLabel() string {
	switch o, open := v.OfferToAnswer(); {
	case !open:
		return ""
	case o.Seat != v.Seat:
		return "decline"
	}
	return "withdraw"
}

func (v *playing) voteLabel() string {
	if _, ok := v.VotableSeat(); ok {
		return "vote out"
	}
	return ""
}

// isOutOfGame notifies the user if they have left the match.
func (v *playing) isOutOfGame() bool {
	if v.IsOut() {
		v.Shell.Notify(outOfGameText)
	}
	return v.IsOut()
}

// offer returns a function that makes an offer of a kind or accepts the opponent's.
func offer(kind match.OfferKind) func(*playing) tea.Cmd {
	return func(v *playing) tea.Cmd {
		do := func() tea.Cmd { return runSeatOp(v, op.OfferOps[kind], v.seatArgs()) }
		switch state := v.OfferState(kind, time.Now()); {
		case state == op.OfferNew:
			v.Shell.Notify("The %s has just arrived. Press %s again to accept it.", words.OfferName(kind), offerKeys[kind])
			return nil
		case state == op.OfferMade:
			v.Shell.Notify("Your offer is still open. Press x to withdraw it.")
			return nil
		case state == op.OfferAgreed:
			v.Shell.Notify("You have accepted already, and others have not answered yet. Press x to decline after all.")
			return nil
		case state == op.OfferNone && kind == match.OfferDraw:
			return v.Shell.Confirm(screen.YesNo("Offer a draw?", "offer", "cancel", do))
		case state == op.OfferNone && kind == match.OfferUndo && v.hasTakeback():
			return v.confirmTakeback(do)
		}
		return do()
	}
}

// confirmTakeback asks before a takeback. The same key takes back single actions of a turn that is being made, and pressed once too
// often it would take back a whole turn, which no key brings again.
func (v *playing) confirmTakeback(do func() tea.Cmd) tea.Cmd {
	if opponent := v.Snapshot.Info.Seats[1-v.Seat]; !opponent.Bot {
		return v.Shell.Confirm(screen.YesNo("Ask "+opponent.Name+" for a takeback of your last turn?", "ask", "cancel", do))
	}
	return v.Shell.Confirm(screen.YesNo("Take back your whole last turn?", "take back", "cancel", do)) // a bot agrees at once
}

// refuse declines the first open offer of another player, or withdraws the user's own.
func (v *playing) refuse() tea.Cmd {
	if v.isOutOfGame() {
		return nil
	}
	ended, open := v.OfferToAnswer()
	if !open {
		v.Shell.Notify("There is no open offer.")
		return nil
	}
	return screen.Run(v.Shell, op.Refuse, op.RefuseArgs{Match: v.seatArgs().Match, Kind: op.OfferKind(ended.Kind)}, func(op.RefuseResult) tea.Cmd {
		v.Shell.Notify("%s", words.DescribeOfferEnd(ended, v.Seat))
		return v.Refresh()
	})
}

// askClaim asks what to claim against an absent opponent.
func (v *playing) askClaim() tea.Cmd {
	answer := func(key, help string, kind op.ClaimKind) screen.Answer {
		return screen.Answer{Key: game.Key{Key: key, Help: help}, Do: func() tea.Cmd {
			return runSeatOp(v, op.Claim, op.ClaimArgs{Match: v.seatArgs().Match, Kind: kind})
		}}
	}
	return v.Shell.Ask(&screen.Question{Text: "End the game?", Dismiss: "wait",
		Answers: []screen.Answer{answer("w", "claim the win", op.ClaimWin), answer("d", "claim a draw", op.ClaimDraw)}})
}

// resign aborts the match while that is possible, and otherwise resigns, after a confirmation.
func (v *playing) resign() tea.Cmd {
	if v.isOutOfGame() {
		return nil
	}
	if v.Snapshot.CanAbort {
		return v.Shell.Ask(screen.YesNo("Abort this game? Nobody wins or loses.", "abort", "play on", func() tea.Cmd {
			return runSeatOp(v, op.Abort, v.seatArgs())
		}))
	}
	return v.Shell.Ask(screen.YesNo("Resign this game?", "resign", "play on", func() tea.Cmd {
		return runSeatOp(v, op.Resign, v.seatArgs())
	}))
}

// voteLine describes that a seat can be voted out, and by how many votes.
func (v *playing) voteLine(now time.Time) (string, bool) {
	seat, ok := v.VotableSeat()
	if !ok {
		return "", false
	}
	line := words.Absence(v.Snapshot, seat, v.Seat, now) + " =: vote them out"
	if votes := words.Votes(v.Snapshot, seat); votes != "" {
		line += " (" + votes + ")"
	}
	return line + ".", true
}

// vote votes an absent seat out, after a confirmation.
func (v *playing) vote() tea.Cmd {
	if v.isOutOfGame() {
		return nil
	}
	seat, ok := v.VotableSeat()
	if !ok {
		v.Shell.Notify("No player has been away long enough to be voted out.")
		return nil
	}
	name := v.Snapshot.Info.Seats[seat].Name
	return v.Shell.Ask(screen.YesNo("Vote "+name+" out of the game?", "vote", "wait", func() tea.Cmd {
		return runSeatOp(v, op.Vote, op.VoteArgs{Match: v.seatArgs().Match, Seat: &seat})
	}))
}
