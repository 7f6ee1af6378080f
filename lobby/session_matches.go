package lobby

import (
	"context"
	"time"

	"ayumu/lobby/errcode"
	"ayumu/lobby/limit"
	"ayumu/lobby/match"
	"ayumu/lobby/table"
	"ayumu/lobby/text"
)

// SeatedMatches returns the user's matches in memory, oldest first, including recently finished ones. The
// slice is shared and must not be changed.
func (s *Session) SeatedMatches() []*Match { return s.user.seatedMatches() }

// IsPlaying reports whether the match is running and the user's seat has not left it.
func (s *Session) IsPlaying(m *Match) bool {
	snap := m.playerSnapshot.Load()
	seat, ok := snap.ActingSeat(s.Account().ID)
	return ok && !snap.IsOver() && !snap.Position.HasLeft(seat)
}

// Snapshot returns the newest state of a match that the session may see: without the delay if the user has
// a seat in it.
func (s *Session) Snapshot(m *Match) *match.Snapshot {
	if m.Info.HasPlayer(s.Account().ID) {
		return m.playerSnapshot.Load()
	}
	return m.Snapshot()
}

// findTimeout is the time for looking in the store for a match, for which a session waits.
const findTimeout = 2 * time.Second

// findMatch returns a match in memory. One that is unknown may just have started on another node: then it is read from the
// store, if the session's budget allows that.
func (s *Session) findMatch(id string) (*Match, error) {
	l := s.l
	m, unknown := l.Match(id)
	if unknown == nil || l.node == nil || s.Spend(limit.WorkFind) != nil {
		return m, unknown
	}
	ctx, cancel := context.WithTimeout(l.ctx, findTimeout)
	defer cancel()
	if err := l.matches.load(ctx, id); err != nil {
		return nil, &errcode.Error{Code: errcode.Unavailable, Message: "the server cannot look for that game now; try again in a moment", Cause: err}
	}
	return l.Match(id)
}

// AsPlayer returns the user as the player of their seat of a match in memory; of a running local match, of the seat to
// move.
func (s *Session) AsPlayer(id string) (*Player, error) {
	m, err := s.findMatch(id)
	if err != nil {
		return nil, err
	}
	seat, ok := m.playerSnapshot.Load().ActingSeat(s.Account().ID)
	if !ok {
		return nil, errcode.Errorf(errcode.NotAllowed, "you have no seat in game %s", id)
	}
	return &Player{m: m, s: s, seat: seat}, nil
}

// FindSnapshot returns the newest state of a match in memory that the session may see, without watching it. A
// private match needs its code, unless the user plays or watches it. A match with a deleted account, which has ended, is in
// the archive only, where it does not have the name of the account.
func (s *Session) FindSnapshot(id, code string) (*match.Snapshot, error) {
	m, err := s.findMatch(id)
	switch {
	case err != nil:
		return nil, err
	case m.Info.Private && !m.Info.HasPlayer(s.Account().ID) && !s.watches(m) && !table.CodesEqual(m.playerSnapshot.Load().Code, code):
		return nil, errcode.Errorf(errcode.NotAllowed, "game %s is private; ask its players for the code", id)
	case m.hasDeletedAccount():
		return nil, errcode.Errorf(errcode.UnknownMatch, "game %s is in the archive", id)
	}
	return s.Snapshot(m), nil
}

func (s *Session) watches(m *Match) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	_, watched := s.watched[m]
	return watched
}

// Spectator is a session's view of a match in which it has no seat. It has no methods that act in the
// match.
type Spectator struct {
	m *Match
	s *Session
}

// Watch starts watching a match; a private one needs its code. The caller must Close the Spectator.
func (s *Session) Watch(id, code string) (*Spectator, error) {
	m, err := s.findMatch(id)
	if err != nil {
		return nil, err
	}
	if _, seated := m.Info.SeatOf(s.Account().ID); seated {
		return &Spectator{m: m, s: s}, nil // players are woken anyway, and are not counted as spectators
	}
	if m.Info.Private && !table.CodesEqual(m.playerSnapshot.Load().Code, code) {
		return nil, errcode.Errorf(errcode.NotAllowed, "game %s is private; ask its players for the code", id)
	}
	if err := s.addSpectator(m); err != nil {
		return nil, err
	}
	return &Spectator{m: m, s: s}, nil
}

// addSpectator adds the session to the match's spectators; Spectator.Close and Session.Close remove it.
func (s *Session) addSpectator(m *Match) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return errcode.Errorf(errcode.Unavailable, "the session has ended")
	}
	if _, known := s.watched[m]; !known && len(s.watched) >= s.l.limits.Load().WatchedPerSession {
		return s.l.limitError(limit.HitWatchedPerSession, "you are already watching %s; stop watching one first", text.Plural(len(s.watched), "game"))
	}
	if s.watched == nil {
		s.watched = make(map[*Match]struct{})
	}
	s.watched[m] = struct{}{}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.spectators[s] = struct{}{}
	m.spectatorsChanged()
	return nil
}

// SayInMatch posts a line in a match: a player in the players' room, a spectator in the spectators' room.
func (s *Session) SayInMatch(id, text string) error {
	m, err := s.findMatch(id)
	if err != nil {
		return err
	}
	if seat, ok := m.Info.SeatOf(s.Account().ID); ok {
		return (&Player{m: m, s: s, seat: seat}).Say(text)
	}
	if !s.watches(m) {
		return errcode.Errorf(errcode.NotAllowed, "watch the game to chat with its spectators")
	}
	return (&Spectator{m: m, s: s}).Say(text)
}

// Match returns the match.
func (w *Spectator) Match() *Match { return w.m }

// Snapshot returns the newest state that spectators may see.
func (w *Spectator) Snapshot() *match.Snapshot { return w.m.Snapshot() }

// Say posts a line in the spectators' room.
func (w *Spectator) Say(text string) error {
	return w.s.postChat(SpectatorRoom, w.m.chatRoomID(SpectatorRoom), &w.m.SpectatorChat, text, w.m.wakeAll)
}

// Close ends watching. It may be called more than once.
func (w *Spectator) Close() {
	w.s.mu.Lock()
	delete(w.s.watched, w.m)
	w.s.mu.Unlock()
	w.m.removeSpectator(w.s)
}

func (m *Match) removeSpectator(s *Session) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if _, watches := m.spectators[s]; watches {
		delete(m.spectators, s)
		m.spectatorsChanged()
	}
}

// SpectatorCount returns the number of sessions on all nodes that watch the match.
func (m *Match) SpectatorCount() int { return int(m.spectatorCount.Load()) }
