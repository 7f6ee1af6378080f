package lobby

import (
	"context"
	"encoding/json"
	"net/netip"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"ayumu/lobby/cluster/rows"
	"ayumu/lobby/errcode"
	"ayumu/lobby/match"
)

// Limits in time and number for one match.
const (
	MaxChat           = 200              // characters of a chat line
	storeTimeout      = 10 * time.Second // for one call of the store
	finishedMatchTTL  = 10 * time.Minute // how long a finished match stays in memory, for chat and a rematch, unless it is superseded
	maxQueuedCommands = 64               // capacity of Match.queue
)

// Match is a match that is running or has just finished. Package match decides what happens in it; its
// goroutine passes the inputs to that package and does what follows (runner.run). All fields may be used from any
// goroutine.
type Match struct {
	Info          *match.Info
	PlayerChat    Chat // the players' room
	SpectatorChat Chat // the spectators' room

	l              *Lobby
	origin         netip.Prefix // the origin whose limit it counts for; invalid: none
	resumed        bool         // it was restored from the store at the start
	seats          []*user      // by seat
	queue          chan *command
	checks         chan struct{}                  // signalled by checkSoon
	done           chan struct{}                  // closed when run returns
	evicted        chan struct{}                  // closed by evict: abort and forget the match
	followSignal   chan struct{}                  // signalled by followLog and followAgreements
	alarm          *Alarm                         // calls checkSoon when something may be due
	evicting       bool                           // evicted is closed; guarded by Lobby.mu
	playerSnapshot atomic.Pointer[match.Snapshot] // the state that the players see
	publicSnapshot atomic.Pointer[match.Snapshot] // the state that everybody else sees: the same, or Info.Delay turns late

	mu           sync.Mutex                  // guards the fields below, to followRow
	spectators   map[*Session]struct{}       // sessions that watch the match and have no seat in it
	drafts       []seatDraft                 // by seat
	elsewhere    uint8                       // a bit for each seat whose player looks at something else on this node
	elsewhereOn  map[string]uint8            // by node: the same there
	spectatorsOn map[string]int              // by node: the number of sessions there that watch the match
	logChanged   bool                        // by another node
	agreements   rows.State[json.RawMessage] // the newest of another node that have not been taken over; without a value: none

	spectatorCount atomic.Int64 // of spectators on all nodes; each of them reads it for every frame
}

// newMatch restores a match from its log. It takes ownership of log. The caller starts the runner's goroutine.
func newMatch(l *Lobby, info *match.Info, seats []*user, log []match.Entry) (*runner, error) {
	state, err := match.New(info, log)
	if err != nil {
		return nil, err
	}
	info.Code = "" // from now on only the state has it, until the end
	m := &Match{
		Info: info, l: l, seats: seats,
		queue: make(chan *command, maxQueuedCommands), checks: make(chan struct{}, 1), done: make(chan struct{}), evicted: make(chan struct{}),
		followSignal: make(chan struct{}, 1),
		spectators:   make(map[*Session]struct{}), drafts: make([]seatDraft, len(seats)),
	}
	m.alarm = NewAlarm(m.checkSoon)
	r := &runner{Match: m, state: state, presence: make([]match.Presence, len(seats)), lookedAway: make([]time.Time, len(seats))}
	if state.IsOver() {
		r.finishedAt = time.Now()
	}
	r.setSnapshot(state.Snapshot(r.now()))
	return r, nil
}

// hasDeletedAccount reports whether the account of a seat was deleted, which is possible after the end only.
func (m *Match) hasDeletedAccount() bool {
	return slices.ContainsFunc(m.seats, func(u *user) bool { return u.deleted.Load() })
}

// Snapshot returns the newest state for users without a seat: Info.Delay turns late while the match runs.
// Players use Player.Snapshot.
func (m *Match) Snapshot() *match.Snapshot { return m.publicSnapshot.Load() }

// setSnapshot makes s the newest snapshot and derives the delayed one from it, and passes that of a correspondence game to
// onCorrespondence. Only the runner calls it, or newMatch.
func (m *Match) setSnapshot(s *match.Snapshot) {
	late, ahead := s, m.l.node.Ahead()
	if m.Info.Delay > 0 && !s.IsOver() {
		var err error
		if late, err = s.Delayed(m.Info.Delay); err != nil {
			m.l.report("no delayed view", "match", m.Info.ID, "err", err)
			late = m.publicSnapshot.Load()
		} else {
			late.Shift(-ahead)
		}
	}
	s.Shift(-ahead)
	m.playerSnapshot.Store(s)
	m.publicSnapshot.Store(late)
	if m.Info.Control.IsCorrespondence() && m.l.onCorrespondence != nil {
		m.l.onCorrespondence(s)
	}
}

// publish sets a new snapshot, wakes everybody who sees the match and marks the lists as changed. It
// never blocks.
func (m *Match) publish(s *match.Snapshot) {
	m.setSnapshot(s)
	m.wakeAll()
	m.l.lists.matchChanged()
	if s.IsOver() && m.Info.IsOfTournament() {
		m.l.Tournaments.check(m.Info.Tournament.ID)
	}
}

// wakeAll wakes the sessions of the players and the spectators. It may be called from any goroutine.
func (m *Match) wakeAll() {
	m.mu.Lock()
	defer m.mu.Unlock()
	for s := range m.spectators {
		s.wake()
	}
	for _, u := range m.seats {
		u.wake()
	}
}

// checkSoon has the match checked: its time, who is present, vacations, and whether it can be forgotten. It never blocks.
func (m *Match) checkSoon() { signal(m.checks) }

// IsForgotten reports whether the match is no longer in memory. Its last snapshot stays valid.
func (m *Match) IsForgotten() bool {
	select {
	case <-m.done:
		return true
	default:
		return false
	}
}

// answerTimeout is the time after which a player gets an answer, also if the store has given none.
const answerTimeout = 5 * time.Second

// command is a player's command in the queue of a match.
type command struct {
	match.Command
	answer chan answer
	// taken is set by whoever is first: the match's goroutine, which executes the command, or its player, who does not
	// wait any longer, so that it is not executed.
	taken atomic.Bool
}

// answer is the outcome of a command.
type answer struct {
	made int // the version that a turn has made
	err  error
}

// The errors of commands to which the match has given no answer within answerTimeout.
var (
	errNotBegun   = errcode.Errorf(errcode.Unavailable, "the server cannot record anything now; nothing has changed, so try again in a moment")
	errNoOutcome  = errcode.Errorf(errcode.Unavailable, "the server has not recorded that yet, but keeps trying; check the position before you try again")
	errConnection = errcode.Errorf(errcode.Unavailable, "the game did not answer in time; check the position before you try again")
)

// do executes a command on the match's goroutine and returns its outcome. The command's time is that at
// which do was called, so that waiting in the queue costs a player no time. If ctx ends after the command
// was queued, it may still be executed; after answerTimeout only if that has begun, and the outcome is published as
// that of any command.
func (m *Match) do(ctx context.Context, c match.Command) (made int, err error) {
	c.At = m.l.node.Now()
	queued := &command{Command: c, answer: make(chan answer, 1)}
	timeout := time.NewTimer(answerTimeout)
	defer timeout.Stop()
	select {
	case m.queue <- queued:
	case <-m.done:
		return 0, errForgotten
	case <-timeout.C:
		return 0, errNotBegun
	case <-ctx.Done():
		return 0, errcode.Errorf(errcode.Unavailable, "the connection ended before the game answered")
	}
	select {
	case a := <-queued.answer:
		return a.made, a.err
	case <-m.done:
		a := m.answerAfterEnd(queued)
		return a.made, a.err
	case <-timeout.C:
		if queued.taken.CompareAndSwap(false, true) {
			return 0, errNotBegun
		}
		return 0, errNoOutcome
	case <-ctx.Done():
		return 0, errConnection
	}
}

// answerAfterEnd returns the outcome of a command after the match's goroutine has ended: its own if it was
// executed, and otherwise the reason why it was not.
func (m *Match) answerAfterEnd(c *command) answer {
	select {
	case a := <-c.answer:
		return a
	default:
	}
	if m.l.ctx.Err() != nil {
		return answer{err: errcode.Errorf(errcode.Unavailable, "the server is restarting; the game continues afterwards")}
	}
	return answer{err: errForgotten}
}

var errForgotten = errcode.Errorf(errcode.UnknownMatch, "that game has ended and is no longer in memory")
