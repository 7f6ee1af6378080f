package lobby

import (
	"slices"

	"ayumu/lobby/account"
)

const (
	// evidenceLines is the maximum number of lines that SharedChat returns.
	evidenceLines = 20
	// evidenceAfter is how many of them can follow the last line of the author.
	evidenceAfter = 5
)

// SharedChat returns lines around the last one that author has written in a room that reader can see as well, oldest
// first: the players' room of a match in which both have seats, the spectators' room of a match that reader watches on
// this node, or the lobby's. match is that of the room. If the room is the lobby's or there are no lines, it is the newest
// match in memory in which author plays and that reader plays or watches; "" if there is none.
func (l *Lobby) SharedChat(reader, author account.ID) (match string, room Room, lines []ChatLine) {
	l.mu.Lock()
	matches := make([]*Match, 0, len(l.matches.byID))
	for _, m := range l.matches.byID {
		matches = append(matches, m)
	}
	l.mu.Unlock()
	var last ChatLine
	take := func(id string, kind Room, c *Chat) {
		all := c.Since(0)
		for i := len(all) - 1; i >= 0; i-- {
			if all[i].AuthorID != author {
				continue
			}
			if lines == nil || all[i].At.After(last.At) {
				end := min(i+1+evidenceAfter, len(all))
				match, room, last, lines = id, kind, all[i], slices.Clone(all[max(0, end-evidenceLines):end])
			}
			return
		}
	}
	take("", LobbyRoom, &l.Chat)
	var newest *Match
	for _, m := range matches {
		isPlayer, isWatching := m.Info.HasPlayer(reader), m.isWatchedBy(reader)
		if m.Info.HasPlayer(author) && (isPlayer || isWatching) && (newest == nil || m.Info.Started.After(newest.Info.Started)) {
			newest = m
		}
		if isPlayer && m.Info.HasPlayer(author) {
			take(m.Info.ID, PlayerRoom, &m.PlayerChat)
		}
		if isWatching {
			take(m.Info.ID, SpectatorRoom, &m.SpectatorChat)
		}
	}
	if match == "" && newest != nil {
		match = newest.Info.ID
	}
	return match, room, lines
}

// isWatchedBy reports whether a session of a user on this node watches the match.
func (m *Match) isWatchedBy(id account.ID) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	for s := range m.spectators {
		if s.Account().ID == id {
			return true
		}
	}
	return false
}
