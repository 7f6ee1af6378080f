package plain

import (
	"context"
	"strings"

	"ayumu/lobby/club"
	"ayumu/tui/admin"
	"ayumu/tui/words"
)

// moderationCommands are for moderators.
type moderationCommands struct{ *session }

// moderate runs a moderation command and prints its output.
func (t moderationCommands) moderate(args string) {
	if t.config.Moderator == nil {
		t.printf("This server has no moderators.")
		return
	}
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
