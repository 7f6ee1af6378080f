package tui

import (
	"context"
	"time"

	tea "charm.land/bubbletea/v2"

	"ayumu/lobby"
	"ayumu/tui/board"
	"ayumu/tui/words"
)

// offerRest is how long a fresh offer cannot be accepted, so that nobody accepts by a key that he
// was about to press anyway.
const offerRest = 400 * time.Millisecond

// offerKeys are the keys that make and accept an offer, one for each kind. No board uses them for
// something else while they work, and no two are the same.
var offerKeys = map[string]lobby.OfferKind{"=": lobby.OfferDraw, "U": lobby.OfferUndo, "m": lobby.OfferRematch}

func keyOf(kind lobby.OfferKind) string {
	for key, k := range offerKeys {
		if k == kind {
			return key
		}
	}
	return ""
}

// offerWords say an offer, by the other and by oneself, and what its key does to accept it.
var offerWords = map[lobby.OfferKind]struct{ theirs, mine, accepts, key string }{
	lobby.OfferDraw:    {"offers a draw", "You offer a draw", "accepts", "accept draw"},
	lobby.OfferUndo:    {"asks to take a turn back", "You ask to take your turn back", "allows it", "allow take-back"},
	lobby.OfferRematch: {"offers a rematch", "You offer a rematch", "accepts", "accept rematch"},
}

// noteOffers notes when offers of others were first shown.
func (v *matchView) noteOffers(now time.Time) {
	open := make(map[lobby.OfferKind]bool)
	for _, o := range v.snap.Offers {
		if v.player == nil || o.Seat == v.seat {
			continue
		}
		open[o.Kind] = true
		if _, seen := v.offers[o.Kind]; !seen {
			v.offers[o.Kind] = now
		}
	}
	for kind := range v.offers {
		if !open[kind] {
			delete(v.offers, kind)
		}
	}
}

// offer makes an offer or accepts the other's.
func (v *matchView) offer(kind lobby.OfferKind) tea.Cmd {
	if shown, theirs := v.offers[kind]; theirs && time.Since(shown) < offerRest {
		return nil
	}
	if mine, open := v.snap.Offer(kind); open && mine.Seat == v.seat {
		v.app.tell("Your offer stands; x takes it back.")
		return nil
	}
	_, accepts := v.offers[kind]
	if kind == lobby.OfferDraw && !accepts {
		return v.app.confirm(yes("Offer a draw?", "offer", "no", func() tea.Cmd { return v.doOffer(kind) }))
	}
	return v.doOffer(kind)
}

func (v *matchView) doOffer(kind lobby.OfferKind) tea.Cmd {
	return v.act(func(ctx context.Context) error { return v.player.Offer(ctx, kind) })
}

// refuse declines the open offers of others, or takes back one's own.
func (v *matchView) refuse() tea.Cmd {
	if len(v.snap.Offers) == 0 {
		v.app.tell("Nothing is offered.")
		return nil
	}
	ended := v.snap.Offers[0]
	for _, o := range v.snap.Offers {
		if o.Seat != v.seat {
			ended = o
			break
		}
	}
	return v.app.call(func(ctx context.Context) error { return v.player.Refuse(ctx, ended.Kind) }, func() tea.Cmd {
		v.app.tell("%s", words.Ended(ended, v.seat))
		return v.refresh()
	})
}

// claimable reports whether the opponent has stayed away for so long that the game can be claimed.
func (v *matchView) claimable() bool {
	return v.player != nil && !v.snap.Over() && len(v.snap.Away) == 2 && v.snap.Away[1-v.seat].Claimable
}

func (v *matchView) claim(kind, text string) tea.Cmd {
	if !v.claimable() {
		v.app.tell("Your opponent is here, or has not been away for long enough.")
		return nil
	}
	return v.app.ask(yes(text, "yes", "wait", func() tea.Cmd {
		return v.act(func(ctx context.Context) error { return v.player.Claim(ctx, kind) })
	}))
}

func (v *matchView) resign() tea.Cmd {
	return v.app.ask(yes("Resign this game?", "resign", "play on", func() tea.Cmd {
		return v.act(v.player.Resign)
	}))
}

// offerLines say what is offered and how to answer.
func (v *matchView) offerLines(now time.Time) []string {
	var lines []string
	for _, o := range v.snap.Offers {
		says := offerWords[o.Kind]
		name := v.snap.Info.Seats[o.Seat].Name
		switch shown, theirs := v.offers[o.Kind]; {
		case v.player == nil, theirs && now.Sub(shown) < offerRest:
			lines = append(lines, name+" "+says.theirs+".")
		case theirs:
			lines = append(lines, name+" "+says.theirs+": "+keyOf(o.Kind)+" "+says.accepts+", x refuses.")
		default:
			lines = append(lines, says.mine+"; x takes that back.")
		}
	}
	return lines
}

// playerKeys are a player's keys for offers and the like that work now.
func (v *matchView) playerKeys(now time.Time) []board.Key {
	var keys []board.Key
	for _, o := range v.snap.Offers {
		claims := o.Kind == lobby.OfferDraw && v.claimable() // the same key, below
		if shown, theirs := v.offers[o.Kind]; theirs && !claims && now.Sub(shown) >= offerRest {
			keys = append(keys, board.Key{Key: keyOf(o.Kind), Does: offerWords[o.Kind].key})
		}
	}
	if len(v.offers) > 0 {
		keys = append(keys, board.Key{Key: "x", Does: "refuse"})
	} else if len(v.snap.Offers) > 0 {
		keys = append(keys, board.Key{Key: "x", Does: "take offer back"})
	}
	if v.claimable() {
		keys = append(keys, board.Key{Key: "w", Does: "claim win"}, board.Key{Key: "=", Does: "call it a draw"})
	}
	if _, ok := v.absentee(); ok {
		keys = append(keys, board.Key{Key: "w", Does: "vote out"})
	}
	return keys
}
