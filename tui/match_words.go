package tui

import (
	"fmt"
	"slices"
	"time"

	"ayumu/tui/board"
	"ayumu/tui/paint"
	"ayumu/tui/words"
)

// styled is a text with its style.
type styled struct {
	text  string
	style paint.Style
}

// statusLines say how the game stands: whose turn, what is offered, how it ended.
func (v *matchView) statusLines(now time.Time) []styled {
	t := v.app.look.Theme
	s := v.snap
	var lines []styled
	add := func(style paint.Style, text string) { lines = append(lines, styled{text, style}) }
	switch {
	case s.Frozen:
		add(t.Bad, "This game is stopped by a fault of the server. Its host has been told.")
	case s.Over():
		add(t.Note, words.Result(s, v.game, v.seat))
		if text := words.Ratings(s, v.seat, "→"); text != "" {
			add(t.Note, text)
		}
	case v.busy:
		add(t.Dim, "Sending your move …")
	case v.mine():
		add(t.Note, v.board.Prompt())
	case v.out():
		add(t.Text, fmt.Sprintf("%s's turn (%s).", v.turnName(), v.side()))
		add(t.Note, outText)
	case v.player != nil:
		add(t.Text, fmt.Sprintf("%s's turn (%s).", v.turnName(), v.side()))
	default:
		add(t.Text, fmt.Sprintf("%s (%s) is to move.", v.turnName(), v.side()))
	}
	if left, ok := s.FirstTurn(now); ok && v.mine() {
		add(t.Dim, "The first move has to come within "+words.Clock(left)+".")
	}
	if v.mine() && v.snap.Turns < len(s.Info.Seats) && v.hintable() {
		add(t.Dim, "New to it? ? has the rules, h a hint.")
	}
	switch {
	case v.trial != nil:
		lines = v.trialLines()
	case v.archived():
		lines = v.archiveLines()
	case v.playing():
		lines = []styled{{"Playing the game through; any key stops.", t.Note}}
	case v.back:
		lines = []styled{{"Looking back: " + v.behind() + ".", t.Note}}
	}
	for _, l := range v.offerLines(now) {
		add(t.Note, l)
	}
	if v.claimable() {
		add(t.Note, v.snap.Info.Seats[1-v.seat].Name+" is away. w claims the win, = calls it a draw, or wait.")
	}
	if line, ok := v.voteLine(); ok {
		add(t.Note, line)
	}
	if code := v.app.code; code != "" && v.player != nil && !s.Over() && !v.out() && v.app.visit.Host != "" {
		add(t.Dim, "If you drop out, come back with: ssh -l "+code+" "+v.app.visit.Host)
	}
	if d := v.snap.Info.Delay; d > 0 && !s.Over() && v.trial == nil {
		add(t.Dim, v.lateness(d))
	}
	if v.watching() && !v.archived() && v.app.follow.any() {
		add(t.Dim, v.following())
	}
	return append(lines, styled{})
}

func (v *matchView) watching() bool { return v.player == nil }

func (v *matchView) following() string {
	if v.app.follow.featured {
		return "The featured game; the next one opens by itself."
	}
	return "You follow " + v.app.follow.name + "; the next game opens by itself."
}

func (v *matchView) turnName() string { return v.snap.Info.Seats[v.snap.Position.Turn()].Name }

func (v *matchView) side() string { return v.game.Side(v.snap.Position, v.snap.Position.Turn()) }

// hint tells what is under the cursor, or what is being typed.
func (v *matchView) hint() (string, paint.Style) {
	t := v.app.look.Theme
	if typed := v.board.Typed(); typed != "" {
		// Of a long turn the end is shown, where the next character goes: two rows of it.
		if n := len(typed) - max(2*v.app.w-60, 20); n > 0 {
			typed = "…" + typed[n:]
		}
		return "Your move: " + typed + "▏ Enter plays it, Esc clears it.", t.Note
	}
	// The board stays in sight while the cursor goes over it; ? says more about what is there.
	return paint.Cut(v.board.About(), v.app.w-2), t.Dim
}

// keys are what works now.
func (v *matchView) keys() []board.Key {
	if v.trial != nil {
		return v.trialKeys()
	}
	if v.archived() {
		return v.archiveKeys()
	}
	var keys []board.Key
	if v.player != nil {
		keys = v.playerKeys(time.Now())
	}
	switch {
	case v.back:
		keys = append(keys, board.Key{Key: "[ ]", Does: "step"}, board.Key{Key: "End", Does: "follow"}, board.Key{Key: "V", Does: "try moves"})
	case v.player != nil && v.snap.Over():
		if _, open := v.snap.Offer(offerKeys["m"]); !open {
			keys = append(keys, board.Key{Key: "m", Does: "rematch"})
		}
		keys = append(keys, board.Key{Key: "←→", Does: "look back"})
	case v.player == nil:
		keys = append(keys, board.Key{Key: "←→", Does: "look back"})
	}
	if n := len(v.app.waiting()); n > 0 && v.player != nil && !v.mine() {
		keys = append(keys, board.Key{Key: "N", Does: fmt.Sprintf("next game (%d)", n)})
	}
	keys = append(keys, v.board.Offers()...)
	keys = append(keys, v.hintKeys()...)
	keys = append(keys, board.Key{Key: "t", Does: "talk"}, board.Key{Key: "q", Does: v.app.behind()})
	if v.player != nil && !v.snap.Over() && !v.back {
		for _, k := range v.settleKeys() {
			if !slices.ContainsFunc(keys, func(o board.Key) bool { return o.Key == k.Key }) { // it does something else now
				keys = append(keys, k)
			}
		}
		keys = append(keys, board.Key{Key: "[ ]", Does: "look back"})
	}
	return append(keys, board.Key{Key: "?", Does: "help"})
}

// playerHelp says what a player's keys do.
func (v *matchView) playerHelp() []board.Key {
	rematch := board.Key{Key: "m", Does: "offer a rematch once the game is over; accept one"}
	if v.many() {
		return []board.Key{rematch,
			{Key: "x", Does: "refuse what is offered; take your own offer back"},
			{Key: "w", Does: "vote a player out who stays away; all others who are here have to"},
			{Key: "r", Does: "resign: the others play on"}}
	}
	return []board.Key{
		{Key: "=", Does: "offer a draw; accept one; call it a draw when the opponent stays away"},
		{Key: "U", Does: "ask to take your last turn back (casual games); allow it"},
		rematch,
		{Key: "x", Does: "refuse what is offered; take your own offer back"},
		{Key: "w", Does: "claim the win when the opponent stays away"},
		{Key: "r", Does: "resign"}}
}

func (v *matchView) help() helpPage {
	p := helpPage{title: "Watching a game", games: []board.Game{v.game},
		about: "You see the game as it goes on. Watchers talk among themselves; when the game is over, players and watchers hear each other."}
	if e, ok := v.board.(board.Explainer); ok {
		p.here = e.Explain()
	}
	p.keys = []board.Key{{Key: "[ ] PgUp PgDn", Does: "look back, turn by turn; the arrows ← → too while you watch"},
		{Key: "Home End", Does: "to the start; back to the game"},
		{Key: "#", Does: "show a turn by its number"},
		{Key: "P", Does: "play the game through from there, at the pace of the settings; any key stops"},
		{Key: "V", Does: "try moves of both sides from the position that is shown; nobody sees them, Esc leads back"},
		{Key: "I", Does: "the profile of a player"},
		{Key: "N", Does: "to the next game in which it is your turn"}}
	if v.hintable() {
		p.keys = append(p.keys, board.Key{Key: hintKey, Does: "ask the engine: who is ahead, and the best turns with their chances, one of them (›) marked on the board. Again, it goes. Only here: in games that are over and in your own casual games with bots"},
			board.Key{Key: otherKey, Does: "mark the next of these turns"})
	}
	if v.archived() {
		p.title, p.about = "Replaying a game", "A finished game from the archive, from its first turn to its last."
	}
	if v.player != nil {
		p.title = "Playing a game"
		p.about = "Your name stands below the board. The side to move has the arrow and its clock runs. What can be offered can be accepted with the same key, but not in the first moment."
		if v.many() {
			p.about = "The players stand beside the board. The one to move has the arrow, and the clock there runs. A player who resigns or runs out of time leaves the game, and the others play on."
		}
		p.keys = append(p.keys, v.playerHelp()...)
	}
	if v.watching() && !v.archived() {
		p.keys = append(p.keys, board.Key{Key: "F", Does: "follow a player: each next game opens by itself"})
	}
	p.keys = append(p.keys, board.Key{Key: "t", Does: "talk"}, board.Key{Key: "q", Does: "to the lobby"},
		board.Key{Key: "Ctrl+L", Does: "draw the screen again"})
	return p
}
