package moderation

import (
	"context"
	"strings"

	tea "charm.land/bubbletea/v2"

	"ayumu/lobby"
	"ayumu/lobby/club"
	"ayumu/tui/op"
	"ayumu/tui/screen"
	"ayumu/tui/screen/dest"
	"ayumu/tui/widget"
	"ayumu/tui/words"
)

func canManage(v *moderation) bool { return v.Shell.Config.Can(club.PermissionMembers) }

// showStatistics shows what was played in the last weeks.
func showStatistics(v *moderation) tea.Cmd {
	var out string
	return v.Shell.Call(func(ctx context.Context) error {
		c, _, err := parseCommand(v, "statistics")
		if err == nil {
			out, err = runCommand(ctx, v, c)
		}
		return err
	}, func() tea.Cmd { return v.Shell.Open(dest.Text{Title: "Statistics", Body: out}) })
}

// parseCommand returns the operation that somebody typed, as after admin in line mode, and the question that confirms it; "": none.
func parseCommand(v *moderation, text string) (c op.Call, question string, err error) {
	visit := v.Shell.Visit
	o, name, rest := visit.Operations.OfWords(append([]string{"admin"}, strings.Fields(text)...))
	if c, err = o.ParseWords(visit, name, rest); err != nil {
		return nil, "", err
	}
	if question, err = c.Confirmation(visit); err == nil && question == "" && name == "admin role" {
		question = words.Sentence(text) // it takes something from a member
	}
	return c, question, err
}

// runCommand runs an operation and returns its result as text. It may be called outside the event loop.
func runCommand(ctx context.Context, v *moderation, c op.Call) (string, error) {
	r, err := c.Run(ctx, v.Shell.Visit)
	if err != nil {
		return "", err
	}
	var out strings.Builder
	err = op.WriteText(&out, r.Text())
	return out.String(), err
}

// askCommand prompts for a moderators' command, and shows its result.
func askCommand(v *moderation) tea.Cmd {
	sh := v.Shell
	p := &screen.Prompt{TextField: widget.TextField{Limit: 200}, Label: "Command (help lists them)", EnterHelp: "run"}
	p.Enter = func(text string) tea.Cmd {
		c, question, err := parseCommand(v, text)
		switch {
		case err != nil:
			return refuse(v, p, text, err)
		case question != "":
			return sh.Ask(screen.YesNo(question+" Are you sure?", "do it", "cancel", func() tea.Cmd { return run(v, p, text, c) }))
		}
		return run(v, p, text, c)
	}
	return sh.OpenPrompt(p)
}

// refuse opens the prompt again with the reason for which a command was refused.
func refuse(v *moderation, p *screen.Prompt, text string, err error) tea.Cmd {
	_, why := lobby.PublicError(err)
	p.Set(text)
	p.Failure = words.Sentence(why)
	return v.Shell.OpenPrompt(p)
}

// run runs a command of a prompt. If it fails, the prompt opens again with the reason.
func run(v *moderation, p *screen.Prompt, text string, c op.Call) tea.Cmd {
	sh := v.Shell
	var out string
	var refused error
	return sh.Call(func(ctx context.Context) error {
		out, refused = runCommand(ctx, v, c)
		return nil
	}, func() tea.Cmd {
		switch {
		case refused != nil:
			return refuse(v, p, text, refused)
		case strings.Count(out, "\n") > 1:
			return sh.Open(dest.Text{Title: words.Sentence(text), Body: out})
		}
		sh.Notify("%s", strings.TrimSpace(out))
		return v.reload(nil)
	})
}
