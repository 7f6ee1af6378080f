package bots

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"ayumu/engine"
	"ayumu/engine/analysis"
	"ayumu/engine/search"
	"ayumu/lobby"
	"ayumu/lobby/account"
	"ayumu/lobby/errcode"
	"ayumu/lobby/guard"
	"ayumu/lobby/limit"
	"ayumu/lobby/match"
)

// Limits of analyses.
const (
	// An analysis takes analysisTime if no turns are due, but each position maxEvaluation at most, and
	// minEvaluation at least. The positions about the turns that cost most are then evaluated for confirmation.
	analysisTime     = 15 * time.Second
	minEvaluation    = 60 * time.Millisecond
	maxEvaluation    = 250 * time.Millisecond
	confirmation     = 400 * time.Millisecond
	confirmedOfASeat = analysis.Costliest + 1

	keptAnalyses     = 64 // finished ones; one takes about 50 KB
	waitingAnalyses  = 32 // those that are being computed or wait, of all users
	analysesOfOrigin = 4  // likewise, of one origin

	// wakesPerAnalysis is how often those who wait for an analysis are woken.
	wakesPerAnalysis = 20
)

// Errors of Analyze.
var (
	// ErrAnalysesBusy means that too many analyses have been requested at once.
	ErrAnalysesBusy = &errcode.Error{Code: errcode.RateLimited, Message: "too many games are being analyzed; try again in a minute"}
	// ErrAnalyzing means that another analysis is already being computed for the account, or several for the origin.
	ErrAnalyzing = &errcode.Error{Code: errcode.RateLimited, Message: "another game is already being analyzed for you or your address; wait until it is done, or leave it"}
)

// Analysis is the analysis of a finished match, or the part of one that has been computed. It must not be changed.
type Analysis struct {
	Turns []analysis.Turn // the turns and leaves of the match, without those that were taken back
	// Evaluations are those of the first positions: at the start and after each turn.
	Evaluations []analysis.Evaluation
	// All is the number of evaluations to compute, and Done that of those computed. IsComplete reports that no more follow.
	Done, All  int
	IsComplete bool
	Err        error // why the rest is not computed; nil: it is, or will be
}

// AnalysisRequest is a session's request for the analysis of a match. Analyze makes one. Its methods may be called from
// any goroutine.
type AnalysisRequest struct {
	run     *analysisRun // nil: result has it
	result  *Analysis
	session *lobby.Session
	payer   limit.Payer
	account account.ID
	stop    func() bool // forgets the context; nil if run is
}

// Newest returns what has been computed so far.
func (r *AnalysisRequest) Newest() *Analysis {
	if r.result != nil {
		return r.result
	}
	r.run.owner.mu.Lock()
	defer r.run.owner.mu.Unlock()
	return r.run.newest
}

// Cancel ends the request. The computation ends with the last request for it. It may be called more than once.
func (r *AnalysisRequest) Cancel() {
	if r.run == nil {
		return
	}
	a := r.run.owner
	a.mu.Lock()
	defer a.mu.Unlock()
	r.run.requests = slices.DeleteFunc(r.run.requests, func(o *AnalysisRequest) bool { return o == r })
	if r.stop(); len(r.run.requests) == 0 && a.running[r.run.match] == r.run {
		r.run.cancel()
		delete(a.running, r.run.match)
	}
}

// analyses computes analyses on the workers, a few at a time, and keeps the newest ones. Its mutex is a leaf, but for
// waking sessions.
type analyses struct {
	bots  *Bots
	jobs  chan func(context.Context) // evaluations; turns and hints come first
	slots chan struct{}              // one for each analysis that may be computed now

	mu       sync.Mutex
	running  map[string]*analysisRun // by the match, also those that wait for a slot
	finished []finishedAnalysis      // the one that was used last is the last
}

type finishedAnalysis struct {
	match    string
	analysis *Analysis
}

// analysisRun is an analysis that is being computed. The mutex of analyses guards its fields that change.
type analysisRun struct {
	owner    *analyses
	match    string
	snapshot *match.Snapshot
	cancel   context.CancelFunc
	requests []*AnalysisRequest
	newest   *Analysis
}

func (a *analyses) init(b *Bots) {
	a.bots, a.jobs, a.slots = b, make(chan func(context.Context)), make(chan struct{}, b.cfg.Workers)
	a.running = make(map[string]*analysisRun)
}

// Analyze requests the analysis of a finished match for a session, which is woken when there is more of it. The request
// ends with ctx at the latest. Two requests for the same match share one computation, which the first of them that has
// not ended pays. The error is an *errcode.Error: the match is not over, or a limit is exceeded.
func (b *Bots) Analyze(ctx context.Context, s *lobby.Session, m *match.Snapshot) (*AnalysisRequest, error) {
	if !m.IsOver() {
		return nil, &errcode.Error{Code: errcode.NotAllowed, Message: "the game is still running; it can be analyzed when it is over"}
	}
	a, id := &b.analyses, m.Info.ID
	r := &AnalysisRequest{session: s, payer: s.Payer(), account: s.Account().ID}
	a.mu.Lock()
	defer a.mu.Unlock()
	if r.result = a.find(id); r.result != nil {
		return r, nil
	}
	run := a.running[id]
	if run == nil {
		if err := a.check(r); err != nil {
			return nil, err
		}
		run = a.start(m)
	}
	r.run = run
	run.requests = append(run.requests, r)
	r.stop = context.AfterFunc(ctx, func() {
		defer guard.Recover(b.reportPanic)
		r.Cancel()
	})
	return r, nil
}

// find returns the kept analysis of a match; nil if there is none. The caller holds a.mu.
func (a *analyses) find(match string) *Analysis {
	i := slices.IndexFunc(a.finished, func(f finishedAnalysis) bool { return f.match == match })
	if i < 0 {
		return nil
	}
	f := a.finished[i]
	a.finished = append(slices.Delete(a.finished, i, i+1), f)
	return f.analysis
}

// check returns an error if a limit forbids a new analysis for a request. The caller holds a.mu.
func (a *analyses) check(r *AnalysisRequest) error {
	fromOrigin, err := 0, error(nil)
	if len(a.running) >= waitingAnalyses {
		err = ErrAnalysesBusy
	}
	for _, run := range a.running {
		for _, o := range run.requests {
			if o.account == r.account {
				err = ErrAnalyzing
			}
			if r.payer.Origin.IsValid() && o.payer.Origin == r.payer.Origin {
				fromOrigin++
			}
		}
	}
	if fromOrigin >= analysesOfOrigin {
		err = ErrAnalyzing
	}
	if err != nil {
		r.session.Lobby().LimitHits.Add(limit.HitHints)
	}
	return err
}

// start begins to compute an analysis. The caller holds a.mu.
func (a *analyses) start(m *match.Snapshot) *analysisRun {
	ctx, cancel := context.WithCancel(a.bots.ctx)
	run := &analysisRun{owner: a, match: m.Info.ID, snapshot: m, cancel: cancel, newest: new(Analysis)}
	for _, e := range m.TurnEntries() {
		run.newest.Turns = append(run.newest.Turns, analysis.Turn{Seat: e.Seat, Actions: e.Actions})
	}
	run.newest.All = len(run.newest.Turns) + 1
	a.running[run.match] = run
	a.bots.wg.Go(func() {
		defer guard.Recover(func(err error) {
			a.bots.reportPanic(err)
			run.publish(func(n *Analysis) { n.Err = err })
		})
		defer cancel()
		if err := run.compute(ctx); err != nil && !errors.Is(err, context.Canceled) {
			a.bots.report("analysis failed", "match", run.match, "err", err)
			run.publish(func(n *Analysis) { n.Err = err })
		}
	})
	return run
}

// publish replaces the newest state by a changed copy, and wakes those who wait for it, unless nothing visible changed
// since the last time. A complete or failed analysis leaves the running ones, and a complete one is kept.
func (run *analysisRun) publish(change func(*Analysis)) {
	a := run.owner
	a.mu.Lock()
	defer a.mu.Unlock()
	before, next := run.newest, *run.newest
	change(&next)
	run.newest = &next
	isWanted := a.running[run.match] == run
	if isWanted && (next.IsComplete || next.Err != nil) {
		delete(a.running, run.match)
	}
	if isWanted && next.IsComplete {
		if len(a.finished) == keptAnalyses {
			a.finished = slices.Delete(a.finished, 0, 1)
		}
		a.finished = append(a.finished, finishedAnalysis{run.match, &next})
	}
	step := func(n *Analysis) int { return n.Done * wakesPerAnalysis / max(n.All, 1) }
	if next.IsComplete || next.Err != nil || step(before) != step(&next) {
		for _, r := range run.requests {
			r.session.WakeSelf()
		}
	}
}

// payer returns who pays for the computation now; false if nobody wants it any more.
func (run *analysisRun) payer() (limit.Payer, bool) {
	run.owner.mu.Lock()
	defer run.owner.mu.Unlock()
	if len(run.requests) == 0 {
		return limit.Payer{}, false
	}
	return run.requests[0].payer, true
}

// compute evaluates all positions, and then again those about the turns that cost most.
func (run *analysisRun) compute(ctx context.Context) error {
	select {
	case run.owner.slots <- struct{}{}:
		defer func() { <-run.owner.slots }()
	case <-ctx.Done():
		return ctx.Err()
	}
	positions, err := run.snapshot.Positions()
	if err != nil {
		return err
	}
	searcher := run.owner.bots.cfg.Engines.NewSearcher(run.snapshot.Info.Options.Game())
	evaluator := func(budget time.Duration) analysis.Evaluator {
		return func(ctx context.Context, p engine.Position) (analysis.Evaluation, error) {
			return run.evaluate(ctx, searcher, p, budget)
		}
	}
	turns := run.newest.Turns
	each := min(max(analysisTime/time.Duration(len(positions)), minEvaluation), maxEvaluation)
	err = analysis.Run(ctx, positions[0], turns, evaluator(each), func(n int, e analysis.Evaluation) error {
		run.publish(func(next *Analysis) {
			next.Evaluations = append(next.Evaluations, e) // readers of an older state do not see it
			next.Done++
		})
		return nil
	})
	if err != nil {
		return err
	}
	doubtful := doubtfulPositions(turns, run.newest.Evaluations, positions[0].Seats())
	run.publish(func(next *Analysis) { next.All += len(doubtful) })
	all := slices.Clone(run.newest.Evaluations)
	for _, n := range doubtful {
		if all[n], err = evaluator(confirmation)(ctx, positions[n]); err != nil {
			return err
		}
		run.publish(func(next *Analysis) { next.Done++ })
	}
	run.publish(func(next *Analysis) { next.Evaluations, next.IsComplete = all, true })
	return nil
}

// doubtfulPositions returns the positions before and after the turns of each seat that seem to cost most, by the number
// of turns before them, in order.
func doubtfulPositions(turns []analysis.Turn, all []analysis.Evaluation, seats int) (found []int) {
	for seat := range seats {
		for _, m := range analysis.Mistakes(turns, all, seat, confirmedOfASeat) {
			found = append(found, m.Turn, m.Turn+1)
		}
	}
	slices.Sort(found)
	return slices.Compact(found)
}

// evaluate evaluates a position on a worker, when there is thinking time for it.
func (run *analysisRun) evaluate(ctx context.Context, s search.Searcher, p engine.Position, budget time.Duration) (analysis.Evaluation, error) {
	payer, wanted := run.payer()
	if !wanted {
		return analysis.Evaluation{}, context.Canceled
	}
	return run.owner.evaluate(ctx, payer, s, p, budget)
}

// evaluate evaluates a position on a worker, when payer has thinking time for it.
func (a *analyses) evaluate(ctx context.Context, payer limit.Payer, s search.Searcher, p engine.Position, budget time.Duration) (analysis.Evaluation, error) {
	if e, over := analysis.EndEvaluation(p); over {
		return e, nil
	}
	b := a.bots
	select {
	case <-time.After(b.thinkingTime.Wait(payer, time.Now(), minThinkingTime)):
	case <-ctx.Done():
		return analysis.Evaluation{}, ctx.Err()
	}
	job, results := b.searchJob(ctx, payer, budget, func() {}, func(ctx context.Context, budget time.Duration) (search.Advice, error) {
		return s.Search(ctx, p, search.Options{Level: search.MaxLevel, Time: budget, Seed: 1})
	})
	select {
	case a.jobs <- job:
	case <-ctx.Done():
		return analysis.Evaluation{}, ctx.Err()
	case <-b.ctx.Done():
		return analysis.Evaluation{}, context.Canceled
	}
	advice, err := await(ctx, results)
	if err == nil {
		err = ctx.Err()
	}
	if err != nil {
		return analysis.Evaluation{}, err
	}
	if len(advice.Choices) == 0 {
		return analysis.Evaluation{}, errors.New("the engine found no turn")
	}
	if len(advice.Chances) != p.Seats() {
		return analysis.Evaluation{}, fmt.Errorf("the engine has the chances of %d seats of %d", len(advice.Chances), p.Seats())
	}
	return analysis.NewEvaluation(advice), nil
}

// EvaluateTurn returns the evaluations of a position and of that after a turn, within about a second if there are few
// requests; turns of bots and hints come first. It returns when ctx ends. It may be called from any goroutine, by one of
// a session at a time.
func (b *Bots) EvaluateTurn(ctx context.Context, s *lobby.Session, p engine.Position, g engine.Game, turn []string) (before, after analysis.Evaluation, err error) {
	next, err := engine.PlayTurn(p, turn)
	if err != nil {
		return before, after, err
	}
	if err := s.Spend(limit.WorkHint); err != nil {
		return before, after, err
	}
	payer, searcher := s.Payer(), b.cfg.Engines.NewSearcher(g)
	if before, err = b.analyses.evaluate(ctx, payer, searcher, p, confirmation); err == nil {
		after, err = b.analyses.evaluate(ctx, payer, searcher, next, confirmation)
	}
	return before, after, err
}
