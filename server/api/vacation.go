package api

import (
	"ayumu/lobby"
	"ayumu/lobby/vacation"
	"ayumu/tui/wire"
)

// vacation begins a vacation of days, or ends it with 0, and answers with the user's vacation.
func (p accountOps) vacation(r *request) (fields, error) {
	own := p.s.OwnAccount().Vacation()
	status, err := own.Status(), error(nil)
	switch {
	case r.Days == nil:
	case *r.Days == 0:
		status, err = own.End(p.ctx)
	default:
		status, err = own.Begin(p.ctx, *r.Days)
	}
	if err != nil {
		return nil, err
	}
	return vacationFields(status), nil
}

func vacationFields(s vacation.Status) fields {
	f := fields{"left": s.Left, "allowed": s.Allowed}
	if !s.Until.IsZero() {
		f["until"] = wire.Time(s.Until)
	}
	return f
}

// vacations returns the seats of a snapshot whose players are on vacation.
func vacations(s *lobby.Snapshot) []fields {
	var all []fields
	for seat := range s.Info.Seats {
		if until, ok := s.OnVacation(seat); ok {
			all = append(all, fields{"seat": seat, "until": wire.Time(until)})
		}
	}
	return all
}

// sendVacations writes the events vacation since the snapshot before.
func (p *conn) sendVacations(before, s *lobby.Snapshot) {
	for seat := range s.Info.Seats {
		was, _ := before.OnVacation(seat)
		is, ok := s.OnVacation(seat)
		if s.IsOver() || was.Equal(is) {
			continue
		}
		event := fields{"event": "vacation", "match": s.Info.ID, "seat": seat}
		if ok {
			event["until"] = wire.Time(is)
		}
		p.write(event)
	}
}
