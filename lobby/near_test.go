package lobby

import (
	"testing"

	"ayumu/engine/enginetest"
	"ayumu/lobby/account"
)

// TestRatingsOfOnePoolAreCompared pairs users whose ratings are far apart for two players and close for
// three.
func TestRatingsOfOnePoolAreCompared(t *testing.T) {
	mu, _ := enginetest.Games.ByName("mu")
	request := func(name string, id AccountID, two, many float64) *tableState {
		a := Account{ID: id, Name: name, Ratings: map[string]Rating{
			account.Pool("mu", 2): {Value: two, Deviation: 60}, account.Pool("mu", 3): {Value: many, Deviation: 60},
		}}
		p := &user{}
		p.account.Store(&a)
		options, err := mu.ParseOptions([]byte(`{"players":3}`))
		if err != nil {
			t.Fatal(err)
		}
		return &tableState{quick: true, seated: []*user{p}, ready: map[*user]bool{}, terms: terms{game: "mu", options: options},
			request: Proposal{Options: []byte(`{"players":3}`)}}
	}
	limits := DefaultLimits()
	for _, c := range []struct {
		what      string
		two, many float64 // of the other user; those of the first are 1500 and 2000
		fits      bool
	}{
		{"close in the pool that is played", 1000, 2010, true},
		{"far in the pool that is played", 2000, 1500, false},
	} {
		q, other := request("ana", 1, 1500, 2000), request("bob", 2, c.two, c.many)
		if _, ok := q.fits(other, &limits); ok != c.fits {
			t.Errorf("%s: fits is %v", c.what, ok)
		}
	}
}
