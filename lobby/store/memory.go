// Package store implements the lobby's Store. It imports the lobby for its types and nothing else
// of this module but the engine.
package store

import (
	"bytes"
	"context"
	"fmt"
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
	keys     []boundKey
	matches  map[string]*kept
	finished []lobby.Finished // oldest first
}

type kept struct {
	info *lobby.Info
	log  []lobby.Entry
}

type boundKey struct {
	lobby.Key
	account lobby.AccountID
}

// AccountByKey implements lobby.Store.
func (s *Memory) AccountByKey(_ context.Context, key []byte) (lobby.Account, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if i := s.keyIndex(key); i >= 0 {
		return s.accounts[s.keys[i].account-1], nil
	}
	return lobby.Account{}, lobby.ErrUnknown
}

func (s *Memory) keyIndex(key []byte) int {
	return slices.IndexFunc(s.keys, func(k boundKey) bool { return bytes.Equal(k.Wire, key) })
}

// account returns the place of an account, or ErrUnknown. mu must be held.
func (s *Memory) account(id lobby.AccountID) (*lobby.Account, error) {
	if id < 1 || int(id) > len(s.accounts) {
		return nil, lobby.ErrUnknown
	}
	return &s.accounts[id-1], nil
}

// Account implements lobby.Store.
func (s *Memory) Account(_ context.Context, id lobby.AccountID) (lobby.Account, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	a, err := s.account(id)
	if err != nil {
		return lobby.Account{}, err
	}
	return *a, nil
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
	if s.keyIndex(key) >= 0 || s.taken(name, 0) {
		return lobby.Account{}, lobby.ErrTaken
	}
	a := lobby.Account{ID: lobby.AccountID(len(s.accounts) + 1), Name: name, Created: at}
	s.accounts = append(s.accounts, a)
	s.keys = append(s.keys, boundKey{lobby.Key{Wire: bytes.Clone(key), Added: at}, a.ID})
	return a, nil
}

// Rename implements lobby.Store.
func (s *Memory) Rename(_ context.Context, id lobby.AccountID, name string, at time.Time) (lobby.Account, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	a, err := s.account(id)
	if err != nil {
		return lobby.Account{}, err
	}
	if s.taken(name, id) {
		return lobby.Account{}, lobby.ErrTaken
	}
	a.Name, a.Renamed = name, at
	return *a, nil
}

// SaveSettings implements lobby.Store.
func (s *Memory) SaveSettings(_ context.Context, id lobby.AccountID, settings []byte) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	a, err := s.account(id)
	if err == nil {
		a.Settings = bytes.Clone(settings)
	}
	return err
}

// DeleteAccount implements lobby.Store.
func (s *Memory) DeleteAccount(_ context.Context, id lobby.AccountID) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	a, err := s.account(id)
	if err != nil {
		return err
	}
	*a = lobby.Account{ID: id, Name: fmt.Sprintf("deleted-%d", id), Created: a.Created}
	s.keys = slices.DeleteFunc(s.keys, func(k boundKey) bool { return k.account == id })
	for _, m := range s.matches {
		info := *m.info
		info.Seats = slices.Clone(info.Seats)
		for i := range info.Seats {
			if info.Seats[i].Account == id {
				info.Seats[i].Name = a.Name
			}
		}
		m.info = &info
	}
	return nil
}

// Keys implements lobby.Store.
func (s *Memory) Keys(_ context.Context, id lobby.AccountID) ([]lobby.Key, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	var own []lobby.Key
	for _, k := range s.keys {
		if k.account == id {
			own = append(own, k.Key)
		}
	}
	return own, nil
}

// AddKey implements lobby.Store.
func (s *Memory) AddKey(_ context.Context, id lobby.AccountID, key []byte, at time.Time) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, err := s.account(id); err != nil {
		return err
	}
	if s.keyIndex(key) >= 0 {
		return lobby.ErrTaken
	}
	s.keys = append(s.keys, boundKey{lobby.Key{Wire: bytes.Clone(key), Added: at}, id})
	return nil
}

// RemoveKey implements lobby.Store.
func (s *Memory) RemoveKey(_ context.Context, id lobby.AccountID, key []byte) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	own := 0
	for _, k := range s.keys {
		if k.account == id {
			own++
		}
	}
	i := s.keyIndex(key)
	switch {
	case i < 0 || s.keys[i].account != id:
		return lobby.ErrUnknown
	case own == 1:
		return lobby.ErrLastKey
	}
	s.keys = slices.Delete(s.keys, i, i+1)
	return nil
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
	if last := m.log[len(m.log)-1]; last.Kind == lobby.End {
		s.finish(m, last)
	}
	return nil
}

// Match implements lobby.Store.
func (s *Memory) Match(_ context.Context, match string) (*lobby.Info, []lobby.Entry, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	m := s.matches[match]
	if m == nil {
		return nil, nil, lobby.ErrUnknown
	}
	return m.info, slices.Clone(m.log), nil
}

// Unfinished implements lobby.Store.
func (s *Memory) Unfinished(_ context.Context, f func(*lobby.Info, []lobby.Entry) error) error {
	s.mu.Lock()
	var open []kept
	for _, m := range s.matches {
		if n := len(m.log); n == 0 || m.log[n-1].Kind != lobby.End {
			open = append(open, kept{m.info, slices.Clone(m.log)})
		}
	}
	s.mu.Unlock()
	for _, m := range open {
		if err := f(m.info, m.log); err != nil {
			return err
		}
	}
	return nil
}
