package lobby

import (
	"strconv"
	"strings"
	"time"

	"ayumu/lobby/cluster/rows"
)

// slowInterval is the minimum time between two writes of drafts, numbers of spectators and who is elsewhere, which change often.
const slowInterval = 250 * time.Millisecond

// heldRowTTL is the age of a row about a match that is not in memory from which the match is taken as gone.
const heldRowTTL = time.Hour

// lobbyRoomID is the id of the lobby's room among the rows of chat lines. Those of a match begin with its id and a
// slash.
const lobbyRoomID = "lobby"

// chatRoomID returns the id of a room of a match among the rows of chat lines.
func (m *Match) chatRoomID(kind Room) string { return m.Info.ID + "/" + string(kind) }

// followMatchRow takes over a row about the match with an id, or keeps it until the match is in memory.
func (f follower) followMatchRow(match string, r rows.Row) {
	f.l.mu.Lock()
	m := f.l.matches.byID[match]
	if m == nil {
		f.l.matches.held.Put(match, r)
	}
	f.l.mu.Unlock()
	if m != nil {
		f.takeRow(m, r)
	}
}

// forgetOldRows deletes the rows about matches that are gone, which their writers have not deleted.
func (ms *matches) forgetOldRows() {
	ms.l.mu.Lock()
	defer ms.l.mu.Unlock()
	for _, r := range ms.held.TakeOld(ms.l.node.Now().Add(-heldRowTTL)) {
		node, id := rows.SplitID(r.ID)
		ms.l.rows.Remove(r.Kind, node, id)
	}
}

// takeRow takes over a row about a match. It never blocks.
func (f follower) takeRow(m *Match, r rows.Row) {
	node, id := rows.SplitID(r.ID)
	switch r.Kind {
	case kindAgreements:
		if !r.IsDeleted() {
			m.follow(&r)
		}
	case kindChat:
		room := &m.PlayerChat
		if strings.HasPrefix(id, m.chatRoomID(SpectatorRoom)+"/") {
			room = &m.SpectatorChat
		}
		if _, isNew := m.l.chats.follow(room, node, id, r.Data); isNew {
			m.wakeAll()
		}
	case kindDraft:
		f.followDraft(m, node, id, r)
	case kindElsewhere:
		f.followElsewhere(m, node, r)
	case kindSpectators:
		f.followSpectators(m, node, r)
	}
}

// forgetRows deletes the rows about a match that is forgotten: the lines of its rooms, the claim to its bots, and this
// node's drafts and players who are elsewhere, which a match without a last turn can leave. Those of spectators are deleted when they leave.
func (m *Match) forgetRows() {
	m.l.chats.forget(&m.PlayerChat)
	m.l.chats.forget(&m.SpectatorChat)
	if m.l.leases.Forget(rows.Key{Kind: kindBots, ID: m.Info.ID}) {
		m.l.rows.Remove(kindBots, "", m.Info.ID)
	}
	m.spectatorMu.Lock()
	defer m.spectatorMu.Unlock()
	for seat := range m.drafts {
		m.unshareDraft(seat)
	}
	m.shareElsewhere(0)
}

// draftID returns the id of the draft of a seat among the rows.
func (m *Match) draftID(seat int) string { return m.Info.ID + "/" + strconv.Itoa(seat) }

// shareDraft has the draft of a seat written. The caller holds m.spectatorMu.
func (m *Match) shareDraft(seat int) {
	if m.l.rows != nil {
		m.draftRows |= 1 << seat
		m.l.rows.Put(kindDraft, m.draftID(seat), m.drafts[seat].row())
	}
}

// unshareDraft deletes this node's row of the draft of a seat. The caller holds m.spectatorMu.
func (m *Match) unshareDraft(seat int) {
	if m.draftRows&(1<<seat) != 0 {
		m.draftRows &^= 1 << seat
		m.l.rows.Put(kindDraft, m.draftID(seat), nil)
	}
}

// followDraft takes over the draft of a seat that a session has made on another node, or on this one before it was
// started again.
func (f follower) followDraft(m *Match, node, id string, r rows.Row) {
	_, number, _ := strings.Cut(id, "/")
	seat, err := strconv.Atoi(number)
	if err != nil || seat < 0 || seat >= len(m.seats) || r.IsDeleted() {
		return
	}
	m.spectatorMu.Lock()
	if node == m.l.nodeName {
		m.draftRows |= 1 << seat
	}
	changed := m.drafts[seat].follow(seat, m.liveSnapshot.Load().Log, node, r.Data)
	m.spectatorMu.Unlock()
	if changed {
		m.seats[seat].wake()
	}
}

// followSpectators takes over how many sessions of another node watch a match.
func (f follower) followSpectators(m *Match, node string, r rows.Row) {
	n, err := strconv.Atoi(string(r.Data))
	m.spectatorMu.Lock()
	defer m.spectatorMu.Unlock()
	switch {
	case node == m.l.nodeName:
		if !r.IsDeleted() && len(m.spectators) == 0 { // of an earlier process
			m.l.rows.Put(kindSpectators, m.Info.ID, nil)
		}
		return
	case r.IsDeleted() || err != nil:
		delete(m.spectatorsOn, node)
	default:
		if m.spectatorsOn == nil {
			m.spectatorsOn = make(map[string]int)
		}
		m.spectatorsOn[node] = n
	}
	m.countSpectators()
}

// followNodes counts the spectators after a node has died or come back, and wakes the bots, which may have acted
// there.
func (m *Match) followNodes() {
	m.spectatorMu.Lock()
	defer m.spectatorMu.Unlock()
	m.countSpectators()
	for i, u := range m.seats {
		if m.Info.Seats[i].Bot {
			u.wake()
		}
	}
}

// spectatorsChanged counts the spectators after some have come or gone, and has the other nodes know. The caller
// holds m.spectatorMu.
func (m *Match) spectatorsChanged() {
	m.countSpectators()
	if m.l.rows == nil {
		return
	}
	var data []byte
	if n := len(m.spectators); n > 0 {
		data = strconv.AppendInt(nil, int64(n), 10)
	}
	m.l.rows.Put(kindSpectators, m.Info.ID, data)
}

// countSpectators counts the sessions that watch the match, without those of dead nodes. The caller holds
// m.spectatorMu.
func (m *Match) countSpectators() {
	n := int64(len(m.spectators))
	for node, there := range m.spectatorsOn {
		if m.l.node.IsAlive(node) {
			n += int64(there)
		}
	}
	if m.spectatorCount.Swap(n) != n {
		m.l.lists.matchChanged()
	}
}

// followLobbyChat takes over a line of the lobby's room.
func (f follower) followLobbyChat(node, id string, r rows.Row) {
	l, isNew := f.l.chats.follow(&f.l.Chat, node, id, r.Data)
	if !isNew {
		return
	}
	if l.AuthorID == 0 {
		f.l.announceInMatches(l)
	}
	f.l.lists.chatChanged()
}
