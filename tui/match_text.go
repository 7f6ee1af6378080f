package tui

import (
	"fmt"
	"slices"
	"time"

	"ayumu/tui/game"
	"ayumu/tui/paint"
	"ayumu/tui/screen"
	"ayumu/tui/words"
)

// styledText is a text with its style.
type styledText struct {
	text  string
	style paint.Style
}

// statusLines describes the state of the match: whose turn it is, open offers, the result.
func (v *matchScreen) statusLines(now time.Time) []styledText {
	t := v.app.Style.Theme
	s := v.Snapshot
	var lines []styledText
	add := func(style paint.Style, text string) { lines = append(lines, styledText{text, style}) }
	switch {
	case s.Frozen:
		add(t.Bad, "This game was stopped by an internal error. The operator has been notified.")
	case s.IsOver():
		add(t.Notice, words.Result(s, v.Game, v.Seat))
		if text := words.DescribeRatings(s, v.Seat, "→"); text != "" {
			add(t.Notice, text)
		}
	case v.isSubmitting:
		add(t.Dim, "Sending your move …")
	case v.IsOwnTurn():
		add(t.Notice, v.board.Prompt())
	case v.IsOut():
		add(t.Text, fmt.Sprintf("%s's turn (%s).", v.turnText(), v.sideText()))
		add(t.Notice, outOfGameText)
	default:
		add(t.Text, fmt.Sprintf("%s's turn (%s).", v.turnText(), v.sideText()))
	}
	if left, ok := s.FirstTurnRemaining(now); ok && v.IsOwnTurn() {
		add(t.Dim, v.firstTurnText(left))
	}
	if v.IsOwnTurn() && v.Snapshot.Turns < len(s.Info.Seats) && v.canHint() {
		add(t.Dim, "New to "+v.Game.Engine().Title()+"? Press ? for the rules, h for a hint.")
	}
	switch {
	case v.variation != nil:
		lines = v.variationLines()
	case v.IsArchived():
		lines = v.archiveLines()
	case v.isPlayingThrough():
		lines = []styledText{{"Autoplay; press any key to stop.", t.Notice}}
	case v.isReviewing:
		lines = []styledText{{v.behindText(), t.Notice}}
	}
	for _, l := range v.offerLines(now) {
		add(t.Notice, l)
	}
	if v.CanClaim() {
		add(t.Notice, v.Snapshot.Info.Seats[1-v.Seat].Name+" is away. w: claim the win, =: claim a draw, or wait.")
	}
	if line, ok := v.voteLine(); ok {
		add(t.Notice, line)
	}
	if code := v.app.ReturnCode; code != "" && v.Player != nil && !s.IsOver() && !v.IsOut() && v.app.Config.SSHTarget != "" {
		add(t.Dim, "To resume after a disconnect: ssh -l "+code+" "+v.app.Config.SSHTarget)
	}
	if d := v.Snapshot.Info.Delay; d > 0 && !s.IsOver() && v.variation == nil {
		add(t.Dim, v.delayText(d))
	}
	if v.IsSpectator() && v.app.Client.IsFollowing() {
		add(t.Dim, v.followsMatch())
	}
	return append(lines, styledText{})
}

// firstTurnText describes how long the player still has for the first turn, and what happens then.
func (v *matchScreen) firstTurnText(left time.Duration) string {
	if v.IsMultiplayer() {
		return "Make your first move within " + words.Clock(left) + " or you leave the game."
	}
	return "Make your first move within " + words.Clock(left) + " or the game is aborted."
}

func (v *matchScreen) followsMatch() string {
	return "Following " + v.app.Client.Followed() + ". The next game opens by itself."
}

func (v *matchScreen) turnText() string {
	return v.Snapshot.Info.Seats[v.Snapshot.Position.Turn()].Name
}

func (v *matchScreen) sideText() string {
	return v.Game.Side(v.Snapshot.Position, v.Snapshot.Position.Turn())
}

// statusLine shows the turn that is being typed, otherwise the cell at the cursor.
func (v *matchScreen) StatusLine() (string, paint.Style) {
	t := v.app.Style.Theme
	if typed := v.board.Typed(); typed != "" {
		// The end of a long turn is shown, where the next character goes: two rows of it.
		if n := len(typed) - max(2*v.app.Width-60, 20); n > 0 {
			typed = "…" + typed[n:]
		}
		return "Your move: " + typed + "▏ Enter: play, Esc: clear.", t.Notice
	}
	// One row, so that the board stays visible while the cursor moves; ? shows more about the cell.
	return paint.Cut(v.board.DescribeCursor(), v.app.Width-2), t.Dim
}

// statusKeys returns the keys that work now.
func (v *matchScreen) StatusKeys() []game.Key {
	if v.variation != nil {
		return v.variationKeys()
	}
	if v.IsArchived() {
		return v.archiveKeys()
	}
	var keys []game.Key
	if v.Player != nil {
		keys = v.playerKeys(time.Now())
	}
	switch {
	case v.isReviewing:
		keys = append(keys, game.Key{Key: "[ ]", Help: "step"}, game.Key{Key: "End", Help: "live"}, game.Key{Key: "V", Help: "analysis"})
	case v.Player != nil && v.Snapshot.IsOver():
		if _, open := v.Snapshot.Offer(offerKinds["m"]); !open {
			keys = append(keys, game.Key{Key: "m", Help: "rematch"})
		}
		keys = append(keys, game.Key{Key: "←→", Help: "review"})
	case v.Player == nil:
		keys = append(keys, game.Key{Key: "←→", Help: "review"})
	}
	if n := len(v.app.Client.Waiting(v.Snapshot.Info.ID)); n > 0 && v.Player != nil && !v.IsOwnTurn() {
		keys = append(keys, game.Key{Key: "N", Help: fmt.Sprintf("next game (%d)", n)})
	}
	keys = append(keys, v.board.StatusKeys()...)
	keys = append(keys, v.hintKeys()...)
	keys = append(keys, game.Key{Key: "t", Help: "chat"}, game.Key{Key: "q", Help: v.app.BackLabel()})
	if v.Player != nil && !v.Snapshot.IsOver() && !v.isReviewing {
		for _, k := range v.endingKeys() {
			if !slices.ContainsFunc(keys, func(o game.Key) bool { return o.Key == k.Key }) { // the key has another meaning now
				keys = append(keys, k)
			}
		}
		keys = append(keys, game.Key{Key: "[ ]", Help: "review"})
	}
	return append(keys, game.Key{Key: "?", Help: "help"})
}

// playerHelp returns the help for a player's keys.
func (v *matchScreen) playerHelp() []game.Key {
	rematch := game.Key{Key: "m", Help: "offer a rematch after the game, or accept one"}
	if v.IsMultiplayer() {
		return []game.Key{rematch,
			{Key: "x", Help: "decline an offer, or withdraw your own"},
			{Key: "w", Help: "vote out a player who is away; all players present have to"},
			{Key: "r", Help: "resign; the others continue"}}
	}
	return []game.Key{
		{Key: "=", Help: "offer a draw, or accept one; claim a draw when your opponent is away"},
		{Key: "U", Help: "ask for a takeback, or accept one (casual games)"},
		rematch,
		{Key: "x", Help: "decline an offer, or withdraw your own"},
		{Key: "w", Help: "claim the win when your opponent is away"},
		{Key: "r", Help: "resign"}}
}

func (v *matchScreen) Help() screen.Help {
	p := screen.Help{Title: "Watching a game", Games: []game.Game{v.Game},
		About: "You see every turn as it is made. Spectators have a chat of their own; after the game, players and spectators see both."}
	if e, ok := v.board.(game.Explainer); ok {
		p.CursorHelp = e.Explain()
	}
	p.Keys = []game.Key{{Key: "[ ] PgUp PgDn", Help: "review the game turn by turn; as a spectator also with ← →"},
		{Key: "Home End", Help: "go to the start; return to the live position"},
		{Key: "#", Help: "go to a turn by its number"},
		{Key: "P", Help: "autoplay from there, at the speed of the settings; any key stops"},
		{Key: "V", Help: "analyze: try moves of both sides from this position; only you see them, Esc returns to the game"},
		{Key: "I", Help: "the profile of a player"},
		{Key: "N", Help: "go to the next game in which it is your turn"}}
	if v.canHint() {
		p.Keys = append(p.Keys, game.Key{Key: keyHint, Help: "ask the engine who is ahead; it lists the best turns with their chances, one of them (›) marked on the board. Press h again to hide it. Only in finished games and in your own casual games against bots"},
			game.Key{Key: keyNextHint, Help: "mark the next of these turns"})
	}
	if v.IsArchived() {
		p.Title, p.About = "Replay", "A finished game from the archive, from its first turn to its last."
	}
	if v.Player != nil {
		p.Title = "Playing a game"
		p.About = "Your name is below the board. The arrow marks the player to move, whose clock is running. Press the same key to accept an offer (after a short delay)."
		if v.IsMultiplayer() {
			p.About = "The players are listed beside the board. The arrow marks the player to move, whose clock is running. A player who resigns or runs out of time leaves the game, and the others continue."
		}
		p.Keys = append(p.Keys, v.playerHelp()...)
	}
	if v.IsSpectator() {
		p.Keys = append(p.Keys, game.Key{Key: "F", Help: "follow a player: every next game opens by itself"})
	}
	p.Keys = append(p.Keys, game.Key{Key: "t", Help: "chat"}, game.Key{Key: "q", Help: "go to the lobby"},
		game.Key{Key: "Ctrl+L", Help: "redraw the screen"})
	return p
}
