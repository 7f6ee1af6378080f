package match

import (
	"context"

	tea "charm.land/bubbletea/v2"

	"ayumu/lobby"
	"ayumu/lobby/errcode"
	"ayumu/lobby/match"
	"ayumu/tui/screen"
	"ayumu/tui/screen/dest"
)

// Open shows a match at the user's seat, otherwise as a spectator. A match that has ended and is in the archive only is
// replayed.
func Open(sh *screen.Shell, d dest.Match) tea.Cmd {
	m, err := sh.Visit.OpenMatch(d.ID, d.Code)
	if code, _ := lobby.PublicError(err); err != nil && code == errcode.UnknownMatch {
		return openArchived(sh, d.ID, func() tea.Cmd {
			sh.NotifyFailure(err)
			return nil
		})
	}
	if err != nil {
		sh.NotifyFailure(err)
		return nil
	}
	show := sh.Show
	if d.Returns {
		show = sh.Push
	}
	if m.Player == nil {
		return show(newWatching(sh, m))
	}
	if m.InLobby.Info.Local {
		return tea.Batch(show(newLocal(sh, m)), sh.LoadExperience(m.Game.Name()))
	}
	v := newPlaying(sh, m)
	return tea.Batch(show(v), sh.LoadExperience(v.Game.Name()))
}

// OpenReplay replays a finished match from its first position. A match that is still running is opened instead.
func OpenReplay(sh *screen.Shell, d dest.Replay) tea.Cmd {
	if d.Snapshot != nil {
		return showArchived(sh, d.Snapshot)
	}
	return openArchived(sh, d.ID, func() tea.Cmd { return sh.Open(dest.Match{ID: d.ID}) })
}

// openArchived replays a finished match of the archive, and calls ifRunning for one that is still running.
func openArchived(sh *screen.Shell, id string, ifRunning func() tea.Cmd) tea.Cmd {
	return screen.Load(sh, func(ctx context.Context) (*match.Snapshot, error) {
		return sh.Visit.Archive().Snapshot(ctx, id)
	}, func(s *match.Snapshot) tea.Cmd {
		if !s.IsOver() {
			return ifRunning()
		}
		return showArchived(sh, s)
	})
}

// showArchived replays a finished match.
func showArchived(sh *screen.Shell, s *match.Snapshot) tea.Cmd {
	m, err := sh.Visit.Archived(s)
	if err != nil {
		sh.NotifyFailure(sh.Session.Lobby().InternalError("match not replayed", err, "match", s.Info.ID))
		return nil
	}
	return sh.Push(newReplay(sh, m))
}
