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

// noteOffers records when offers of others were first shown.
func (v *matchScreen) noteOffers(now time.Time) {
	open := make(map[lobby.OfferKind]bool)
	for _, o := range v.snapshot.Offers {
		if v.player == nil || o.Seat == v.seat {
			continue
		}
		open[o.Kind] = true
		if _, seen := v.offersShownAt[o.Kind]; !seen {
			v.offersShownAt[o.Kind] = now
		}
	}
	for kind := range v.offersShownAt {
		if !open[kind] {
			delete(v.offersShownAt, kind)
		}
	}
}

// offer makes an offer or accepts the opponent's.
func (v *matchScreen) offer(kind lobby.OfferKind) tea.Cmd {
	if shown, theirs := v.offersShownAt[kind]; theirs && time.Since(shown) < client.OfferGuard {
		return nil
	}
	if mine, open := v.snapshot.Offer(kind); open && mine.Seat == v.seat {
		v.app.Notify("Your offer is still open. Press x to withdraw it.")
		return nil
	}
	_, accepts := v.offersShownAt[kind]
	if kind == lobby.OfferDraw && !accepts {
		return v.app.Confirm(screen.YesNo("Offer a draw?", "offer", "cancel", func() tea.Cmd { return v.doOffer(kind) }))
	}
	return v.doOffer(kind)
}

func (v *matchScreen) doOffer(kind lobby.OfferKind) tea.Cmd {
	return v.act(func(ctx context.Context) error { return v.player.Offer(ctx, kind) })
}

// refuse declines the first open offer of another player, or withdraws the user's own.
func (v *matchScreen) refuse() tea.Cmd {
	if len(v.snapshot.Offers) == 0 {
		v.app.Notify("There is no open offer.")
		return nil
	}
	ended := v.snapshot.Offers[0]
	for _, o := range v.snapshot.Offers {
		if o.Seat != v.seat {
			ended = o
			break
		}
	}
	return v.app.Call(func(ctx context.Context) error { return v.player.Refuse(ctx, ended.Kind) }, func() tea.Cmd {
		v.app.Notify("%s", words.DescribeOfferEnd(ended, v.seat))
		return v.Refresh()
	})
}

// canClaim reports whether the opponent has been away long enough for a claim.
func (v *matchScreen) canClaim() bool {
	return v.player != nil && !v.snapshot.IsOver() && len(v.snapshot.Away) == 2 && v.snapshot.Away[1-v.seat].Claimable
}

func (v *matchScreen) claim(kind, text string) tea.Cmd {
	if !v.canClaim() {
		v.app.Notify("Your opponent has not been away long enough.")
		return nil
	}
	return v.app.Ask(screen.YesNo(text, "yes", "wait", func() tea.Cmd {
		return v.act(func(ctx context.Context) error { return v.player.Claim(ctx, kind) })
	}))
}

func (v *matchScreen) resign() tea.Cmd {
	return v.app.Ask(screen.YesNo("Resign this game?", "resign", "play on", func() tea.Cmd {
		return v.act(v.player.Resign)
	}))
}

// offerLines describes the open offers and the keys that answer them.
func (v *matchScreen) offerLines(now time.Time) []string {
	var lines []string
	for _, o := range v.snapshot.Offers {
		texts := offerTexts[o.Kind]
		name := v.snapshot.Info.Seats[o.Seat].Name
		switch shown, theirs := v.offersShownAt[o.Kind]; {
		case v.player == nil, theirs && now.Sub(shown) < client.OfferGuard:
			lines = append(lines, name+" "+texts.theirs+".")
		case theirs:
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
	for _, o := range v.snapshot.Offers {
		claims := o.Kind == lobby.OfferDraw && v.canClaim() // the same key, below
		if shown, theirs := v.offersShownAt[o.Kind]; theirs && !claims && now.Sub(shown) >= client.OfferGuard {
			keys = append(keys, game.Key{Key: offerKey(o.Kind), Help: offerTexts[o.Kind].key})
		}
	}
	if len(v.offersShownAt) > 0 {
		keys = append(keys, game.Key{Key: "x", Help: "decline"})
	} else if len(v.snapshot.Offers) > 0 {
		keys = append(keys, game.Key{Key: "x", Help: "withdraw"})
	}
	if v.canClaim() {
		keys = append(keys, game.Key{Key: "w", Help: "claim win"}, game.Key{Key: "=", Help: "claim draw"})
	}
	if _, ok := v.votableSeat(); ok {
		keys = append(keys, game.Key{Key: "w", Help: "vote out"})
	}
	return keys
}
