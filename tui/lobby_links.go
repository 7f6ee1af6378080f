package tui

import (
	"fmt"

	tea "charm.land/bubbletea/v2"

	"ayumu/lobby/club"
	"ayumu/tui/game"
	"ayumu/tui/paint"
	"ayumu/tui/screen/dest"
	"ayumu/tui/screen/player"
	"ayumu/tui/words"
)

// handleMoreKeys handles the lobby's keys that open other screens.
func (v *lobbyScreen) handleMoreKeys(key string) tea.Cmd {
	a := v.app
	switch key {
	case "N":
		return a.Open(dest.NextWaiting{})
	case "a":
		return a.Open(dest.Archive{})
	case "g":
		return a.Open(dest.Grid{})
	case "r":
		return a.Open(dest.Leaderboard{})
	case "i":
		return v.openProfile()
	case "B":
		if p, ok := v.selectedUser(); ok {
			return player.ToggleBlock(a.Shell, p.ID, p.Name)
		}
		a.Notify("Select a player first (Tab).")
	case "R":
		if p, ok := v.selectedUser(); ok {
			return player.Report(a.Shell, p.Name)
		}
		a.Notify("Select a player first (Tab).")
	case "M":
		if p, ok := v.selectedUser(); ok && p.ID != a.Session.Account().ID {
			return a.Open(dest.Sanction{Name: p.Name})
		}
		return a.Open(dest.Moderation{})
	}
	return nil
}

// openProfile opens the profile of the selected user or of a player in the selected row, otherwise the
// user's own.
func (v *lobbyScreen) openProfile() tea.Cmd {
	a := v.app
	if p, ok := v.selectedUser(); ok {
		return a.Open(dest.Profile{ID: p.ID})
	}
	it, _ := v.selected()
	switch {
	case it.listing != nil:
		return player.AskProfile(a.Shell, it.listing.Info)
	case it.ownMatch != nil:
		return player.AskProfile(a.Shell, it.ownMatch.Info)
	case it.table != nil:
		return a.Open(dest.Profile{Name: it.table.Owner})
	}
	return a.Open(dest.Profile{ID: a.Session.Account().ID})
}

// statusLine shows in how many matches it is the user's turn, otherwise keys for which the status bar
// has no space.
func (v *lobbyScreen) StatusLine() (string, paint.Style) {
	t := v.app.Style.Theme
	if n := len(v.app.Client.Waiting(v.app.Current().Traits().Match)); n > 1 {
		return fmt.Sprintf("It is your turn in %s. Press N for the next one.", words.Plural(n, "game")), t.Notice
	}
	return "a archive · r leaderboard · i profile · g several games", t.Dim
}

// moderationKeys returns the keys that report and moderate a user, with the given labels.
func (a *Model) moderationKeys(report, moderate string) []game.Key {
	var keys []game.Key
	if a.Config.Can(club.PermissionReport) {
		keys = append(keys, game.Key{Key: "R", Help: report})
	}
	if a.Config.Can(club.PermissionMute) {
		keys = append(keys, game.Key{Key: "M", Help: moderate})
	}
	return keys
}
