package lobby_test

import (
	"net/netip"
	"testing"

	"ayumu/lobby/lobbytest"
)

// BenchmarkSessions measures the beginning and the end of a session, in a lobby with 1,000 other users.
func BenchmarkSessions(b *testing.B) {
	l := lobbytest.Open(b)
	lobbytest.Guests(b, l, 1000)
	first := lobbytest.Member(b, l, "ana")
	a := first.Account()
	first.Close(false)
	addr := netip.MustParseAddr("192.0.2.1")
	b.ReportAllocs()
	for b.Loop() {
		s, err := l.Enter(a, nil)
		if err != nil {
			b.Fatal(err)
		}
		s.SetAddr(addr)
		s.Close(false)
	}
}
