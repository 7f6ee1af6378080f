package op

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"ayumu/lobby"
	"ayumu/lobby/errcode"
	"ayumu/lobby/rating"
	"ayumu/tui/jsonform"
	"ayumu/tui/words"
)

// listedMatches is the number of finished matches that are listed at a time, and of the places of a leaderboard.
const listedMatches = 20

// FinishedArgs are the arguments of Finished.
type FinishedArgs struct {
	Player string `json:"player" arg:"[PLAYER]" help:"by default everyone's games"`
	Limit  *int   `json:"limit"`
	Before string `json:"before" arg:"before=MATCH" help:"only those that ended before it"`
}

// Finished lists finished matches.
var Finished = New(Spec[FinishedArgs, []lobby.FinishedMatch]{
	Info: Info{Name: "finished", Help: "list finished games, of one player or of everyone", Group: GroupLook, Offline: true, On: On{SSH: As("games"), API: As("games"), Screen: As("lobby a")}},
	Run: func(ctx context.Context, v *Visit, in FinishedArgs) ([]lobby.FinishedMatch, error) {
		n := listedMatches
		if in.Limit != nil {
			n = *in.Limit
		}
		return v.Archive().Finished(ctx, in.Player, in.Before, n)
	},
	Text: func(v *Visit, in FinishedArgs, all []lobby.FinishedMatch) Text {
		rows := &Rows{Kind: RowFinished, Columns: []Column{{TableOnly: true}, {}, {Phrase: "%s:"}, {}, {}, {}}, Empty: "No finished games."}
		if in.Before != "" {
			rows.Empty = "No older games."
		}
		for _, f := range all {
			rows.Rows = append(rows.Rows, Row{ID: f.Info.ID, Values: []string{
				f.Info.ID, words.Date(f.Ended), f.Info.Title(), v.LongNames(f.Info), words.DescribeOutcome(&f), words.Plural(f.Turns, "turn"),
			}})
		}
		if n := len(all); n == listedMatches {
			rows.Next = strings.Join(strings.Fields("finished "+in.Player+" before="+all[n-1].Info.ID), " ")
		}
		return Text{Rows: rows}
	},
	JSON: func(v *Visit, all []lobby.FinishedMatch) any {
		games := make([]jsonform.FinishedMatch, len(all))
		for i := range all {
			games[i] = jsonform.NewFinishedMatch(&all[i], v.Bots)
		}
		return struct {
			Games []jsonform.FinishedMatch `json:"games"`
		}{games}
	},
})

// RecordArgs are the arguments of Record.
type RecordArgs struct {
	Match string `json:"match" arg:"MATCH" help:"its id; the commands matches and games list them"`
}

// RecordResult has the record of a match.
type RecordResult struct {
	Match  string `json:"match"`
	Record string `json:"record"`
}

// Record returns the record of a finished or running match.
var Record = New(Spec[RecordArgs, RecordResult]{
	Info: Info{Name: "record", Help: "print the record of a game", Group: GroupLook, Offline: true, On: On{Line: Not("record there lists the turns in words"), Screen: As("match")}},
	Run: func(ctx context.Context, v *Visit, in RecordArgs) (RecordResult, error) {
		info, log, err := v.Archive().Log(ctx, in.Match)
		if err != nil {
			return RecordResult{}, err
		}
		text, err := v.Answers.record(v.SSHTarget, info, log)
		if err != nil {
			return RecordResult{}, v.Lobby.InternalError("record not written", err, "match", info.ID)
		}
		return RecordResult{info.ID, text}, nil
	},
	Text: func(_ *Visit, _ RecordArgs, r RecordResult) Text {
		return Text{Lines: strings.Split(strings.TrimSuffix(r.Record, "\n"), "\n")}
	},
})

// TopArgs are the arguments of Top.
type TopArgs struct {
	Game string `json:"game" arg:"[GAME]" help:"by default all games"`
}

// TopResult has the leaderboards that are not empty, and what a place needs.
type TopResult struct {
	Boards   []Leaderboard
	Requires lobby.Requirements
}

// Top lists the highest established ratings.
var Top = New(Spec[TopArgs, TopResult]{
	Info: Info{Name: "top", Help: "show the leaderboard", Group: GroupLook, On: On{Screen: As("lobby r")}},
	Run: func(ctx context.Context, v *Visit, in TopArgs) (r TopResult, err error) {
		if r.Boards, err = v.Archive().Leaderboards(ctx, v.Games, strings.ToLower(in.Game), listedMatches); err == nil {
			r.Requires, err = v.Archive().Requirements(ctx)
		}
		return r, err
	},
	Text: func(_ *Visit, _ TopArgs, r TopResult) Text {
		rows := &Rows{Columns: []Column{{Phrase: "%s:"}, {}, {}, {}}, Empty: "Nobody has a place yet. " + words.PlaceRequirements(r.Requires)}
		for _, b := range r.Boards {
			for i, a := range b.Top {
				heading := ""
				if i == 0 {
					heading = "Leaderboard of " + b.Pool.LongTitle + ":"
				}
				rating := a.Ratings[b.Pool.Key]
				rows.Rows = append(rows.Rows, Row{Heading: heading, Values: []string{fmt.Sprint(i + 1), a.Name, ratingText(rating), words.Plural(rating.Games, "game")}})
			}
		}
		return Text{Rows: rows}
	},
	JSON: func(_ *Visit, r TopResult) any {
		return struct {
			Top      []jsonform.Rank       `json:"top"`
			Requires jsonform.Requirements `json:"requires"`
		}{ranks(r.Boards), jsonform.NewRequirements(r.Requires)}
	},
})

// ratingText formats a rating with its deviation.
func ratingText(r rating.Rating) string {
	text := fmt.Sprintf("%.0f plus or minus %.0f", r.Value, r.Deviation)
	if !r.IsEstablished() {
		text += ", provisional"
	}
	return text
}

// ProfileArgs are the arguments of Profile.
type ProfileArgs struct {
	Name string `json:"name" arg:"[NAME]" help:"by default your own"`
}

// Profile describes the ratings and results of an account.
var Profile = New(Spec[ProfileArgs, *lobby.Profile]{
	Info: Info{Name: "profile", Help: "show a player's ratings and results", Group: GroupLook, Offline: true, On: On{Screen: As("lobby i", "match i")}},
	Run: func(ctx context.Context, v *Visit, in ProfileArgs) (*lobby.Profile, error) {
		name := cmp.Or(in.Name, v.User().Name)
		if name == "" {
			return nil, &errcode.Error{Code: errcode.NotAllowed, Message: v.NoAccount()}
		}
		return v.Archive().Profile(ctx, name)
	},
	Text: profileText,
	JSON: func(v *Visit, p *lobby.Profile) any { return jsonform.NewProfile(p, v.Bots) },
})

func profileText(v *Visit, _ ProfileArgs, p *lobby.Profile) Text {
	text := Say("%s, joined %s.", words.BotName(p.Account.Name, v.Bots.Level(p.Account.ID)), words.Date(p.Account.CreatedAt))
	add := func(format string, args ...any) { text.Lines = append(text.Lines, fmt.Sprintf(format, args...)) }
	for _, pool := range words.RatingPools(v.Games) {
		r, ok := p.Account.Ratings[pool.Key]
		if !ok {
			continue
		}
		add("%s: %s, after %s.", pool.LongTitle, ratingText(r), words.Plural(r.Games, "rated game"))
		if history := lastRatings(p.RatingHistories[pool.Key]); len(history) > 0 {
			games := "game"
			if len(history) > 1 {
				games = fmt.Sprintf("%d games", len(history))
			}
			add("Rating after the last %s: %s.", games, strings.Join(history, ", "))
		}
	}
	for _, g := range v.Games {
		r, ok := p.Tallies[g.Name()]
		if !ok {
			continue
		}
		add("%s: %s, %s.", g.Engine().Title(), words.Plural(r.Games(), "game"), tallyText(r))
		for _, side := range words.SideTallies(g, r) {
			add("As %s: %s.", side.Side, tallyText(side.Tally))
		}
		for _, options := range slices.Sorted(maps.Keys(r.ByOptions)) {
			add("%s: %s.", options, tallyText(r.ByOptions[options]))
		}
	}
	if len(p.Tallies) == 0 {
		add("No finished games.")
	}
	return text
}

func tallyText(t lobby.Tally) string {
	return fmt.Sprintf("%d won, %d drawn, %d lost", t.Won, t.Drawn, t.Lost)
}

// lastRatings returns the last 20 ratings of a history, oldest first.
func lastRatings(history []lobby.RatingPoint) (values []string) {
	for _, point := range history[max(len(history)-20, 0):] {
		values = append(values, fmt.Sprintf("%.0f", point.Value))
	}
	return values
}
