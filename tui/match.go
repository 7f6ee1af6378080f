package tui

import (
	"context"
	"strings"
	"sync"
	"time"

	tea "charm.land/bubbletea/v2"

	"ayumu/engine"
	"ayumu/lobby"
	"ayumu/tui/client"
	"ayumu/tui/game"
	"ayumu/tui/paint"
	"ayumu/tui/screen"
	"ayumu/tui/screen/dest"
	"ayumu/tui/words"
)

// matchScreen shows a match to one of its players or to a spectator, or a finished match of the
// archive.
type matchScreen struct {
	screen.Base
	app *Model
	*client.Match
	hint      *hint      // nil: none requested
	variation *variation // nil: the match itself is shown
	board     game.Board

	turnRecord   *turnRecord
	ply          int  // number of log entries before the reviewed position
	isReviewing  bool // an earlier position is shown
	isSubmitting bool // a turn was sent and not yet answered

	area       boardArea // where the board was drawn, for clicks
	nextStepAt time.Time // when the board's replay shows the next step; zero: not running
	nextTurnAt time.Time // when autoplay shows the next turn; zero: not running
}

// newMatchScreen returns the screen of a match.
func newMatchScreen(a *Model, m *client.Match) *matchScreen {
	return &matchScreen{app: a, Match: m, board: m.Game.New()}
}

func (v *matchScreen) Close() {
	v.dropHint()
	v.app.Terminal.SetTitle("Ayumu")
	v.Match.Close()
}

// Traits implements screen.Screen.
func (v *matchScreen) Traits() screen.Traits {
	t := screen.Traits{IsWatching: true, ShowsLists: v.app.Client.IsFollowing()}
	if v.IsArchived() {
		return t
	}
	t.Match = v.Snapshot.Info.ID
	t.IsPlaying = v.Player != nil && !v.Snapshot.IsOver()
	t.ClockRuns = v.IsLive()
	t.CanFollow = v.Player == nil && v.Snapshot.IsOver() && time.Since(v.Snapshot.LastAt) >= resultDelay
	return t
}

// Reopen implements screen.Screen. A match is watched anew.
func (v *matchScreen) Reopen() dest.Destination {
	if v.IsArchived() {
		return nil
	}
	return dest.Match{ID: v.Snapshot.Info.ID, Code: v.Snapshot.Code}
}

// turnRecord holds a match's turns at one version, and the positions before and after them. All
// sessions that show the match share it.
type turnRecord struct {
	entries      []lobby.Entry
	texts        []string // entries as text, for the list of turns
	width        int      // of the widest text
	snapshot     *lobby.Snapshot
	once         sync.Once
	allPositions []engine.Position
}

// positions returns the position before the first turn and after each; nil if the log is damaged. It
// computes them at the first call. It may be called from any goroutine.
func (r *turnRecord) positions() []engine.Position {
	r.once.Do(func() {
		if all, err := r.snapshot.Positions(); err == nil {
			r.allPositions = all
		}
	})
	return r.allPositions
}

type turnRecordKey struct {
	match   string
	version int
}

var turnRecordCache game.Cache[turnRecordKey, *turnRecord]

func turnRecordOf(s *lobby.Snapshot, game game.Game) *turnRecord {
	return turnRecordCache.Get(turnRecordKey{s.Info.ID, s.Version}, func() *turnRecord {
		r := &turnRecord{entries: s.TurnEntries(), snapshot: s}
		for _, e := range r.entries {
			text := "leaves"
			if e.Kind == lobby.EntryTurn {
				text = game.ShortTurn(e.Actions)
			}
			r.texts = append(r.texts, text)
			r.width = max(r.width, paint.Width(text))
		}
		return r
	})
}

// refresh applies the newest snapshot, and the draft as other sessions of the seat left it.
func (v *matchScreen) Refresh() tea.Cmd {
	before := v.Update()
	s := v.Snapshot
	isFirst := v.turnRecord == nil
	if s == before && !isFirst {
		v.showPosition()
		return nil
	}
	v.turnRecord = turnRecordOf(s, v.Game)
	if newest := len(v.turnRecord.entries); v.ply >= newest {
		v.ply, v.isReviewing = newest, false
	}
	moved := !isFirst && before.Version != s.Version
	if v.IsOwnTurn() && moved {
		v.app.Bell()
	}
	if !before.IsOver() && s.IsOver() {
		v.app.ClearNotice() // it would hide the result
	}
	v.notifyNews()
	v.setTitle()
	v.showPosition()
	if moved && !v.isReviewing && v.variation == nil {
		v.startReplay()
	}
	if s.Rematch != "" && (isFirst || before.Rematch == "") {
		return v.openRematch(s.Rematch)
	}
	return nil
}

// notifyNews shows as a notice what others did since the last call, and the result where the board is
// hidden.
func (v *matchScreen) notifyNews() {
	var texts []string
	err := v.Read(func(n lobby.FeedItem) error {
		text := words.DescribeItem(n, v.Snapshot, v.Game, v.Seat)
		if n.Entry != nil && n.Entry.Kind == lobby.EntryEnd && v.hidesResult() {
			text = v.resultText()
		}
		if text != "" {
			texts = append(texts, text)
		}
		return nil
	})
	if err != nil {
		texts = []string{"Some events of this game cannot be shown."}
	}
	v.app.NotifyEvents(texts...)
}

// hidesResult reports whether the result beside the board is not visible.
func (v *matchScreen) hidesResult() bool {
	return v.app.HasOverlay() || v.isReviewing || v.variation != nil
}

// resultText describes the result and the changes of ratings.
func (v *matchScreen) resultText() string {
	return strings.TrimSpace(words.Result(v.Snapshot, v.Game, v.Seat) + " " + words.DescribeRatings(v.Snapshot, v.Seat, "→"))
}

// setTitle shows in the window's title whether it is the user's turn.
func (v *matchScreen) setTitle() {
	if v.IsOwnTurn() {
		v.app.Terminal.SetTitle("Your turn – Ayumu")
	} else {
		v.app.Terminal.SetTitle("Ayumu")
	}
}

// openRematch opens the rematch with the given match id.
func (v *matchScreen) openRematch(next string) tea.Cmd {
	v.app.Notify("The rematch has begun.")
	return v.app.Open(dest.Match{ID: next, Code: v.Snapshot.NextCode, IsExpected: true})
}

// showPosition updates the board: the variation, the reviewed position, or the live one with the draft.
func (v *matchScreen) showPosition() {
	v.checkHint()
	if v.variation != nil {
		s := v.variation.state()
		s.Hint = v.hint.remaining(s.Draft)
		v.board.Show(s)
		return
	}
	s := game.State{Position: v.Snapshot.Position, Seat: v.Seat, CanAct: v.IsOwnTurn() && !v.isReviewing && !v.isSubmitting}
	n := len(v.turnRecord.entries)
	if v.isReviewing {
		n = v.ply
		s.Position = v.turnRecord.positions()[n]
	}
	if n > 0 {
		s.LastTurn = v.turnRecord.entries[n-1].Actions
		if _, replays := v.board.(game.Replayer); replays && len(v.turnRecord.positions()) >= n {
			s.Previous = v.turnRecord.positions()[n-1]
		}
	}
	if v.IsOwnTurn() && !v.isReviewing {
		s.Draft = v.draft()
	}
	s.Hint = v.hint.remaining(s.Draft)
	v.board.Show(s)
}

// draft returns the actions of the seat's unfinished turn that are still legal. It removes the others
// from the draft.
func (v *matchScreen) draft() []string {
	d := v.Player.Draft()
	_, legal, cut := d.ApplyTo(v.Snapshot, v.Seat)
	if cut && d.Version != v.Snapshot.Version {
		v.app.Notify("The position has changed: the rest of your turn is no longer legal and was dropped.")
		if err := v.Player.SetDraft(v.Snapshot.Version, legal); err != nil {
			v.app.NotifyError("%v", err)
		}
	}
	return legal
}

// submit sends a turn to the match.
func (v *matchScreen) submit(turn []string) tea.Cmd {
	v.isSubmitting = true
	v.showPosition()
	version := v.Snapshot.Version
	var failed error
	return v.app.Call(func(ctx context.Context) error {
		_, failed = v.Player.Act(ctx, version, turn)
		return nil
	}, func() tea.Cmd {
		v.isSubmitting = false
		if failed != nil {
			_, text := lobby.PublicError(failed)
			v.app.NotifyError("%s", text)
		}
		cmd := v.Refresh()
		v.showPosition()
		return cmd
	})
}

// act calls f outside the event loop and refreshes the screen; an error is shown.
func (v *matchScreen) act(f func(ctx context.Context) error) tea.Cmd {
	return v.app.Call(f, v.Refresh)
}

// nextChange returns when a clock, an absence, an offer or a replay changes the screen.
func (v *matchScreen) NextChange(now time.Time) time.Time {
	var next time.Time
	soonest := func(t time.Time) {
		if t.After(now) && (next.IsZero() || t.Before(next)) {
			next = t
		}
	}
	soonest(v.NextOfferChange(now))
	if !v.nextStepAt.IsZero() {
		soonest(v.nextStepAt)
	}
	if v.isPlayingThrough() {
		soonest(v.nextTurnAt)
	}
	if v.Snapshot.IsOver() {
		if v.app.Client.IsFollowing() {
			soonest(v.Snapshot.LastAt.Add(resultDelay))
		}
		return next
	}
	if v.Snapshot.RunningSeat >= 0 {
		if left, ok := v.Snapshot.Remaining(v.Snapshot.RunningSeat, now); ok && left > 0 {
			soonest(now.Add(words.NextClockChange(left)))
		}
	}
	for _, a := range v.Snapshot.Away {
		if !a.Since.IsZero() {
			soonest(now.Add(time.Second - now.Sub(a.Since)%time.Second))
		}
	}
	return next
}
