package player

import (
	"context"

	tea "charm.land/bubbletea/v2"

	"ayumu/lobby/vacation"
	"ayumu/tui/op"
	"ayumu/tui/screen"
	"ayumu/tui/widget"
	"ayumu/tui/words"
)

// AskVacation prompts for the days of the user's vacation, and begins or ends it.
func AskVacation(sh *screen.Shell) tea.Cmd {
	status := sh.Session.Vacation()
	l := &screen.Prompt{TextField: widget.TextField{Limit: 3}, EnterHelp: "begin"}
	l.Label = "Vacation: for how many days from now? " + words.Plural(status.Left, "day") + " left"
	if !status.Until.IsZero() {
		l.Label = "You are " + words.OnVacation(status.Until) + ". Days from now, 0 ends it"
	}
	l.Enter = func(text string) tea.Cmd {
		return screen.Try(sh, func(ctx context.Context) (vacation.Status, error) {
			days := new(op.Days)
			if err := days.ParseWord(sh.Visit, text); err != nil {
				return vacation.Status{}, err
			}
			return op.Vacation.Run(ctx, sh.Visit, op.VacationArgs{Days: days})
		}, func(now vacation.Status, refused error) tea.Cmd {
			if refused != nil {
				l.Set(text)
				l.Failure = op.Sentence(refused)
				return sh.OpenPrompt(l)
			}
			sh.Notify("%s", words.VacationStatus(now))
			return sh.Refresh()
		})
	}
	return sh.OpenPrompt(l)
}

// CanGoOnVacation reports whether the user has an account on a server with vacations.
func CanGoOnVacation(sh *screen.Shell) bool {
	a := sh.Session.Account()
	return !a.IsGuest() && sh.Session.Vacation().Allowed > 0
}
