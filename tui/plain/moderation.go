package plain

import (
	"context"

	"ayumu/lobby/club"
	"ayumu/tui/words"
)

// moderationCommands are for moderators.
type moderationCommands struct{ *session }

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
