package api

import "ayumu/lobby"

// defaultGames is the default limit of the operation games.
const defaultGames = 20

func (p *conn) record(r *request) (fields, error) {
	if err := p.s.Spend(lobby.WorkRecord); err != nil {
		return nil, err
	}
	info, log, err := p.s.Lobby().MatchLog(p.ctx, p.s.Account().ID, r.Match)
	if err != nil {
		return nil, err
	}
	if err := p.s.SpendMore(lobby.WorkRecord, len(log)); err != nil {
		return nil, err
	}
	text, err := p.services.Shared.record(info, log)
	if err != nil {
		return nil, p.s.Lobby().InternalError("record not written", err, "match", info.ID)
	}
	return fields{"match": info.ID, "record": text}, nil
}

func (p *conn) games(r *request) (fields, error) {
	limit := defaultGames
	if r.Limit != nil {
		limit = *r.Limit
	}
	if err := p.s.Spend(lobby.WorkArchive); err != nil {
		return nil, err
	}
	if err := p.s.SpendMore(lobby.WorkArchive, min(max(limit, 0), lobby.MaxFinishedMatches)); err != nil {
		return nil, err
	}
	list, err := p.s.Lobby().FinishedMatches(p.ctx, p.s.Account().ID, r.Player, r.Before, limit)
	if err != nil {
		return nil, err
	}
	all := []fields{}
	for _, f := range list {
		all = append(all, finishedFields(f))
	}
	return fields{"games": all}, nil
}

// finishedFields returns the JSON object of a finished match.
func finishedFields(f lobby.FinishedMatch) fields {
	type seat struct {
		seatJSON
		After *int   `json:"after,omitempty"` // the rating after a rated match
		Left  string `json:"left,omitempty"`  // why the seat left before the end
	}
	people := make([]seat, len(f.Info.Seats))
	for i, s := range f.Info.Seats {
		people[i].seatJSON = seatJSON{Name: s.Name, Rating: ratingValue(s.Rating), Bot: s.Bot}
		if i < len(f.RatingsAfter) {
			people[i].After = ratingValue(&f.RatingsAfter[i])
		}
		if i < len(f.Departures) {
			people[i].Left = f.Departures[i]
		}
	}
	o := fields{
		"match": f.Info.ID, "game": f.Info.Game, "options": f.Info.Options, "rated": f.Info.Rated, "seats": people,
		"turns": f.Turns, "result": f.Result, "started": timeText(f.Info.Started), "ended": timeText(f.Ended),
	}
	if !f.Info.Control.IsUntimed() {
		o["clock"] = f.Info.Control
	}
	if f.Unrated != "" {
		o["unrated"] = f.Unrated
	}
	return o
}
