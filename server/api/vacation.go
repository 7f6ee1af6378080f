package api

import (
	"ayumu/lobby/match"
	"ayumu/tui/jsonform"
)

// vacations returns the seats of a snapshot whose players are on vacation.
func vacations(s *match.Snapshot) []fields {
	var all []fields
	for seat := range s.Info.Seats {
		if until, ok := s.OnVacation(seat); ok {
			all = append(all, fields{"seat": seat, "until": jsonform.Time(until)})
		}
	}
	return all
}

// sendVacations writes the events vacation since the snapshot before.
func (p *session) sendVacations(before, s *match.Snapshot) {
	for seat := range s.Info.Seats {
		was, _ := before.OnVacation(seat)
		is, ok := s.OnVacation(seat)
		if s.IsOver() || was.Equal(is) {
			continue
		}
		event := fields{"event": "vacation", "match": s.Info.ID, "seat": seat}
		if ok {
			event["until"] = jsonform.Time(is)
		}
		p.write(event)
	}
}
