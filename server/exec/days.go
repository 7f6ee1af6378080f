package exec

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"ayumu/lobby"
	"ayumu/lobby/conditions"
	"ayumu/lobby/vacation"
	"ayumu/tui/op"
	"ayumu/tui/wire"
	"ayumu/tui/words"
)

// enter enters the lobby for one command of a user with an account. The caller must close the session.
func (e Env) enter() (*lobby.Session, error) {
	if e.Account == nil {
		return nil, &lobby.Error{Code: lobby.CodeNotAllowed, Message: "you have no account here; connect with an SSH key once and choose a name"}
	}
	return e.Lobby.EnterForCommand(*e.Account, e.Addr)
}

// ownVacation describes the user's vacation, begins one of some days, or ends it.
func ownVacation(ctx context.Context, e Env, args []string, asJSON bool) error {
	s, err := e.enter()
	if err != nil {
		return err
	}
	defer s.Close(false)
	var status vacation.Status
	if status, err = op.ChangeVacation(ctx, s.OwnAccount().Vacation(), strings.Join(args, "")); err != nil {
		return err
	}
	if asJSON {
		return json.NewEncoder(e.Out).Encode(wire.VacationOf(status))
	}
	_, err = fmt.Fprintln(e.Out, words.VacationStatus(status))
	return err
}

// conditionalMoves lists the user's conditional moves in a match, adds one, or deletes one or all.
func conditionalMoves(ctx context.Context, e Env, args []string, asJSON bool) error {
	if len(args) == 0 {
		return &lobby.Error{Code: lobby.CodeBadRequest, Message: "usage: conditions MATCH, and to change them: MOVE then MOVE, clear NUMBER or clear all"}
	}
	s, err := e.enter()
	if err != nil {
		return err
	}
	defer s.Close(false)
	if _, err := s.Matches().Sit(args[0]); err != nil {
		return err
	}
	c := &op.Config{Lobby: e.Lobby, Games: e.Games}
	m, err := c.Attach(s).OpenMatch(args[0], "")
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
