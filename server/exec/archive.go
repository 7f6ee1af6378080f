package exec

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"text/tabwriter"
	"time"

	"ayumu/lobby"
	"ayumu/lobby/record"
	"ayumu/tui/op"
	"ayumu/tui/wire"
	"ayumu/tui/words"
)

// Maximum lengths of the lists.
const (
	defaultGames    = 20
	leaderboardSize = 20
)

// accountID returns the user's account id, 0 for none.
func (e Env) accountID() lobby.AccountID {
	if e.Account == nil {
		return 0
	}
	return e.Account.ID
}

// archiveOf returns the archive as the user sees it, charged to them.
func archiveOf(e Env) op.Archive {
	return op.Archive{Lobby: e.Lobby, Viewer: e.accountID(), Payer: lobby.PayerOf(e.accountID(), e.Addr)}
}

// writeRecord writes the record of a finished or running match.
func writeRecord(ctx context.Context, e Env, args []string, _ bool) error {
	if len(args) != 1 {
		return &lobby.Error{Code: lobby.CodeBadRequest, Message: "usage: record MATCH; `matches` and `games` list them"}
	}
	info, log, err := archiveOf(e).Log(ctx, args[0])
	if err != nil {
		return err
	}
	var text bytes.Buffer
	if err := record.FromLog(e.SSHTarget, info, log).Write(&text); err != nil {
		return e.Lobby.InternalError("record not written", err, "match", info.ID)
	}
	_, err = text.WriteTo(e.Out)
	return err
}

func listGames(ctx context.Context, e Env, args []string, asJSON bool) error {
	list, err := archiveOf(e).Finished(ctx, strings.Join(args, ""), "", defaultGames)
	if err != nil {
		return err
	}
	if asJSON {
		type row struct {
			Match   string   `json:"match"`
			Game    string   `json:"game"`
			Options any      `json:"options"`
			Clock   any      `json:"clock"`
			Rated   bool     `json:"rated"`
			Seats   []string `json:"seats"`
			Result  any      `json:"result"`
			Turns   int      `json:"turns"`
			Started string   `json:"started"`
			Ended   string   `json:"ended"`
		}
		all := []row{}
		for _, f := range list {
			i := f.Info
			all = append(all, row{i.ID, i.Game, i.Options, i.Control, i.Rated, names(i), wire.ResultOf(&f.Result), f.Turns, wire.Time(i.Started), wire.Time(f.Ended)})
		}
		return json.NewEncoder(e.Out).Encode(all)
	}
	if len(list) == 0 {
		fmt.Fprintln(e.Out, "no finished games")
	}
	w := tabwriter.NewWriter(e.Out, 0, 0, 2, ' ', 0)
	for _, f := range list {
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\t%s\n", f.Info.ID, f.Ended.UTC().Format(time.DateOnly),
			strings.Join(names(f.Info), " – "), f.Info.Title(), lobby.Plural(f.Turns, "turn"), words.DescribeOutcome(&f))
	}
	return w.Flush()
}

func leaderboardCommand(ctx context.Context, e Env, args []string, asJSON bool) error {
	all, err := archiveOf(e).Leaderboards(ctx, e.Games, strings.Join(args, ""), leaderboardSize)
	if err != nil {
		return err
	}
	if asJSON {
		return json.NewEncoder(e.Out).Encode(op.Ranks(all))
	}
	if len(all) == 0 {
		required, err := archiveOf(e).Requirements(ctx)
		if err != nil {
			return err
		}
		fmt.Fprintln(e.Out, "Nobody has a place yet. "+words.PlaceRequirements(required))
	}
	for i, list := range all {
		if i > 0 {
			fmt.Fprintln(e.Out)
		}
		fmt.Fprintln(e.Out, list.Pool.LongTitle)
		w := tabwriter.NewWriter(e.Out, 0, 0, 2, ' ', 0)
		for i, a := range list.Top {
			r := a.Ratings[list.Pool.Key]
			fmt.Fprintf(w, "%d\t%s\t%d ± %d\t%s\n", i+1, a.Name, wire.Round(r.Value), wire.Round(r.Deviation), lobby.Plural(r.Games, "game"))
		}
		if err := w.Flush(); err != nil {
			return err
		}
	}
	return nil
}

func keys(ctx context.Context, e Env, _ []string, asJSON bool) error {
	if e.Account == nil {
		return &lobby.Error{Code: lobby.CodeNotAllowed, Message: op.NoAccount(e.Visit)}
	}
	own, err := e.Lobby.Accounts.Keys(ctx, e.Account.ID)
	if err != nil {
		return err
	}
	type row struct {
		Type        string `json:"type"`
		Fingerprint string `json:"fingerprint"`
		Added       string `json:"added"`
		Current     bool   `json:"current"` // the key of this connection
	}
	all := []row{}
	for _, k := range own {
		all = append(all, row{k.Type(), k.Fingerprint(), wire.Time(k.Added), bytes.Equal(k.Wire, e.Key)})
	}
	if asJSON {
		return json.NewEncoder(e.Out).Encode(all)
	}
	w := tabwriter.NewWriter(e.Out, 0, 0, 2, ' ', 0)
	for _, k := range all {
		this := ""
		if k.Current {
			this = "this one"
		}
		fmt.Fprintf(w, "%s\t%s\tadded %s\t%s\n", k.Type, k.Fingerprint, k.Added[:len(time.DateOnly)], this)
	}
	return w.Flush()
}
