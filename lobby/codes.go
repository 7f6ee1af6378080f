package lobby

// FindByCode returns the id of the open private table or of the running private match with this code; both
// are empty if there is none. A code has 50 random bits, so that guessing finds nothing.
func (s *Session) FindByCode(code string) (table, match string) {
	l := s.l
	l.mu.Lock()
	defer l.mu.Unlock()
	for id, t := range l.tables {
		if t.private && !t.starting && codesEqual(t.code, code) {
			return id, ""
		}
	}
	for id, m := range l.matches {
		if m.Info.Private && codesEqual(m.liveSnapshot.Load().Code, code) {
			match = id
		}
	}
	return "", match
}
