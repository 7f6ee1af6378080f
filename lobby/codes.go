package lobby

import "ayumu/lobby/table"

// FindByCode returns the id of the open private table or of the running private match with this code; both
// are empty if there is none. A code has 50 random bits, so that guessing finds nothing.
func (s *Session) FindByCode(code string) (tableID, matchID string) {
	l := s.l
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, t := range l.tables.Open() {
		if t.HasCode(code) {
			return t.ID, ""
		}
	}
	for id, m := range l.matches.byID {
		if m.Info.Private && table.CodesEqual(m.liveSnapshot.Load().Code, code) {
			matchID = id
		}
	}
	return "", matchID
}
