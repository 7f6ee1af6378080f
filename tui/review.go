package tui

import (
	"context"
	"strconv"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"ayumu/lobby"
	"ayumu/tui/board"
	"ayumu/tui/boards"
	"ayumu/tui/paint"
	"ayumu/tui/words"
)

var noTime time.Time

// newReplayView shows a match that is over from its beginning. Nobody else is there.
func newReplayView(a *app, s *lobby.Snapshot) (*matchView, error) {
	game, ok := boards.ByName(s.Info.Game)
	if !ok {
		return nil, &lobby.Error{Code: lobby.BadRequest, Message: "this server has no board for " + s.Info.Game}
	}
	v := &matchView{app: a, game: game, board: game.New(), seat: seatOf(s.Info, a.session.Account().ID), snap: s}
	v.record = recordOf(s, game)
	v.back = len(v.record.positions()) > 1
	return v, nil
}

// openReplay opens a finished match, or watches one that goes on.
func (a *app) openReplay(id string) tea.Cmd {
	var s *lobby.Snapshot
	return a.call(func(ctx context.Context) (err error) {
		if err := a.session.Spend(lobby.WorkHistory); err != nil {
			return err
		}
		s, err = a.session.Lobby().Replay(ctx, a.session.Account().ID, id)
		if err == nil {
			err = a.session.SpendMore(lobby.WorkHistory, s.Version)
		}
		return err
	}, func() tea.Cmd {
		if !s.Over() {
			return a.watch(id, "")
		}
		v, err := newReplayView(a, s)
		if err != nil {
			_, text := lobby.Explain(a.session.Lobby().Fault("match not replayed", err, "match", id))
			a.complain("%s", text)
			return nil
		}
		return a.deeper(v)
	})
}

// archived reports whether the match is a record that is replayed, at which nobody is.
func (v *matchView) archived() bool { return v.match == nil }

// shownPly returns how many turns lead to the position of the game that is shown.
func (v *matchView) shownPly() int {
	if v.back {
		return v.ply
	}
	return len(v.record.entries)
}

// turnRest is how many steps of the chosen pace a turn stays while a game is played through.
const turnRest = 2

func (v *matchView) playing() bool { return !v.playAt.IsZero() }

// playThrough begins to play the game from the turn that is shown, from its end all over again; or
// it stops that.
func (v *matchView) playThrough(now time.Time) tea.Cmd {
	if v.playing() {
		v.playAt = noTime
		return nil
	}
	if n := len(v.record.entries); v.shownPly() == n {
		v.step(-n)
	}
	if v.back {
		v.playAt = now.Add(v.rest())
	}
	return nil
}

// rest is how long a turn stays.
func (v *matchView) rest() time.Duration {
	pace := v.app.settings.Pace
	if pace == 0 {
		pace = usualPace
	}
	return turnRest * paces[pace].step
}

// playOn shows the next turn when it is time, once the board has shown all steps of this one.
func (v *matchView) playOn(now time.Time) {
	if !v.playing() || now.Before(v.playAt) {
		return
	}
	if r, ok := v.board.(board.Replayer); ok && r.Replaying() {
		v.playAt = now.Add(v.rest())
		return
	}
	v.step(1)
	if v.playAt = now.Add(v.rest()); !v.back {
		v.playAt = noTime
		return
	}
	if r, ok := v.board.(board.Replayer); ok && v.app.settings.Pace > 0 {
		r.Replay()
		v.pace(now)
	}
}

// jump asks for the turn that is to be shown.
func (v *matchView) jump() tea.Cmd {
	n := v.turnsAt(len(v.record.entries))
	return v.app.typing(&line{
		field: field{limit: 5}, label: "Which turn, 0 to " + strconv.Itoa(n), does: "show it",
		enter: func(text string) tea.Cmd {
			turn, err := strconv.Atoi(text)
			if err != nil || turn < 0 || turn > n {
				v.app.complain("the game has the turns 0 to %d", n)
				return nil
			}
			return v.step(v.plyOf(turn) - v.shownPly())
		},
	})
}

// archiveLines say what is being replayed, and how far it has come.
func (v *matchView) archiveLines() []styled {
	t := v.app.look.Theme
	where := "The last position."
	switch {
	case v.playing():
		where = "Playing; any key stops."
	case v.back && v.ply == 0:
		where = "The beginning. ] goes on, P plays."
	case v.back:
		where = "Turn " + strconv.Itoa(v.turnsAt(v.ply)) + " of " + strconv.Itoa(v.snap.Turns) + "."
	}
	return []styled{{where, t.Note}, {words.Result(v.snap, v.game, v.seat), t.Text}}
}

// drawFacts draws what there is to know of a match in the archive.
func (v *matchView) drawFacts(c paint.Canvas) {
	t := v.app.look.Theme
	w, h := c.Size()
	if h < 3 {
		return
	}
	i := v.snap.Info
	v.app.rule(c, 0, "From the archive", t.Dim)
	when := "Played on " + day(i.Started) + "."
	if day(i.Started) != day(v.snap.LastAt) {
		when = "Played from " + day(i.Started) + " to " + day(v.snap.LastAt) + "."
	}
	facts := []string{
		when,
		"Record: ssh " + v.app.host() + " record " + i.ID,
	}
	y := 1
	for _, f := range facts {
		for _, l := range wrap(f, w) {
			c.Text(0, y, t.Dim, l)
			y++
		}
	}
}

// host is what people type after ssh to get here.
func (a *app) host() string {
	if a.visit.Host == "" {
		return "HOST"
	}
	return strings.TrimSpace(a.visit.Host)
}

// day is a date for people, without a time zone to wonder about: the server's day in UTC.
func day(t time.Time) string { return t.UTC().Format("2 Jan 2006") }

func (v *matchView) archiveKeys() []board.Key {
	play := board.Key{Key: "P", Does: "play"}
	if v.playing() {
		play.Does = "stop"
	}
	keys := []board.Key{{Key: "[ ]", Does: "step"}, play, {Key: "V", Does: "try moves"}}
	keys = append(append(keys, v.hintKeys()...), board.Key{Key: "#", Does: "turn"}, board.Key{Key: "q", Does: "back"})
	return append(append(keys, v.board.Offers()...), board.Key{Key: "I", Does: "player"}, board.Key{Key: "?", Does: "help"})
}

// late says how late watchers see a match.
func late(turns int) string { return "shown " + words.Plural(turns, "turn") + " late" }

// lateness says to the one who looks what a match's delay means to him.
func (v *matchView) lateness(turns int) string {
	if v.player != nil {
		return "Watchers see this game " + words.Plural(turns, "turn") + " late."
	}
	return "This game is " + late(turns) + "."
}

// toMove returns the seat that has the move; -1 if nobody has. In the archive that is told of the
// position that is shown.
func (v *matchView) toMove() int {
	switch {
	case v.archived() && v.trial != nil:
		return v.trial.positions[v.trial.at].Turn()
	case v.archived() && v.back:
		return v.record.positions()[v.ply].Turn()
	case v.snap.Over():
		return -1
	}
	return v.snap.Position.Turn()
}

// left returns what a seat has left on its clock; in the archive, what it had after the turn that
// is shown.
func (v *matchView) left(seat int, now time.Time) (time.Duration, bool) {
	if !v.archived() || !v.back {
		return v.snap.Left(seat, now)
	}
	if v.ply == 0 || v.record.entries[v.ply-1].Clocks == nil {
		return 0, false
	}
	return v.record.entries[v.ply-1].Clocks[seat], true
}
