package line

import (
	"context"
	"fmt"
	"strings"

	"ayumu/engine"
	"ayumu/lobby"
	"ayumu/tui/boards"
	"ayumu/tui/words"
)

// How long the lists are that are said.
const (
	saidGames = 10
	saidTop   = 10
)

// finished lists the finished games of a player, or of everybody.
func (t *talk) finished(args string) {
	var list []lobby.Finished
	if !t.call(func(ctx context.Context) (err error) {
		if err := t.session.Spend(lobby.WorkArchive); err != nil {
			return err
		}
		list, err = t.session.Lobby().Games(ctx, t.session.Account().ID, args, "", saidGames)
		return err
	}) {
		return
	}
	if len(list) == 0 {
		t.say("No finished games.")
	}
	for _, f := range list {
		t.say("%s, %s: %s, %s, %s.", f.Ended.UTC().Format("2 Jan 2006"), f.Info.Title(), names(f.Info), outcome(&f), words.Plural(f.Turns, "turn"))
	}
}

func names(info *lobby.Info) string {
	var all []string
	for _, s := range info.Seats {
		all = append(all, s.Name)
	}
	return strings.Join(all, " and ")
}

// endings say why a game ended, where that is worth a word.
var endings = map[string]string{
	engine.Resign: ", the other resigned", engine.Time: " on time", engine.Left: ", the other went away",
	engine.Repetition: " by repetition", engine.Draw: " as agreed",
}

func outcome(f *lobby.Finished) string {
	var winners []string
	for _, w := range f.Result.Winners {
		winners = append(winners, f.Info.Seats[w].Name)
	}
	switch len(winners) {
	case 0:
		return "aborted"
	case 1:
		text := winners[0] + " won" + endings[f.Result.Reason]
		if f.Result.Reason == engine.Left && len(f.Info.Seats) > 2 {
			text = winners[0] + " won, all others left"
		}
		return text + departed(f)
	}
	return "a draw" + endings[f.Result.Reason] + departed(f)
}

// departed says who left before the end, and why.
func departed(f *lobby.Finished) string {
	if text := words.Departures(f); text != "" {
		return " (" + text + ")"
	}
	return ""
}

// top says the best settled ratings, of one game or of all.
func (t *talk) top(args string) {
	said := false
	for _, g := range boards.All {
		if args != "" && !strings.EqualFold(args, g.Name()) {
			continue
		}
		for _, seats := range []int{2, 3} {
			pool := lobby.Pool(g.Name(), seats)
			var best []lobby.Account
			if !t.call(func(ctx context.Context) (err error) {
				if err := t.session.Spend(lobby.WorkArchive); err != nil {
					return err
				}
				best, err = t.session.Lobby().Top(ctx, pool, saidTop)
				return err
			}) {
				return
			}
			if len(best) == 0 {
				continue
			}
			said = true
			title := g.Name()
			if seats > 2 {
				title += " with three and more players"
			}
			t.say("The best of %s:", title)
			for i, a := range best {
				t.say("%d: %s, %s.", i+1, a.Name, rating(a.Ratings[pool]))
			}
		}
	}
	if !said {
		t.say("Nobody has a settled rating yet. It takes some rated games.")
	}
}

func rating(r lobby.Rating) string {
	text := fmt.Sprintf("%.0f plus or minus %.0f", r.Value, r.Deviation)
	if !r.Settled() {
		text += ", not settled"
	}
	return text
}

// profile says what is known of a player; of the person himself if none is named.
func (t *talk) profile(args string) {
	if args == "" {
		args = t.session.Account().Name
	}
	var p *lobby.Profile
	if !t.call(func(ctx context.Context) (err error) {
		if err := t.session.Spend(lobby.WorkArchive); err != nil {
			return err
		}
		p, err = t.session.Lobby().Profile(ctx, args)
		return err
	}) {
		return
	}
	t.say("%s, here since %s.", p.Account.Name, p.Account.Created.UTC().Format("2 Jan 2006"))
	for _, g := range boards.All {
		for _, seats := range []int{2, 3} {
			if r, ok := p.Account.Ratings[lobby.Pool(g.Name(), seats)]; ok && r.Games > 0 {
				title := g.Name()
				if seats > 2 {
					title += " with three and more players"
				}
				t.say("%s: %s, after %s.", title, rating(r), words.Plural(r.Games, "rated game"))
			}
		}
		if r, ok := p.Records[g.Name()]; ok {
			t.say("%s: %s, %d won, %d drawn, %d lost.", g.Name(), words.Plural(r.Games(), "game"), r.Won, r.Drawn, r.Lost)
		}
	}
	if len(p.Records) == 0 {
		t.say("No finished games.")
	}
}

// next goes to the next game in which it is the person's turn, after the one that is open.
func (t *talk) next(string) {
	me := t.session.Account().ID
	var before, after []string
	past := false
	for _, m := range t.session.Seated() {
		s := t.session.Snapshot(m)
		switch {
		case t.at != nil && t.at.match == m:
			past = true
		case s.Over() || s.Frozen || s.Info.Seats[s.Position.Turn()].Account != me:
		case past:
			after = append(after, m.Info.ID)
		default:
			before = append(before, m.Info.ID)
		}
	}
	list := append(after, before...)
	if len(list) == 0 {
		t.say("No other game waits for you.")
		return
	}
	if t.at != nil && t.at.live() {
		t.say("The game that you leave goes on and your clock runs.")
	}
	t.open(list[0], "")
}
