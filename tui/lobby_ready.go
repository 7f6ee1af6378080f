package tui

import (
	"context"
	"fmt"
	"slices"

	tea "charm.land/bubbletea/v2"

	"ayumu/engine"
	"ayumu/lobby"
)

// canBeReady reports whether account me is seated at a table that may start with fewer players and has
// not marked itself as ready. Such a table starts once all seated users are ready.
func canBeReady(t *lobby.Table, me lobby.Account) bool {
	minimum, limit := t.Options.Seats()
	return minimum < limit && slices.Contains(t.Seated, me.Name) && !slices.Contains(t.Ready, me.Name)
}

// seatedText describes the seats of a table: "2 of 3"; empty for two seats, where one more player
// starts it.
func seatedText(t *lobby.Table) string {
	minimum, limit := t.Options.Seats()
	switch {
	case limit == 2:
		return ""
	case minimum < limit && len(t.Ready) > 0:
		return fmt.Sprintf("%d of %d ready", len(t.Ready), len(t.Seated))
	case minimum < limit:
		return fmt.Sprintf("%d of %d–%d", len(t.Seated), minimum, limit)
	}
	return fmt.Sprintf("%d of %d", len(t.Seated), limit)
}

// startCondition describes as a clause when the match of a table starts.
func startCondition(o engine.Options) string {
	switch minimum, limit := o.Seats(); {
	case limit == 2:
		return "the game starts as soon as someone joins"
	case minimum < limit:
		return fmt.Sprintf("the game starts when all %d seats are taken, or at least %d and all players there are ready (y)", limit, minimum)
	default:
		return fmt.Sprintf("the game starts when all %d seats are taken", limit)
	}
}

// markReady marks the user as ready at the selected table.
func (v *lobbyScreen) markReady() tea.Cmd {
	a := v.app
	it, ok := v.selected()
	if !ok || it.table == nil || !canBeReady(it.table, a.Session.Account()) {
		a.Notify("Select a table that you joined and that may start with fewer players.")
		return nil
	}
	return a.Call(func(ctx context.Context) error {
		_, err := a.Session.Ready(ctx, it.table.ID)
		return err
	}, func() tea.Cmd {
		a.Notify("You are ready. The game starts when enough players have joined and all are ready.")
		return a.Refresh()
	})
}
