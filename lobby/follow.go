package lobby

import (
	"context"
	"errors"
	"net/netip"
	"strings"
	"time"

	"ayumu/lobby/account"
	"ayumu/lobby/cluster"
	"ayumu/lobby/cluster/rows"
	"ayumu/lobby/guard"
	"ayumu/lobby/match"
	"ayumu/lobby/presence"
	"ayumu/lobby/table"
)

// The kinds of rows that the nodes share. The id of a row that only one node writes begins with the node's name
// and a slash.
const (
	kindAgreements = "agreements" // of a match (package match), by its id
	kindBots       = "bots"       // a lease: the node on which the bots of a match act, by the match
	kindTask       = "lease"      // a lease: the node that does a task for all, by the task
	kindChat       = "chat"       // of a node: a line of chat, by the room
	kindDraft      = "draft"      // of a node: a seat's turn in preparation, by match and seat
	KindModeration = "moderation" // what moderators did, by what the writer has chosen
	kindElsewhere  = "elsewhere"  // of a node: whose players look at something else there, by match
	kindSpectators = "spectators" // of a node: how many of its sessions watch a match, by match
)

// follower takes over what other nodes have changed. It implements cluster.Follower.
type follower struct{ l *Lobby }

// open makes the lobby, in which nobody is yet, that of a node, and takes over what the nodes share. It reports whether
// no other node is alive.
func (f follower) open(ctx context.Context, c cluster.Config) (isFirst bool, err error) {
	l := f.l
	l.shared, l.nodeName = c.Store, c.Name
	l.Accounts.links = account.NewLinks(l.shared)
	isAlive := func(node string) bool { return l.node == nil || l.node.IsAlive(node) }
	l.rows = rows.NewNodeRows(l.shared, l.nodeName, slowInterval, []string{kindDraft, kindElsewhere, kindSpectators}, isAlive, func() { l.node.Changed() })
	l.leases = rows.NewLeases(l.shared, l.nodeName, isAlive)
	l.chats = newChatWriter(l.nodeName, time.Now(),
		func(id string, data []byte) { l.rows.Put(kindChat, id, data) },
		func(node, id string) { l.rows.Remove(kindChat, node, id) })
	if l.node, err = cluster.Open(ctx, c, f, func(msg string, err error) { l.report(msg, "err", err) }); err != nil {
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
		if EndOf(m.liveSnapshot.Load().Log) != c.End {
			m.follow(nil)
		}
		return nil
	case c.Ended || isCreating:
		return nil
	}
	return l.matches.find(ctx, c.ID)
}

// FollowRow takes over a row of the shared store.
func (f follower) FollowRow(ctx context.Context, r rows.Row) error {
	l := f.l
	node, id := rows.SplitID(r.ID)
	match, _, _ := strings.Cut(id, "/")
	switch {
	case r.Kind == table.Kind:
		return l.followTable(ctx, r)
	case r.Kind == kindChat && match == lobbyRoomID:
		f.followLobbyChat(node, id, r)
	case r.Kind == kindBots, r.Kind == kindTask:
		l.leases.Follow(r)
	case r.Kind == presence.Kind:
		return f.followPresence(r, node, id)
	case r.Kind == account.KindLink:
		l.Accounts.links.Follow(r)
	case r.Kind == kindVacation:
		l.vacations.follow(r)
	case r.Kind == kindAgreements, r.Kind == kindChat, r.Kind == kindDraft, r.Kind == kindElsewhere, r.Kind == kindSpectators:
		f.followMatchRow(match, r)
	case node == l.nodeName:
		// This node has written it.
	case r.Kind == KindModeration && l.followModeration != nil && !r.IsDeleted():
		return l.followModeration(ctx, id, r.Data, l.node.MachineTime(r.At))
	}
	return nil
}

// ShareModeration passes a row to Config.FollowModeration of the other nodes, soon. It replaces the row of this
// node with that id, of at most 50 characters, and never blocks.
func (l *Lobby) ShareModeration(id string, data []byte) { l.rows.Put(KindModeration, id, data) }

// FollowLoss takes over that rows may be lost: this node writes its own again, and forgets what it knows of others.
func (f follower) FollowLoss(all []rows.Row) {
	f.l.leases.Reset()
	f.l.followTableLoss(all)
	f.l.rows.WriteAgain()
}

// Prune implements cluster.Follower.
func (f follower) Prune() { f.l.matches.forgetOldRows() }

// FollowDegraded notifies the sessions of this node that it can not take turns, or that it can again.
func (f follower) FollowDegraded(isDegraded bool) {
	text := "This server can reach its database again. Turns are recorded."
	if isDegraded {
		text = "This server cannot reach its database. Until it can, no turns are recorded and no clock runs."
	}
	f.l.announceHere(text)
}

// find adds a match that is in the store and runs, unless it is in memory or this node is creating it. It returns an
// error of the store.
func (ms *matches) find(ctx context.Context, id string) error {
	info, log, err := ms.l.store.Match(ctx, id)
	switch {
	case errors.Is(err, ErrNotFound), errors.Is(err, ErrCorrupt):
		return nil // the store reports damaged matches
	case err != nil:
		return err
	case len(log) > 0 && log[len(log)-1].Kind == EntryEnd:
		return nil
	}
	ms.follow(info, log)
	return nil
}

// follow adds a match that another node has started, unless it is in memory or this node is creating it. Its origin
// counts there.
func (ms *matches) follow(info *MatchInfo, log []Entry) {
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

// follow has the match take over what another node has recorded: a row of agreements, or nil for entries of
// the log. It never blocks.
func (m *Match) follow(row *rows.Row) {
	m.spectatorMu.Lock()
	defer m.spectatorMu.Unlock()
	if row == nil {
		m.followLog = true
	} else if m.followRow == nil || m.followRow.Version < row.Version {
		m.followRow = row
	}
	signal(m.followSignal)
}

// takeFollowed returns what follow was called with since the last time.
func (m *Match) takeFollowed() (log bool, row *rows.Row) {
	m.spectatorMu.Lock()
	defer m.spectatorMu.Unlock()
	log, row = m.followLog, m.followRow
	m.followLog, m.followRow = false, nil
	return log, row
}

// followOthers takes over what other nodes have recorded of the match.
func (r *runner) followOthers() {
	ctx, cancel := context.WithTimeout(r.ctx, storeTimeout)
	defer cancel()
	log, row := r.takeFollowed()
	if log || r.logUnread {
		after, entries, err := r.l.node.Store.LogAfter(ctx, r.Info.ID, r.state.Version())
		if r.logUnread = err != nil; !r.logUnread {
			r.handle(match.Input{Kind: match.LogFollowed, After: after, Entries: entries})
		}
	}
	if row != nil {
		r.handle(match.Input{Kind: match.AgreementsFollowed, Agreements: row.Data, AgreementsVersion: row.Version})
	}
}

// recordAgreements replaces the row of the agreements. The store reports its errors.
func (r *runner) recordAgreements(ctx context.Context, data []byte, replaces int64) match.Input {
	key := rows.Key{Kind: kindAgreements, ID: r.Info.ID}
	found, err := r.l.shared.Write(ctx, rows.Write{Key: key, Replaces: replaces, Data: data})
	if err == nil {
		r.l.node.Changed()
		return match.Input{Kind: match.AgreementsRecorded, AgreementsVersion: found[0].Version}
	}
	if errors.Is(err, rows.ErrConflict) {
		if known, readErr := r.l.shared.Read(ctx, key); readErr == nil {
			in := match.Input{Kind: match.AgreementsConflict, Cause: err}
			for _, row := range known {
				in.Agreements, in.AgreementsVersion = row.Data, row.Version
			}
			return in
		}
	}
	return match.Input{Kind: match.AgreementsFailed, Cause: err}
}

// forgetAgreements deletes the row of the agreements of a match that has ended. If another node has done so or
// has changed it, nothing happens.
func (r *runner) forgetAgreements() {
	ctx, cancel := context.WithTimeout(r.ctx, storeTimeout)
	defer cancel()
	key := rows.Key{Kind: kindAgreements, ID: r.Info.ID}
	if found, err := r.l.shared.Read(ctx, key); err == nil && len(found) == 1 {
		_, _ = r.l.shared.Write(ctx, rows.Write{Key: key, Replaces: found[0].Version})
	}
}
