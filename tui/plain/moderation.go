package plain

import (
	"context"
	"slices"
	"strings"

	"ayumu/lobby"
	"ayumu/tui/words"
)

// toggleBlock blocks or unblocks a user; without a name it lists the blocks.
func (t *session) toggleBlock(name string) {
	all := t.session.Blocks()
	if name == "" {
		if len(all) == 0 {
			t.printf("You have not blocked anyone. Type ignore and a name to block a player.")
			return
		}
		var names []string
		for _, b := range all {
			names = append(names, b.Name)
		}
		t.printf("Blocked players: %s. Type ignore and a name to unblock one.", strings.Join(names, ", "))
		return
	}
	if i := slices.IndexFunc(all, func(b lobby.Block) bool { return strings.EqualFold(b.Name, name) }); i >= 0 {
		if t.call(func(ctx context.Context) error { return t.session.Unblock(ctx, all[i].Name) }) {
			t.printf("%s is no longer blocked.", all[i].Name)
		}
		return
	}
	if t.call(func(ctx context.Context) error { return t.session.Block(ctx, name) }) {
		t.printf("%s is blocked. You will no longer be paired or see each other's messages. They are not notified.", name)
	}
}

// canUse reports whether the user may use a moderation command.
func (t *session) canUse(command string) bool {
	return t.config.Moderation != nil && t.config.Moderation.CanUse(command)
}

// report sends a report about a user to the moderators.
func (t *session) report(args string) {
	name, text, _ := strings.Cut(args, " ")
	switch {
	case t.config.Moderation == nil:
		t.printf("This server has no moderators.")
	case !t.canUse("report"):
		t.printf("You need an account to report a player. Connect with an SSH key.")
	case strings.TrimSpace(text) == "":
		t.printf("Usage: report NAME TEXT.")
	case t.call(func(ctx context.Context) error { return t.config.Moderation.Report(ctx, name, text) }):
		t.printf("Thank you. The report is open for the moderators.")
	}
}

// moderate runs a moderation command and prints its output.
func (t *session) moderate(args string) {
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
func (t *session) printReports() {
	open := 0
	if !t.canUse("reports") || !t.call(func(ctx context.Context) (err error) {
		open, err = t.config.Moderation.CountReports(ctx)
		return err
	}) {
		return
	}
	if open > 0 {
		t.printf("%s. Type admin reports to list them.", words.Plural(open, "open report"))
	}
}
