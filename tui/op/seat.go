package op

import (
	"context"
	"slices"
	"strings"

	"ayumu/lobby"
	"ayumu/lobby/errcode"
	"ayumu/lobby/match"
	"ayumu/tui/words"
)

// MatchID is the id of a match in which the user has a seat. In line mode it is that of the open match, and not typed.
type MatchID string

// Kind implements Kind.
func (*MatchID) Kind() string { return "match" }

// ParseWord implements Kind.
func (id *MatchID) ParseWord(_ *Visit, word string) error {
	*id = MatchID(word)
	return nil
}

// FromVisit implements contextual.
func (id *MatchID) FromVisit(v *Visit) bool {
	if v.Current == nil {
		return false
	}
	*id = MatchID(v.Current.Snapshot.Info.ID)
	return true
}

// asPlayer returns the user as the player of their seat in a match.
func (v *Visit) asPlayer(id MatchID) (*lobby.Player, error) { return v.Session.AsPlayer(string(id)) }

// SeatArgs name the match in which the user's seat acts.
type SeatArgs struct {
	Match MatchID `json:"match" arg:"MATCH"`
}

// seatResult is what a seat has done.
type seatResult struct {
	player *lobby.Player
	done   string // a sentence; where the match is open its events say the same
	always string // a sentence that no event says; "": done
}

// text returns the result as people read it: how the match has ended, or what was done. Where the match is open, its events
// say that.
func (r seatResult) text(v *Visit) Text {
	s := r.player.Snapshot()
	switch g, known := v.Games.ByName(s.Info.Game); {
	case r.always != "":
		return Say("%s", r.always)
	case v.Current != nil && v.Current.InLobby == r.player.Match():
		return Text{}
	case known && s.IsOver():
		return Say("%s", words.ResultAndPlaces(s, g, r.player.Seat()))
	}
	return Say("%s", r.done)
}

// seatOp declares an operation of a seat in a running or finished match. Programs get events about what it does, and
// an answer without fields.
func seatOp[A any](i Info, confirm func(*Visit, A) (string, error), run func(context.Context, *Visit, A) (seatResult, error)) *Op[A, seatResult] {
	i.Group, i.Where, i.Session = GroupPlay, AtSeat, true
	return New(Spec[A, seatResult]{
		Info: i, Confirm: confirm, Run: run,
		Text: func(v *Visit, _ A, r seatResult) Text { return r.text(v) },
		JSON: func(*Visit, seatResult) any { return None{} },
	})
}

// Resign resigns a match; with three or more players the seat leaves.
var Resign = seatOp(Info{Name: "resign", Help: "resign the game", Effect: Final, Offline: true, IsOfUse: isRunning, On: On{Screen: As("match")}},
	func(v *Visit, in SeatArgs) (string, error) {
		player, err := v.asPlayer(in.Match)
		if err != nil {
			return "", err
		}
		switch s := player.Snapshot(); {
		case s.IsOver():
			return "", &errcode.Error{Code: errcode.GameOver, Message: "the game is over"}
		case s.Position.HasLeft(player.Seat()):
			return "", &errcode.Error{Code: errcode.NotAllowed, Message: "you have already left this game"}
		case s.Info.Local && !s.CanAbort:
			return s.Info.Seats[player.Seat()].Name + " is about to resign.", nil
		case s.CanAbort:
			return "You are about to lose the game; abort ends it without a winner.", nil
		}
		return "You are about to resign.", nil
	},
	func(ctx context.Context, v *Visit, in SeatArgs) (seatResult, error) {
		player, err := v.asPlayer(in.Match)
		if err != nil {
			return seatResult{}, err
		}
		return seatResult{player: player, done: "You resigned and left the game."}, player.Resign(ctx)
	})

// Abort ends a match without a winner.
var Abort = seatOp(Info{Name: "abort", Help: "end a game of two without a winner, before both players have made a move", Effect: Final, Offline: true, On: On{Screen: As("match")},
	IsOfUse: func(m *Match) bool { return m.Snapshot.CanAbort }},
	func(v *Visit, in SeatArgs) (string, error) {
		player, err := v.asPlayer(in.Match)
		if err != nil || !player.Snapshot().CanAbort {
			return "", err // Run says why it is not possible
		}
		return "You are about to abort the game. Nobody wins or loses.", nil
	},
	func(ctx context.Context, v *Visit, in SeatArgs) (seatResult, error) {
		player, err := v.asPlayer(in.Match)
		if err != nil {
			return seatResult{}, err
		}
		return seatResult{player: player, done: "You aborted the game."}, player.Abort(ctx)
	})

// ClaimKind is what can be claimed from an absent opponent.
type ClaimKind string

// The kinds of claims.
const (
	ClaimWin  ClaimKind = "win"
	ClaimDraw ClaimKind = "draw"
)

// Kind implements Kind.
func (*ClaimKind) Kind() string { return "win or draw" }

// ParseWord implements Kind.
func (k *ClaimKind) ParseWord(_ *Visit, word string) error {
	*k = ClaimKind(strings.ToLower(word))
	if *k != ClaimWin && *k != ClaimDraw {
		return badRequest("claim win or draw")
	}
	return nil
}

// ClaimArgs are the arguments of Claim.
type ClaimArgs struct {
	Match MatchID   `json:"match" arg:"MATCH"`
	Kind  ClaimKind `json:"kind" arg:"win|draw"`
}

// Claim ends a match of two whose other player is away.
var Claim = seatOp(Info{Name: "claim", Help: "end the game if your opponent has left", Effect: Final, On: On{Screen: As("match =")},
	IsOfUse: (*Match).CanClaim},
	func(v *Visit, in ClaimArgs) (string, error) {
		player, err := v.asPlayer(in.Match)
		if err != nil || !canClaim(player.Snapshot(), player.Seat()) {
			return "", err // Run says why it is not possible
		}
		if in.Kind == ClaimDraw {
			return "You are about to claim a draw.", nil
		}
		return "You are about to claim the win.", nil
	},
	func(ctx context.Context, v *Visit, in ClaimArgs) (seatResult, error) {
		player, err := v.asPlayer(in.Match)
		if err != nil {
			return seatResult{}, err
		}
		return seatResult{player: player, done: "The game is over."}, player.Claim(ctx, string(in.Kind))
	})

// AbsentPlayer is the name of a player to be voted out. In line mode it is, unless it is typed, that of the first who can be.
type AbsentPlayer string

// Kind implements Kind.
func (*AbsentPlayer) Kind() string { return "name" }

// ParseWord implements Kind.
func (n *AbsentPlayer) ParseWord(_ *Visit, word string) error {
	*n = AbsentPlayer(word)
	return nil
}

// FromVisit implements contextual.
func (n *AbsentPlayer) FromVisit(v *Visit) bool {
	if v.Current == nil {
		return false
	}
	seat, ok := v.Current.VotableSeat()
	if ok {
		*n = AbsentPlayer(v.Current.Snapshot.Info.Seats[seat].Name)
	}
	return ok
}

// VoteArgs are the arguments of Vote, of which Name or Seat is needed.
type VoteArgs struct {
	Match MatchID      `json:"match" arg:"MATCH"`
	Name  AbsentPlayer `json:"name" arg:"[NAME]" help:"the player who is away"`
	Seat  *int         `json:"seat"`
}

// target returns the seat that is meant.
func (in VoteArgs) target(p *lobby.Player) (int, error) {
	s := p.Snapshot()
	switch seat := slices.IndexFunc(s.Info.Seats, func(s match.Seat) bool { return strings.EqualFold(s.Name, string(in.Name)) }); {
	case in.Seat != nil:
		return *in.Seat, nil
	case seat >= 0 || s.IsOver() || len(s.Info.Seats) == 2: // then Vote says that it is not possible
		return seat, nil
	case in.Name != "":
		return 0, badRequest("no player in this game is named %s", in.Name)
	}
	if !slices.ContainsFunc(s.Away, func(a match.Away) bool { return a.Claimable }) {
		return 0, &errcode.Error{Code: errcode.NotAllowed, Message: "no player can be voted out: everyone is present, or has not been away long enough"}
	}
	return 0, badRequest("vote needs the name of a player, or a seat")
}

// Vote votes that an absent seat leaves a match of three or more.
var Vote = seatOp(Info{Name: "vote", Help: "vote an absent player out, in a game of three or more", Effect: Final, On: On{Screen: As("match =")},
	IsOfUse: func(m *Match) bool { _, ok := m.VotableSeat(); return ok }},
	func(v *Visit, in VoteArgs) (string, error) {
		player, err := v.asPlayer(in.Match)
		if err != nil {
			return "", err
		}
		seat, err := in.target(player)
		if s := player.Snapshot(); err == nil && canVoteOut(s, player.Seat(), seat) {
			return "You are about to vote " + s.Info.Seats[seat].Name + " out of the game.", nil
		}
		return "", err // Run says why it is not possible
	},
	func(ctx context.Context, v *Visit, in VoteArgs) (seatResult, error) {
		player, err := v.asPlayer(in.Match)
		if err != nil {
			return seatResult{}, err
		}
		seat, err := in.target(player)
		if err != nil {
			return seatResult{}, err
		}
		return seatResult{player: player, always: "Vote recorded."}, player.Vote(ctx, seat)
	})

// canClaim reports whether a seat can claim a match.
func canClaim(s *match.Snapshot, seat int) bool {
	return !s.IsOver() && len(s.Away) == 2 && s.Away[1-seat].Claimable
}

// canVoteOut reports whether a seat can vote that another leaves.
func canVoteOut(s *match.Snapshot, seat, other int) bool {
	return !s.IsOver() && len(s.Away) > 2 && !s.Position.HasLeft(seat) && other >= 0 && other < len(s.Away) && other != seat && s.Away[other].Claimable
}
