package moderation

import (
	"context"
	"strings"

	tea "charm.land/bubbletea/v2"

	"ayumu/lobby"
	"ayumu/lobby/club"
	"ayumu/tui/admin"
	"ayumu/tui/screen"
	"ayumu/tui/screen/dest"
	"ayumu/tui/widget"
	"ayumu/tui/words"
)

func canManage(v *moderation) bool { return v.Shell.Config.Can(club.PermissionMembers) }

// showStatistics shows what was played in the last weeks.
func showStatistics(v *moderation) tea.Cmd {
	var out string
	return v.Shell.Call(func(ctx context.Context) (err error) {
		out, err = runCommand(ctx, v, "statistics")
		return err
	}, func() tea.Cmd { return v.Shell.Open(dest.Text{Title: "Statistics", Body: out}) })
}

// runCommand runs an admin command and returns what it prints. It may be called outside the event loop.
func runCommand(ctx context.Context, v *moderation, command string) (string, error) {
	c := v.Shell.Config
	var out strings.Builder
	e := admin.Env{Moderator: c.Moderator, Manager: c.Manager, Bulletin: c.Bulletin, SSHTarget: c.SSHTarget, Out: &out}
	err := admin.Run(ctx, e, strings.Fields(command))
	return out.String(), err
}

// dangerous are the commands that are confirmed.
var dangerous = []string{"remove", "role"}

// askCommand prompts for an admin command, and shows what it prints. A command that takes something from a member is
// confirmed.
func askCommand(v *moderation) tea.Cmd {
	sh := v.Shell
	p := &screen.Prompt{TextField: widget.TextField{Limit: 200}, Label: "Command (help lists them)", EnterHelp: "run"}
	p.Enter = func(text string) tea.Cmd {
		name, _, _ := strings.Cut(text, " ")
		for _, d := range dangerous {
			if name == d {
				return sh.Ask(screen.YesNo(words.Sentence(text)+" Are you sure?", "do it", "cancel", func() tea.Cmd { return run(v, p, text) }))
			}
		}
		return run(v, p, text)
	}
	return sh.OpenPrompt(p)
}

// run runs a command of a prompt. If it fails, the prompt opens again with the reason.
func run(v *moderation, p *screen.Prompt, text string) tea.Cmd {
	sh := v.Shell
	var out string
	var refused error
	return sh.Call(func(ctx context.Context) error {
		out, refused = runCommand(ctx, v, text)
		return nil
	}, func() tea.Cmd {
		switch {
		case refused != nil:
			_, why := lobby.PublicError(refused)
			p.Set(text)
			p.Failure = words.Sentence(why)
			return sh.OpenPrompt(p)
		case strings.Count(out, "\n") > 1:
			return sh.Open(dest.Text{Title: words.Sentence(text), Body: out})
		}
		sh.Notify("Done. %s", strings.TrimSpace(out))
		return v.reload(nil)
	})
}
