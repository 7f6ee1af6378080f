package mu

// Perft returns the number of sequences of depth legal actions from this position.
func (p *Position) Perft(depth int) uint64 {
	if depth <= 0 {
		return 1
	}
	actions := p.AppendLegal(nil)
	if depth == 1 {
		return uint64(len(actions))
	}
	n := uint64(0)
	for _, a := range actions {
		next, err := p.Do(a)
		if err != nil {
			panic("mu: legal action refused:  " + err.Error())
		}
		n += next.Perft(depth - 1)
	}
	return n
}
