package lobby

// FindByCode finds the private table or the private match that a code belongs to; of a table that has
// begun, the match. Both are empty if it belongs to none. A code has 50 random bits, so that
// trying them one by one finds nothing.
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
