package match

import (
	"context"

	tea "charm.land/bubbletea/v2"

	"ayumu/lobby"
	"ayumu/tui/screen"
	"ayumu/tui/screen/dest"
)

// Open shows a match at the user's seat, otherwise as a spectator.
func Open(sh *screen.Shell, d dest.Match) tea.Cmd {
	m, err := sh.Client.OpenMatch(d.ID, d.Code)
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
	v := newPlaying(sh, m)
	return tea.Batch(show(v), screen.LoadExperience(sh, v.Game.Name()))
}

// OpenReplay replays a finished match from its first position. A match that is still running is opened instead.
func OpenReplay(sh *screen.Shell, d dest.Replay) tea.Cmd {
	var s *lobby.Snapshot
	return sh.Call(func(ctx context.Context) (err error) {
		s, err = sh.Client.Archive().Snapshot(ctx, d.ID)
		return err
	}, func() tea.Cmd {
		if !s.IsOver() {
			return sh.Open(dest.Match{ID: d.ID})
		}
		m, err := sh.Client.Archived(s)
		if err != nil {
			sh.NotifyFailure(sh.Session.Lobby().InternalError("match not replayed", err, "match", d.ID))
			return nil
		}
		return sh.Push(newReplay(sh, m))
	})
}
