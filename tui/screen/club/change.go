package club

import (
	"context"
	"strings"

	tea "charm.land/bubbletea/v2"

	"ayumu/lobby"
	"ayumu/lobby/account"
	"ayumu/lobby/club"
	"ayumu/tui/admin"
	"ayumu/tui/game"
	"ayumu/tui/op"
	"ayumu/tui/screen"
	"ayumu/tui/screen/dest"
	"ayumu/tui/widget"
	"ayumu/tui/words"
)

// show shows a member with their keys.
func (v *members) show(m club.Member) tea.Cmd {
	name := m.Account.Name
	return screen.Run(v.sh, admin.Member, op.NameArgs{Name: name}, func(r admin.MemberResult) tea.Cmd {
		return v.sh.Open(dest.Text{Title: "Member " + name, Body: admin.MemberText(r.Member, r.Keys)})
	})
}

// roleAnswers are the roles that an owner can give, with the keys that choose them.
var roleAnswers = []struct {
	key    string
	role   club.Role
	phrase string
}{{"p", club.RolePlayer, "a player"}, {"m", club.RoleModerator, "a moderator"}, {"o", club.RoleServerOwner, "an owner"}}

// changeRole asks for another role of a member, and then for a confirmation.
func (v *members) changeRole(m club.Member) tea.Cmd {
	sh, name, before := v.sh, m.Account.Name, m.Role
	q := &screen.Question{Text: name + " is " + phraseOf(before) + ". Which role instead?", Dismiss: "keep"}
	for _, a := range roleAnswers {
		if a.role == before {
			continue
		}
		text := "Make " + name + " " + a.phrase + "?"
		if a.role < before {
			text += " Their sessions end."
		}
		q.Answers = append(q.Answers, screen.Answer{Key: game.Key{Key: a.key, Help: a.role.String()}, Do: func() tea.Cmd {
			return sh.Ask(screen.YesNo(text, "make "+a.role.String(), "cancel", func() tea.Cmd {
				return screen.Run(sh, admin.Role, admin.RoleArgs{Name: name, Role: a.role.String()}, func(club.Role) tea.Cmd {
					sh.Notify("%s is %s from the next sign-in on.", name, a.phrase)
					return v.changed(name)
				})
			}))
		}})
	}
	return sh.Ask(q)
}

// phraseOf returns a role with its article.
func phraseOf(role club.Role) string {
	for _, a := range roleAnswers {
		if a.role == role {
			return a.phrase
		}
	}
	return "a " + role.String()
}

// rename prompts for a new name of a member, and then asks for a confirmation.
func (v *members) rename(m club.Member) tea.Cmd {
	sh, name := v.sh, m.Account.Name
	p := &screen.Prompt{TextField: widget.TextField{Limit: account.MaxName}, Label: "New name of " + name, EnterHelp: "rename"}
	p.Set(name)
	p.Enter = func(to string) tea.Cmd {
		if to == name {
			return nil
		}
		return sh.Ask(screen.YesNo("Rename "+name+" to "+to+"?", "rename", "keep", func() tea.Cmd {
			return screen.Try(sh, func(ctx context.Context) (op.None, error) {
				return admin.Rename.Run(ctx, sh.Visit, admin.RenameArgs{Name: name, New: to})
			}, func(_ op.None, refused error) tea.Cmd {
				if refused != nil {
					return retry(sh, v.List, p, to, refused, "")
				}
				sh.Notify("%s is now %s.", name, to)
				return v.changed(to)
			})
		}))
	}
	return sh.OpenPrompt(p)
}

// removal asks whether the account of a member is to be deleted.
func removal(m club.Member) string {
	text := "Delete the account " + m.Account.Name + "? "
	if m.Unfinished > 0 {
		text += "It resigns " + words.Plural(m.Unfinished, "game") + ". "
	}
	return text + "Finished games stay under a neutral name."
}

// remove deletes the account of a member.
func (v *members) remove(m club.Member) tea.Cmd {
	return screen.Run(v.sh, admin.Remove, op.NameArgs{Name: m.Account.Name}, func(op.None) tea.Cmd {
		v.sh.Notify("The account %s was deleted. Its name is reserved for 30 days.", m.Account.Name)
		v.forget(m.Account.ID)
		return v.Reload()
	})
}

// invite creates an invitation and shows its code, which cannot be shown again. from is the visible screen; after is
// called after success, unless it is nil.
func invite(sh *screen.Shell, from screen.Screen, after func() tea.Cmd) tea.Cmd {
	l := &screen.Prompt{TextField: widget.TextField{Limit: 20}, Label: "Invitation: number of keys and time limit (30m, 12h, 7d)", EnterHelp: "create"}
	l.Set("1 7d")
	return sh.OpenPrompt(retryPrompt(sh, from, l, " Enter the number of keys and the time limit: 5 24h", func(ctx context.Context, text string) (club.Invitation, error) {
		uses, validity, err := admin.ParseInvitation(strings.Fields(text))
		if err != nil {
			return club.Invitation{}, err
		}
		return admin.Invite.Run(ctx, sh.Visit, admin.InviteArgs{Keys: &uses, Duration: new(admin.NewDuration(validity))})
	}, func(made club.Invitation) tea.Cmd {
		cmd := sh.Open(dest.Text{Title: "Invitation", Body: admin.InvitationText(made, sh.Config.SSHTarget), Note: "This is shown only once. Pass it on before you go back."})
		if after != nil {
			cmd = tea.Batch(cmd, after())
		}
		return cmd
	}))
}

// retryPrompt makes Enter in l call f with the typed text, and then with its result. If f fails, l opens
// again with the text, the error and hint. from is the visible screen.
func retryPrompt[R any](sh *screen.Shell, from screen.Screen, l *screen.Prompt, hint string, f func(ctx context.Context, text string) (R, error), then func(R) tea.Cmd) *screen.Prompt {
	l.Enter = func(text string) tea.Cmd {
		return screen.Try(sh, func(ctx context.Context) (R, error) { return f(ctx, text) }, func(r R, refused error) tea.Cmd {
			if refused != nil {
				return retry(sh, from, l, text, refused, hint)
			}
			return then(r)
		})
	}
	return l
}

// retry opens a prompt again with a text that was refused. If the user has left the screen meanwhile, it only shows why.
func retry(sh *screen.Shell, from screen.Screen, l *screen.Prompt, text string, refused error, hint string) tea.Cmd {
	_, why := lobby.PublicError(refused)
	if !sh.IsFree(from) {
		sh.NotifyError("%s", why)
		return nil
	}
	l.Set(text)
	l.Failure = words.Sentence(why) + hint
	return sh.OpenPrompt(l)
}
