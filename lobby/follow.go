package lobby

import (
	"context"
	"errors"
	"net/netip"
	"strings"

	"ayumu/lobby/account"
	"ayumu/lobby/cluster"
	"ayumu/lobby/match"
	"ayumu/lobby/presence"
	"ayumu/lobby/shared"
)

// The kinds of rows that the nodes share. The id of a row that only one node writes begins with the node's name
// and a slash.
const (
	kindAgreements = "agreements" // of a match (package match), by its id
	kindModeration = "moderation" // what moderators did, by what the writer has chosen
)

// follower takes over what other nodes have changed. It implements cluster.Follower.
type follower struct{ l *Lobby }

// FollowMatch follows a match that is in memory, or adds one that has started on another node.
func (f follower) FollowMatch(ctx context.Context, c cluster.ChangedMatch) error {
	l := f.l
	l.mu.Lock()
	m, creating := l.matches.byID[c.ID], l.matches.creating[c.ID]
	l.mu.Unlock()
	switch {
	case m != nil:
		if EndOf(m.liveSnapshot.Load().Log) != c.End {
			m.follow(nil)
		}
		return nil
	case c.Ended || creating:
		return nil
	}
	info, log, err := l.store.Match(ctx, c.ID)
	switch {
	case errors.Is(err, ErrNotFound), errors.Is(err, ErrCorrupt):
		return nil // the store reports damaged matches
	case err != nil:
		return err
	}
	l.matches.follow(info, log)
	return nil
}

// FollowRow takes over a row of the shared store.
func (f follower) FollowRow(ctx context.Context, r shared.Row) error {
	l := f.l
	switch node, id := ownerOf(r.ID); {
	case r.Kind == kindAgreements:
		f.followAgreements(r)
	case r.Kind == presence.Kind:
		return f.followPresence(r, node, id)
	case r.Kind == account.KindLink:
		l.Accounts.links.Follow(r)
	case node == l.nodeName:
		// This node has written it.
	case r.Kind == kindModeration && l.followModeration != nil && !r.IsDeleted():
		return l.followModeration(ctx, id, r.Data, l.node.Local(r.At))
	}
	return nil
}

// ownerOf splits the id of a row into the name of the node that writes it and the rest; node is "" if the row
// belongs to no node.
func ownerOf(row string) (node, id string) {
	if node, id, owned := strings.Cut(row, "/"); owned {
		return node, id
	}
	return "", row
}

// share writes a row that only this node writes, or deletes it if data is nil. It never blocks. A node that is
// alone shares nothing.
func (l *Lobby) share(kind, id string, data []byte) {
	if l.outbox != nil {
		l.outbox.Put(shared.Key{Kind: kind, ID: l.nodeName + "/" + id}, data)
	}
}

// ShareModeration passes a row to Config.FollowModeration of the other nodes, soon. It replaces the row of this
// node with that id, of at most 50 characters, and never blocks.
func (l *Lobby) ShareModeration(id string, data []byte) { l.share(kindModeration, id, data) }

func (f follower) followAgreements(r shared.Row) {
	if r.IsDeleted() {
		return
	}
	f.l.mu.Lock()
	m := f.l.matches.byID[r.ID]
	f.l.mu.Unlock()
	if m != nil {
		m.follow(&r)
	}
}

// FollowTrouble notifies the sessions of this node that it can not take turns, or that it can again.
func (f follower) FollowTrouble(unsure bool) {
	text := "This server has its database again; turns are recorded."
	if unsure {
		text = "This server has lost touch with its database; no turns are recorded until it is back, and no clock counts."
	}
	f.l.announceHere(text)
}

// follow adds a match that another node has started, unless it is known. Its origin counts there.
func (ms *matches) follow(info *MatchInfo, log []Entry) {
	ms.l.mu.Lock()
	known := ms.byID[info.ID] != nil
	ms.l.guests.Assign(info)
	ms.l.mu.Unlock()
	if !known && ms.add(info, log, netip.Prefix{}, false) == nil { // which reports its errors
		ms.l.lists.changed()
	}
}

// follow has the match take over what another node has recorded: a row of agreements, or nil for entries of
// the log. It never blocks.
func (m *Match) follow(row *shared.Row) {
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
func (m *Match) takeFollowed() (log bool, row *shared.Row) {
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
	if log || r.behind {
		after, entries, err := r.l.node.Store.LogAfter(ctx, r.Info.ID, r.state.Version())
		if r.behind = err != nil; !r.behind {
			r.take(match.Input{Kind: match.LogFollowed, After: after, Entries: entries})
		}
	}
	if row != nil {
		r.take(match.Input{Kind: match.AgreementsFollowed, Agreements: row.Data, AgreementsVersion: row.Version})
	}
}

// recordAgreements replaces the row of the agreements. The store reports its errors.
func (r *runner) recordAgreements(ctx context.Context, data []byte, replaces int64) match.Input {
	key := shared.Key{Kind: kindAgreements, ID: r.Info.ID}
	rows, err := r.l.shared.Write(ctx, shared.Write{Key: key, Replaces: replaces, Data: data})
	if err == nil {
		r.l.node.Changed()
		return match.Input{Kind: match.AgreementsRecorded, AgreementsVersion: rows[0].Version}
	}
	if errors.Is(err, shared.ErrConflict) {
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
	key := shared.Key{Kind: kindAgreements, ID: r.Info.ID}
	if rows, err := r.l.shared.Read(ctx, key); err == nil && len(rows) == 1 {
		_, _ = r.l.shared.Write(ctx, shared.Write{Key: key, Replaces: rows[0].Version})
	}
}
