package tui

import (
	"context"
	"fmt"

	tea "charm.land/bubbletea/v2"

	"ayumu/engine"
	"ayumu/lobby"
	"ayumu/tui/client"
	"ayumu/tui/words"
)

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
func startCondition(o engine.Options) string { return words.StartCondition(o, "y") }

// markReady marks the user as ready at the selected table.
func (v *lobbyScreen) markReady() tea.Cmd {
	a := v.app
	it, ok := v.selected()
	if !ok || it.table == nil || !client.CanBeReady(it.table, a.Session.Account()) {
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
