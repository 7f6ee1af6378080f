package plain

import (
	"context"
	"strings"

	"ayumu/lobby/club"
	"ayumu/tui/admin"
	"ayumu/tui/words"
)

// moderationCommands are for reports and for moderators.
type moderationCommands struct{ *session }

// report sends a report about a user to the moderators.
func (t moderationCommands) report(args string) {
	name, text, _ := strings.Cut(args, " ")
	switch {
	case t.config.Moderator == nil:
		t.printf("This server has no moderators.")
	case !t.config.Can(club.PermissionReport):
		t.printf("You need an account to report a player. Connect with an SSH key.")
	case strings.TrimSpace(text) == "":
		t.printf("Usage: report NAME TEXT.")
	case t.call(func(ctx context.Context) error { return t.config.Moderator.Report(ctx, name, text) }):
		t.printf("Thank you. The report is open for the moderators.")
	}
}

// moderate runs a moderation command and prints its output.
func (t moderationCommands) moderate(args string) {
	var out strings.Builder
	if t.call(func(ctx context.Context) error {
		e := admin.Env{Moderator: t.config.Moderator, SSHTarget: t.config.SSHTarget, Bulletin: t.config.Bulletin, Manager: t.config.Manager, Out: &out}
		return admin.Run(ctx, e, strings.Fields(args))
	}) {
		for l := range strings.Lines(out.String()) {
			if l = strings.TrimSpace(l); l != "" {
				t.printf("%s", l)
			}
		}
		t.printf("Done.")
	}
}

// printReports prints the number of open reports to a moderator.
func (t moderationCommands) printReports() {
	open := 0
	if !t.config.Can(club.PermissionReports) || !t.call(func(ctx context.Context) (err error) {
		open, err = t.config.Moderator.CountReports(ctx)
		return err
	}) {
		return
	}
	if open > 0 {
		t.printf("%s. Type admin reports to list them.", words.Plural(open, "open report"))
	}
}
