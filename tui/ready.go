package tui

import (
	"context"
	"fmt"
	"slices"

	tea "charm.land/bubbletea/v2"

	"ayumu/engine"
	"ayumu/lobby"
)

// A table that may start with fewer than all of its seats begins once everybody who sits there has
// said that he is ready.

// mayBeReady reports whether somebody sits at such a table and has not said so yet.
func mayBeReady(t *lobby.Table, me lobby.Account) bool {
	least, most := t.Options.Seats()
	return least < most && slices.Contains(t.Seated, me.Name) && !slices.Contains(t.Ready, me.Name)
}

// seatedAs says how far a table is on its way to a start; empty where one more person starts it.
func seatedAs(t *lobby.Table) string {
	least, most := t.Options.Seats()
	switch {
	case most == 2:
		return ""
	case least < most && len(t.Ready) > 0:
		return fmt.Sprintf("%d of %d ready", len(t.Ready), len(t.Seated))
	case least < most:
		return fmt.Sprintf("%d of %d–%d", len(t.Seated), least, most)
	}
	return fmt.Sprintf("%d of %d", len(t.Seated), most)
}

// startsWhen says when the game of a table begins, as a clause, to somebody who sits there.
func startsWhen(o engine.Options) string {
	switch least, most := o.Seats(); {
	case most == 2:
		return "the game opens by itself when somebody sits down"
	case least < most:
		return fmt.Sprintf("the game opens by itself when all %d seats are taken, or at least %d and all there are ready (y)", most, least)
	default:
		return fmt.Sprintf("the game opens by itself when all %d seats are taken", most)
	}
}

// ready says that the person is willing to start the chosen table without further players.
func (v *lobbyView) ready() tea.Cmd {
	a := v.app
	it, ok := v.selected()
	if !ok || it.table == nil || !mayBeReady(it.table, a.session.Account()) {
		a.tell("Choose a table at which you sit and that may start with fewer players.")
		return nil
	}
	return a.call(func(ctx context.Context) error {
		_, err := a.session.Ready(ctx, it.table.ID)
		return err
	}, func() tea.Cmd {
		a.tell("You are ready; the game begins when all who sit there are, and enough have come.")
		return a.refresh()
	})
}
