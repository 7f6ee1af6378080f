package lobby

import (
	"context"
	"strconv"
	"strings"

	"ayumu/lobby/cluster/rows"
)

// lobbyRoomID is the id of the lobby's room among the rows of chat lines. Those of a match begin with its id and a
// slash.
const lobbyRoomID = "lobby"

// chatRoomID returns the id of a room of a match among the rows of chat lines.
func (m *Match) chatRoomID(kind Room) string { return m.Info.ID + "/" + string(kind) }

// room returns the room with an id; nil if its match is not in memory.
func (f follower) room(id string) *Chat {
	if id == lobbyRoomID {
		return &f.l.Chat
	}
	m := f.l.matches.get(matchOf(id))
	switch {
	case m == nil:
		return nil
	case id == m.chatRoomID(SpectatorRoom):
		return &m.SpectatorChat
	}
	return &m.PlayerChat
}

// lineAdded has sessions see a line of another node.
func (f follower) lineAdded(room string, line ChatLine) {
	if room == lobbyRoomID {
		if line.AuthorID == 0 {
			f.l.announceInMatches(line)
		}
		f.l.lists.chatChanged()
	} else if m := f.l.matches.get(matchOf(room)); m != nil {
		m.wakeAll()
	}
}

// forgetRows deletes the rows about a match that is forgotten: the lines of its rooms, the claim to its bots, and this
// node's drafts and players who are elsewhere, which a match without a last turn can leave. Those of spectators are deleted when they leave.
func (m *Match) forgetRows() {
	m.l.chats.forget(&m.PlayerChat)
	m.l.chats.forget(&m.SpectatorChat)
	m.l.rows.bots.Forget(m.Info.ID)
	m.mu.Lock()
	defer m.mu.Unlock()
	for seat := range m.drafts {
		m.unshareDraft(seat)
	}
	m.shareElsewhere(0)
}

// draftID returns the id of the draft of a seat among the rows.
func (m *Match) draftID(seat int) string { return m.Info.ID + "/" + strconv.Itoa(seat) }

// unshareDraft deletes this node's row of the draft of a seat. The caller holds m.mu.
func (m *Match) unshareDraft(seat int) { m.l.rows.drafts.Put(m.draftID(seat), nil) }

// followDraft takes over the draft of a seat that a session has made on another node, or on this one before it was
// started again.
func (f follower) followDraft(_ context.Context, node, id string, next rows.State[draftRow]) error {
	match, number, _ := strings.Cut(id, "/")
	m := f.l.matches.get(match)
	seat, err := strconv.Atoi(number)
	if m == nil || err != nil || seat < 0 || seat >= len(m.seats) || next.Value == nil {
		return nil
	}
	m.mu.Lock()
	changed := m.drafts[seat].follow(seat, m.liveSnapshot.Load().Log, node, next.Value)
	m.mu.Unlock()
	if changed {
		m.seats[seat].wake()
	}
	return nil
}

// followSpectators takes over how many sessions of another node watch a match.
func (f follower) followSpectators(_ context.Context, node, id string, next rows.State[int]) error {
	m := f.l.matches.get(id)
	if m == nil {
		return nil
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if next.Value == nil {
		delete(m.spectatorsOn, node)
	} else {
		if m.spectatorsOn == nil {
			m.spectatorsOn = make(map[string]int)
		}
		m.spectatorsOn[node] = *next.Value
	}
	m.countSpectators()
	return nil
}

// followNodes counts the spectators after a node has died or come back, and wakes the bots, which may have acted
// there.
func (m *Match) followNodes() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.countSpectators()
	for i, u := range m.seats {
		if m.Info.Seats[i].Bot {
			u.wake()
		}
	}
}

// spectatorsChanged counts the spectators after some have come or gone, and has the other nodes know. The caller
// holds m.mu.
func (m *Match) spectatorsChanged() {
	m.countSpectators()
	var row *int
	if n := len(m.spectators); n > 0 {
		row = &n
	}
	m.l.rows.spectators.Put(m.Info.ID, row)
}

// countSpectators counts the sessions that watch the match, without those of dead nodes. The caller holds
// m.mu.
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
