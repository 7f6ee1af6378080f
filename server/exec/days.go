package exec

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"ayumu/lobby"
	"ayumu/lobby/conditions"
	"ayumu/tui/op"
	"ayumu/tui/wire"
	"ayumu/tui/words"
)

// conditionalMoves lists the user's conditional moves in a match, adds one, or deletes one or all.
func conditionalMoves(ctx context.Context, e Env, args []string, asJSON bool) error {
	if len(args) == 0 {
		return &lobby.Error{Code: lobby.CodeBadRequest, Message: "usage: conditions MATCH, and to change them: MOVE then MOVE, clear NUMBER or clear all"}
	}
	if e.Account == nil {
		return &lobby.Error{Code: lobby.CodeNotAllowed, Message: op.NoAccount(e.Visit)}
	}
	s, err := e.enter()
	if err != nil {
		return err
	}
	defer s.Close(false)
	if _, err := s.Matches().Sit(args[0]); err != nil {
		return err
	}
	m, err := e.Attach(s).OpenMatch(args[0], "")
	if err != nil {
		return err
	}
	defer m.Close()
	set, err := op.ChangeConditions(ctx, m, strings.Join(args[1:], " "), conditions.AnyRevision)
	if err != nil {
		return err
	}
	if asJSON {
		return json.NewEncoder(e.Out).Encode(wire.ConditionsOf(set))
	}
	if len(set.All) == 0 {
		fmt.Fprintln(e.Out, "no conditional moves")
	}
	for i, c := range set.All {
		if _, err := fmt.Fprintf(e.Out, "%d  %s\n", i+1, words.Condition(c, m.Game)); err != nil {
			return err
		}
	}
	return nil
}
