package api

import (
	"context"
	"math"
	"time"

	"ayumu/lobby"
	"ayumu/lobby/errcode"
	"ayumu/lobby/limit"
	"ayumu/lobby/match"
	"ayumu/tui/op"
)

// watch answers with the snapshot of a match whose events follow; with a code alone of the private match that has
// it.
func (p *session) watch(r *request) (fields, error) {
	if r.From != nil && *r.From < 0 {
		return nil, newError(errcode.BadRequest, "from must be a version, 0 or more")
	}
	id := r.Match
	if d, ok := p.visit.FindCode(r.Code); id == "" && ok && d.Kind == op.ToMatch {
		id = d.ID
	}
	m := p.subscriptions[id]
	added := m == nil
	if added {
		var err error
		if m, err = p.subscribe(id, r.Code); err != nil {
			return nil, p.visit.Archive().ExplainUnknown(p.ctx, id, err)
		}
	}
	m.Update()
	s := m.Snapshot
	from := s.Version
	if r.From != nil && *r.From < s.Version {
		if err := p.payHistory(s); err != nil {
			if added {
				p.unsubscribe(id, m)
			}
			return nil, err
		}
		from = *r.From
	}
	if err := m.ReadFrom(from); err != nil {
		return nil, err
	}
	p.lobbySession.WakeSelf() // the entries since then follow as events
	return snapshotFields(s, m.Seat, time.Now(), p.visit.Bots), nil
}

// payHistory charges the cost of sending a match from an earlier version on: whatever the version, the match
// is replayed from its beginning.
func (p *session) payHistory(s *match.Snapshot) error {
	if err := p.lobbySession.Spend(limit.WorkHistory); err != nil {
		return err
	}
	return p.lobbySession.SpendMore(limit.WorkHistory, s.Version)
}

func (p *session) unwatch(r *request) (fields, error) {
	m := p.subscriptions[r.Match]
	if m == nil {
		return nil, newError(errcode.UnknownMatch, "you are not watching that game")
	}
	if !m.IsSpectator() {
		return nil, newError(errcode.NotAllowed, "you are a player of that game")
	}
	p.unsubscribe(r.Match, m)
	return nil, nil
}

func (p *session) act(r *request) (fields, error) {
	if r.Version == nil {
		return nil, newError(errcode.BadRequest, "act needs the version that the turn was built on")
	}
	seat, err := p.lobbySession.AsPlayer(r.Match)
	if err != nil {
		return nil, err
	}
	version, err := seat.Act(p.ctx, *r.Version, r.Actions)
	if err != nil {
		return nil, err
	}
	return fields{"version": version}, nil
}

// snapshot returns the newest state of the match that a request names, from the archive if it is not in memory.
func (p *session) snapshot(r *request) (*match.Snapshot, error) {
	s, err := p.lobbySession.FindSnapshot(r.Match, r.Code)
	if code, _ := lobby.PublicError(err); err != nil && code == errcode.UnknownMatch {
		return p.visit.Archive().Snapshot(p.ctx, r.Match)
	}
	return s, err
}

// hint answers with what the engine thinks of a position of a match, by default the newest one, after the actions of
// an unfinished turn. Requests that follow wait for it, about a second.
func (p *session) hint(r *request) (fields, error) {
	seat := -1
	if player, err := p.lobbySession.AsPlayer(r.Match); err == nil {
		seat = player.Seat()
	}
	s, err := p.snapshot(r)
	if err == nil {
		err = p.visit.CheckHint(s, seat)
	}
	if err != nil {
		return nil, err
	}
	pos, version := s.Position, s.Version
	if r.Version != nil && *r.Version != version {
		if version = *r.Version; version < 0 || version > s.Version {
			return nil, newError(errcode.BadRequest, "the game has no such version")
		}
		if err := p.payHistory(s); err != nil {
			return nil, err
		}
		if pos, err = s.PositionAt(version); err != nil {
			return nil, p.lobbySession.Lobby().InternalError("match not replayed", err, "match", s.Info.ID)
		}
	}
	if pos, err = op.PlayActions(pos, r.Actions); err != nil {
		return nil, err
	}
	g, _ := p.lobbySession.Lobby().Games().ByName(s.Info.Game)
	ctx, cancel := context.WithTimeout(p.ctx, op.CallTimeout)
	defer cancel()
	advice, err := p.visit.Hint(ctx, g, pos)
	if err != nil {
		return nil, err
	}
	type turn struct {
		Chance  float64  `json:"chance"`
		Actions []string `json:"actions"`
	}
	turns := []turn{}
	for _, c := range advice.Choices {
		turns = append(turns, turn{share(c.Chance), c.Actions})
	}
	return fields{"version": version, "turn": pos.Turn(), "chances": shares(advice.Chances), "turns": turns}, nil
}

// share returns a share of the win with three digits.
func share(f float64) float64 { return math.Round(f*1000) / 1000 }
