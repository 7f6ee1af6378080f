package tui

import (
	"context"
	"fmt"

	tea "charm.land/bubbletea/v2"

	"ayumu/engine"
	"ayumu/lobby"
	"ayumu/tui/game"
	"ayumu/tui/paint"
	"ayumu/tui/screen"
	"ayumu/tui/words"
)

const outOfGameText = "You are out of this game. You can still watch."

// turnsAt returns the number of turns among the first n entries. A leave is not a turn.
func (v *matchScreen) turnsAt(n int) int {
	return countTurns(v.turnRecord.entries[:n])
}

func countTurns(entries []lobby.Entry) int {
	turns := 0
	for _, e := range entries {
		if e.Kind == lobby.EntryTurn {
			turns++
		}
	}
	return turns
}

// plyOf returns the number of entries up to and including the turn with that number.
func (v *matchScreen) plyOf(turn int) int {
	ply := 0
	for i, e := range v.turnRecord.entries {
		if e.Kind == lobby.EntryTurn && turn > 0 {
			turn--
			ply = i + 1
		}
	}
	return ply
}

// voteLine describes that a seat can be voted out, and the votes so far.
func (v *matchScreen) voteLine() (string, bool) {
	seat, ok := v.VotableSeat()
	if !ok {
		return "", false
	}
	line := v.Snapshot.Info.Seats[seat].Name + " is away. Press w to vote them out"
	if n := v.Snapshot.Votes[seat]; n > 0 {
		line += fmt.Sprintf(" (%s so far)", words.Plural(n, "vote"))
	}
	return line + ".", true
}

// vote votes an absent seat out, after a confirmation.
func (v *matchScreen) vote() tea.Cmd {
	seat, ok := v.VotableSeat()
	if !ok {
		v.app.Notify("No player has been away long enough to be voted out.")
		return nil
	}
	name := v.Snapshot.Info.Seats[seat].Name
	return v.app.Ask(screen.YesNo("Vote "+name+" out of the game?", "vote", "wait", func() tea.Cmd {
		return v.act(func(ctx context.Context) error { return v.Player.Vote(ctx, seat) })
	}))
}

// endingKeys returns the keys that end the match or take a turn back.
func (v *matchScreen) endingKeys() []game.Key {
	switch {
	case v.IsOut():
		return nil
	case v.IsMultiplayer():
		return []game.Key{{Key: "r", Help: "resign"}}
	}
	keys := []game.Key{{Key: "=", Help: "draw"}, {Key: "r", Help: "resign"}}
	if !v.Snapshot.Info.Rated {
		keys = append(keys, game.Key{Key: "U", Help: "takeback"})
	}
	return keys
}

// drawTurns draws one turn per line, each with its seat's mark; rounds would not align once a seat has
// left.
func (v *matchScreen) drawTurns(c paint.Canvas, list moveList) {
	t := v.app.Style.Theme
	w, h := c.Size()
	n := len(list.entries)
	first := 0
	if n > h {
		first = scroll(list, n, h, list.shownTurn)
	}
	turns := countTurns(list.entries[:first])
	for y := range min(n-first, h) {
		i := first + y
		style := t.Text
		if i >= list.variationFrom {
			style = t.Notice
		}
		if i == list.shownTurn && list.isSelected {
			style = t.Selected
			c.Text(4, y, t.Notice, "›")
		}
		if list.entries[i].Kind == lobby.EntryTurn {
			turns++
			c.Text(0, y, t.Text, fmt.Sprintf("%3d.", turns))
		}
		mark, markStyle := v.Game.SeatMark(v.Snapshot.Position, list.entries[i].Seat, v.app.Style)
		c.Text(5, y, markStyle, mark)
		c.Text(7, y, style, paint.Cut(list.texts[i], w-7))
	}
}

// leaveReason describes why a seat of a match of three or more plays no more; "" if it does.
func (v *matchScreen) leaveReason(seat int) string {
	switch e, ok := v.Snapshot.Position.(engine.Eliminator); {
	case !v.IsMultiplayer():
		return ""
	case v.Snapshot.Position.HasLeft(seat):
	case ok && e.Eliminated(seat):
		return "out"
	default:
		return ""
	}
	for _, e := range v.Snapshot.Log {
		if e.Kind == lobby.EntryLeave && e.Seat == seat {
			switch e.Reason {
			case "time":
				return "out of time"
			case "absent":
				return "voted out"
			}
			return "resigned"
		}
	}
	return "left"
}
