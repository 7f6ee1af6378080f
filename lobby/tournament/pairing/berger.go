package pairing

// RoundRobin returns the rounds in which each of n players meets each other one once in every leg, by Berger's tables. Players
// are numbered from 0. With an odd number one player has a bye in each round. In the second leg the other one moves first.
func RoundRobin(n, legs int) []Round {
	if n < 2 {
		return nil
	}
	seats := n + n%2 // the last one stands for the bye if n is odd
	var rounds []Round
	for leg := range legs {
		for r := range seats - 1 {
			round := Round{Bye: -1}
			for _, p := range berger(seats, r) {
				switch {
				case p.First == n:
					round.Bye = p.Second
				case p.Second == n:
					round.Bye = p.First
				case leg%2 == 1:
					round.Pairs = append(round.Pairs, Pair{p.Second, p.First})
				default:
					round.Pairs = append(round.Pairs, p)
				}
			}
			rounds = append(rounds, round)
		}
	}
	return rounds
}

// berger returns the pairs of a round of Berger's tables for an even number of players. The last player meets the others in
// the order 1, n/2+1, 2, n/2+2 …; the rest pair off around that opponent.
func berger(n, round int) []Pair {
	ring, last := n-1, n-1
	at := round / 2
	first := Pair{at, last}
	if round%2 == 1 {
		at = (round + ring) / 2
		first = Pair{last, at}
	}
	pairs := []Pair{first}
	for k := 1; k < n/2; k++ {
		pairs = append(pairs, Pair{(at + k) % ring, (at - k + ring) % ring})
	}
	return pairs
}
