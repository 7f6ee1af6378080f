package lobby

import (
	"context"
	"encoding/json"
	"errors"
	"net/netip"
	"strings"
	"time"

	"ayumu/lobby/account"
	"ayumu/lobby/cluster"
	"ayumu/lobby/cluster/rows"
	"ayumu/lobby/errcode"
	"ayumu/lobby/guard"
	"ayumu/lobby/match"
	"ayumu/lobby/presence"
	"ayumu/lobby/table"
	"ayumu/lobby/vacation"
)

// sharedRows are the rows that the nodes share, by their kinds. Only those of the nodes themselves are in package
// cluster. What follows from a row of another node is a method of follower, in the file of what the row is about.
type sharedRows struct {
	*rows.Kinds
	tables     rows.Shared[table.State]     // by their ids
	agreements rows.Shared[json.RawMessage] // of matches (package match), by their ids
	vacations  rows.Shared[vacation.List]   // by account
	links      *account.Links               // link codes, by account
	slots      rows.Shared[string]          // the nodes that have the slots of guests' names, by slot
	bots       rows.Leases                  // the nodes on which the bots of matches act, by the matches
	leases     rows.Leases                  // the nodes that do for all what one should do: the waves
	presence   rows.OfNode[presence.Row]    // by account
	chat       rows.OfNode[chatRow]         // lines, by room and line
	drafts     rows.OfNode[draftRow]        // seats' turns in preparation, by match and seat
	elsewhere  rows.OfNode[uint8]           // whose players look at something else there, by match
	spectators rows.OfNode[int]             // how many sessions watch a match, by match
	moderation rows.OfNode[json.RawMessage] // what moderators did, by what the writer has chosen
}

// addKinds makes the rows of a store those of the lobby; node is the name of this node, or empty.
func (f follower) addKinds(store rows.Store, node string) {
	l := f.l
	r := &l.rows
	r.Kinds = rows.NewKinds(rows.Config{
		Store: store, Node: node, Report: l.report, HasOwner: func(match string) bool { return l.matches.get(match) != nil },
		IsAlive: func(node string) bool { return l.node == nil || l.node.IsAlive(node) }, Wrote: func() { l.node.Changed() },
	})
	r.tables = rows.Shared[table.State]{
		Name: "table", IsDurable: func(t *table.State) bool { return t != nil && t.IsDurable() }, Encode: table.Encode,
		Decode: func(id string, data []byte) (*table.State, error) { return table.Decode(id, data, l.games) }, Apply: f.followTable,
	}
	r.agreements = rows.Shared[json.RawMessage]{Name: "agreements", Owner: rowMatch, Apply: f.followAgreements}
	r.vacations = rows.Shared[vacation.List]{Name: "vacation", IsDurable: func(*vacation.List) bool { return true }, Apply: f.followVacations}
	r.links = account.NewLinks()
	r.slots.Name, r.bots.Name, r.leases.Name = "slot", "bots", "lease"
	r.presence = rows.OfNode[presence.Row]{Name: "presence", Apply: f.followPresence}
	r.chat = rows.OfNode[chatRow]{Name: "chat", Inherits: true, Owner: rowChatMatch, Apply: f.followChat}
	r.drafts = rows.OfNode[draftRow]{Name: "draft", IsFrequent: true, Inherits: true, Owner: rowMatch, Apply: f.followDraft}
	r.elsewhere = rows.OfNode[uint8]{Name: "elsewhere", IsFrequent: true, Owner: rowMatch, Apply: f.followElsewhere}
	r.spectators = rows.OfNode[int]{Name: "spectators", IsFrequent: true, Owner: rowMatch, Apply: f.followSpectators}
	r.moderation = moderationRows(f.followModeration)
	r.Add(
		&r.tables, &r.agreements, &r.vacations, r.links.Rows(), &r.slots, &r.bots, &r.leases,
		&r.presence, &r.chat, &r.drafts, &r.elsewhere, &r.spectators, &r.moderation,
	)
	l.chats = newChatWriter(&r.chat, time.Now())
}

// rowMatch returns the match of a row whose id begins with it.
func rowMatch(id string) string {
	match, _, _ := strings.Cut(id, "/")
	return match
}

// follower takes over what other nodes have changed. It implements cluster.Follower.
type follower struct{ l *Lobby }

// open makes the lobby, in which nobody is yet, that of a node, and takes over what the nodes share. It reports whether
// no other node is alive.
func (f follower) open(ctx context.Context, c cluster.Config) (isFirst bool, err error) {
	l := f.l
	if l.node, err = cluster.Open(ctx, c, l.rows.Kinds, f, func(msg string, err error) { l.report(msg, "err", err) }); err != nil {
		return false, err
	}
	isFirst = l.node.IsAlone()
	return isFirst, f.join(ctx)
}

// start starts what a node does beside the work of a lobby of one process.
func (f follower) start() {
	l := f.l
	for name, run := range map[string]func(context.Context){
		"follow other nodes": l.node.Run, "heartbeats": l.node.Beat,
		"write rows": l.rows.Fast.Run, "write rows of what changes often": l.rows.Slow.Run,
	} {
		l.wg.Go(func() {
			defer guard.Recover(l.report.PanicIn(name))
			run(l.ctx)
		})
	}
}

// FollowMatch follows a match that is in memory, or adds one that has started on another node.
func (f follower) FollowMatch(ctx context.Context, c cluster.ChangedMatch) error {
	l := f.l
	l.mu.Lock()
	m := l.matches.byID[c.ID]
	_, isCreating := l.matches.creating[c.ID]
	if isCreating {
		l.matches.creating[c.ID] = true
	}
	l.mu.Unlock()
	switch {
	case m != nil:
		if match.NewLogEnd(m.playerSnapshot.Load().Log) != c.End {
			m.followLog()
		}
		return nil
	case c.Ended || isCreating:
		return nil
	}
	return l.matches.load(ctx, c.ID)
}

// FollowDegraded notifies the sessions of this node that it can not take turns, or that it can again.
func (f follower) FollowDegraded(isDegraded bool) {
	text := "This server can reach its database again. Turns are recorded again."
	if isDegraded {
		text = "This server cannot reach its database. Until it can, no turns are recorded and no clock runs."
	}
	f.l.announceHere(text)
}

// load adds a match that is in the store and runs, unless it is in memory or this node is creating it. It returns an
// error of the store.
func (ms *matches) load(ctx context.Context, id string) error {
	info, log, err := ms.l.store.Match(ctx, id)
	switch {
	case errors.Is(err, errcode.ErrNotFound), errors.Is(err, errcode.ErrCorrupt):
		return nil // the store reports damaged matches
	case err != nil:
		return err
	case len(log) > 0 && log[len(log)-1].Kind == match.EntryEnd:
		return nil
	}
	ms.follow(info, log)
	return nil
}

// follow adds a match that another node has started, unless it is in memory or this node is creating it. Its origin
// counts there.
func (ms *matches) follow(info *match.Info, log []match.Entry) {
	ms.l.mu.Lock()
	ms.l.guests.assign(info)
	_, isCreating := ms.creating[info.ID]
	ms.l.mu.Unlock()
	if isCreating {
		return
	}
	if ms.add(info, log, netip.Prefix{}, false) == nil { // which reports its errors
		ms.l.lists.matchStarted()
	}
}

// followLog has the match take over what another node has recorded in the log. It never blocks.
func (m *Match) followLog() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.logChanged = true
	signal(m.followSignal)
}

// followAgreements has a match take over its agreements of another node. It never blocks.
func (f follower) followAgreements(_ context.Context, id string, next rows.State[json.RawMessage]) error {
	m := f.l.matches.get(id)
	if m == nil || next.Value == nil {
		return nil
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.agreements.Version < next.Version {
		m.agreements = next
	}
	signal(m.followSignal)
	return nil
}

// takeFollowed returns what is to be taken over since the last time; agreements without a value: none.
func (m *Match) takeFollowed() (log bool, agreements rows.State[json.RawMessage]) {
	m.mu.Lock()
	defer m.mu.Unlock()
	log, agreements = m.logChanged, m.agreements
	m.logChanged, m.agreements = false, rows.State[json.RawMessage]{}
	return log, agreements
}

// followOthers takes over what other nodes have recorded of the match.
func (r *runner) followOthers() {
	ctx, cancel := context.WithTimeout(r.ctx, storeTimeout)
	defer cancel()
	log, agreements := r.takeFollowed()
	if log || r.logUnread {
		after, entries, err := r.l.node.Store.LogAfter(ctx, r.Info.ID, r.state.Version())
		if r.logUnread = err != nil; !r.logUnread {
			r.process(match.Input{Kind: match.InputLogFollowed, After: after, Entries: entries})
		}
	}
	if agreements.Value != nil {
		r.process(match.Input{Kind: match.InputAgreementsFollowed, Agreements: *agreements.Value, AgreementsVersion: agreements.Version})
	}
}

// recordAgreements replaces the row of the agreements. The store reports its errors.
func (r *runner) recordAgreements(ctx context.Context, data json.RawMessage, replaces int64) match.Input {
	all, err := r.l.rows.agreements.Write(ctx, rows.Change[json.RawMessage]{ID: r.Info.ID, Replaces: replaces, Value: &data})
	switch {
	case err == nil:
		return match.Input{Kind: match.InputAgreementsRecorded, AgreementsVersion: all[0].Version}
	case errors.Is(err, rows.ErrConflict):
		in := match.Input{Kind: match.InputAgreementsConflict, Cause: err, AgreementsVersion: all[0].Version}
		if v := all[0].Value; v != nil {
			in.Agreements = *v
		}
		return in
	}
	return match.Input{Kind: match.InputAgreementsFailed, Cause: err}
}

// forgetAgreements deletes the row of the agreements of a match that has ended. If another node has done so or
// has changed it, nothing happens.
func (r *runner) forgetAgreements() {
	ctx, cancel := context.WithTimeout(r.ctx, storeTimeout)
	defer cancel()
	known, err := r.l.rows.agreements.Read(ctx, r.Info.ID)
	if s := known[r.Info.ID]; err == nil && s.Version > 0 {
		_, _ = r.l.rows.agreements.Write(ctx, rows.Change[json.RawMessage]{ID: r.Info.ID, Replaces: s.Version})
	}
}
