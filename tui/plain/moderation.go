package plain

import (
	"context"
	"strings"

	"ayumu/tui/words"
)

// moderationCommands are for reports and for moderators.
type moderationCommands struct{ *session }

// report sends a report about a user to the moderators.
func (t moderationCommands) report(args string) {
	name, text, _ := strings.Cut(args, " ")
	switch {
	case t.config.Moderation == nil:
		t.printf("This server has no moderators.")
	case !t.config.CanUse("report"):
		t.printf("You need an account to report a player. Connect with an SSH key.")
	case strings.TrimSpace(text) == "":
		t.printf("Usage: report NAME TEXT.")
	case t.call(func(ctx context.Context) error { return t.config.Moderation.Report(ctx, name, text) }):
		t.printf("Thank you. The report is open for the moderators.")
	}
}

// moderate runs a moderation command and prints its output.
func (t moderationCommands) moderate(args string) {
	var out string
	if t.call(func(ctx context.Context) (err error) {
		out, err = t.config.Moderation.Run(ctx, strings.Fields(args)...)
		return err
	}) {
		for l := range strings.Lines(out) {
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
	if !t.config.CanUse("reports") || !t.call(func(ctx context.Context) (err error) {
		open, err = t.config.Moderation.CountReports(ctx)
		return err
	}) {
		return
	}
	if open > 0 {
		t.printf("%s. Type admin reports to list them.", words.Plural(open, "open report"))
	}
}
