package exec

import (
	"context"
	"encoding/json"
	"fmt"
	"text/tabwriter"
	"time"

	"ayumu/lobby"
	"ayumu/lobby/limit"
	"ayumu/lobby/notify"
	"ayumu/tui/op"
	"ayumu/tui/wire"
	"ayumu/tui/words"
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

// The exit statuses of the command waiting, besides 0.
const (
	waitingNone  = 1 // no match waits for the user
	WaitingError = 2
)

// statusErr is an exit status with the error that is written, or nil.
type statusErr struct {
	status int
	err    error
}

func (s *statusErr) Error() string { return fmt.Sprint("status ", s.status) }

// waiting lists the matches in which it is the user's turn.
func waiting(_ context.Context, e Env, args []string, asJSON bool) error {
	if e.Account == nil {
		return &statusErr{WaitingError, &lobby.Error{Code: lobby.CodeNotAllowed, Message: op.NoAccount(e.Visit)}}
	}
	if len(args) > 0 {
		return &statusErr{WaitingError, &lobby.Error{Code: lobby.CodeBadRequest, Message: "usage: waiting"}}
	}
	if err := e.Lobby.Budgets.Spend(lobby.PayerOf(e.Account.ID, e.Addr), limit.WorkArchive); err != nil {
		return &statusErr{WaitingError, err}
	}
	all := op.WaitingMatches(e.Lobby, e.Account.ID)
	err := writeWaiting(e, all, asJSON)
	switch {
	case err != nil:
		return &statusErr{WaitingError, err}
	case len(all) == 0:
		return &statusErr{status: waitingNone}
	}
	return nil
}

// writeWaiting writes the matches that wait for the user.
func writeWaiting(e Env, all []*lobby.Snapshot, asJSON bool) error {
	now := time.Now()
	if asJSON {
		type row struct {
			Match   string   `json:"match"`
			Game    string   `json:"game"`
			Options any      `json:"options"`
			Clock   any      `json:"clock"`
			Rated   bool     `json:"rated"`
			Seats   []string `json:"seats"`
			Version int      `json:"version"`
			LeftMS  *int64   `json:"left_ms,omitempty"`
		}
		rows := []row{}
		for _, s := range all {
			i := s.Info
			r := row{i.ID, i.Game, i.Options, i.Control, i.Rated, names(i), s.Version, nil}
			if left, timed := s.Remaining(s.Position.Turn(), now); timed {
				r.LeftMS = new(left.Milliseconds())
			}
			rows = append(rows, r)
		}
		return json.NewEncoder(e.Out).Encode(rows)
	}
	w := tabwriter.NewWriter(e.Out, 0, 0, 2, ' ', 0)
	for _, s := range all {
		left := "no clock"
		if d, timed := s.Remaining(s.Position.Turn(), now); timed {
			left = words.Clock(d) + " left"
		}
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\n", s.Info.ID, words.Opponents(s.Info, e.Account.ID), s.Info.Title(), left)
	}
	return w.Flush()
}
