package plain

import (
	"context"
	"slices"
	"strings"

	"ayumu/lobby"
	"ayumu/tui/words"
)

// toggleBlock blocks somebody, or lifts the block; without a name it lists the blocks.
func (t *session) toggleBlock(name string) {
	all := t.session.Blocks()
	if name == "" {
		if len(all) == 0 {
			t.printf("You block nobody. ignore with a name blocks somebody.")
			return
		}
		var names []string
		for _, b := range all {
			names = append(names, b.Name)
		}
		t.printf("You block %s. ignore with a name lifts that.", strings.Join(names, ", "))
		return
	}
	if i := slices.IndexFunc(all, func(b lobby.Block) bool { return strings.EqualFold(b.Name, name) }); i >= 0 {
		if t.call(func(ctx context.Context) error { return t.session.Unblock(ctx, all[i].Name) }) {
			t.printf("You no longer block %s.", all[i].Name)
		}
		return
	}
	if t.call(func(ctx context.Context) error { return t.session.Block(ctx, name) }) {
		t.printf("You block %s: you hear nothing from there and are not paired. Nobody is told.", name)
	}
}

// canUse reports whether the person may give a command of moderation.
func (t *session) canUse(command string) bool {
	return t.config.Moderation != nil && t.config.Moderation.CanUse(command)
}

// report tells the moderators about somebody.
func (t *session) report(args string) {
	name, what, _ := strings.Cut(args, " ")
	switch {
	case t.config.Moderation == nil:
		t.printf("Nobody moderates this server.")
	case !t.canUse("report"):
		t.printf("A report needs an account. Come with an SSH key.")
	case strings.TrimSpace(what) == "":
		t.printf("Report whom, and what happened? Type both after the word report.")
	case t.call(func(ctx context.Context) error { return t.config.Moderation.Report(ctx, name, what) }):
		t.printf("Thank you. The moderators will read it.")
	}
}

// moderate gives a command of moderation.
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

// printReports tells a moderator who comes in how many reports are open.
func (t *session) printReports() {
	open := 0
	if !t.canUse("reports") || !t.call(func(ctx context.Context) (err error) {
		open, err = t.config.Moderation.CountReports(ctx)
		return err
	}) {
		return
	}
	if open > 0 {
		t.printf("%s. admin reports lists them.", words.Plural(open, "open report"))
	}
}
