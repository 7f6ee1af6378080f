package exec

import (
	"context"
	"encoding/json"
	"fmt"

	"ayumu/lobby"
	"ayumu/lobby/notify"
	"ayumu/tui/op"
	"ayumu/tui/wire"
)

// notifications describes or changes where the user's notifications are sent.
func notifications(ctx context.Context, e Env, args []string, asJSON bool) error {
	var a lobby.Account
	if e.Account != nil {
		a = *e.Account
	}
	own, err := e.Notify.Own(a, e.Addr)
	if err != nil {
		return err
	}
	lines, err := op.RunNotifications(ctx, own, args)
	if err != nil {
		return err
	}
	if asJSON {
		var r notify.Receiver
		if r, err = own.Receiver(ctx); err != nil {
			return err
		}
		return json.NewEncoder(e.Out).Encode(wire.ReceiverOf(&r))
	}
	for _, l := range lines {
		if _, err := fmt.Fprintln(e.Out, l); err != nil {
			return err
		}
	}
	return nil
}
