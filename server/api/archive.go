package api

import (
	"cmp"

	"ayumu/lobby"
	"ayumu/lobby/bots"
	"ayumu/tui/op"
	"ayumu/tui/wire"
)

// defaultGames is the default limit of the operation games.
const defaultGames = 20

// defaultRanks is the number of places of the operation top, in each pool.
const defaultRanks = 20

// archiveOps are the operations about finished games and ratings.
type archiveOps struct{ *conn }

func (p archiveOps) record(r *request) (fields, error) {
	info, log, err := p.visit.Archive().Log(p.ctx, r.Match)
	if err != nil {
		return nil, err
	}
	text, err := p.services.Shared.record(info, log)
	if err != nil {
		return nil, p.s.Lobby().InternalError("record not written", err, "match", info.ID)
	}
	return fields{"match": info.ID, "record": text}, nil
}

func (p archiveOps) games(r *request) (fields, error) {
	limit := defaultGames
	if r.Limit != nil {
		limit = *r.Limit
	}
	list, err := p.visit.Archive().Finished(p.ctx, r.Player, r.Before, limit)
	if err != nil {
		return nil, err
	}
	all := []fields{}
	for _, f := range list {
		all = append(all, finishedFields(f, p.visit.Bots))
	}
	return fields{"games": all}, nil
}

func (p archiveOps) top(r *request) (fields, error) {
	all, err := p.visit.Archive().Leaderboards(p.ctx, p.visit.Games, r.Game, defaultRanks)
	if err != nil {
		return nil, err
	}
	required, err := p.visit.Archive().Requirements(p.ctx)
	if err != nil {
		return nil, err
	}
	return fields{"top": op.Ranks(all), "requires": wire.RequirementsOf(required)}, nil
}

func (p archiveOps) profile(r *request) (fields, error) {
	name := cmp.Or(r.Name, p.s.Account().Name)
	profile, err := p.visit.Archive().Profile(p.ctx, name)
	if err != nil {
		return nil, err
	}
	return profileFields(profile, p.visit.Bots), nil
}

// profileFields returns the answer of the operation profile.
func profileFields(p *lobby.Profile, builtin *bots.Bots) fields {
	type tally struct {
		Won   int `json:"won"`
		Drawn int `json:"drawn"`
		Lost  int `json:"lost"`
	}
	tallies := map[string]tally{}
	for name, t := range p.Tallies {
		tallies[name] = tally{t.Won, t.Drawn, t.Lost}
	}
	f := fields{"name": p.Account.Name, "bot": p.Account.Bot, "joined": wire.Time(p.Account.CreatedAt), "ratings": wire.Ratings(p.Account.Ratings), "played": tallies}
	if level := builtin.Level(p.Account.ID); level > 0 {
		f["level"] = level
	}
	return f
}

// finishedFields returns the JSON object of a finished match.
func finishedFields(f lobby.FinishedMatch, builtin *bots.Bots) fields {
	type seat struct {
		seatJSON
		After *int   `json:"after,omitempty"` // the rating after a rated match
		Left  string `json:"left,omitempty"`  // why the seat left before the end
	}
	people := make([]seat, len(f.Info.Seats))
	for i, s := range f.Info.Seats {
		people[i].seatJSON = newSeat(s, builtin)
		if i < len(f.RatingsAfter) {
			people[i].After = ratingValue(&f.RatingsAfter[i])
		}
		if i < len(f.Departures) {
			people[i].Left = f.Departures[i]
		}
	}
	o := fields{
		"match": f.Info.ID, "game": f.Info.Game, "options": f.Info.Options, "rated": f.Info.Rated, "seats": people,
		"turns": f.Turns, "result": wire.ResultOf(&f.Result), "started": wire.Time(f.Info.Started), "ended": wire.Time(f.Ended),
	}
	if !f.Info.Control.IsUntimed() {
		o["clock"] = f.Info.Control
	}
	if f.Unrated != "" {
		o["unrated"] = f.Unrated
	}
	return o
}
