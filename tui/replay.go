package tui

import (
	"context"
	"strconv"
	"time"

	tea "charm.land/bubbletea/v2"

	"ayumu/lobby"
	"ayumu/tui/game"
	"ayumu/tui/paint"
	"ayumu/tui/screen"
	"ayumu/tui/screen/dest"
	"ayumu/tui/widget"
	"ayumu/tui/words"
)

var zeroTime time.Time

// newReviewScreen returns a screen for a finished match from the archive, at its first position.
func newReviewScreen(a *Model, s *lobby.Snapshot) (*matchScreen, error) {
	m, err := a.Client.Archived(s)
	if err != nil {
		return nil, err
	}
	v := newMatchScreen(a, m)
	v.turnRecord = turnRecordOf(s, m.Game)
	v.isReviewing = len(v.turnRecord.positions()) > 1
	return v, nil
}

// openReview opens a finished match, or watches it if it is still running.
func (a *Model) openReview(id string) tea.Cmd {
	var s *lobby.Snapshot
	return a.Call(func(ctx context.Context) (err error) {
		s, err = a.Client.Archive().Snapshot(ctx, id)
		return err
	}, func() tea.Cmd {
		if !s.IsOver() {
			return a.Open(dest.Match{ID: id})
		}
		v, err := newReviewScreen(a, s)
		if err != nil {
			_, text := lobby.PublicError(a.Session.Lobby().InternalError("match not replayed", err, "match", id))
			a.NotifyError("%s", text)
			return nil
		}
		return a.Push(v)
	})
}

// shownPly returns the number of entries before the position that is shown.
func (v *matchScreen) shownPly() int {
	if v.isReviewing {
		return v.ply
	}
	return len(v.turnRecord.entries)
}

// stepsPerTurn is the time for which autoplay shows a turn, in steps of the selected speed.
const stepsPerTurn = 2

func (v *matchScreen) isPlayingThrough() bool { return !v.nextTurnAt.IsZero() }

// togglePlayThrough starts autoplay from the turn that is shown, or from the beginning if that is the
// last one; or stops it.
func (v *matchScreen) togglePlayThrough(now time.Time) tea.Cmd {
	if v.isPlayingThrough() {
		v.nextTurnAt = zeroTime
		return nil
	}
	if n := len(v.turnRecord.entries); v.shownPly() == n {
		v.stepHistory(-n)
	}
	if v.isReviewing {
		v.nextTurnAt = now.Add(v.turnDuration())
	}
	return nil
}

// turnDuration returns how long autoplay shows a turn.
func (v *matchScreen) turnDuration() time.Duration {
	pace := v.app.Settings.ReplaySpeed
	if pace == 0 {
		pace = screen.DefaultSpeed
	}
	return stepsPerTurn * screen.ReplaySpeeds[pace].Step
}

// advancePlayThrough shows the next turn when it is due and the board has shown all steps of the
// current one.
func (v *matchScreen) advancePlayThrough(now time.Time) {
	if !v.isPlayingThrough() || now.Before(v.nextTurnAt) {
		return
	}
	if r, ok := v.board.(game.Replayer); ok && r.IsReplaying() {
		v.nextTurnAt = now.Add(v.turnDuration())
		return
	}
	v.stepHistory(1)
	if v.nextTurnAt = now.Add(v.turnDuration()); !v.isReviewing {
		v.nextTurnAt = zeroTime
		return
	}
	if r, ok := v.board.(game.Replayer); ok && v.app.Settings.ReplaySpeed > 0 {
		r.Replay()
		v.updateReplay(now)
	}
}

// askTurn prompts for the number of the turn to show.
func (v *matchScreen) askTurn() tea.Cmd {
	n := v.turnsAt(len(v.turnRecord.entries))
	return v.app.OpenPrompt(&screen.Prompt{
		TextField: widget.TextField{Limit: 5}, Label: "Go to turn (0 to " + strconv.Itoa(n) + ")", EnterHelp: "go",
		Enter: func(text string) tea.Cmd {
			turn, err := strconv.Atoi(text)
			if err != nil || turn < 0 || turn > n {
				v.app.NotifyError("enter a turn number from 0 to %d", n)
				return nil
			}
			return v.stepHistory(v.plyOf(turn) - v.shownPly())
		},
	})
}

// archiveLines describes the state of the replay and the result.
func (v *matchScreen) archiveLines() []styledText {
	t := v.app.Style.Theme
	where := "Last position."
	switch {
	case v.isPlayingThrough():
		where = "Autoplay; press any key to stop."
	case v.isReviewing && v.ply == 0:
		where = "Start of the game. ] next move, P autoplay."
	case v.isReviewing:
		where = "Turn " + strconv.Itoa(v.turnsAt(v.ply)) + " of " + strconv.Itoa(v.Snapshot.Turns) + "."
	}
	return []styledText{{where, t.Notice}, {words.Result(v.Snapshot, v.Game, v.Seat), t.Text}}
}

// drawFacts draws the dates of an archived match and the command for its record.
func (v *matchScreen) drawFacts(c paint.Canvas) {
	t := v.app.Style.Theme
	w, h := c.Size()
	if h < 3 {
		return
	}
	i := v.Snapshot.Info
	widget.DrawRule(c, v.app.Style.Theme, 0, "From the archive", t.Dim)
	when := "Played on " + words.Date(i.Started) + "."
	if words.Date(i.Started) != words.Date(v.Snapshot.LastAt) {
		when = "Played from " + words.Date(i.Started) + " to " + words.Date(v.Snapshot.LastAt) + "."
	}
	facts := []string{
		when,
		"Record: ssh " + v.app.Config.SSHArguments() + " record " + i.ID,
	}
	y := 1
	for _, f := range facts {
		for _, l := range widget.Wrap(f, w) {
			c.Text(0, y, t.Dim, l)
			y++
		}
	}
}

func (v *matchScreen) archiveKeys() []game.Key {
	play := game.Key{Key: "P", Help: "autoplay"}
	if v.isPlayingThrough() {
		play.Help = "stop"
	}
	keys := []game.Key{{Key: "[ ]", Help: "step"}, play, {Key: "V", Help: "analysis"}}
	keys = append(append(keys, v.hintKeys()...), game.Key{Key: "#", Help: "turn"}, game.Key{Key: "q", Help: "back"})
	return append(append(keys, v.board.StatusKeys()...), game.Key{Key: "I", Help: "player"}, game.Key{Key: "?", Help: "help"})
}

// delayClause describes the spectator delay of a match.
func delayClause(turns int) string { return "shown " + words.Plural(turns, "turn") + " late" }

// delayText describes the spectator delay to a player or to a spectator.
func (v *matchScreen) delayText(turns int) string {
	if v.Player != nil {
		return "Spectators see this game " + words.Plural(turns, "turn") + " late."
	}
	return "This game is " + delayClause(turns) + "."
}

// seatToMove returns the seat to move; -1 if the match is over. In the archive it refers to the
// position that is shown.
func (v *matchScreen) seatToMove() int {
	switch {
	case v.IsArchived() && v.variation != nil:
		return v.variation.Position().Turn()
	case v.IsArchived() && v.isReviewing:
		return v.turnRecord.positions()[v.ply].Turn()
	case v.Snapshot.IsOver():
		return -1
	}
	return v.Snapshot.Position.Turn()
}

// remaining returns the time left on a seat's clock; in the archive, after the turn that is shown.
func (v *matchScreen) remaining(seat int, now time.Time) (time.Duration, bool) {
	if !v.IsArchived() || !v.isReviewing {
		return v.Snapshot.Remaining(seat, now)
	}
	if v.ply == 0 || v.turnRecord.entries[v.ply-1].Clocks == nil {
		return 0, false
	}
	return v.turnRecord.entries[v.ply-1].Clocks[seat], true
}
