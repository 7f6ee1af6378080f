package tui

import (
	"context"
	"time"

	tea "charm.land/bubbletea/v2"

	"ayumu/lobby"
	"ayumu/tui/client"
	"ayumu/tui/game"
	"ayumu/tui/screen"
	"ayumu/tui/words"
)

// offerKinds maps the keys that make and accept offers to their kinds, one key for each kind. No board
// gives these keys a meaning while they work.
var offerKinds = map[string]lobby.OfferKind{"=": lobby.OfferDraw, "U": lobby.OfferUndo, "m": lobby.OfferRematch}

func offerKey(kind lobby.OfferKind) string {
	for key, k := range offerKinds {
		if k == kind {
			return key
		}
	}
	return ""
}

// offerTexts phrases an offer: by another player, by the user, and as the label of the key that accepts
// it.
var offerTexts = map[lobby.OfferKind]struct{ theirs, mine, key string }{
	lobby.OfferDraw:    {"offers a draw", "You offered a draw", "accept draw"},
	lobby.OfferUndo:    {"asks for a takeback", "You asked for a takeback", "accept takeback"},
	lobby.OfferRematch: {"offers a rematch", "You offered a rematch", "accept rematch"},
}

// offer makes an offer or accepts the opponent's.
func (v *matchScreen) offer(kind lobby.OfferKind) tea.Cmd {
	switch state := v.OfferState(kind, time.Now()); {
	case state == client.OfferNew:
		return nil
	case state == client.OfferMade:
		v.app.Notify("Your offer is still open. Press x to withdraw it.")
		return nil
	case state == client.OfferNone && kind == lobby.OfferDraw:
		return v.app.Confirm(screen.YesNo("Offer a draw?", "offer", "cancel", func() tea.Cmd { return v.doOffer(kind) }))
	}
	return v.doOffer(kind)
}

func (v *matchScreen) doOffer(kind lobby.OfferKind) tea.Cmd {
	return v.act(func(ctx context.Context) error { return v.Player.Offer(ctx, kind) })
}

// refuse declines the first open offer of another player, or withdraws the user's own.
func (v *matchScreen) refuse() tea.Cmd {
	ended, open := v.OfferToAnswer()
	if !open {
		v.app.Notify("There is no open offer.")
		return nil
	}
	return v.app.Call(func(ctx context.Context) error { return v.Player.Refuse(ctx, ended.Kind) }, func() tea.Cmd {
		v.app.Notify("%s", words.DescribeOfferEnd(ended, v.Seat))
		return v.Refresh()
	})
}

func (v *matchScreen) claim(kind, text string) tea.Cmd {
	if !v.CanClaim() {
		v.app.Notify("Your opponent has not been away long enough.")
		return nil
	}
	return v.app.Ask(screen.YesNo(text, "yes", "wait", func() tea.Cmd {
		return v.act(func(ctx context.Context) error { return v.Player.Claim(ctx, kind) })
	}))
}

func (v *matchScreen) resign() tea.Cmd {
	return v.app.Ask(screen.YesNo("Resign this game?", "resign", "play on", func() tea.Cmd {
		return v.act(v.Player.Resign)
	}))
}

// offerLines describes the open offers and the keys that answer them.
func (v *matchScreen) offerLines(now time.Time) []string {
	var lines []string
	for _, o := range v.Snapshot.Offers {
		texts := offerTexts[o.Kind]
		name := v.Snapshot.Info.Seats[o.Seat].Name
		switch v.OfferState(o.Kind, now) {
		case client.OfferNone, client.OfferNew:
			lines = append(lines, name+" "+texts.theirs+".")
		case client.OfferReceived:
			lines = append(lines, name+" "+texts.theirs+": "+offerKey(o.Kind)+" accept, x decline.")
		default:
			lines = append(lines, texts.mine+". x: withdraw.")
		}
	}
	return lines
}

// playerKeys returns the keys for offers, claims and votes that work now.
func (v *matchScreen) playerKeys(now time.Time) []game.Key {
	var keys []game.Key
	for _, o := range v.Snapshot.Offers {
		claims := o.Kind == lobby.OfferDraw && v.CanClaim() // the same key, below
		if v.OfferState(o.Kind, now) == client.OfferReceived && !claims {
			keys = append(keys, game.Key{Key: offerKey(o.Kind), Help: offerTexts[o.Kind].key})
		}
	}
	if o, open := v.OfferToAnswer(); open && o.Seat != v.Seat {
		keys = append(keys, game.Key{Key: "x", Help: "decline"})
	} else if open {
		keys = append(keys, game.Key{Key: "x", Help: "withdraw"})
	}
	if v.CanClaim() {
		keys = append(keys, game.Key{Key: "w", Help: "claim win"}, game.Key{Key: "=", Help: "claim draw"})
	}
	if _, ok := v.VotableSeat(); ok {
		keys = append(keys, game.Key{Key: "w", Help: "vote out"})
	}
	return keys
}
