// Package player has what several screens offer to do with a player: open the profile, follow, block,
// report and moderate.
package player

import (
	"context"
	"slices"

	tea "charm.land/bubbletea/v2"

	"ayumu/lobby/account"
	"ayumu/lobby/club"
	"ayumu/lobby/match"
	"ayumu/tui/game"
	"ayumu/tui/op"
	"ayumu/tui/screen"
	"ayumu/tui/screen/dest"
	"ayumu/tui/widget"
)

// AskProfile asks which player of a match to show and opens the profile.
func AskProfile(sh *screen.Shell, info *match.Info) tea.Cmd {
	return ask(sh, "Whose profile?", info, func(s match.Seat) tea.Cmd { return sh.Open(dest.Profile{ID: s.Account}) })
}

// AskFollow asks which player of a match to follow.
func AskFollow(sh *screen.Shell, info *match.Info) tea.Cmd {
	return ask(sh, "Follow which player? Their games will open automatically.", info, func(s match.Seat) tea.Cmd { return Follow(sh, s.Account, s.Name) })
}

// ask asks for one of the players of a match.
func ask(sh *screen.Shell, text string, info *match.Info, do func(match.Seat) tea.Cmd) tea.Cmd {
	q := &screen.Question{Text: text, Dismiss: "cancel"}
	for i, s := range info.Seats {
		q.Answers = append(q.Answers, screen.Answer{Key: game.Key{Key: string(rune('1' + i)), Help: s.Name}, Do: func() tea.Cmd { return do(s) }})
	}
	return sh.Ask(q)
}

// ToggleBlock blocks a user after a confirmation, or removes the block.
func ToggleBlock(sh *screen.Shell, id account.ID, name string) tea.Cmd {
	if id == sh.Session.Account().ID {
		sh.Notify("You cannot block yourself.")
		return nil
	}
	if sh.Session.HasBlocked(id) {
		return Unblock(sh, id)
	}
	return sh.Ask(screen.YesNo("Block "+name+"? You will no longer be paired or see each other's messages. They are not notified.", "block", "cancel", func() tea.Cmd {
		return Block(sh, name, func() tea.Cmd {
			sh.Notify("You blocked %s. To undo it, type :unblock and the name.", name)
			return sh.Refresh()
		})
	}))
}

// Block blocks a user by name; then calls a function.
func Block(sh *screen.Shell, name string, then func() tea.Cmd) tea.Cmd {
	return sh.Call(func(ctx context.Context) error {
		_, err := op.Block.Run(ctx, sh.Visit, op.NameArgs{Name: name})
		return err
	}, then)
}

// Unblock removes a block by its id, since the user's name may have changed.
func Unblock(sh *screen.Shell, id account.ID) tea.Cmd {
	all := sh.Session.Blocks()
	i := slices.IndexFunc(all, func(b account.Block) bool { return b.ID == id })
	if i < 0 {
		return nil
	}
	return sh.Call(func(ctx context.Context) error {
		_, err := op.Unblock.Run(ctx, sh.Visit, op.NameArgs{Name: all[i].Name})
		return err
	}, func() tea.Cmd {
		sh.Notify("You unblocked %s.", all[i].Name)
		return sh.Refresh()
	})
}

// BlockLabel returns the label of the key that blocks or unblocks a user.
func BlockLabel(sh *screen.Shell, id account.ID) string {
	if sh.Session.HasBlocked(id) {
		return "unblock"
	}
	return "block"
}

// Report prompts for a text and sends it to the moderators as a report about a user.
func Report(sh *screen.Shell, name string) tea.Cmd {
	switch {
	case sh.Config.Moderator == nil || name == sh.Session.Account().Name:
		return nil
	case !sh.Config.Can(club.PermissionReport):
		sh.Notify("Guests cannot report players. Connect with an SSH key first.")
		return nil
	}
	return sh.OpenPrompt(&screen.Prompt{TextField: widget.TextField{Limit: 200}, Label: "Report to the moderators: what did " + name + " do", EnterHelp: "report", Enter: func(what string) tea.Cmd {
		return screen.Run(sh, op.Report, op.ReportArgs{Name: name, Text: what}, func(op.None) tea.Cmd {
			sh.Notify("Thank you. Your report was sent to the moderators.")
			return nil
		})
	}})
}
