package tui

import (
	"context"
	"strings"
	"sync"
	"time"

	tea "charm.land/bubbletea/v2"

	"ayumu/engine"
	"ayumu/lobby"
	"ayumu/tui/board"
	"ayumu/tui/boards"
	"ayumu/tui/paint"
	"ayumu/tui/words"
)

// matchView shows a match to a player of it or to a watcher.
type matchView struct {
	app     *app
	match   *lobby.Match   // nil for one in the archive
	player  *lobby.Player  // nil for a watcher
	watcher *lobby.Watcher // nil for a player
	seat    int            // -1 for a watcher
	hinted  *hint          // what the engine thinks of the position that is shown; nil: it was not asked
	trial   *trial         // a line of one's own; nil: the game is shown
	game    board.Game
	board   board.Board

	snap   *lobby.Snapshot
	feed   lobby.Feed // what has been shown of it
	record *record
	ply    int  // the position that is shown while looking back
	back   bool // looking back
	busy   bool // a turn is on its way

	offers map[lobby.OfferKind]time.Time // open offers of others: when they were first shown
	area   boardArea                     // where the board was drawn, for clicks
	stepAt time.Time                     // when the next step of a replay is shown; zero: none is
	playAt time.Time                     // when the next turn of the game that is played through is shown; zero: it is not
}

// newMatchView opens a match; code lets somebody watch a private one.
func newMatchView(a *app, id, code string) (*matchView, error) {
	v := &matchView{app: a, seat: -1, offers: make(map[lobby.OfferKind]time.Time)}
	var err error
	if v.player, err = a.session.Sit(id); err == nil {
		v.match, v.seat = v.player.Match(), v.player.Seat()
	} else {
		v.player = nil
		if v.watcher, err = a.session.Watch(id, code); err != nil {
			return nil, err
		}
		v.match = v.watcher.Match()
	}
	game, ok := boards.ByName(v.match.Info.Game)
	if !ok {
		return nil, &lobby.Error{Code: lobby.BadRequest, Message: "this server has no board for " + v.match.Info.Game}
	}
	v.game, v.board = game, game.New()
	return v, nil
}

func (v *matchView) leave() {
	v.dropHint()
	v.app.screen.SetTitle("Ayumu")
	if v.watcher != nil {
		v.watcher.Close()
	}
}

// record is a match's turns as they stand at a version, and the positions before and after them.
// It is shared by all who look at that match.
type record struct {
	entries []lobby.Entry
	texts   []string // of the entries, for the list of moves
	width   int      // of the widest text
	snap    *lobby.Snapshot
	once    sync.Once
	all     []engine.Position
}

// positions returns the position before the first turn and after each; nil if the log is damaged.
// Only somebody who looks back needs them.
func (r *record) positions() []engine.Position {
	r.once.Do(func() {
		if all, err := r.snap.Positions(); err == nil {
			r.all = all
		}
	})
	return r.all
}

type recordKey struct {
	match   string
	version int
}

var records board.Cache[recordKey, *record]

func recordOf(s *lobby.Snapshot, game board.Game) *record {
	return records.Get(recordKey{s.Info.ID, s.Version}, func() *record {
		r := &record{entries: s.Standing(), snap: s}
		for _, e := range r.entries {
			text := "leaves"
			if e.Kind == lobby.Turn {
				text = game.Short(e.Actions)
			}
			r.texts = append(r.texts, text)
			r.width = max(r.width, paint.Width(text))
		}
		return r
	})
}

// refresh takes over the newest snapshot, and the draft as other sessions of the seat left it.
func (v *matchView) refresh() tea.Cmd {
	before := v.snap
	s := v.newest()
	if s == before {
		v.showPosition()
		return nil
	}
	v.snap, v.record = s, recordOf(s, v.game)
	v.noteOffers(time.Now())
	if newest := len(v.record.entries); v.ply >= newest {
		v.ply, v.back = newest, false
	}
	moved := before != nil && before.Version != s.Version
	if v.mine() && moved {
		v.app.ring()
	}
	if before != nil && !before.Over() && s.Over() {
		v.app.note = note{} // the result matters more than what was said before
	}
	v.tellNews(before)
	v.title()
	v.showPosition()
	if moved && !v.back && v.trial == nil {
		v.replay()
	}
	if s.Next != "" && (before == nil || before.Next == "") {
		return v.goOn(s.Next)
	}
	return nil
}

// tellNews tells what others did since a snapshot, and the end where something hides it.
func (v *matchView) tellNews(before *lobby.Snapshot) {
	if v.archived() {
		return
	}
	var err error
	if before == nil {
		if v.feed, err = lobby.NewFeed(v.snap, v.snap.Version); err == nil {
			return
		}
	}
	var texts []string
	if err == nil {
		err = v.feed.Read(v.snap, func(n lobby.News) error {
			text := words.News(n, v.snap, v.game, v.seat)
			if n.Entry != nil && n.Entry.Kind == lobby.End && v.hidesResult() {
				text = v.resultText()
			}
			if text != "" {
				texts = append(texts, text)
			}
			return nil
		})
	}
	if err != nil {
		texts = []string{"Some of what happened cannot be shown."}
	}
	v.app.tellEvents(texts...)
}

// hidesResult reports whether the result that the board shows cannot be seen.
func (v *matchView) hidesResult() bool {
	return v.app.over != nil || v.back || v.trial != nil
}

// resultText tells how the match ended and what it did to ratings.
func (v *matchView) resultText() string {
	return strings.TrimSpace(words.Result(v.snap, v.game, v.seat) + " " + words.Ratings(v.snap, v.seat, "→"))
}

// newest returns the newest state that the person may see: a watcher may see it some turns late.
func (v *matchView) newest() *lobby.Snapshot {
	switch {
	case v.archived():
		return v.snap
	case v.player != nil:
		return v.player.Snapshot()
	}
	return v.watcher.Snapshot()
}

// title shows in the window's title whose turn it is.
func (v *matchView) title() {
	if v.mine() {
		v.app.screen.SetTitle("Your turn – Ayumu")
	} else {
		v.app.screen.SetTitle("Ayumu")
	}
}

// goOn follows the players into the rematch.
func (v *matchView) goOn(next string) tea.Cmd {
	v.app.known[next] = true
	v.app.tell("The rematch has begun.")
	return v.app.watch(next, v.snap.NextCode)
}

// mine reports whether it is the turn of the seat that looks.
func (v *matchView) mine() bool {
	return v.player != nil && !v.snap.Over() && !v.snap.Frozen && v.snap.Position.Turn() == v.seat
}

// showPosition gives the board what it is to show.
func (v *matchView) showPosition() {
	v.checkHint()
	if v.trial != nil {
		s := v.trial.state()
		s.Hint = v.hinted.rest(s.Draft)
		v.board.Show(s)
		return
	}
	s := board.State{Position: v.snap.Position, Seat: v.seat, Live: v.mine() && !v.back && !v.busy}
	n := len(v.record.entries)
	if v.back {
		n = v.ply
		s.Position = v.record.positions()[n]
	}
	if n > 0 {
		s.Last = v.record.entries[n-1].Actions
		if _, replays := v.board.(board.Replayer); replays && len(v.record.positions()) >= n {
			s.Before = v.record.positions()[n-1]
		}
	}
	if v.mine() && !v.back {
		s.Draft = v.draft()
	}
	s.Hint = v.hinted.rest(s.Draft)
	v.board.Show(s)
}

// draft returns the turn that the seat has begun, as far as it is still legal.
func (v *matchView) draft() []string {
	d := v.player.Draft()
	_, kept, cut := d.On(v.snap, v.seat)
	if cut && d.Version != v.snap.Version {
		v.app.tell("The game has moved on: the rest of your draft is no longer possible and was dropped.")
		if err := v.player.SetDraft(v.snap.Version, kept); err != nil {
			v.app.complain("%v", err)
		}
	}
	return kept
}

// submit sends a turn to the match.
func (v *matchView) submit(turn []string) tea.Cmd {
	v.busy = true
	v.showPosition()
	version := v.snap.Version
	var failed error
	return v.app.call(func(ctx context.Context) error {
		_, failed = v.player.Act(ctx, version, turn)
		return nil
	}, func() tea.Cmd {
		v.busy = false
		if failed != nil {
			_, text := lobby.Explain(failed)
			v.app.complain("%s", text)
		}
		cmd := v.refresh()
		v.showPosition()
		return cmd
	})
}

// act makes a call of the player's and shows its error.
func (v *matchView) act(f func(ctx context.Context) error) tea.Cmd {
	return v.app.call(f, v.refresh)
}

// due returns when a clock, an absence or an offer will look different.
func (v *matchView) due(now time.Time) time.Time {
	var next time.Time
	soonest := func(t time.Time) {
		if t.After(now) && (next.IsZero() || t.Before(next)) {
			next = t
		}
	}
	for _, at := range v.offers {
		soonest(at.Add(offerRest))
	}
	if !v.stepAt.IsZero() {
		soonest(v.stepAt)
	}
	if v.playing() {
		soonest(v.playAt)
	}
	if v.snap.Over() {
		if v.app.follow.any() {
			soonest(v.snap.LastAt.Add(resultShown))
		}
		return next
	}
	if v.snap.Running >= 0 {
		if left, ok := v.snap.Left(v.snap.Running, now); ok && left > 0 {
			soonest(now.Add(words.ClockChange(left)))
		}
	}
	for _, a := range v.snap.Away {
		if !a.Since.IsZero() {
			soonest(now.Add(time.Second - now.Sub(a.Since)%time.Second))
		}
	}
	return next
}
