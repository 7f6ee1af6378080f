package notify

import (
	"context"
	"sync"
	"sync/atomic"
	"time"

	"ayumu/lobby"
	"ayumu/lobby/account"
	"ayumu/lobby/guard"
	"ayumu/lobby/limit"
	"ayumu/lobby/match"
)

// Intervals and limits of a Service.
const (
	sweepInterval = time.Minute     // between the derivations of everything
	tableInterval = 5 * time.Second // between reads of the open tables
	pruneInterval = time.Hour
	leaseTime     = time.Minute // longer than a message takes
	storeTimeout  = 10 * time.Second
	endedWindow   = 30 * 24 * time.Hour // how far back ended matches are looked for at the start
	endedOverlap  = 10 * time.Minute    // and later, beyond the last time
)

// Config configures a Service.
type Config struct {
	Store Store
	// Match returns a match and its log, as lobby.MatchStore does.
	Match func(ctx context.Context, id string) (*match.Info, []match.Entry, error)
	// MayReceive reports whether an account may use the server. Nil: every account may.
	MayReceive func(ctx context.Context, id account.ID) (bool, error)
	// Announcements returns those that have appeared, at least the newest ones. They are looked at once a minute. Nil: none.
	Announcements func() []Announcement
	// Reports returns the open reports of players, at least the oldest ones. They are looked at once a minute. Nil: none.
	Reports func(ctx context.Context) ([]Report, error)
	// ReadsReports reports whether an account may read reports now. Nil: none may.
	ReadsReports func(ctx context.Context, id account.ID) (bool, error)
	// Senders are the kinds of receivers that can be used; none: there are no notifications.
	Senders map[ReceiverKind]Sender
	// CodeLimits limit the mails with a code; nil: DefaultCodeLimits.
	CodeLimits *CodeLimits
	// Report reports internal errors to the operator, and that mails are refused to everybody. The Store reports its own.
	Report func(msg string, keyvals ...any)
}

// Service derives notifications, and sends them. New is the constructor; Run has to be called once. Its other methods
// may be called from any goroutine.
type Service struct {
	c      Config
	wakeup chan struct{} // holds one signal
	limits limits
	counts [2]kindCounts // of webhooks and mail
	// LimitHits counts the exceeded limits.
	LimitHits limit.Hits

	places *places
	sent   atomic.Bool // a place became free, or something was stored outside of Run
	wg     sync.WaitGroup

	mu        sync.Mutex                   // guards the fields below
	running   map[string]*match.Snapshot   // the running correspondence matches of this node
	changed   map[string]struct{}          // those that have changed since they were looked at
	ended     []*match.Snapshot            // those that have ended since then
	off       map[account.ID]struct{}      // whose receiver is off
	receivers bool                         // a receiver was stored or removed
	site      func() (name, target string) // nil before Run
	// codesReported is when the operator was told last that mails with a code are refused to everybody.
	codesReported time.Time

	tables func() *lobby.TableList // set by Run before it starts what reads it

	// ---- owned by Run ----
	active     map[account.ID]struct{} // accounts to which notifications are sent
	stored     map[string]bool         // ids that are known to be stored; cleared each hour, so that it stays small
	failed     []Notification          // that could not be stored
	tablesSeen uint64                  // the revision of the open tables
	derivesAll bool                    // also from tables that have not changed
	due        time.Time               // when something is to be sent; zero: perhaps now
	endedAt    time.Time               // since when ended matches have to be looked for in the store
	prunedAt   time.Time
}

// kindCounts are the counters of a kind of receivers.
type kindCounts struct{ sent, failed atomic.Uint64 }

// New returns a service.
func New(c Config) *Service {
	if c.Report == nil {
		c.Report = func(string, ...any) {}
	}
	codes := DefaultCodeLimits()
	if c.CodeLimits != nil {
		codes = *c.CodeLimits
	}
	return &Service{
		c: c, wakeup: make(chan struct{}, 1), limits: newLimits(codes), places: newPlaces(),
		running: make(map[string]*match.Snapshot), changed: make(map[string]struct{}), off: make(map[account.ID]struct{}),
		active: make(map[account.ID]struct{}), stored: make(map[string]bool),
	}
}

// MatchChanged stores the newest recorded snapshot of a correspondence match and wakes Run. It never blocks, and may be
// called with locks held; its mutex is a leaf. Without a service it does nothing.
func (s *Service) MatchChanged(m *match.Snapshot) {
	if s == nil {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	before := s.running[m.Info.ID]
	switch {
	case m.IsOver() && before != nil:
		delete(s.running, m.Info.ID)
		s.ended = append(s.ended, m)
	case m.IsOver():
		return // it was over when it came into memory
	default:
		s.running[m.Info.ID] = m
	}
	if before != nil && before.Version == m.Version {
		return
	}
	s.changed[m.Info.ID] = struct{}{}
	s.wake()
}

// wake has Run look at what has changed. It never blocks.
func (s *Service) wake() {
	select {
	case s.wakeup <- struct{}{}:
	default:
	}
}

// announce stores notifications of the announcements for all who want them.
func (s *Service) announce(ctx context.Context) {
	if s.c.Announcements == nil {
		return
	}
	for _, a := range s.c.Announcements() {
		n := a.notification()
		if s.stored[n.ID] || a.At.After(time.Now()) || n.isTooOld() {
			continue
		}
		if _, err := s.c.Store.Enqueue(ctx, []Notification{n}); err != nil {
			return // the store has reported it
		}
		s.stored[n.ID] = true
	}
}

// storeReports stores notifications of open reports for all who want them. Whether they may still read them is checked
// when they are sent.
func (s *Service) storeReports(ctx context.Context) {
	if s.c.Reports == nil {
		return
	}
	reports, err := s.c.Reports(ctx)
	if err != nil {
		return // the store has reported it
	}
	for _, r := range reports {
		n := r.notification()
		if s.stored[n.ID] || n.isTooOld() {
			continue
		}
		if _, err := s.c.Store.Enqueue(ctx, []Notification{n}); err != nil {
			return
		}
		s.stored[n.ID] = true
	}
}

// TournamentNotices stores notifications of notices of tournaments for all who want them, as lobby.Config.Notices asks for it.
// Without a service it does nothing.
func (s *Service) TournamentNotices(ctx context.Context, notices []lobby.TournamentNotice) error {
	if s == nil {
		return nil
	}
	active, _, err := s.c.Store.Receivers(ctx)
	if err != nil || len(active) == 0 {
		return err // which the store has reported
	}
	wanted := set(active)
	var all []Notification
	for i := range notices {
		n := tournamentNotification(&notices[i])
		if _, ok := wanted[n.Account]; ok && !n.isTooOld() {
			all = append(all, n)
		}
	}
	stored, err := s.c.Store.Enqueue(ctx, all)
	if stored > 0 {
		s.sent.Store(true)
		s.wake()
	}
	return err
}

// readsReports reports whether an account may read reports.
func (s *Service) readsReports(ctx context.Context, id account.ID) (bool, error) {
	if s.c.ReadsReports == nil {
		return false, nil
	}
	return s.c.ReadsReports(ctx, id)
}

// Run derives and sends notifications until ctx ends, and returns when nothing is being sent. tables returns the open
// tables; site the server's name and the arguments of ssh that connect to it.
func (s *Service) Run(ctx context.Context, tables func() *lobby.TableList, site func() (name, target string)) {
	s.tables = tables
	s.mu.Lock()
	s.site = site
	s.mu.Unlock()
	defer s.wg.Wait()
	timer := time.NewTimer(0)
	defer timer.Stop()
	var sweepAt time.Time
	s.endedAt = time.Now().Add(-endedWindow)
	for {
		select {
		case <-ctx.Done():
			return
		case <-timer.C:
		case <-s.wakeup:
		}
		next := sweepInterval
		if err := guard.Call(func() { next = s.step(ctx, &sweepAt) }); err != nil {
			s.c.Report("notifications failed", "err", err)
		}
		timer.Reset(next)
	}
}

// step does what is due, and returns the time until the next step.
func (s *Service) step(ctx context.Context, sweepAt *time.Time) time.Duration {
	ctx, cancel := context.WithTimeout(ctx, storeTimeout)
	defer cancel()
	s.mu.Lock()
	hasNew := s.receivers
	s.receivers = false
	s.mu.Unlock()
	if now := time.Now(); hasNew || !now.Before(*sweepAt) {
		*sweepAt = now.Add(sweepInterval)
		if s.readReceivers(ctx) == nil && len(s.active) > 0 {
			s.markAll()
			s.announce(ctx)
			s.storeReports(ctx)
			s.derivesAll, s.due = true, time.Time{}
			s.findEnded(ctx)
			s.prune(ctx)
		}
	}
	if len(s.active) == 0 {
		return time.Until(*sweepAt)
	}
	s.derive(ctx)
	if s.sent.Swap(false) || !time.Now().Before(s.due) {
		s.due = time.Now().Add(s.dispatch(ctx))
	}
	return max(min(time.Until(*sweepAt), tableInterval, time.Until(s.due)), 10*time.Millisecond)
}

// readReceivers reads who has a receiver.
func (s *Service) readReceivers(ctx context.Context) error {
	active, off, err := s.c.Store.Receivers(ctx)
	if err != nil {
		return err
	}
	s.active = set(active)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.off = set(off)
	return nil
}

func set(ids []account.ID) map[account.ID]struct{} {
	all := make(map[account.ID]struct{}, len(ids))
	for _, id := range ids {
		all[id] = struct{}{}
	}
	return all
}

// markAll marks all running matches as changed, because time may have made something due.
func (s *Service) markAll() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for id := range s.running {
		s.changed[id] = struct{}{}
	}
}

// takeChanged returns the matches that have changed or ended since the last time.
func (s *Service) takeChanged() (running, ended []*match.Snapshot) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for id := range s.changed {
		if m := s.running[id]; m != nil {
			running = append(running, m)
		}
	}
	clear(s.changed)
	ended, s.ended = s.ended, nil
	return running, ended
}

// derive stores the notifications that follow from what has changed.
func (s *Service) derive(ctx context.Context) {
	running, ended := s.takeChanged()
	all := s.failed
	now := time.Now()
	for _, m := range running {
		for _, n := range conditionNotifications(m, now) {
			all = s.appendNew(all, n)
		}
		turn, reminder, ok := turnNotifications(m, now)
		if !ok {
			continue
		}
		all = s.appendNew(all, turn)
		if reminder != nil {
			all = s.appendNew(all, *reminder)
		}
	}
	for _, m := range ended {
		for _, n := range endNotifications(m.Info, *m.Result, m.LastAt) {
			all = s.appendNew(all, n)
		}
	}
	if list := s.tables(); list.TablesRevision != s.tablesSeen || s.derivesAll {
		s.tablesSeen, s.derivesAll = list.TablesRevision, false
		for _, t := range list.Tables {
			if n, ok := challengeNotification(t); ok {
				all = s.appendNew(all, n)
			}
		}
	}
	s.failed = nil
	if len(all) == 0 {
		return
	}
	if _, err := s.c.Store.Enqueue(ctx, all); err != nil {
		s.failed = all // the store has reported it
		return
	}
	s.due = time.Time{}
	for _, n := range all {
		s.stored[n.ID] = true
	}
}

// isTooOld reports whether the row of a notification that was acknowledged may have been removed, so that storing it
// again could send it again.
func (n *Notification) isTooOld() bool { return time.Since(n.At) >= keepDone }

// appendNew appends a notification whose account has a receiver, unless it is known to be stored or too old.
func (s *Service) appendNew(all []Notification, n Notification) []Notification {
	if _, wanted := s.active[n.Account]; !wanted || s.stored[n.ID] || n.isTooOld() {
		return all
	}
	for i := range s.failed {
		if s.failed[i].ID == n.ID && s.failed[i].Account == n.Account {
			return all
		}
	}
	return append(all, n)
}

// findEnded stores notifications of matches that have ended without having been notified, because this or another node
// stopped meanwhile.
func (s *Service) findEnded(ctx context.Context) {
	const limit = 100
	at := time.Now()
	ids, err := s.c.Store.EndedMatches(ctx, s.endedAt, limit)
	if err != nil {
		return
	}
	for _, id := range ids {
		info, log, err := s.c.Match(ctx, id)
		if err != nil || len(log) == 0 || log[len(log)-1].Result == nil {
			continue // the store reports damaged matches
		}
		end := log[len(log)-1]
		if _, err := s.c.Store.Enqueue(ctx, endNotifications(info, *end.Result, end.At)); err != nil {
			return
		}
	}
	if len(ids) < limit {
		s.endedAt = at.Add(-endedOverlap)
	}
}

// prune removes old notifications from the store and clears the cache of stored ids, once an hour.
func (s *Service) prune(ctx context.Context) {
	now := time.Now()
	if now.Sub(s.prunedAt) < pruneInterval {
		return
	}
	s.prunedAt = now
	clear(s.stored) // deriving them again changes nothing
	_ = s.c.Store.PruneNotifications(ctx, now.Add(-keepDone), now.Add(-keepReminders))
}

// isPointless reports whether a notification that was held back is outdated.
func (s *Service) isPointless(ctx context.Context, n *Notification) bool {
	switch n.Event {
	case EventTournament:
		if !n.Facts.Deadline.IsZero() && time.Now().After(n.Facts.Deadline) {
			return true
		}
		if n.Facts.Match == "" {
			return false
		}
		_, log, err := s.c.Match(ctx, n.Facts.Match)
		return err == nil && len(log) > 0 && log[len(log)-1].Kind == match.EntryEnd
	case EventTurn, EventTime:
		s.mu.Lock()
		m := s.running[n.Facts.Match]
		s.mu.Unlock()
		if m == nil || m.IsOver() {
			return true
		}
		version, _ := turnStart(m)
		return version != n.Facts.Version
	case EventChallenge:
		for _, t := range s.tables().Tables {
			if t.ID == n.Facts.Table {
				return false
			}
		}
		return true
	}
	return false
}

// Counts are the numbers of messages to the receivers of a kind, tests and mails with a code included: acknowledged, and
// failed attempts.
type Counts struct{ Sent, Failed uint64 }

// Counts returns the counters since the start by kind of receiver; none of no service.
func (s *Service) Counts() map[ReceiverKind]Counts {
	all := make(map[ReceiverKind]Counts)
	if s == nil {
		return all
	}
	for i, kind := range []ReceiverKind{KindWebhook, KindMail} {
		all[kind] = Counts{s.counts[i].sent.Load(), s.counts[i].failed.Load()}
	}
	return all
}

func (s *Service) counters(kind ReceiverKind) *kindCounts {
	if kind == KindMail {
		return &s.counts[1]
	}
	return &s.counts[0]
}
