package line

import (
	"context"
	"slices"
	"strings"

	"ayumu/lobby"
	"ayumu/tui/words"
)

// ignore blocks somebody, or lifts the block; without a name it lists the blocks.
func (t *talk) ignore(name string) {
	all := t.session.Blocks()
	if name == "" {
		if len(all) == 0 {
			t.say("You block nobody. ignore with a name blocks somebody.")
			return
		}
		var names []string
		for _, b := range all {
			names = append(names, b.Name)
		}
		t.say("You block %s. ignore with a name lifts that.", strings.Join(names, ", "))
		return
	}
	if i := slices.IndexFunc(all, func(b lobby.Block) bool { return strings.EqualFold(b.Name, name) }); i >= 0 {
		if t.call(func(ctx context.Context) error { return t.session.Unblock(ctx, all[i].Name) }) {
			t.say("You no longer block %s.", all[i].Name)
		}
		return
	}
	if t.call(func(ctx context.Context) error { return t.session.Block(ctx, name) }) {
		t.say("You block %s: you hear nothing from there and are not paired. Nobody is told.", name)
	}
}

// may reports whether the person may give a command of moderation.
func (t *talk) may(command string) bool { return t.visit.Office != nil && t.visit.Office.May(command) }

// report tells the moderators about somebody.
func (t *talk) report(args string) {
	name, what, _ := strings.Cut(args, " ")
	switch {
	case t.visit.Office == nil:
		t.say("Nobody moderates this server.")
	case !t.may("report"):
		t.say("A report needs an account. Come with an SSH key.")
	case strings.TrimSpace(what) == "":
		t.say("Report whom, and what happened? Type both after the word report.")
	case t.call(func(ctx context.Context) error { return t.visit.Office.Report(ctx, name, what) }):
		t.say("Thank you. The moderators will read it.")
	}
}

// admin gives a command of moderation.
func (t *talk) admin(args string) {
	var out string
	if t.call(func(ctx context.Context) (err error) {
		out, err = t.visit.Office.Order(ctx, strings.Fields(args)...)
		return err
	}) {
		for l := range strings.Lines(out) {
			if l = strings.TrimSpace(l); l != "" {
				t.say("%s", l)
			}
		}
		t.say("Done.")
	}
}

// sayReports tells a moderator who comes in how many reports are open.
func (t *talk) sayReports() {
	open := 0
	if !t.may("reports") || !t.call(func(ctx context.Context) (err error) {
		open, err = t.visit.Office.CountReports(ctx)
		return err
	}) {
		return
	}
	if open > 0 {
		t.say("%s. admin reports lists them.", words.Plural(open, "open report"))
	}
}
