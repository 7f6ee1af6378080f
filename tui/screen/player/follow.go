package player

import (
	tea "charm.land/bubbletea/v2"

	"ayumu/lobby/account"
	"ayumu/tui/screen"
	"ayumu/tui/screen/dest"
)

// Follow follows a user and opens their match if they are playing.
func Follow(sh *screen.Shell, id account.ID, name string) tea.Cmd {
	if id == sh.Session.Account().ID {
		sh.Notify("This is you; your own games open automatically.")
		return nil
	}
	sh.Visit.Follow(id, name)
	sh.Session.IgnoreLists(false)
	if sh.Visit.NextFollowed() == "" {
		sh.Notify("Following %s. Each new game opens automatically.", name)
		return nil
	}
	return OpenFollowed(sh)
}

// FollowFeatured follows the featured matches and opens the current one.
func FollowFeatured(sh *screen.Shell) tea.Cmd {
	sh.Visit.FollowFeatured()
	if sh.Visit.NextFollowed() == "" {
		sh.Notify("No games in progress. The next featured game opens automatically.")
		return nil
	}
	return OpenFollowed(sh)
}

// OpenFollowed opens the next match of the followed user, or the next featured one, if the current screen
// may be replaced.
func OpenFollowed(sh *screen.Shell) tea.Cmd {
	if !sh.Visit.IsFollowing() {
		return nil
	}
	t := sh.Current().Traits()
	if !t.CanFollow {
		return nil
	}
	next := sh.Visit.NextFollowed()
	if next == "" || next == t.Match {
		return nil
	}
	return sh.Open(dest.Match{ID: next})
}
