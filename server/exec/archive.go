package exec

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"math"
	"strings"
	"text/tabwriter"
	"time"

	"ayumu/lobby"
	"ayumu/lobby/limit"
	"ayumu/lobby/record"
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

// payer returns the payer that a command's work is charged to.
func (e Env) payer() limit.Payer { return lobby.PayerOf(e.accountID(), e.Addr) }

// writeRecord writes the record of a finished or running match.
func writeRecord(ctx context.Context, e Env, args []string, _ bool) error {
	if len(args) != 1 {
		return &lobby.Error{Code: lobby.CodeBadRequest, Message: "usage: record MATCH; `matches` and `games` list them"}
	}
	if err := e.Lobby.Spend(e.payer(), lobby.WorkRecord); err != nil {
		return err
	}
	info, log, err := e.Lobby.MatchLog(ctx, e.accountID(), args[0])
	if err != nil {
		return err
	}
	if err := e.Lobby.SpendMore(e.payer(), lobby.WorkRecord, len(log)); err != nil {
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
	if err := e.Lobby.Spend(e.payer(), lobby.WorkArchive); err != nil {
		return err
	}
	list, err := e.Lobby.FinishedMatches(ctx, e.accountID(), strings.Join(args, ""), "", defaultGames)
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
			all = append(all, row{i.ID, i.Game, i.Options, i.Control, i.Rated, names(i), f.Result, f.Turns, timeText(i.Started), timeText(f.Ended)})
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

// leaderboard is a list of established ratings in one pool.
type leaderboard struct {
	pool, title string
	top         []lobby.Account
}

// leaderboards returns the non-empty leaderboards of a game, of all games if it is "".
func leaderboards(ctx context.Context, e Env, game string) ([]leaderboard, error) {
	var all []leaderboard
	for _, g := range e.Lobby.Games() {
		if game != "" && g.Name() != game {
			continue
		}
		for _, r := range []leaderboard{
			{pool: lobby.Pool(g.Name(), 2), title: g.Title()},
			{pool: lobby.Pool(g.Name(), 3), title: g.Title() + ", three or more players"},
		} {
			err := e.Lobby.Spend(e.payer(), lobby.WorkArchive)
			if err != nil {
				return nil, err
			}
			if r.top, err = e.Lobby.Leaderboard(ctx, r.pool, leaderboardSize); err != nil {
				return nil, err
			}
			if len(r.top) > 0 {
				all = append(all, r)
			}
		}
	}
	return all, nil
}

func leaderboardCommand(ctx context.Context, e Env, args []string, asJSON bool) error {
	game := strings.Join(args, "")
	if _, ok := e.Lobby.Games().ByName(game); game != "" && !ok {
		return &lobby.Error{Code: lobby.CodeBadRequest, Message: fmt.Sprintf("there is no game %q", lobby.CleanText(game, 20))}
	}
	all, err := leaderboards(ctx, e, game)
	if err != nil {
		return err
	}
	if asJSON {
		type row struct {
			Pool      string `json:"pool"`
			Place     int    `json:"place"`
			Name      string `json:"name"`
			Bot       bool   `json:"bot,omitempty"`
			Rating    int    `json:"rating"`
			Deviation int    `json:"deviation"`
			Games     int    `json:"games"`
		}
		rows := []row{}
		for _, list := range all {
			for i, a := range list.top {
				r := a.Ratings[list.pool]
				rows = append(rows, row{list.pool, i + 1, a.Name, a.Bot, rounded(r.Value), rounded(r.Deviation), r.Games})
			}
		}
		return json.NewEncoder(e.Out).Encode(rows)
	}
	if len(all) == 0 {
		fmt.Fprintln(e.Out, "no established ratings yet; a rating is provisional until its deviation drops to 110")
	}
	for i, list := range all {
		if i > 0 {
			fmt.Fprintln(e.Out)
		}
		fmt.Fprintln(e.Out, list.title)
		w := tabwriter.NewWriter(e.Out, 0, 0, 2, ' ', 0)
		for i, a := range list.top {
			r := a.Ratings[list.pool]
			fmt.Fprintf(w, "%d\t%s\t%d ± %d\t%s\n", i+1, a.Name, rounded(r.Value), rounded(r.Deviation), lobby.Plural(r.Games, "game"))
		}
		if err := w.Flush(); err != nil {
			return err
		}
	}
	return nil
}

func keys(ctx context.Context, e Env, _ []string, asJSON bool) error {
	if e.Account == nil {
		return &lobby.Error{Code: lobby.CodeNotAllowed, Message: "you have no account here; connect with an SSH key once and choose a name"}
	}
	own, err := e.Lobby.Keys(ctx, e.Account.ID)
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
		all = append(all, row{k.Type(), k.Fingerprint(), timeText(k.Added), bytes.Equal(k.Wire, e.Key)})
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

func timeText(t time.Time) string { return t.UTC().Format(time.RFC3339) }

func rounded(f float64) int { return int(math.Round(f)) }
