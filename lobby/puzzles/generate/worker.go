package generate

import (
	"context"
	"errors"
	"fmt"
	"time"

	"ayumu/engine"
	"ayumu/engine/puzzle"
	"ayumu/engine/search"
	"ayumu/lobby"
	"ayumu/lobby/cluster/rows"
	"ayumu/lobby/errcode"
	"ayumu/lobby/match"
	"ayumu/lobby/puzzles"
	"ayumu/lobby/record"
)

// Limits of a Worker.
const (
	// MaxMatches is the number of newest finished matches among which a Worker looks for the next one. Older ones are not
	// searched any more.
	MaxMatches = 100
	// MaxAdded is the maximum number of puzzles that the server finds in all.
	MaxAdded = 5000

	wait       = time.Minute     // between two looks whether there is something to do
	maxReload  = time.Hour       // between two readings of the puzzles that other nodes have found
	leaseLimit = 10 * wait       // for which a node has the lease without a renewal
	maxGame    = 5 * time.Minute // of searching in one match without pauses; one that takes longer is left out
)

// Store is what a Worker uses of a store.
type Store interface {
	puzzles.Store
	lobby.ArchiveStore
	Match(ctx context.Context, match string) (*match.Info, []match.Entry, error)
	Shared() rows.Store
}

// Worker searches the public rated matches of the server for puzzles, during some hours of the day and while the machine
// is idle. One node of a cluster does at a time. Run runs it; the fields must not change then.
type Worker struct {
	Store   Store
	Node    string // name of the node, for the lease
	Games   engine.Games
	Themes  puzzle.Themes
	Engines search.Engines
	Hours   Hours
	// IsIdle reports whether the processors have nothing to do but own, the load that the Worker itself causes: 1 while
	// it searches.
	IsIdle func(own float64) bool
	// Shipped reports whether a puzzle ships with the program.
	Shipped func(id string) bool
	// OnChange is called with all puzzles that were found, at the start and when there are others.
	OnChange func([]puzzle.Puzzle)
	// OnFound is called with the number of new puzzles that a match has added.
	OnFound func(match string, puzzles int)
	// ReportError reports a match that cannot be searched. The Store reports its own failures.
	ReportError func(match string, err error)

	added      int
	reloadAt   time.Time
	searchedAt time.Time // the end of the last search
}

// Hours is a part of the day in UTC, from a time of the day to another, which can be on the next day. The zero value is
// no time.
type Hours struct{ From, To time.Duration }

// ParseHours reads "HH:MM-HH:MM". The empty text is the zero value.
func ParseHours(text string) (h Hours, err error) {
	if text == "" {
		return Hours{}, nil
	}
	var fromHour, fromMinute, toHour, toMinute int
	n, err := fmt.Sscanf(text, "%d:%d-%d:%d", &fromHour, &fromMinute, &toHour, &toMinute)
	h = Hours{timeOfDay(fromHour, fromMinute), timeOfDay(toHour, toMinute)}
	if err != nil || n != 4 || h.String() != text || h.From == h.To {
		return Hours{}, errors.New("write it as 02:00-06:00, in UTC")
	}
	return h, nil
}

func timeOfDay(hour, minute int) time.Duration {
	if hour < 0 || hour > 23 || minute < 0 || minute > 59 {
		return -1
	}
	return time.Duration(hour)*time.Hour + time.Duration(minute)*time.Minute
}

// String returns the hours as ParseHours reads them.
func (h Hours) String() string {
	if h == (Hours{}) {
		return ""
	}
	clock := func(d time.Duration) string { return fmt.Sprintf("%02d:%02d", d/time.Hour, d%time.Hour/time.Minute) }
	return clock(h.From) + "-" + clock(h.To)
}

// Contain reports whether a time is within the hours.
func (h Hours) Contain(at time.Time) bool {
	at = at.UTC()
	d := timeOfDay(at.Hour(), at.Minute())
	if h.From <= h.To {
		return h.From <= d && d < h.To
	}
	return d >= h.From || d < h.To
}

// state is the row that nodes share: who searches, and up to which match.
type state struct {
	Node  string    `json:"node"`
	Until time.Time `json:"until"` // the end of the lease
	Ended time.Time `json:"ended"` // when the last match that was searched ended
	Match string    `json:"match"` // its id
}

// stateRow is the id of that row.
const stateRow = "state"

// Run reads the puzzles that were found before, and searches until ctx ends.
func (w *Worker) Run(ctx context.Context) {
	for {
		_ = w.step(ctx, time.Now()) // the store has reported it
		t := time.NewTimer(wait)
		select {
		case <-ctx.Done():
			t.Stop()
			return
		case <-t.C:
		}
	}
}

// step reads the puzzles of all nodes if that is due, and searches matches while it is time for it. It returns an error of
// the store, or that of ctx.
func (w *Worker) step(ctx context.Context, now time.Time) error {
	if !now.Before(w.reloadAt) {
		if err := w.reload(ctx); err != nil {
			return err
		}
		w.reloadAt = now.Add(maxReload)
	}
	for w.Hours.Contain(time.Now()) && w.isIdle() && w.added < MaxAdded && ctx.Err() == nil {
		if more, err := w.searchNext(ctx); err != nil || !more {
			return err
		}
	}
	return nil
}

// isIdle is IsIdle between two searches: the load is the mean of a minute.
func (w *Worker) isIdle() bool {
	if time.Since(w.searchedAt) < wait {
		return w.IsIdle(1)
	}
	return w.IsIdle(0)
}

// reload reads all puzzles that were found.
func (w *Worker) reload(ctx context.Context) error {
	all, err := w.Store.AddedPuzzles(ctx)
	if err != nil {
		return err
	}
	w.added = len(all)
	w.OnChange(all)
	return nil
}

// searchNext searches the next match, if this node gets the lease. more reports whether there may be another one.
func (w *Worker) searchNext(ctx context.Context) (more bool, err error) {
	s, ok, err := w.lease(ctx)
	if err != nil || !ok {
		return false, err
	}
	next, err := w.next(ctx, *s.Value)
	if err != nil || next == nil {
		return false, err
	}
	found, err := w.searchMatch(ctx, next.Info.ID)
	w.searchedAt = time.Now()
	if err != nil && !errors.Is(err, errcode.ErrCorrupt) && !errors.Is(err, errcode.ErrNotFound) {
		return false, err
	}
	if len(found) > 0 {
		n, err := w.Store.AddPuzzles(ctx, found, time.Now())
		if err != nil {
			return false, err
		}
		if n > 0 {
			w.OnFound(next.Info.ID, n)
			if err := w.reload(ctx); err != nil {
				return false, err
			}
		}
	}
	searched := *s.Value
	searched.Ended, searched.Match = next.Ended, next.Info.ID
	_, _, err = w.replace(ctx, searched, s.Version) // unless another node has the lease, after a search of more than leaseLimit
	return true, err
}

// lease takes or renews the lease. ok is false if another node has it.
func (w *Worker) lease(ctx context.Context) (s rows.State[state], ok bool, err error) {
	known, err := w.states().Read(ctx, stateRow)
	if err != nil {
		return s, false, err
	}
	s = known[stateRow]
	next, now := state{}, time.Now()
	if s.Value != nil { // otherwise there is none, or one of another version of the program
		next = *s.Value
	}
	if next.Node != w.Node && now.Before(next.Until) {
		return s, false, nil
	}
	next.Node, next.Until = w.Node, now.Add(leaseLimit)
	return w.replace(ctx, next, s.Version)
}

// replace replaces a version of the state. ok is false if another node has done so.
func (w *Worker) replace(ctx context.Context, next state, replaces int64) (s rows.State[state], ok bool, err error) {
	all, err := w.states().Write(ctx, rows.Change[state]{ID: stateRow, Replaces: replaces, Value: &next})
	switch {
	case errors.Is(err, rows.ErrConflict):
		return all[0], false, nil
	case err != nil:
		return s, false, err
	}
	return all[0], true, nil
}

// states returns the rows of the kind of which the state is one.
func (w *Worker) states() *rows.Shared[state] {
	return &rows.Shared[state]{Name: "puzzles", Store: w.Store.Shared(), IsDurable: func(*state) bool { return true }}
}

// next returns the oldest public rated match after the last one that was searched, among the MaxMatches newest; nil: there
// is none.
func (w *Worker) next(ctx context.Context, s state) (*lobby.FinishedMatch, error) {
	newest, err := w.Store.FinishedMatches(ctx, lobby.MatchQuery{Limit: MaxMatches})
	if err != nil {
		return nil, err
	}
	var oldest *lobby.FinishedMatch
	for i := range newest {
		m := &newest[i]
		if m.Ended.Before(s.Ended) || m.Info.ID == s.Match {
			break
		}
		if m.Info.Rated && m.RatingsAfter != nil && !m.Info.Private {
			oldest = m
		}
	}
	return oldest, nil
}

// errTooLong ends the search of a match after maxGame.
var errTooLong = errors.New("the match takes too long")

// searchMatch searches a match, and returns the puzzles that Theme.Verify accepts. A match that cannot be replayed has none.
// The error is that of the store or of ctx.
func (w *Worker) searchMatch(ctx context.Context, match string) (found []puzzle.Puzzle, err error) {
	info, log, err := w.Store.Match(ctx, match)
	if err != nil {
		return nil, err
	}
	game := info.Options.Game()
	e := w.Engines[game.Name()]
	if e == nil || len(w.Themes[game.Name()]) == 0 {
		return nil, nil
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	began := time.Now()
	all, err := Search(ctx, Positions(record.FromLog("", info, log)), w.Games, w.Themes[game.Name()], e, func(ctx context.Context) {
		began = began.Add(w.pause(ctx))
		if time.Since(began) > maxGame {
			cancel(errTooLong)
		}
	})
	switch {
	case context.Cause(ctx) == errTooLong:
		return nil, nil
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case err != nil:
		w.ReportError(match, err)
		return nil, nil
	}
	for _, z := range all {
		start, err := z.Start(w.Games)
		if err != nil || w.Shipped(z.ID) {
			continue
		}
		if theme, ok := w.Themes.Of(&z); ok && theme.Verify(&z, start) == nil {
			found = append(found, z)
		}
	}
	return found, nil
}

// pause waits until the machine is idle, and returns how long.
func (w *Worker) pause(ctx context.Context) time.Duration {
	began := time.Now()
	for !w.IsIdle(1) && ctx.Err() == nil {
		t := time.NewTimer(10 * time.Second)
		select {
		case <-ctx.Done():
		case <-t.C:
		}
		t.Stop()
	}
	return time.Since(began)
}
