package lobby

// ByCode finds the private table or the private match that a code belongs to; of a table that has
// begun, the match. Both are empty if it belongs to none. A code has 50 random bits, so that
// trying them one by one finds nothing.
func (s *Session) ByCode(code string) (table, match string) {
	l := s.l
	l.mu.Lock()
	defer l.mu.Unlock()
	for id, t := range l.tables {
		if t.private && !t.starting && sameCode(t.code, code) {
			return id, ""
		}
	}
	for id, m := range l.matches {
		if m.Info.Private && sameCode(m.live.Load().Code, code) {
			match = id
		}
	}
	return "", match
}
