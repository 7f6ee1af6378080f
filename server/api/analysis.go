package api

import (
	"ayumu/lobby/errcode"
	"ayumu/tui/op"
)

// analyze answers with the analysis of a finished match as far as it is known, and begins to compute it if nobody has
// yet. The events analysis follow until it is complete. With the kind cancel it ends that.
func (p *session) analyze(r *request) (fields, error) {
	a := p.analyzed
	isOpen := a != nil && a.Snapshot.Info.ID == r.Match
	if r.Kind == "cancel" {
		if !isOpen {
			return nil, newError(errcode.BadRequest, "no analysis of that game was requested")
		}
		a.Close()
		p.analyzed = nil
		return nil, nil
	}
	if r.Kind != "" {
		return nil, newError(errcode.BadRequest, "kind must be cancel, or absent")
	}
	if !isOpen || a.Err != nil {
		s, err := p.snapshot(r)
		if err != nil {
			return nil, err
		}
		if a != nil {
			a.Close()
			p.analyzed = nil
		}
		if a, err = p.visit.Analyze(p.ctx, s); err != nil {
			return nil, err
		}
		p.analyzed = a
	}
	a.Update()
	f := progressFields(a)
	if a.IsComplete {
		f["chances"], f["turns"] = shares(a.Evaluations[0].Chances), analyzedTurns(a)
	}
	return f, nil
}

// progressFields returns how far an analysis is.
func progressFields(a *op.Analysis) fields {
	f := fields{"match": a.Snapshot.Info.ID, "done": a.Done, "all": a.All, "complete": a.IsComplete}
	if a.Err != nil {
		f["failed"] = true
	}
	return f
}

// sendAnalysis writes the event analysis if there is more of the analysis that was requested.
func (p *session) sendAnalysis() {
	if p.analyzed == nil || !p.analyzed.Update() {
		return
	}
	event := progressFields(p.analyzed)
	event["event"] = "analysis"
	p.write(event)
}

// analyzedTurn is a turn in the answer of the operation analysis.
type analyzedTurn struct {
	Turn       int       `json:"turn"` // from 1; the same as of the turn before if the seat left
	Seat       int       `json:"seat"`
	Actions    []string  `json:"actions"`              // empty: the seat left
	Chances    []float64 `json:"chances"`              // after the turn
	Best       []string  `json:"best,omitempty"`       // the engine's turn
	BestChance float64   `json:"best_chance,omitzero"` // of the seat after it
	Loss       float64   `json:"loss,omitzero"`        // what the turn cost the seat
}

// analyzedTurns returns the turns of a complete analysis.
func analyzedTurns(a *op.Analysis) []analyzedTurn {
	all := make([]analyzedTurn, len(a.Turns))
	for i, t := range a.Turns {
		all[i] = analyzedTurn{Turn: a.TurnNumber(i), Seat: t.Seat, Actions: append([]string{}, t.Actions...), Chances: shares(a.Evaluations[i+1].Chances), Loss: share(a.Loss(i))}
		if len(t.Actions) > 0 {
			all[i].Best, all[i].BestChance = a.Evaluations[i].Best, share(a.Evaluations[i].BestChance)
		}
	}
	return all
}

// shares returns shares of the win with three digits.
func shares(all []float64) []float64 {
	rounded := make([]float64, len(all))
	for i, f := range all {
		rounded[i] = share(f)
	}
	return rounded
}
