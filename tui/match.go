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
	app       *Model
	match     *lobby.Match     // nil in the archive
	player    *lobby.Player    // nil for a spectator
	spectator *lobby.Spectator // nil for a player
	seat      int              // -1 for a spectator
	hint      *hint            // nil: none requested
	variation *variation       // nil: the match itself is shown
	game      game.Game
	board     game.Board

	snapshot     *lobby.Snapshot
	feed         lobby.Feed // position in the log and events that were shown
	turnRecord   *turnRecord
	ply          int  // number of log entries before the reviewed position
	isReviewing  bool // an earlier position is shown
	isSubmitting bool // a turn was sent and not yet answered

	offersShownAt map[lobby.OfferKind]time.Time // open offers of others and when they were first shown
	area          boardArea                     // where the board was drawn, for clicks
	nextStepAt    time.Time                     // when the board's replay shows the next step; zero: not running
	nextTurnAt    time.Time                     // when autoplay shows the next turn; zero: not running
}

// newMatchScreen opens a match at the user's seat, otherwise as a spectator; code admits to a private
// match.
func newMatchScreen(a *Model, id, code string) (*matchScreen, error) {
	v := &matchScreen{app: a, seat: -1, offersShownAt: make(map[lobby.OfferKind]time.Time)}
	var err error
	if v.player, err = a.Session.Sit(id); err == nil {
		v.match, v.seat = v.player.Match(), v.player.Seat()
	} else {
		v.player = nil
		if v.spectator, err = a.Session.Watch(id, code); err != nil {
			return nil, err
		}
		v.match = v.spectator.Match()
	}
	game, ok := a.Config.Games.ByName(v.match.Info.Game)
	if !ok {
		return nil, &lobby.Error{Code: lobby.CodeBadRequest, Message: "this server has no board for " + v.match.Info.Game}
	}
	v.game, v.board = game, game.New()
	return v, nil
}

func (v *matchScreen) Close() {
	v.dropHint()
	v.app.Terminal.SetTitle("Ayumu")
	if v.spectator != nil {
		v.spectator.Close()
	}
}

// Traits implements screen.Screen.
func (v *matchScreen) Traits() screen.Traits {
	t := screen.Traits{IsWatching: true, ShowsLists: v.app.Follow.IsSet()}
	if v.isArchived() {
		return t
	}
	t.Match = v.match.Info.ID
	if v.snapshot == nil { // not shown yet
		return t
	}
	t.IsPlaying = v.player != nil && !v.snapshot.IsOver()
	t.ClockRuns = t.IsPlaying && !v.isOut() && v.snapshot.Info.Control.IsLive()
	t.CanFollow = v.player == nil && v.snapshot.IsOver() && time.Since(v.snapshot.LastAt) >= resultDelay
	return t
}

// Reopen implements screen.Screen. A match is watched anew.
func (v *matchScreen) Reopen() dest.Destination {
	if v.isArchived() {
		return nil
	}
	return dest.Match{ID: v.match.Info.ID, Code: v.snapshot.Code}
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
	before := v.snapshot
	s := v.latestSnapshot()
	if s == before {
		v.showPosition()
		return nil
	}
	v.snapshot, v.turnRecord = s, turnRecordOf(s, v.game)
	v.noteOffers(time.Now())
	if newest := len(v.turnRecord.entries); v.ply >= newest {
		v.ply, v.isReviewing = newest, false
	}
	moved := before != nil && before.Version != s.Version
	if v.isOwnTurn() && moved {
		v.app.Bell()
	}
	if before != nil && !before.IsOver() && s.IsOver() {
		v.app.ClearNotice() // it would hide the result
	}
	v.notifyNews(before)
	v.setTitle()
	v.showPosition()
	if moved && !v.isReviewing && v.variation == nil {
		v.startReplay()
	}
	if s.Rematch != "" && (before == nil || before.Rematch == "") {
		return v.openRematch(s.Rematch)
	}
	return nil
}

// notifyNews shows as a notice what others did since the last call, and the result where the board is
// hidden. before is nil at the first call.
func (v *matchScreen) notifyNews(before *lobby.Snapshot) {
	if v.isArchived() {
		return
	}
	var err error
	if before == nil {
		if v.feed, err = lobby.NewFeed(v.snapshot, v.snapshot.Version); err == nil {
			return
		}
	}
	var texts []string
	if err == nil {
		err = v.feed.Read(v.snapshot, func(n lobby.FeedItem) error {
			text := words.DescribeItem(n, v.snapshot, v.game, v.seat)
			if n.Entry != nil && n.Entry.Kind == lobby.EntryEnd && v.hidesResult() {
				text = v.resultText()
			}
			if text != "" {
				texts = append(texts, text)
			}
			return nil
		})
	}
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
	return strings.TrimSpace(words.Result(v.snapshot, v.game, v.seat) + " " + words.DescribeRatings(v.snapshot, v.seat, "→"))
}

// latestSnapshot returns the newest snapshot that the user may see; spectators may see it some turns
// late.
func (v *matchScreen) latestSnapshot() *lobby.Snapshot {
	switch {
	case v.isArchived():
		return v.snapshot
	case v.player != nil:
		return v.player.Snapshot()
	}
	return v.spectator.Snapshot()
}

// setTitle shows in the window's title whether it is the user's turn.
func (v *matchScreen) setTitle() {
	if v.isOwnTurn() {
		v.app.Terminal.SetTitle("Your turn – Ayumu")
	} else {
		v.app.Terminal.SetTitle("Ayumu")
	}
}

// openRematch opens the rematch with the given match id.
func (v *matchScreen) openRematch(next string) tea.Cmd {
	v.app.Notify("The rematch has begun.")
	return v.app.Open(dest.Match{ID: next, Code: v.snapshot.NextCode, IsExpected: true})
}

// isOwnTurn reports whether the user's seat is to move.
func (v *matchScreen) isOwnTurn() bool {
	return v.player != nil && !v.snapshot.IsOver() && !v.snapshot.Frozen && v.snapshot.Position.Turn() == v.seat
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
	s := game.State{Position: v.snapshot.Position, Seat: v.seat, CanAct: v.isOwnTurn() && !v.isReviewing && !v.isSubmitting}
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
	if v.isOwnTurn() && !v.isReviewing {
		s.Draft = v.draft()
	}
	s.Hint = v.hint.remaining(s.Draft)
	v.board.Show(s)
}

// draft returns the actions of the seat's unfinished turn that are still legal. It removes the others
// from the draft.
func (v *matchScreen) draft() []string {
	d := v.player.Draft()
	_, legal, cut := d.ApplyTo(v.snapshot, v.seat)
	if cut && d.Version != v.snapshot.Version {
		v.app.Notify("The position has changed: the rest of your turn is no longer legal and was dropped.")
		if err := v.player.SetDraft(v.snapshot.Version, legal); err != nil {
			v.app.NotifyError("%v", err)
		}
	}
	return legal
}

// submit sends a turn to the match.
func (v *matchScreen) submit(turn []string) tea.Cmd {
	v.isSubmitting = true
	v.showPosition()
	version := v.snapshot.Version
	var failed error
	return v.app.Call(func(ctx context.Context) error {
		_, failed = v.player.Act(ctx, version, turn)
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
	for _, at := range v.offersShownAt {
		soonest(at.Add(client.OfferGuard))
	}
	if !v.nextStepAt.IsZero() {
		soonest(v.nextStepAt)
	}
	if v.isPlayingThrough() {
		soonest(v.nextTurnAt)
	}
	if v.snapshot.IsOver() {
		if v.app.Follow.IsSet() {
			soonest(v.snapshot.LastAt.Add(resultDelay))
		}
		return next
	}
	if v.snapshot.RunningSeat >= 0 {
		if left, ok := v.snapshot.Remaining(v.snapshot.RunningSeat, now); ok && left > 0 {
			soonest(now.Add(words.NextClockChange(left)))
		}
	}
	for _, a := range v.snapshot.Away {
		if !a.Since.IsZero() {
			soonest(now.Add(time.Second - now.Sub(a.Since)%time.Second))
		}
	}
	return next
}
