package tui

import (
	"context"
	"strings"
	"sync"
	"time"

	tea "charm.land/bubbletea/v2"

	"ayumu/engine"
	"ayumu/lobby"
	"ayumu/tui/game"
	"ayumu/tui/paint"
	"ayumu/tui/words"
)

// matchScreen shows a match to a player of it or to a watcher.
type matchScreen struct {
	app       *app
	match     *lobby.Match     // nil for one in the archive
	player    *lobby.Player    // nil for a watcher
	spectator *lobby.Spectator // nil for a player
	seat      int              // -1 for a watcher
	hint      *hint            // what the engine thinks of the position that is shown; nil: it was not asked
	variation *variation       // a line of one's own; nil: the game is shown
	game      game.Game
	board     game.Board

	snapshot     *lobby.Snapshot
	feed         lobby.Feed // what has been shown of it
	turnRecord   *turnRecord
	ply          int  // the position that is shown while looking back
	isReviewing  bool // looking back
	isSubmitting bool // a turn is on its way

	offersShownAt map[lobby.OfferKind]time.Time // open offers of others: when they were first shown
	area          boardArea                     // where the board was drawn, for clicks
	nextStepAt    time.Time                     // when the next step of a replay is shown; zero: none is
	nextTurnAt    time.Time                     // when the next turn of the game that is played through is shown; zero: it is not
}

// newMatchScreen opens a match; code lets somebody watch a private one.
func newMatchScreen(a *app, id, code string) (*matchScreen, error) {
	v := &matchScreen{app: a, seat: -1, offersShownAt: make(map[lobby.OfferKind]time.Time)}
	var err error
	if v.player, err = a.session.Sit(id); err == nil {
		v.match, v.seat = v.player.Match(), v.player.Seat()
	} else {
		v.player = nil
		if v.spectator, err = a.session.Watch(id, code); err != nil {
			return nil, err
		}
		v.match = v.spectator.Match()
	}
	game, ok := a.config.Games.ByName(v.match.Info.Game)
	if !ok {
		return nil, &lobby.Error{Code: lobby.CodeBadRequest, Message: "this server has no board for " + v.match.Info.Game}
	}
	v.game, v.board = game, game.New()
	return v, nil
}

func (v *matchScreen) close() {
	v.dropHint()
	v.app.screen.SetTitle("Ayumu")
	if v.spectator != nil {
		v.spectator.Close()
	}
}

// turnRecord is a match's turns as they stand at a version, and the positions before and after them.
// It is shared by all who look at that match.
type turnRecord struct {
	entries      []lobby.Entry
	texts        []string // of the entries, for the list of moves
	width        int      // of the widest text
	snapshot     *lobby.Snapshot
	once         sync.Once
	allPositions []engine.Position
}

// positions returns the position before the first turn and after each; nil if the log is damaged.
// Only somebody who looks back needs them.
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

// refresh takes over the newest snapshot, and the draft as other sessions of the seat left it.
func (v *matchScreen) refresh() tea.Cmd {
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
		v.app.bell()
	}
	if before != nil && !before.IsOver() && s.IsOver() {
		v.app.notice = notice{} // the result matters more than what was said before
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

// notifyNews tells what others did since a snapshot, and the end where something hides it.
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
	v.app.notifyEvents(texts...)
}

// hidesResult reports whether the result that the board shows cannot be seen.
func (v *matchScreen) hidesResult() bool {
	return v.app.overlay != nil || v.isReviewing || v.variation != nil
}

// resultText tells how the match ended and what it did to ratings.
func (v *matchScreen) resultText() string {
	return strings.TrimSpace(words.Result(v.snapshot, v.game, v.seat) + " " + words.DescribeRatings(v.snapshot, v.seat, "→"))
}

// latestSnapshot returns the newest state that the person may see: a watcher may see it some turns late.
func (v *matchScreen) latestSnapshot() *lobby.Snapshot {
	switch {
	case v.isArchived():
		return v.snapshot
	case v.player != nil:
		return v.player.Snapshot()
	}
	return v.spectator.Snapshot()
}

// setTitle shows in the window's title whose turn it is.
func (v *matchScreen) setTitle() {
	if v.isOwnTurn() {
		v.app.screen.SetTitle("Your turn – Ayumu")
	} else {
		v.app.screen.SetTitle("Ayumu")
	}
}

// openRematch follows the players into the rematch.
func (v *matchScreen) openRematch(next string) tea.Cmd {
	v.app.knownMatches[next] = true
	v.app.notify("The rematch has begun.")
	return v.app.watch(next, v.snapshot.NextCode)
}

// isOwnTurn reports whether it is the turn of the seat that looks.
func (v *matchScreen) isOwnTurn() bool {
	return v.player != nil && !v.snapshot.IsOver() && !v.snapshot.Frozen && v.snapshot.Position.Turn() == v.seat
}

// showPosition gives the board what it is to show.
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

// draft returns the turn that the seat has begun, as far as it is still legal.
func (v *matchScreen) draft() []string {
	d := v.player.Draft()
	_, db, cut := d.ApplyTo(v.snapshot, v.seat)
	if cut && d.Version != v.snapshot.Version {
		v.app.notify("The position has changed: the rest of your turn is no longer legal and was dropped.")
		if err := v.player.SetDraft(v.snapshot.Version, db); err != nil {
			v.app.notifyError("%v", err)
		}
	}
	return db
}

// submit sends a turn to the match.
func (v *matchScreen) submit(turn []string) tea.Cmd {
	v.isSubmitting = true
	v.showPosition()
	version := v.snapshot.Version
	var failed error
	return v.app.call(func(ctx context.Context) error {
		_, failed = v.player.Act(ctx, version, turn)
		return nil
	}, func() tea.Cmd {
		v.isSubmitting = false
		if failed != nil {
			_, text := lobby.PublicError(failed)
			v.app.notifyError("%s", text)
		}
		cmd := v.refresh()
		v.showPosition()
		return cmd
	})
}

// act makes a call of the player's and shows its error.
func (v *matchScreen) act(f func(ctx context.Context) error) tea.Cmd {
	return v.app.call(f, v.refresh)
}

// nextChange returns when a clock, an absence or an offer will look different.
func (v *matchScreen) nextChange(now time.Time) time.Time {
	var next time.Time
	soonest := func(t time.Time) {
		if t.After(now) && (next.IsZero() || t.Before(next)) {
			next = t
		}
	}
	for _, at := range v.offersShownAt {
		soonest(at.Add(offerGuard))
	}
	if !v.nextStepAt.IsZero() {
		soonest(v.nextStepAt)
	}
	if v.isPlayingThrough() {
		soonest(v.nextTurnAt)
	}
	if v.snapshot.IsOver() {
		if v.app.follow.isSet() {
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
