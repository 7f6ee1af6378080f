package lobby

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"ayumu/lobby/account"
	"ayumu/lobby/clock"
	"ayumu/lobby/errcode"
	"ayumu/lobby/limit"
	"ayumu/lobby/match"
	"ayumu/lobby/sanitize"
	"ayumu/lobby/table"
)

// A local match is played by several people at the keyboard of one user, in a local lobby (Config.Local). In the store
// it is a casual match without a clock, in which the user has one seat, and the others, which have only a name, belong
// to nobody who could return. In a local lobby such a match is known by that, so that it goes on after a restart.

// IsLocal reports whether the lobby is that of one user and their keyboard.
func (l *Lobby) IsLocal() bool { return l.isLocal }

// StartLocal starts a match between people at the keyboard of the session's user and returns its id: a casual one without a
// clock. The lobby must be local. names has the players in the order of the seats, as far as they have names; the
// others are "Player 2" and so on. The user has the seat with their own name, otherwise the first.
func (s *Session) StartLocal(ctx context.Context, game string, options []byte, names []string) (id string, err error) {
	if !s.l.isLocal {
		return "", errcode.Errorf(errcode.NotAllowed, "two people at one keyboard need one keyboard: ayumu play")
	}
	if err := s.Spend(limit.WorkOpen); err != nil {
		return "", err
	}
	rated := false
	t, err := s.localTable(table.Proposal{Game: game, Options: options, Clock: &clock.Control{}, Rated: &rated})
	if err != nil {
		return "", err
	}
	_, seats := t.Options.Seats()
	if names, err = localNames(names, seats); err != nil {
		return "", err
	}
	return s.l.matches.createLocal(ctx, t.Terms, s.user, names)
}

// localTable returns a table with the terms of a local match.
func (s *Session) localTable(p table.Proposal) (table.State, error) {
	s.l.mu.Lock()
	defer s.l.mu.Unlock()
	return s.newTable(p)
}

// localNames returns the names of the players of a local match, which are clean, not empty, and different.
func localNames(names []string, seats int) ([]string, error) {
	if len(names) > seats {
		return nil, errcode.Errorf(errcode.BadRequest, "there are %d names for %d players", len(names), seats)
	}
	all := make([]string, seats)
	for i := range all {
		name := fmt.Sprintf("Player %d", i+1)
		if i < len(names) {
			if clean := sanitize.Line(names[i], account.MaxName+1); clean != "" {
				name = clean
			}
		}
		if utf8.RuneCountInString(name) > account.MaxName {
			return nil, errcode.Errorf(errcode.BadRequest, "a name has at most %d characters; shorten it", account.MaxName)
		}
		if slices.ContainsFunc(all[:i], func(other string) bool { return strings.EqualFold(other, name) }) {
			return nil, errcode.Errorf(errcode.BadRequest, "two players are named %s; give each another name", name)
		}
		all[i] = name
	}
	return all, nil
}

// createLocal records a new local match at a user's keyboard, starts it and returns its id. The caller must not hold a lock.
func (ms *matches) createLocal(ctx context.Context, t table.Terms, u *user, names []string) (string, error) {
	users := slices.Repeat([]*user{u}, len(names))
	info, err := ms.reserve(t, "", users)
	if err != nil {
		return "", err
	}
	own := max(slices.IndexFunc(names, func(n string) bool { return strings.EqualFold(n, u.Account().Name) }), 0)
	info.Seats = nil
	for i, name := range names {
		seat := match.Seat{Name: name}
		if i == own {
			seat.Account = u.Account().ID
		}
		info.Seats = append(info.Seats, seat)
	}
	ms.l.markLocal(info)
	ms.l.mu.Lock()
	ms.l.guests.assign(info)
	ms.l.mu.Unlock()
	return ms.start(ctx, info, t.Origin, users, nil)
}

// markLocal sets Info.Local of a match of the store.
func (l *Lobby) markLocal(info *match.Info) {
	own := 0
	for _, seat := range info.Seats {
		switch {
		case seat.Bot || seat.ReturnDigest != "":
			return
		case seat.Account > 0:
			own++
		}
	}
	info.Local = l.isLocal && own == 1 && !info.Rated && info.Control.IsUntimed()
}

// seatUsers returns the users of the seats of a match, and adds them if necessary: in a local match all are the one at whose
// keyboard it is. The caller holds Lobby.mu.
func (l *Lobby) seatUsers(info *match.Info) (seats []*user) {
	for _, s := range info.Seats {
		if info.Local {
			s = info.Seats[slices.IndexFunc(info.Seats, func(s match.Seat) bool { return s.Account > 0 })]
		}
		seats = append(seats, l.users.add(account.Account{ID: s.Account, Name: s.Name, Bot: s.Bot}, l.node.Now()))
	}
	return seats
}
