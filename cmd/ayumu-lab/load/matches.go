package load

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"
)

// MatchFigures are the costs of many matches at once.
type MatchFigures struct {
	Matches    int
	Spectators int           // of each match, at least
	SecondCPU  time.Duration // server CPU for a second without turns, of all matches
	TurnCPU    time.Duration // server CPU for a turn on all of its screens, without what the clocks take
	LockWait   time.Duration // waits for mutexes for a turn
	Turns      Times         // from a turn to the screens of its match
}

// print writes the figures, if there are any.
func (f MatchFigures) print(w io.Writer) error {
	if f.Matches == 0 {
		return nil
	}
	_, err := fmt.Fprintf(w, "\n%d matches, each with 2 players and %d spectators on screens\n"+
		"server CPU for a second without turns, of all: %s\nserver CPU for a turn: %s; waits for locks: %s\n"+
		"turn to its screens: %s / %s / %s\n",
		f.Matches, f.Spectators, durationText(f.SecondCPU), durationText(f.TurnCPU), durationText(f.LockWait),
		durationText(f.Turns.At(0.5)), durationText(f.Turns.At(0.99)), durationText(f.Turns.At(1)))
	return err
}

// startText is in every frame of a match, for spectators and for players, who see a legend in place of the turns in
// their first games.
const startText = "casual"

// idleSeconds is how long the clocks of many matches run without a turn.
const idleSeconds = 5

// measureMatches measures r.Matches matches at once. Each player has a screen at the seat beside the API; the other
// sessions watch the matches by turns.
func (r *run) measureMatches(ctx context.Context) error {
	if r.Matches == 0 || r.bare {
		return nil
	}
	r.logf("%d matches with %d screens", r.Matches, r.Sessions)
	games := make([]*game, r.Matches)
	defer func() {
		for _, g := range games {
			if g != nil {
				g.close()
			}
		}
	}()
	err := forEach(ctx, r.Matches, r.AtOnce, 0, func(ctx context.Context, n int) (err error) {
		if games[n], err = r.startGame(ctx, n); err != nil {
			return err
		}
		return errors.Join(games[n].turn(ctx), games[n].turn(ctx)) // there is little time for the first ones
	})
	if err != nil {
		return err
	}
	if err := r.schema.awaitNodes(ctx); err != nil {
		return err
	}
	screens := make([][]*screen, r.Matches)
	all, err := r.openMatches(ctx, games)
	if err != nil {
		return err
	}
	defer closeScreens(all)
	for i, s := range all {
		screens[i%r.Matches] = append(screens[i%r.Matches], s)
	}
	return r.playMatches(ctx, games, screens)
}

// openMatches opens all screens: screen i shows match i modulo the number of matches. The first two of each match are
// those of its players.
func (r *run) openMatches(ctx context.Context, games []*game) ([]*screen, error) {
	all := make([]*screen, r.Sessions)
	first := newObservation(r.Sessions)
	err := forEach(ctx, r.Sessions, r.AtOnce, r.Rate, func(ctx context.Context, i int) (err error) {
		n, client := i%r.Matches, i
		if i < 2*r.Matches {
			client = r.Sessions + 2*n + i/r.Matches
		}
		all[i], err = r.clients.open(ctx, client, games[n].command(), startText, first)
		return err
	})
	if err == nil {
		_, err = first.wait(ctx)
	}
	if err != nil {
		closeScreens(all)
		return nil, err
	}
	return all, nil
}

// playMatches lets the clocks run, and then plays r.Turns turns in each match, one after the other.
func (r *run) playMatches(ctx context.Context, games []*game, screens [][]*screen) error {
	if err := sleep(ctx, r.Settle); err != nil {
		return err
	}
	start, err := r.processes.cost(ctx)
	if err != nil {
		return err
	}
	if err := sleep(ctx, idleSeconds*time.Second); err != nil {
		return err
	}
	idle, err := r.processes.cost(ctx)
	if err != nil {
		return err
	}
	f := &r.ManyMatches
	f.Matches, f.Spectators = len(games), r.Sessions/len(games)-2
	f.SecondCPU = (idle.cpu - start.cpu) / idleSeconds
	defer r.profile(ctx, "matches.cpu")()
	began, turns := time.Now(), 0
	for range r.Turns {
		for n, g := range games {
			if g.over() {
				continue
			}
			shown := newObservation(len(screens[n]))
			for _, s := range screens[n] {
				s.expect(shown)
			}
			shown.startedAt = time.Now()
			if err := g.turn(ctx); err != nil {
				return err
			}
			took, err := shown.wait(ctx)
			if err != nil {
				return err
			}
			f.Turns, turns = append(f.Turns, took...), turns+1
		}
	}
	end, err := r.processes.cost(ctx)
	if err != nil {
		return err
	}
	if turns == 0 {
		return errors.New("all matches were over")
	}
	clocks := time.Duration(float64(f.SecondCPU) * time.Since(began).Seconds())
	f.TurnCPU = (end.cpu - idle.cpu - clocks) / time.Duration(turns)
	f.LockWait = (end.lockWait - idle.lockWait) / time.Duration(turns)
	return nil
}
