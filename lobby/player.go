package lobby

import (
	"context"
	"slices"

	"ayumu/lobby/limit"
	"ayumu/lobby/match"
)

// Player is a session's seat in a match, and the only way to act in it. Its methods may be called from any
// goroutine. They wait for the match's goroutine, but not for other sessions.
type Player struct {
	m    *Match
	s    *Session
	seat int
}

// Match returns the match.
func (p *Player) Match() *Match { return p.m }

// Seat returns the number of the seat.
func (p *Player) Seat() int { return p.seat }

// Acting returns the player of the seat for which the session acts in a state of the match: of a running local match that of
// the seat to move, otherwise p itself.
func (p *Player) Acting(s *match.Snapshot) *Player {
	if !s.Info.Local || s.IsOver() || s.Position.Turn() == p.seat {
		return p
	}
	return &Player{m: p.m, s: p.s, seat: s.Position.Turn()}
}

// Snapshot returns the newest state, without the delay for spectators.
func (p *Player) Snapshot() *match.Snapshot { return p.m.playerSnapshot.Load() }

// Act submits a complete turn that was built on version, and returns the version that it made. version may
// be older than the newest if only credits follow it, since they change no position. If several errors
// apply, the first of errcode.GameOver, errcode.StaleVersion, errcode.NotYourTurn and errcode.IllegalAction is returned
// (docs/protocol.md, section 2.6). A turn that is refused changes nothing.
func (p *Player) Act(ctx context.Context, version int, actions []string) (int, error) {
	made, err := p.m.do(ctx, match.Command{
		Kind: match.CommandTurn, Seat: p.seat, Version: version, Actions: match.NormalActions(actions), Lag: p.s.lag(),
	})
	if err != nil {
		return 0, err
	}
	return made, nil
}

// Resign resigns the game: with two players the other wins, with more the seat leaves.
func (p *Player) Resign(ctx context.Context) error {
	_, err := p.m.do(ctx, match.Command{Kind: match.CommandResign, Seat: p.seat})
	return err
}

// Abort ends a match of two without a winner, before the second seat has made its first turn.
func (p *Player) Abort(ctx context.Context) error {
	_, err := p.m.do(ctx, match.Command{Kind: match.CommandAbort, Seat: p.seat})
	return err
}

// Offer makes an offer to the other seats, or accepts an open one of the same kind.
func (p *Player) Offer(ctx context.Context, kind match.OfferKind) error {
	if err := p.s.checkActionRate(); err != nil {
		return err
	}
	if err := p.payOffer(kind); err != nil {
		return err
	}
	if kind == match.OfferRematch {
		if err := p.checkRematchCooldown(ctx); err != nil {
			return err
		}
	}
	_, err := p.m.do(ctx, match.Command{Kind: match.CommandOffer, Seat: p.seat, Offer: kind, Blocked: p.m.hasBlock(p.seat)})
	return err
}

// payOffer charges the work of an offer: a takeback computes the position from the whole log again, and a
// rematch is a new match.
func (p *Player) payOffer(kind match.OfferKind) error {
	switch kind {
	case match.OfferUndo:
		if err := p.s.Spend(limit.WorkUndo); err != nil {
			return err
		}
		return p.s.SpendMore(limit.WorkUndo, p.m.playerSnapshot.Load().Version)
	case match.OfferRematch:
		return p.s.Spend(limit.WorkRematch)
	}
	return nil
}

// hasBlock reports whether the player of a seat and one of the others have a block between them.
func (m *Match) hasBlock(seat int) bool {
	return slices.ContainsFunc(m.seats, func(o *user) bool { return o != m.seats[seat] && blockedEither(o, m.seats[seat]) })
}

// Refuse declines an open offer of another seat, or withdraws the seat's own.
func (p *Player) Refuse(ctx context.Context, kind match.OfferKind) error {
	if err := p.s.checkActionRate(); err != nil {
		return err
	}
	_, err := p.m.do(ctx, match.Command{Kind: match.CommandRefuse, Seat: p.seat, Offer: kind})
	return err
}

// HoldsBotLease reports whether this node has the lease of the bots of the match, so that the built-in player of the seat
// acts here: one node has it, until that is dead. An error means that the store has failed.
func (p *Player) HoldsBotLease(ctx context.Context) (bool, error) {
	ctx, cancel := context.WithTimeout(ctx, storeTimeout)
	defer cancel()
	return p.m.l.rows.bots.Acquire(ctx, p.m.Info.ID)
}

// Claim ends a two-player match whose other player has been absent for longer than the grace. kind is "win"
// or "draw".
func (p *Player) Claim(ctx context.Context, kind string) error {
	_, err := p.m.do(ctx, match.Command{Kind: match.CommandClaim, Seat: p.seat, Claim: kind})
	return err
}

// Vote votes to remove an absent seat of a match of three or more players. The seat leaves when all other people who are
// present have voted for it.
func (p *Player) Vote(ctx context.Context, seat int) error {
	_, err := p.m.do(ctx, match.Command{Kind: match.CommandVote, Seat: p.seat, Target: seat})
	return err
}

// Say posts a line in the players' room.
func (p *Player) Say(text string) error {
	return p.s.postChat(PlayerRoom, p.m.chatRoomID(PlayerRoom), &p.m.PlayerChat, text, p.m.wakeAll)
}
