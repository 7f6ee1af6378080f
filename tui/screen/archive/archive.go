// Package archive has the lists of finished matches: the screen that lists the user's own, those of another player or
// all, and the list of a player's for their profile.
package archive

import (
	"context"
	"sync/atomic"
	"time"

	tea "charm.land/bubbletea/v2"

	"ayumu/lobby/match"
	"ayumu/tui/paint"
	"ayumu/tui/screen"
	"ayumu/tui/screen/dest"
	"ayumu/tui/screen/preview"
)

// Open shows the user's finished matches, or all matches to a guest.
func Open(sh *screen.Shell, _ dest.Archive) tea.Cmd { return list(sh).Push(sh) }

// list declares the screen.
func list(sh *screen.Shell) *screen.List[Match] {
	hasOthers := func() bool { return !sh.Config.IsOffline() }
	me := sh.Session.Account
	l := List(sh)
	l.Name, l.Title, l.About = "archive", "Finished games", "All finished games are kept."
	if hasOthers() {
		l.About += " Private games are listed only for their players."
	}
	if !me().IsGuest() {
		l.Of = me().Name
	}
	l.Subtitle = func() string {
		switch l.Of {
		case "":
			return "all games, newest first"
		case me().Name:
			return "your games, newest first"
		}
		return l.Of + "'s games, newest first"
	}
	l.Empty = func() string {
		switch {
		case l.Of == "":
			return "No finished games yet."
		case l.Of != me().Name:
			return l.Of + " has no finished games yet."
		case hasOthers():
			return "You have no finished games yet. Press p in the lobby to find an opponent. → lists all games."
		}
		return "You have no finished games yet."
	}
	showEnd(sh, l)
	l.Actions = []screen.RowAction[Match]{
		Replay(sh),
		{Key: screen.Keys(switchKeys, "← →", "list all games"), Label: "all games", When: func() bool { return hasOthers() && l.Of != "" }, DoAny: func() tea.Cmd { return l.Switch("") }},
		{Key: screen.Keys(switchKeys, "← →", "list your games"), Label: "your games", When: func() bool { return hasOthers() && l.Of == "" && !me().IsGuest() }, DoAny: func() tea.Cmd { return l.Switch(me().Name) }},
		{Key: screen.Keys("/", "/", "the games of a player"), Label: "player", Rank: 1, When: hasOthers, DoAny: func() tea.Cmd { return askPlayer(l) }},
		{Key: screen.NoKey("the analysis of the selected game by the engine, with the costliest moves"), Label: "analysis", Rank: 1, Operation: "analysis",
			When: func() bool { return sh.Config.Bots != nil }, Do: func(m Match) tea.Cmd { return sh.Open(dest.Analysis{ID: m.Info.ID}) }},
		Profile(sh, "profile", 1),
	}
	return l
}

// switchKeys are the keys that list the games of others, or one's own.
const switchKeys = "left right tab"

// askPlayer prompts for a name and lists the matches of that player.
func askPlayer(l *screen.List[Match]) tea.Cmd {
	return l.Shell.OpenPrompt(l.Shell.NewNamePrompt("Games of which player", "list games", l.Switch))
}

// endDelay is how long a match is selected before its end is read, so that moving through the list reads nothing.
const endDelay = 200 * time.Millisecond

// showEnd shows the last position of the selected match beside a list.
func showEnd(sh *screen.Shell, l *screen.List[Match]) {
	var end *match.Snapshot    // that was read last
	var selected atomic.Uint64 // counts the matches that were selected
	l.OnSelect = func(m Match) tea.Cmd {
		number := selected.Add(1)
		return screen.Try(sh, func(ctx context.Context) (*match.Snapshot, error) {
			select {
			case <-time.After(endDelay):
			case <-ctx.Done():
			}
			if selected.Load() != number {
				return nil, nil
			}
			return sh.Visit.Archive().Snapshot(ctx, m.Info.ID)
		}, func(s *match.Snapshot, err error) tea.Cmd {
			if err != nil || s == nil { // it is only beside the list
				return nil
			}
			end = s
			return sh.Refresh()
		})
	}
	l.Beside = func(m Match) screen.Beside {
		return screen.Beside{Title: "The end", Draw: func(c paint.Canvas) {
			if end == nil || end.Info.ID != m.Info.ID {
				return
			}
			if p := preview.BoardsOf(sh.Shared).OfFinished(sh, end); p != nil {
				p.Draw(c, sh)
			}
		}}
	}
}
