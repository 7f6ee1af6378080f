// Package store implements the lobby's Store. It imports the lobby for its types and nothing else
// of this module but the engine.
package store

import (
	"context"
	"slices"
	"strings"
	"sync"
	"time"

	"ayumu/lobby"
)

// Memory keeps everything until the process ends. The zero value is an empty store.
type Memory struct {
	mu       sync.Mutex
	accounts []lobby.Account
	keys     map[string]lobby.AccountID
	matches  map[string]*kept
}

type kept struct {
	info *lobby.Info
	log  []lobby.Entry
}

// AccountByKey implements lobby.Store.
func (s *Memory) AccountByKey(_ context.Context, key []byte) (lobby.Account, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	id, ok := s.keys[string(key)]
	if !ok {
		return lobby.Account{}, lobby.ErrUnknown
	}
	return s.accounts[id-1], nil
}

// AccountByName implements lobby.Store.
func (s *Memory) AccountByName(_ context.Context, name string) (lobby.Account, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	i := slices.IndexFunc(s.accounts, func(a lobby.Account) bool { return strings.EqualFold(a.Name, name) })
	if i < 0 {
		return lobby.Account{}, lobby.ErrUnknown
	}
	return s.accounts[i], nil
}

// CreateAccount implements lobby.Store.
func (s *Memory) CreateAccount(_ context.Context, name string, key []byte, at time.Time) (lobby.Account, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, bound := s.keys[string(key)]; bound || s.taken(name, 0) {
		return lobby.Account{}, lobby.ErrTaken
	}
	a := lobby.Account{ID: lobby.AccountID(len(s.accounts) + 1), Name: name, Created: at}
	s.accounts = append(s.accounts, a)
	if s.keys == nil {
		s.keys = make(map[string]lobby.AccountID)
	}
	s.keys[string(key)] = a.ID
	return a, nil
}

// Rename implements lobby.Store.
func (s *Memory) Rename(_ context.Context, id lobby.AccountID, name string) (lobby.Account, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if id < 1 || int(id) > len(s.accounts) {
		return lobby.Account{}, lobby.ErrUnknown
	}
	if s.taken(name, id) {
		return lobby.Account{}, lobby.ErrTaken
	}
	s.accounts[id-1].Name = name
	return s.accounts[id-1], nil
}

// taken reports whether another account has the name or one that looks like it.
func (s *Memory) taken(name string, but lobby.AccountID) bool {
	look := lobby.Skeleton(name)
	return slices.ContainsFunc(s.accounts, func(a lobby.Account) bool {
		return a.ID != but && lobby.Skeleton(a.Name) == look
	})
}

// CreateMatch implements lobby.Store.
func (s *Memory) CreateMatch(_ context.Context, info *lobby.Info) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.matches == nil {
		s.matches = make(map[string]*kept)
	}
	if s.matches[info.ID] != nil {
		return lobby.ErrTaken
	}
	s.matches[info.ID] = &kept{info: info}
	return nil
}

// Append implements lobby.Store.
func (s *Memory) Append(_ context.Context, match string, version int, entries ...lobby.Entry) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	m := s.matches[match]
	if m == nil {
		return lobby.ErrUnknown
	}
	if len(m.log) != version {
		return lobby.ErrVersion
	}
	m.log = append(m.log, entries...)
	return nil
}

// Log implements lobby.Store.
func (s *Memory) Log(_ context.Context, match string) ([]lobby.Entry, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	m := s.matches[match]
	if m == nil {
		return nil, lobby.ErrUnknown
	}
	return slices.Clone(m.log), nil
}

// Unfinished implements lobby.Store.
func (s *Memory) Unfinished(context.Context) ([]*lobby.Info, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	var open []*lobby.Info
	for _, m := range s.matches {
		if n := len(m.log); n == 0 || m.log[n-1].Kind != lobby.End {
			open = append(open, m.info)
		}
	}
	return open, nil
}
