package match

import (
	"encoding/json"
	"math"

	"ayumu/engine"
)

// reportJSON is the JSON form of a Report. Shares are 0 to 1, times are seconds.
type reportJSON struct {
	Game    string         `json:"game"`
	Options engine.Options `json:"options"`
	Games   int            `json:"games"`
	Won     int            `json:"won"` // by the first side
	Shared  int            `json:"shared"`
	Lost    int            `json:"lost"`
	Score   float64        `json:"score"`
	Low     float64        `json:"low"` // the 95 % interval of the score
	High    float64        `json:"high"`
	Elo     *eloJSON       `json:"elo,omitempty"` // of two seats
	SPRT    *sprtJSON      `json:"sprt,omitempty"`
	Forced  int            `json:"forced"` // games that were scored at the limit of turns
	Sides   []sideJSON     `json:"sides"`
}

// eloJSON is a difference in Elo with its 95 % interval. What is infinite is null.
type eloJSON struct {
	Value *float64 `json:"value"`
	Low   *float64 `json:"low"`
	High  *float64 `json:"high"`
}

// sprtJSON is the state of an SPRT. The verdict is elo0, elo1 or empty.
type sprtJSON struct {
	Elo0    float64 `json:"elo0"`
	Elo1    float64 `json:"elo1"`
	LLR     float64 `json:"llr"`
	Low     float64 `json:"low"` // the bounds of the LLR
	High    float64 `json:"high"`
	Verdict string  `json:"verdict"`
}

// sideJSON is what a side has used. Faults has the reason of each game that it lost by one.
type sideJSON struct {
	Name     string   `json:"name"`
	Turns    int      `json:"turns"`
	Time     float64  `json:"time"`
	Longest  float64  `json:"longest"` // turn
	Playouts int      `json:"playouts"`
	Faults   []string `json:"faults"`
}

// MarshalJSON implements json.Marshaler.
func (r *Report) MarshalJSON() ([]byte, error) {
	share, low, high := r.interval()
	j := reportJSON{
		Game: r.c.Game.Name(), Options: r.c.Options, Games: r.Tally.Games(), Won: r.Tally.Wins, Shared: r.Tally.Draws,
		Lost: r.Tally.Losses, Score: share, Low: low, High: high, Forced: r.Forced,
	}
	if _, seats := r.c.Options.Seats(); seats == 2 {
		j.Elo = &eloJSON{finite(Elo(share)), finite(Elo(low)), finite(Elo(high))}
	}
	if s := r.c.SPRT; s != nil {
		below, above := s.Bounds()
		j.SPRT = &sprtJSON{s.Elo0, s.Elo1, s.LLR(r.Tally), below, above, s.Verdict(r.Tally)}
	}
	for i, u := range r.Sides {
		faults := append([]string{}, r.Faults[i]...)
		j.Sides = append(j.Sides, sideJSON{r.c.Sides[i].Name, u.Turns, u.Time.Seconds(), u.Longest.Seconds(), u.Playouts, faults})
	}
	return json.Marshal(j)
}

// finite returns a number as JSON can have it: nil for infinity.
func finite(x float64) *float64 {
	if math.IsInf(x, 0) {
		return nil
	}
	return &x
}
