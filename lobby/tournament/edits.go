package tournament

import (
	"fmt"
	"time"

	"ayumu/lobby/text"
)

// changesTo describes, as clauses, what differs in terms from those before: "the clock is 5+5 and the games are casual"; "":
// nothing does. What players need not know before they play is summed up.
func (t *Terms) changesTo(before *Terms) string {
	var all []string
	add := func(differs bool, format string, args ...any) {
		if differs {
			all = append(all, fmt.Sprintf(format, args...))
		}
	}
	add(t.Name != before.Name, "it has this new name")
	add(before.Options != nil && t.Options.String() != before.Options.String(), "the game is %s %s", t.Options.Game().Title(), t.Options)
	add(t.Control != before.Control, "the clock is %s", t.Control)
	add(t.Rated != before.Rated, "the games are %s", map[bool]string{true: "rated", false: "casual"}[t.Rated])
	switch {
	case t.Start.Equal(before.Start):
	case t.Start.IsZero():
		add(true, "the organizer starts it")
	default:
		add(true, "it starts at %s UTC", t.Start.UTC().Format("2006-01-02 15:04"))
	}
	if t.CheckIn != before.CheckIn {
		add(t.CheckIn > 0, "the check-in takes %s", durationText(t.CheckIn))
		add(t.CheckIn == 0, "there is no check-in")
	}
	if t.Rounds != before.Rounds {
		add(t.Rounds > 0, "it has %s", text.Plural(t.Rounds, "round"))
		add(t.Rounds == 0, "the number of rounds follows from that of the players")
	}
	add(t.Legs != before.Legs, "everyone plays everyone %s", []string{"once", "twice"}[min(max(t.Legs, 1), 2)-1])
	add(t.Divisions != before.Divisions, "it has %s", text.Plural(t.Divisions, "division"))
	add(t.TableMax != before.TableMax, "a table has at most %d seats", t.TableMax)
	add(t.Cap != before.Cap, "a round takes at most %s", text.Plural(int(t.Cap/time.Hour), "hour"))
	add(t.Delay != before.Delay, "spectators see the games %s late", text.Plural(t.Delay, "turn"))
	add(t.FirstTurn != before.FirstTurn || t.Pause != before.Pause || t.Late != before.Late || t.Vacation != before.Vacation || t.Elsewhere != before.Elsewhere,
		"some of the rules differ")
	add(t.Min != before.Min || t.Max != before.Max || t.Bots != before.Bots || t.Members != before.Members ||
		t.MinRating != before.MinRating || t.MaxRating != before.MaxRating || t.MinGames != before.MinGames, "others can enter than before")
	return text.List(all)
}

// durationText returns a time of whole seconds in words.
func durationText(d time.Duration) string {
	if d%time.Minute == 0 {
		return text.Plural(int(d/time.Minute), "minute")
	}
	return text.Plural(int(d/time.Second), "second")
}
