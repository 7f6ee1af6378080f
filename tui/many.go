package tui

import (
	"context"
	"fmt"

	tea "charm.land/bubbletea/v2"

	"ayumu/engine"
	"ayumu/lobby"
	"ayumu/tui/board"
	"ayumu/tui/paint"
	"ayumu/tui/words"
)

// What is different in a match of three or more: nobody claims or agrees on anything, the others
// vote on who stays away, and turns are told one by one because they go round.

// many reports whether more than two sit at the match.
func (v *matchView) many() bool { return len(v.snap.Info.Seats) > 2 }

// absentee returns the first seat that can be voted out by the person.
func (v *matchView) absentee() (seat int, ok bool) {
	if v.player == nil || v.snap.Over() || !v.many() || v.snap.Position.Left(v.seat) {
		return 0, false
	}
	for i, a := range v.snap.Away {
		if i != v.seat && a.Claimable {
			return i, true
		}
	}
	return 0, false
}

// out reports whether the person's seat has left a match that goes on.
func (v *matchView) out() bool {
	return v.player != nil && !v.snap.Over() && v.snap.Position.Left(v.seat)
}

const outText = "You are out of this game; you may watch."

// turnsAt returns how many turns were made in the first n entries. A leave is no turn.
func (v *matchView) turnsAt(n int) int {
	return countTurns(v.record.entries[:n])
}

func countTurns(entries []lobby.Entry) int {
	turns := 0
	for _, e := range entries {
		if e.Kind == lobby.Turn {
			turns++
		}
	}
	return turns
}

// plyOf returns how many entries there are up to a turn, by its number.
func (v *matchView) plyOf(turn int) int {
	ply := 0
	for i, e := range v.record.entries {
		if e.Kind == lobby.Turn && turn > 0 {
			turn--
			ply = i + 1
		}
	}
	return ply
}

// voteLine says that somebody can be voted out, and how far that is.
func (v *matchView) voteLine() (string, bool) {
	seat, ok := v.absentee()
	if !ok {
		return "", false
	}
	line := v.snap.Info.Seats[seat].Name + " is away. w votes that the seat leaves the game"
	if n := v.snap.Votes[seat]; n > 0 {
		line += fmt.Sprintf("; %s so far", words.Plural(n, "vote"))
	}
	return line + ".", true
}

// vote asks before it votes an absent seat out.
func (v *matchView) vote() tea.Cmd {
	seat, ok := v.absentee()
	if !ok {
		v.app.tell("Everybody is here, or has not been away for long enough.")
		return nil
	}
	name := v.snap.Info.Seats[seat].Name
	return v.app.ask(yes("Vote that "+name+" leaves the game?", "vote", "wait", func() tea.Cmd {
		return v.act(func(ctx context.Context) error { return v.player.Vote(ctx, seat) })
	}))
}

// settleKeys are the keys that end a game or part of it by agreement or by giving up.
func (v *matchView) settleKeys() []board.Key {
	switch {
	case v.out():
		return nil
	case v.many():
		return []board.Key{{Key: "r", Does: "resign"}}
	}
	keys := []board.Key{{Key: "=", Does: "draw"}, {Key: "r", Does: "resign"}}
	if !v.snap.Info.Rated {
		keys = append(keys, board.Key{Key: "U", Does: "take back"})
	}
	return keys
}

// drawTurns lists turns one to a line, each with the sign of its seat: rounds would not stand
// below each other once somebody has left.
func (v *matchView) drawTurns(c paint.Canvas, list moveList) {
	t := v.app.look.Theme
	w, h := c.Size()
	n := len(list.entries)
	first := 0
	if n > h {
		first = scroll(list, n, h, list.at)
	}
	turns := countTurns(list.entries[:first])
	for y := range min(n-first, h) {
		i := first + y
		style := t.Text
		if i >= list.own {
			style = t.Note
		}
		if i == list.at && list.chosen {
			style = t.Pick
			c.Text(4, y, t.Note, "›")
		}
		if list.entries[i].Kind == lobby.Turn {
			turns++
			c.Text(0, y, t.Text, fmt.Sprintf("%3d.", turns))
		}
		mark, markStyle := v.game.Mark(v.snap.Position, list.entries[i].Seat, v.app.look)
		c.Text(5, y, markStyle, mark)
		c.Text(7, y, style, paint.Cut(list.texts[i], w-7))
	}
}

// gone says why a seat plays no more, if it left a match of three or more or was eliminated.
func (v *matchView) gone(seat int) string {
	switch e, ok := v.snap.Position.(engine.Eliminator); {
	case !v.many():
		return ""
	case v.snap.Position.Left(seat):
	case ok && e.Eliminated(seat):
		return "out"
	default:
		return ""
	}
	for _, e := range v.snap.Log {
		if e.Kind == lobby.Leave && e.Seat == seat {
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
