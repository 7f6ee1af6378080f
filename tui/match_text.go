package tui

import (
	"fmt"
	"slices"
	"time"

	"ayumu/tui/game"
	"ayumu/tui/paint"
	"ayumu/tui/words"
)

// styledText is a text with its style.
type styledText struct {
	text  string
	style paint.Style
}

// statusLines say how the game stands: whose turn, what is offered, how it ended.
func (v *matchScreen) statusLines(now time.Time) []styledText {
	t := v.app.style.Theme
	s := v.snapshot
	var lines []styledText
	add := func(style paint.Style, text string) { lines = append(lines, styledText{text, style}) }
	switch {
	case s.Frozen:
		add(t.Bad, "This game is stopped by a fault of the server. Its host has been told.")
	case s.IsOver():
		add(t.Notice, words.Result(s, v.game, v.seat))
		if text := words.DescribeRatings(s, v.seat, "→"); text != "" {
			add(t.Notice, text)
		}
	case v.isSubmitting:
		add(t.Dim, "Sending your move …")
	case v.isOwnTurn():
		add(t.Notice, v.board.Prompt())
	case v.isOut():
		add(t.Text, fmt.Sprintf("%s's turn (%s).", v.turnText(), v.sideText()))
		add(t.Notice, outOfGameText)
	case v.player != nil:
		add(t.Text, fmt.Sprintf("%s's turn (%s).", v.turnText(), v.sideText()))
	default:
		add(t.Text, fmt.Sprintf("%s (%s) is to move.", v.turnText(), v.sideText()))
	}
	if left, ok := s.FirstTurnRemaining(now); ok && v.isOwnTurn() {
		add(t.Dim, "The first move has to come within "+words.Clock(left)+".")
	}
	if v.isOwnTurn() && v.snapshot.Turns < len(s.Info.Seats) && v.canHint() {
		add(t.Dim, "New to it? ? has the rules, h a hint.")
	}
	switch {
	case v.variation != nil:
		lines = v.variationLines()
	case v.isArchived():
		lines = v.archiveLines()
	case v.isPlayingThrough():
		lines = []styledText{{"Playing the game through; any key stops.", t.Notice}}
	case v.isReviewing:
		lines = []styledText{{"Looking back: " + v.behindText() + ".", t.Notice}}
	}
	for _, l := range v.offerLines(now) {
		add(t.Notice, l)
	}
	if v.canClaim() {
		add(t.Notice, v.snapshot.Info.Seats[1-v.seat].Name+" is away. w claims the win, = calls it a draw, or wait.")
	}
	if line, ok := v.voteLine(); ok {
		add(t.Notice, line)
	}
	if code := v.app.returnCode; code != "" && v.player != nil && !s.IsOver() && !v.isOut() && v.app.config.SSHTarget != "" {
		add(t.Dim, "If you drop out, come back with: ssh -l "+code+" "+v.app.config.SSHTarget)
	}
	if d := v.snapshot.Info.Delay; d > 0 && !s.IsOver() && v.variation == nil {
		add(t.Dim, v.delayText(d))
	}
	if v.isSpectator() && !v.isArchived() && v.app.follow.isSet() {
		add(t.Dim, v.followsMatch())
	}
	return append(lines, styledText{})
}

func (v *matchScreen) isSpectator() bool { return v.player == nil }

func (v *matchScreen) followsMatch() string {
	if v.app.follow.featured {
		return "The featured game; the next one opens by itself."
	}
	return "You follow " + v.app.follow.name + "; the next game opens by itself."
}

func (v *matchScreen) turnText() string {
	return v.snapshot.Info.Seats[v.snapshot.Position.Turn()].Name
}

func (v *matchScreen) sideText() string {
	return v.game.Side(v.snapshot.Position, v.snapshot.Position.Turn())
}

// statusLine tells what is under the cursor, or what is being typed.
func (v *matchScreen) statusLine() (string, paint.Style) {
	t := v.app.style.Theme
	if typed := v.board.Typed(); typed != "" {
		// Of a long turn the end is shown, where the next character goes: two rows of it.
		if n := len(typed) - max(2*v.app.w-60, 20); n > 0 {
			typed = "…" + typed[n:]
		}
		return "Your move: " + typed + "▏ Enter plays it, Esc clears it.", t.Notice
	}
	// The board stays in sight while the cursor goes over it; ? says more about what is there.
	return paint.Cut(v.board.DescribeCursor(), v.app.w-2), t.Dim
}

// statusKeys are what works now.
func (v *matchScreen) statusKeys() []game.Key {
	if v.variation != nil {
		return v.variationKeys()
	}
	if v.isArchived() {
		return v.archiveKeys()
	}
	var keys []game.Key
	if v.player != nil {
		keys = v.playerKeys(time.Now())
	}
	switch {
	case v.isReviewing:
		keys = append(keys, game.Key{Key: "[ ]", Help: "step"}, game.Key{Key: "End", Help: "follow"}, game.Key{Key: "V", Help: "try moves"})
	case v.player != nil && v.snapshot.IsOver():
		if _, open := v.snapshot.Offer(offerKinds["m"]); !open {
			keys = append(keys, game.Key{Key: "m", Help: "rematch"})
		}
		keys = append(keys, game.Key{Key: "←→", Help: "look back"})
	case v.player == nil:
		keys = append(keys, game.Key{Key: "←→", Help: "look back"})
	}
	if n := len(v.app.waitingMatches()); n > 0 && v.player != nil && !v.isOwnTurn() {
		keys = append(keys, game.Key{Key: "N", Help: fmt.Sprintf("next game (%d)", n)})
	}
	keys = append(keys, v.board.StatusKeys()...)
	keys = append(keys, v.hintKeys()...)
	keys = append(keys, game.Key{Key: "t", Help: "talk"}, game.Key{Key: "q", Help: v.app.backText()})
	if v.player != nil && !v.snapshot.IsOver() && !v.isReviewing {
		for _, k := range v.endingKeys() {
			if !slices.ContainsFunc(keys, func(o game.Key) bool { return o.Key == k.Key }) { // it does something else now
				keys = append(keys, k)
			}
		}
		keys = append(keys, game.Key{Key: "[ ]", Help: "look back"})
	}
	return append(keys, game.Key{Key: "?", Help: "help"})
}

// playerHelp says what a player's keys do.
func (v *matchScreen) playerHelp() []game.Key {
	rematch := game.Key{Key: "m", Help: "offer a rematch once the game is over; accept one"}
	if v.isMultiplayer() {
		return []game.Key{rematch,
			{Key: "x", Help: "refuse what is offered; take your own offer back"},
			{Key: "w", Help: "vote a player out who stays away; all others who are here have to"},
			{Key: "r", Help: "resign: the others play on"}}
	}
	return []game.Key{
		{Key: "=", Help: "offer a draw; accept one; call it a draw when the opponent stays away"},
		{Key: "U", Help: "ask to take your last turn back (casual games); allow it"},
		rematch,
		{Key: "x", Help: "refuse what is offered; take your own offer back"},
		{Key: "w", Help: "claim the win when the opponent stays away"},
		{Key: "r", Help: "resign"}}
}

func (v *matchScreen) help() helpPage {
	p := helpPage{title: "Watching a game", games: []game.Game{v.game},
		about: "You see the game as it goes on. Watchers talk among themselves; when the game is over, players and watchers hear each other."}
	if e, ok := v.board.(game.Explainer); ok {
		p.cursorHelp = e.Explain()
	}
	p.keys = []game.Key{{Key: "[ ] PgUp PgDn", Help: "look back, turn by turn; the arrows ← → too while you watch"},
		{Key: "Home End", Help: "to the start; back to the game"},
		{Key: "#", Help: "show a turn by its number"},
		{Key: "P", Help: "play the game through from there, at the pace of the settings; any key stops"},
		{Key: "V", Help: "try moves of both sides from the position that is shown; nobody sees them, Esc leads back"},
		{Key: "I", Help: "the profile of a player"},
		{Key: "N", Help: "to the next game in which it is your turn"}}
	if v.canHint() {
		p.keys = append(p.keys, game.Key{Key: keyHint, Help: "ask the engine: who is ahead, and the best turns with their chances, one of them (›) marked on the board. Again, it goes. Only here: in games that are over and in your own casual games with bots"},
			game.Key{Key: keyNextHint, Help: "mark the next of these turns"})
	}
	if v.isArchived() {
		p.title, p.about = "Replaying a game", "A finished game from the archive, from its first turn to its last."
	}
	if v.player != nil {
		p.title = "Playing a game"
		p.about = "Your name stands below the board. The side to move has the arrow and its clock runs. What can be offered can be accepted with the same key, but not in the first moment."
		if v.isMultiplayer() {
			p.about = "The players stand beside the board. The one to move has the arrow, and the clock there runs. A player who resigns or runs out of time leaves the game, and the others play on."
		}
		p.keys = append(p.keys, v.playerHelp()...)
	}
	if v.isSpectator() && !v.isArchived() {
		p.keys = append(p.keys, game.Key{Key: "F", Help: "follow a player: each next game opens by itself"})
	}
	p.keys = append(p.keys, game.Key{Key: "t", Help: "talk"}, game.Key{Key: "q", Help: "to the lobby"},
		game.Key{Key: "Ctrl+L", Help: "draw the screen again"})
	return p
}
