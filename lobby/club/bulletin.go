package club

import (
	"context"
	"slices"
	"sync"
	"time"

	"ayumu/lobby/account"
	"ayumu/lobby/guard"
)

// Bulletin is what a club shows to its users: announcements, the message of the day and, to moderators, the number of
// open reports. It is read from the store when it has changed, on any node, and is then in memory, so that sessions
// look at it without a call of the store. The methods may be called from any goroutine; those of a nil Bulletin return
// nothing.
type Bulletin struct {
	store       Store
	sessions    *Sessions // that look at it
	share       func()    // has the other nodes read it
	reportPanic func(error)
	findMute    func(account.ID) *Sanction // Club.mute

	// mu guards the fields below. It is a leaf and is not held while the store is called.
	mu         sync.Mutex
	reads      uint64 // how often reading has begun
	newestRead uint64 // the number of the reading from which content comes
	content    bulletinContent
	changes    uint64           // how often the announcements that users see have changed
	shown      map[int64]uint64 // those of content that have appeared, by id: the value of changes from which on
	current    map[int64]bool   // those of content that were shown on entry when changes was counted last
	timer      *time.Timer      // fires when the next announcement appears or ends; nil: none does
}

// Mute returns the mute of an account that is in force and lasts longest; ok is false if there is none, or no club.
func (b *Bulletin) Mute(account account.ID) (m Sanction, ok bool) {
	if b == nil || b.findMute == nil {
		return Sanction{}, false
	}
	if found := b.findMute(account); found != nil {
		return *found, true
	}
	return Sanction{}, false
}

// bulletinContent is one state of a Bulletin. Its slice is not changed.
type bulletinContent struct {
	announcements []Announcement // newest first
	message       string
	reports       ReportSummary
}

// ReportSummary is the number of open reports, and the newest of them.
type ReportSummary struct {
	Open   int
	Newest Report // the zero Report if there is none
}

// maxInMemory is the number of the newest announcements that a Bulletin keeps in memory. Of those that have not ended
// there are fewer.
const maxInMemory = 200

// read reads the store, and returns what was known before. Of several readings the one that began last counts.
func (b *Bulletin) read(ctx context.Context) (before bulletinContent, err error) {
	number := b.begin()
	var next bulletinContent
	if next.announcements, err = b.store.Announcements(ctx, 0, maxInMemory); err != nil {
		return before, err
	}
	if next.message, err = b.store.Text(ctx, TextMessage); err != nil {
		return before, err
	}
	if next.reports.Open, err = b.store.CountReports(ctx); err != nil {
		return before, err
	}
	if next.reports.Newest, err = b.store.NewestReport(ctx); err != nil {
		return before, err
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	before = b.content
	if number > b.newestRead {
		b.content, b.newestRead = next, number
		b.applyTimeLocked(time.Now())
	}
	return before, nil
}

// applyTimeLocked counts a change if announcements have appeared or ended by now, which it reports, and sets the timer
// to the next time at which one does. The caller holds b.mu.
func (b *Bulletin) applyTimeLocked(now time.Time) (changed bool) {
	current, shown := make(map[int64]bool), make(map[int64]uint64)
	var next time.Time
	for _, a := range b.content.announcements {
		number, hasAppeared := b.shown[a.ID]
		isCurrent := a.isCurrent(now)
		if !hasAppeared && (isCurrent || a.IsNotice()) {
			number, hasAppeared, changed = b.changes+1, true, true
		}
		if hasAppeared {
			shown[a.ID] = number
		}
		if isCurrent {
			current[a.ID] = true
		}
		changed = changed || isCurrent != b.current[a.ID]
		for _, at := range []time.Time{a.From, a.Until} {
			if at.After(now) && !a.HasEnded(now) && (next.IsZero() || at.Before(next)) {
				next = at
			}
		}
	}
	if b.shown, b.current = shown, current; changed {
		b.changes++
	}
	if b.timer != nil {
		b.timer.Stop()
		b.timer = nil
	}
	if !next.IsZero() {
		b.timer = time.AfterFunc(next.Sub(now), b.applyTime)
	}
	return changed
}

// applyTime wakes all sessions of this node if announcements have appeared or ended. Each node does that for itself.
func (b *Bulletin) applyTime() {
	defer guard.Recover(b.reportPanic)
	if b.timePassed() {
		b.sessions.wakeAll(RoleNobody)
	}
}

func (b *Bulletin) timePassed() (changed bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.applyTimeLocked(time.Now())
}

func (b *Bulletin) begin() uint64 {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.reads++
	return b.reads
}

// now returns the newest content.
func (b *Bulletin) now() bulletinContent {
	if b == nil {
		return bulletinContent{}
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.content
}

// Message returns the message of the day that was set from inside; "" if there is none.
func (b *Bulletin) Message() string { return b.now().message }

// Reports returns the number of open reports. It is for moderators.
func (b *Bulletin) Reports() ReportSummary { return b.now().reports }

// Changes returns how often the announcements that users see have changed on this node since the start: because one was
// made or withdrawn, or because the time has come at which one appears or ends.
func (b *Bulletin) Changes() uint64 {
	if b == nil {
		return 0
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.changes
}

// AppearedSince returns the announcements and notices that have appeared since Changes returned a number, in the order
// of their times.
func (b *Bulletin) AppearedSince(change uint64) (all []Announcement) {
	if b == nil {
		return nil
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, a := range b.content.announcements {
		if b.shown[a.ID] > change {
			all = append(all, a)
		}
	}
	sortByAppearance(all)
	return all
}

// sortByAppearance sorts announcements that are sorted newest first by when users could read them, oldest first.
func sortByAppearance(all []Announcement) {
	slices.Reverse(all)
	slices.SortStableFunc(all, func(x, y Announcement) int { return x.Appeared().Compare(y.Appeared()) })
}

// Current returns the announcements that are shown on entry now, oldest first.
func (b *Bulletin) Current() (all []Announcement) {
	now := time.Now()
	for _, a := range b.now().announcements {
		if a.isCurrent(now) {
			all = append(all, a)
		}
	}
	sortByAppearance(all)
	return all
}

// unfinished returns the number of announcements that have not ended at a time.
func (b *Bulletin) unfinished(at time.Time) (n int) {
	for _, a := range b.now().announcements {
		if !a.HasEnded(at) {
			n++
		}
	}
	return n
}

// HasCurrent reports whether an announcement is shown on entry now. Otherwise Unread need not be called.
func (b *Bulletin) HasCurrent() bool { return len(b.Current()) > 0 }

// Unread returns the announcements that a user has not read, oldest first. A guest has read none.
func (b *Bulletin) Unread(ctx context.Context, id account.ID) ([]Announcement, error) {
	all := b.Current()
	if len(all) == 0 || id <= 0 {
		return all, nil
	}
	until, err := b.store.ReadUntil(ctx, id)
	if err != nil {
		return nil, err
	}
	return slices.DeleteFunc(all, func(a Announcement) bool { return !a.Appeared().After(until) }), nil
}

// MarkRead stores that a user has read an announcement, and all that appeared before it. For a guest it does nothing.
func (b *Bulletin) MarkRead(ctx context.Context, id account.ID, a Announcement) error {
	if b == nil || id <= 0 {
		return nil
	}
	return b.store.SetReadUntil(ctx, id, a.Appeared())
}

// List returns announcements with an id below before, or the newest for 0, newest first, at most limit. Those that have
// not appeared are among them only for those who may write announcements. It reads the store only for those that are
// not in memory.
func (b *Bulletin) List(ctx context.Context, before int64, limit int, mayWrite bool) ([]Announcement, error) {
	if b == nil {
		return nil, nil
	}
	now := time.Now()
	isHidden := func(a Announcement) bool { return !mayWrite && !a.hasAppeared(now) }
	var known []Announcement
	for _, a := range b.now().announcements {
		if (before == 0 || a.ID < before) && !isHidden(a) {
			known = append(known, a)
		}
	}
	if len(known) >= limit || len(b.now().announcements) < maxInMemory {
		return known[:min(limit, len(known))], nil
	}
	// Of those that have not appeared there are no more than maxCurrent, and those that were withdrawn.
	all, err := b.store.Announcements(ctx, before, limit+maxCurrent)
	all = slices.DeleteFunc(all, isHidden)
	return all[:min(limit, len(all))], err
}

// reload reads the bulletin again after a change on this node, and has the other nodes do so.
func (b *Bulletin) reload(ctx context.Context) error {
	b.share()
	return b.follow(context.WithoutCancel(ctx))
}

// follow reads the bulletin, and wakes the sessions of those who are shown what has changed.
func (b *Bulletin) follow(ctx context.Context) error {
	before, err := b.read(ctx)
	if err != nil {
		return err
	}
	switch now := b.now(); {
	case !slices.Equal(now.announcements, before.announcements):
		b.sessions.wakeAll(RoleNobody)
	case now.reports.Open != before.reports.Open || now.reports.Newest.ID != before.reports.Newest.ID:
		b.sessions.wakeAll(RoleModerator)
	}
	return nil
}
