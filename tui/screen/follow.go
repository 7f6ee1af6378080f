package screen

import (
	tea "charm.land/bubbletea/v2"

	"ayumu/lobby"
	"ayumu/tui/screen/dest"
)

// Follow selects the matches that open by themselves: those of a user, or the featured ones. The zero
// value is none.
type Follow struct {
	ID       lobby.AccountID
	Name     string
	Featured bool
}

// IsSet reports whether matches open by themselves.
func (f Follow) IsSet() bool { return f.Featured || f.ID != 0 }

// match returns the id of the match to show, or "".
func (f Follow) match(v *lobby.View) string {
	if f.Featured {
		return v.Featured
	}
	for _, p := range v.Users {
		if p.ID == f.ID {
			return p.Match
		}
	}
	return ""
}

// FollowPlayer follows a user and opens their match if they are playing.
func (s *Shell) FollowPlayer(id lobby.AccountID, name string) tea.Cmd {
	if id == s.Session.Account().ID {
		s.Notify("This is you; your own games open by themselves.")
		return nil
	}
	s.Follow = Follow{ID: id, Name: name}
	s.Session.IgnoreLists(false)
	if s.Follow.match(s.Session.Lobby().View()) == "" {
		s.Notify("Following %s. The next game opens by itself.", name)
		return nil
	}
	return s.OpenFollowed()
}

// FollowFeatured follows the featured matches and opens the current one.
func (s *Shell) FollowFeatured() tea.Cmd {
	s.Follow = Follow{Featured: true}
	if s.Follow.match(s.Session.Lobby().View()) == "" {
		s.Notify("No games in progress. The next featured game opens by itself.")
		return nil
	}
	return s.OpenFollowed()
}

// OpenFollowed opens the next match of the followed user, or the next featured one, if the current screen
// may be replaced.
func (s *Shell) OpenFollowed() tea.Cmd {
	if !s.Follow.IsSet() {
		return nil
	}
	t := s.current.Traits()
	if !t.CanFollow {
		return nil
	}
	next := s.Follow.match(s.Session.Lobby().View())
	if next == "" || next == t.Match {
		return nil
	}
	return s.Open(dest.Match{ID: next})
}
