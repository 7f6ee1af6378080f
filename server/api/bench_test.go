package api

import (
	"bufio"
	"io"
	"testing"

	"ayumu/lobby/lobbytest"
	"ayumu/lobby/table"
)

// benchConn returns a session of the API without limits of requests, in a lobby whose answers are shorter than what a budget
// charges. What it writes is discarded.
func benchConn(b *testing.B) *session {
	l := lobbytest.Open(b)
	limits := l.Limits()
	limits.RequestRate, limits.RequestBurst, limits.ByteRate, limits.ByteBurst = 1e12, 1e12, 1e12, 1e12
	l.SetLimits(limits)
	s := lobbytest.Member(b, l, "ana")
	for _, other := range lobbytest.Guests(b, l, 3) {
		if _, err := other.OpenTable(b.Context(), table.Proposal{Game: "ayu"}); err != nil {
			b.Fatal(err)
		}
	}
	v := visitOf(s)
	return &session{ctx: b.Context(), visit: v, lobbySession: s, out: bufio.NewWriter(io.Discard)}
}

// BenchmarkRequests measures cheap requests, from the line to its answer.
func BenchmarkRequests(b *testing.B) {
	for _, name := range []string{"ping", "vacation", "blocks", "tables", "users"} {
		b.Run(name, func(b *testing.B) {
			p := benchConn(b)
			answers := 0
			l := inputLine{text: []byte(`{"id":1,"op":"` + name + `"}`)}
			for b.Loop() {
				p.handleLine(l)
				answers++
			}
			if p.writeErr != nil || len(p.lobbySession.Lobby().LimitHits.All()) > 0 {
				b.Errorf("of %d answers some were refused: %v, %v", answers, p.lobbySession.Lobby().LimitHits.All(), p.writeErr)
			}
		})
	}
}
