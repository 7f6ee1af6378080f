package screen

import (
	tea "charm.land/bubbletea/v2"

	"ayumu/lobby"
	"ayumu/tui/screen/dest"
)

// FollowPlayer follows a user and opens their match if they are playing.
func (s *Shell) FollowPlayer(id lobby.AccountID, name string) tea.Cmd {
	if id == s.Session.Account().ID {
		s.Notify("This is you; your own games open by themselves.")
		return nil
	}
	s.Client.Follow(id, name)
	s.Session.IgnoreLists(false)
	if s.Client.NextFollowed() == "" {
		s.Notify("Following %s. The next game opens by itself.", name)
		return nil
	}
	return s.OpenFollowed()
}

// FollowFeatured follows the featured matches and opens the current one.
func (s *Shell) FollowFeatured() tea.Cmd {
	s.Client.FollowFeatured()
	if s.Client.NextFollowed() == "" {
		s.Notify("No games in progress. The next featured game opens by itself.")
		return nil
	}
	return s.OpenFollowed()
}

// OpenFollowed opens the next match of the followed user, or the next featured one, if the current screen
// may be replaced.
func (s *Shell) OpenFollowed() tea.Cmd {
	if !s.Client.IsFollowing() {
		return nil
	}
	t := s.current.Traits()
	if !t.CanFollow {
		return nil
	}
	next := s.Client.NextFollowed()
	if next == "" || next == t.Match {
		return nil
	}
	return s.Open(dest.Match{ID: next})
}
