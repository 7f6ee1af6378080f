package tui

import (
	"context"
	"strconv"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"ayumu/lobby"
	"ayumu/tui/game"
	"ayumu/tui/paint"
	"ayumu/tui/words"
)

var zeroTime time.Time

// newReviewScreen shows a match that is over from its beginning. Nobody else is there.
func newReviewScreen(a *app, s *lobby.Snapshot) (*matchScreen, error) {
	game, ok := a.config.Games.ByName(s.Info.Game)
	if !ok {
		return nil, &lobby.Error{Code: lobby.CodeBadRequest, Message: "this server has no board for " + s.Info.Game}
	}
	v := &matchScreen{app: a, game: game, board: game.New(), seat: seatOf(s.Info, a.session.Account().ID), snapshot: s}
	v.turnRecord = turnRecordOf(s, game)
	v.isReviewing = len(v.turnRecord.positions()) > 1
	return v, nil
}

// openReview opens a finished match, or watches one that goes on.
func (a *app) openReview(id string) tea.Cmd {
	var s *lobby.Snapshot
	return a.call(func(ctx context.Context) (err error) {
		if err := a.session.Spend(lobby.WorkHistory); err != nil {
			return err
		}
		s, err = a.session.Lobby().MatchSnapshot(ctx, a.session.Account().ID, id)
		if err == nil {
			err = a.session.SpendMore(lobby.WorkHistory, s.Version)
		}
		return err
	}, func() tea.Cmd {
		if !s.IsOver() {
			return a.watch(id, "")
		}
		v, err := newReviewScreen(a, s)
		if err != nil {
			_, text := lobby.PublicError(a.session.Lobby().InternalError("match not replayed", err, "match", id))
			a.notifyError("%s", text)
			return nil
		}
		return a.push(v)
	})
}

// isArchived reports whether the match is a record that is replayed, at which nobody is.
func (v *matchScreen) isArchived() bool { return v.match == nil }

// shownPly returns how many turns lead to the position of the game that is shown.
func (v *matchScreen) shownPly() int {
	if v.isReviewing {
		return v.ply
	}
	return len(v.turnRecord.entries)
}

// stepsPerTurn is how many steps of the chosen pace a turn stays while a game is played through.
const stepsPerTurn = 2

func (v *matchScreen) isPlayingThrough() bool { return !v.nextTurnAt.IsZero() }

// togglePlayThrough begins to play the game from the turn that is shown, from its end all over again; or
// it stops that.
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

// turnDuration is how long a turn stays.
func (v *matchScreen) turnDuration() time.Duration {
	pace := v.app.settings.Pace
	if pace == 0 {
		pace = defaultSpeed
	}
	return stepsPerTurn * replaySpeeds[pace].step
}

// advancePlayThrough shows the next turn when it is time, once the board has shown all steps of this one.
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
	if r, ok := v.board.(game.Replayer); ok && v.app.settings.Pace > 0 {
		r.Replay()
		v.updateReplay(now)
	}
}

// askTurn asks for the turn that is to be shown.
func (v *matchScreen) askTurn() tea.Cmd {
	n := v.turnsAt(len(v.turnRecord.entries))
	return v.app.openPrompt(&prompt{
		textField: textField{limit: 5}, label: "Go to turn (0 to " + strconv.Itoa(n) + ")", enterHelp: "go",
		enter: func(text string) tea.Cmd {
			turn, err := strconv.Atoi(text)
			if err != nil || turn < 0 || turn > n {
				v.app.notifyError("enter a turn number from 0 to %d", n)
				return nil
			}
			return v.stepHistory(v.plyOf(turn) - v.shownPly())
		},
	})
}

// archiveLines say what is being replayed, and how far it has come.
func (v *matchScreen) archiveLines() []styledText {
	t := v.app.style.Theme
	where := "Last position."
	switch {
	case v.isPlayingThrough():
		where = "Autoplay; press any key to stop."
	case v.isReviewing && v.ply == 0:
		where = "Start of the game. ] next move, P autoplay."
	case v.isReviewing:
		where = "Turn " + strconv.Itoa(v.turnsAt(v.ply)) + " of " + strconv.Itoa(v.snapshot.Turns) + "."
	}
	return []styledText{{where, t.Notice}, {words.Result(v.snapshot, v.game, v.seat), t.Text}}
}

// drawFacts draws what there is to know of a match in the archive.
func (v *matchScreen) drawFacts(c paint.Canvas) {
	t := v.app.style.Theme
	w, h := c.Size()
	if h < 3 {
		return
	}
	i := v.snapshot.Info
	v.app.drawRule(c, 0, "From the archive", t.Dim)
	when := "Played on " + dateText(i.Started) + "."
	if dateText(i.Started) != dateText(v.snapshot.LastAt) {
		when = "Played from " + dateText(i.Started) + " to " + dateText(v.snapshot.LastAt) + "."
	}
	facts := []string{
		when,
		"Record: ssh " + v.app.sshTarget() + " record " + i.ID,
	}
	y := 1
	for _, f := range facts {
		for _, l := range wrap(f, w) {
			c.Text(0, y, t.Dim, l)
			y++
		}
	}
}

// sshTarget is what people type after ssh to get here.
func (a *app) sshTarget() string {
	if a.config.SSHTarget == "" {
		return "HOST"
	}
	return strings.TrimSpace(a.config.SSHTarget)
}

// dateText is a date for people, without a time zone to wonder about: the server's day in UTC.
func dateText(t time.Time) string { return t.UTC().Format("2 Jan 2006") }

func (v *matchScreen) archiveKeys() []game.Key {
	play := game.Key{Key: "P", Help: "autoplay"}
	if v.isPlayingThrough() {
		play.Help = "stop"
	}
	keys := []game.Key{{Key: "[ ]", Help: "step"}, play, {Key: "V", Help: "analysis"}}
	keys = append(append(keys, v.hintKeys()...), game.Key{Key: "#", Help: "turn"}, game.Key{Key: "q", Help: "back"})
	return append(append(keys, v.board.StatusKeys()...), game.Key{Key: "I", Help: "player"}, game.Key{Key: "?", Help: "help"})
}

// delayClause says how late watchers see a match.
func delayClause(turns int) string { return "shown " + words.Plural(turns, "turn") + " late" }

// delayText says to the one who looks what a match's delay means to him.
func (v *matchScreen) delayText(turns int) string {
	if v.player != nil {
		return "Spectators see this game " + words.Plural(turns, "turn") + " late."
	}
	return "This game is " + delayClause(turns) + "."
}

// seatToMove returns the seat that has the move; -1 if nobody has. In the archive that is told of the
// position that is shown.
func (v *matchScreen) seatToMove() int {
	switch {
	case v.isArchived() && v.variation != nil:
		return v.variation.positions[v.variation.shownTurns].Turn()
	case v.isArchived() && v.isReviewing:
		return v.turnRecord.positions()[v.ply].Turn()
	case v.snapshot.IsOver():
		return -1
	}
	return v.snapshot.Position.Turn()
}

// remaining returns what a seat has left on its clock; in the archive, what it had after the turn that
// is shown.
func (v *matchScreen) remaining(seat int, now time.Time) (time.Duration, bool) {
	if !v.isArchived() || !v.isReviewing {
		return v.snapshot.Remaining(seat, now)
	}
	if v.ply == 0 || v.turnRecord.entries[v.ply-1].Clocks == nil {
		return 0, false
	}
	return v.turnRecord.entries[v.ply-1].Clocks[seat], true
}
