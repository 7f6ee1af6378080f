package op

import (
	"time"

	"ayumu/lobby"
	"ayumu/lobby/errcode"
	"ayumu/lobby/match"
	"ayumu/tui/game"
)

// Match is a match as one session shows it: from the user's seat, as a spectator, or from the archive. The caller
// must Close it.
type Match struct {
	InLobby  *lobby.Match  // nil in the archive
	Player   *lobby.Player // nil for a spectator and in the archive; in a running local match that of the seat to move
	Seat     int           // the user's; -1 for none, and in a local match, whose players are all addressed
	Game     game.Game
	Snapshot *match.Snapshot // the state that is shown; Update replaces it

	visit             *Visit
	spectator         *lobby.Spectator // nil for a player and in the archive
	feed              match.Feed       // what Read has visited
	lastPlayerChat    uint64           // Seq of the last line of each room that ReadChat has visited
	lastSpectatorChat uint64
	received          []receivedOffer
	warned            int // 1 + the version whose turn the user knows to be urgent; 0: none
}

// OpenMatch opens a match, at the user's seat if there is one, otherwise as a spectator; code admits to a
// private match. Earlier turns, events and lines of chat are not new.
func (v *Visit) OpenMatch(id, code string) (*Match, error) {
	m := &Match{visit: v, Seat: -1}
	player, err := v.Session.AsPlayer(id)
	if err == nil {
		m.Player, m.InLobby = player, player.Match()
		if !m.InLobby.Info.Local {
			m.Seat = player.Seat()
		}
	} else {
		if m.spectator, err = v.Session.Watch(id, code); err != nil {
			return nil, err
		}
		m.InLobby = m.spectator.Match()
	}
	known := false
	if m.Game, known = v.Games.ByName(m.InLobby.Info.Game); !known {
		m.Close()
		return nil, errNoBoard(m.InLobby.Info.Game)
	}
	m.lastPlayerChat, m.lastSpectatorChat = m.InLobby.PlayerChat.Last(), m.InLobby.SpectatorChat.Last()
	m.Update()
	if err := m.ReadFrom(m.Snapshot.Version); err != nil {
		m.Close()
		return nil, err
	}
	return m, nil
}

// Archived returns a finished match from the archive, in its last state.
func (v *Visit) Archived(s *match.Snapshot) (*Match, error) {
	g, known := v.Games.ByName(s.Info.Game)
	if !known {
		return nil, errNoBoard(s.Info.Game)
	}
	seat, seated := s.Info.SeatOf(v.Session.Account().ID)
	if !seated || s.Info.Local {
		seat = -1
	}
	return &Match{visit: v, Snapshot: s, Game: g, Seat: seat}, nil
}

func errNoBoard(game string) error {
	return &errcode.Error{Code: errcode.BadRequest, Message: "this server has no board for " + game}
}

// Close ends watching. It may be called more than once.
func (m *Match) Close() {
	if m.spectator != nil {
		m.spectator.Close()
	}
}

// IsSpectator reports whether the user watches the match without a seat in it.
func (m *Match) IsSpectator() bool { return m.spectator != nil }

// IsArchived reports whether the match is shown from the archive, without other users.
func (m *Match) IsArchived() bool { return m.InLobby == nil }

// Update sets Snapshot to the newest state that the user may see, with the delay of a spectator, and returns the one
// before. In the archive nothing changes.
func (m *Match) Update() (before *match.Snapshot) {
	before = m.Snapshot
	switch {
	case m.Player != nil:
		m.Snapshot = m.Player.Snapshot()
		m.Player = m.Player.Acting(m.Snapshot)
		m.noteOffers(time.Now())
		if before == nil || before.Version != m.Snapshot.Version || before.RunningSeat != m.Snapshot.RunningSeat {
			m.noteUrgent(time.Now())
		}
		if s := m.Snapshot; before != nil && !before.IsOver() && s.IsOver() && len(s.Result.Winners) > 0 {
			m.visit.Experience.count(m.Game.Name())
		}
	case m.spectator != nil:
		m.Snapshot = m.spectator.Snapshot()
	}
	return before
}

// ReadFrom makes Read visit the entries of Snapshot after a version, and of events only those that Snapshot
// does not have.
func (m *Match) ReadFrom(version int) (err error) {
	m.feed, err = match.NewFeed(m.Snapshot, version)
	return err
}

// Read visits each entry and event of Snapshot that it has not visited. It stops at the first error of visit or
// of the log.
func (m *Match) Read(visit func(match.FeedItem) error) error { return m.feed.Read(m.Snapshot, visit) }

// ReadChat visits each new line of the match's rooms: for players the players' room, for spectators the
// spectators' room, and both rooms when the match is over.
func (m *Match) ReadChat(visit func(room lobby.Room, l lobby.ChatLine)) {
	over := m.Snapshot.IsOver()
	if m.Player != nil || over {
		for _, l := range m.visit.Session.VisibleChat(&m.InLobby.PlayerChat, m.lastPlayerChat) {
			m.lastPlayerChat = max(m.lastPlayerChat, l.Seq)
			visit(lobby.PlayerRoom, l)
		}
	}
	if m.Player == nil || over {
		for _, l := range m.visit.Session.VisibleChat(&m.InLobby.SpectatorChat, m.lastSpectatorChat) {
			m.lastSpectatorChat = max(m.lastSpectatorChat, l.Seq)
			visit(lobby.SpectatorRoom, l)
		}
	}
}

// Say posts a line in the players' room, for a spectator in the spectators' room.
func (m *Match) Say(text string) error {
	if m.Player != nil {
		return m.Player.Say(text)
	}
	return m.spectator.Say(text)
}

// ActingSeat returns the seat for which the user acts: theirs, in a running local match the one to move; -1: none.
func (m *Match) ActingSeat() int {
	if m.Player == nil || m.Snapshot.Info.Local && m.Snapshot.IsOver() {
		return m.Seat
	}
	return m.Player.Seat()
}

// IsOwnTurn reports whether the seat for which the user acts is to move.
func (m *Match) IsOwnTurn() bool {
	s := m.Snapshot
	return m.Player != nil && !s.IsOver() && !s.Frozen && s.Position.Turn() == m.ActingSeat()
}

// IsMultiplayer reports whether the match has three or more seats. Such a match has no draw offers, takebacks
// and claims; absent seats are voted out instead.
func (m *Match) IsMultiplayer() bool { return len(m.Snapshot.Info.Seats) > 2 }

// IsOut reports whether the user's seat has left a match that is still running.
func (m *Match) IsOut() bool {
	return m.Player != nil && !m.Snapshot.IsOver() && m.Snapshot.Position.HasLeft(m.ActingSeat())
}

// ClockRuns reports whether the user has a seat here in a running game with a live clock.
func (m *Match) ClockRuns() bool {
	return m.Player != nil && !m.Snapshot.IsOver() && !m.IsOut() && m.Snapshot.Info.Control.IsLive()
}

// CanClaim reports whether the opponent in a match of two has been away long enough for a claim.
func (m *Match) CanClaim() bool {
	return m.Player != nil && canClaim(m.Snapshot, m.ActingSeat())
}

// CanVoteOut reports whether the user can vote that a seat leaves.
func (m *Match) CanVoteOut(seat int) bool {
	return m.Player != nil && canVoteOut(m.Snapshot, m.ActingSeat(), seat)
}

// The values of Info.IsOfUse.

func isRunning(m *Match) bool { return !m.Snapshot.IsOver() }

func isDuel(m *Match) bool { return isRunning(m) && !m.IsMultiplayer() }

func canHaveConditions(m *Match) bool { return isRunning(m) && m.Snapshot.Info.HasConditions() }

// VotableSeat returns the first seat that the user can vote out.
func (m *Match) VotableSeat() (seat int, ok bool) {
	for i := range m.Snapshot.Away {
		if m.CanVoteOut(i) {
			return i, true
		}
	}
	return 0, false
}
