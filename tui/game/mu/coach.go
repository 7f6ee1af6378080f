package mu

import (
	"fmt"
	"slices"
	"strings"

	"ayumu/engine"
	"ayumu/engine/mu"
)

// The bounds of Game.Warn, in men.
const (
	minLoss = 3 // by one move of the next player
	minMore = 2 // than after a pass
)

// Advise implements game.Coach: what the phase is for, and in play the territories. Nothing in it is urgent.
func (g Game) Advise(pos engine.Position, seat int) (text string, isUrgent bool) {
	return g.describeState(pos.(*mu.Position), seat), false
}

func (g Game) describeState(p *mu.Position, seat int) string {
	switch p.Phase() {
	case mu.Layout:
		if p.Segments() == 1 {
			return "When the board is complete, your segment is filled: a man on each of its seven cells."
		}
		return "Later you clear all of your segments but one, and that one is filled with men."
	case mu.Clearing:
		return "The segment that you keep is filled: a man on each of its seven cells."
	}
	var parts []string
	for s, n := range p.Territory() {
		if s == seat {
			parts = append(parts, fmt.Sprintf("you %d", n))
		} else {
			parts = append(parts, fmt.Sprintf("%s %d", g.Side(p, s), n))
		}
	}
	text := "Territory: " + strings.Join(parts, ", ") + ". "
	for _, c := range p.Cells() {
		if c.Terrain == mu.Virgin {
			return text + "Explode virgin cells: each gives you a man, unless it becomes Wall."
		}
	}
	return text + "No virgin cells are left: hold sections alone, and reach empty ones from the Wall."
}

// Warn implements game.Coach: the turn ends the game for another player, or allows the next one to capture many men with
// one move.
func (g Game) Warn(pos engine.Position, turn []string) (text string, isUrgent bool) {
	p := pos.(*mu.Position)
	seat := p.Turn()
	next, err := engine.PlayTurn(p, turn)
	if err != nil || p.Phase() != mu.Play {
		return "", false
	}
	after := next.(*mu.Position)
	if r, over := after.Result(); over {
		if r.Places[seat] == 0 {
			return "", false
		}
		return "That ends the game: " + whyLost(after, r, g.Side(after, slices.Index(r.Places, 0))), true
	}
	move, loss := worstMove(after, seat)
	if loss < minLoss {
		return "", false
	}
	passed, err := p.Play(mu.Action{}.String())
	if err != nil || len(turn) == 1 {
		return "", false
	}
	if _, anyway := worstMove(passed.(*mu.Position), seat); loss < anyway+minMore {
		return "", false
	}
	return fmt.Sprintf("Then %s can capture %d of your men with one move, from %s to %s.",
		g.Side(after, after.Turn()), loss, move.At, move.At.Step(move.Dir, int(move.Men))), false
}

// minTaken is the minimum number of men that a move of the next player must be able to capture for Game.Comment to say so.
const minTaken = 2

// Comment implements game.Coach: what the turn that was played left to the next player or cost, and what the better turn brings.
func (g Game) Comment(pos engine.Position, played, better []string) string {
	p := pos.(*mu.Position)
	one, err := engine.PlayTurn(p, played)
	if err != nil || p.Phase() != mu.Play {
		return ""
	}
	other, err := engine.PlayTurn(p, better)
	if err != nil {
		return ""
	}
	c := comparison{p, played, better, one.(*mu.Position), other.(*mu.Position)}
	if _, over := c.after.Result(); over {
		return ""
	}
	cost, gain := c.cost(), c.gain()
	switch {
	case cost != "":
		return cost + " " + c.advice("") // what it gains would make it long
	case gain != "":
		return c.advice(gain)
	}
	return ""
}

// comparison is two legal turns in play of the seat to move, the first of which does not end the game.
type comparison struct {
	p              *mu.Position
	played, better []string
	after, wanted  *mu.Position // after each of them
}

// cost returns a sentence about the worst that follows from the turn that was played and less from the better one; "" for nothing.
func (c comparison) cost() string {
	seat := c.p.Turn()
	move, loss := worstMove(c.after, seat)
	_, least := worstMove(c.wanted, seat)
	trimmed := trimmedMen(c.p, c.played)
	was, is := c.p.Territory()[seat], c.after.Territory()[seat]
	switch {
	case loss >= minTaken && loss > least:
		return fmt.Sprintf("After your last turn %s could capture %s, from %s to %s.",
			Game{}.Side(c.after, c.after.Turn()), ofYourMen(loss, c.after.Men()[seat]), move.At, move.At.Step(move.Dir, int(move.Men)))
	case trimmed > trimmedMen(c.p, c.better):
		return fmt.Sprintf("At the end of your last turn you lost %s, because their section oscillated.", plural(trimmed, "man"))
	case is < was && is < c.wanted.Territory()[seat]:
		return fmt.Sprintf("Your last turn cut your territory from %s to %d.", plural(was, "cell"), is)
	}
	return ""
}

// gain returns what the better turn does and the other one does not, as a clause that follows its name; "" for nothing.
func (c comparison) gain() string {
	seat := c.p.Turn()
	if r, over := c.wanted.Result(); over && slices.Equal(r.Winners, []int{seat}) {
		return "wins the game at once"
	}
	if n, less := capturedMen(c.p, c.better), capturedMen(c.p, c.played); n > less && less > 0 {
		return fmt.Sprintf("captures %s instead of %d", plural(n, "man"), less)
	} else if n > less {
		return "captures " + plural(n, "man")
	}
	after, wanted := c.after.Territory(), c.wanted.Territory()
	if wanted[seat] > after[seat] {
		return fmt.Sprintf("leaves you %s of territory instead of %d", plural(wanted[seat], "cell"), after[seat])
	}
	if n, less := c.wanted.Men()[seat], c.after.Men()[seat]; n > less {
		return fmt.Sprintf("leaves you %s instead of %d", plural(n, "man"), less)
	}
	for s := range after {
		if s != seat && wanted[s] < after[s] {
			return fmt.Sprintf("leaves %s %s of territory instead of %d", Game{}.Side(c.p, s), plural(wanted[s], "cell"), after[s])
		}
	}
	if n, less := occupiedSegments(c.wanted, seat), occupiedSegments(c.after, seat); n > less {
		return fmt.Sprintf("leaves you men in %s instead of %d, each of which gives a move", plural(n, "segment"), less)
	}
	return ""
}

// advice returns a sentence with the first action of the better turn, and what the turn gains.
func (c comparison) advice(gain string) string {
	action := Game{}.DescribeTurn(c.wanted, c.better[:1], "")
	isWhole := len(c.better) == 1 || len(c.better) == 2 && c.better[1] == mu.Action{}.String()
	switch {
	case isWhole && gain == "":
		return fmt.Sprintf("The engine would %s instead.", action)
	case isWhole:
		return fmt.Sprintf("Instead of your last turn, the engine would %s: that %s.", action, gain)
	case gain == "":
		return fmt.Sprintf("The engine would first %s instead.", action)
	}
	return fmt.Sprintf("Instead of your last turn, the engine would first %s: its whole turn %s.", action, gain)
}

func ofYourMen(n, all int) string {
	if n == all {
		return fmt.Sprintf("all %d of your men", n)
	}
	return fmt.Sprintf("%d of your men", n)
}

// capturedMen returns how many men the seat to move captures in a legal turn.
func capturedMen(p *mu.Position, turn []string) (men int) {
	seat := uint8(p.Turn())
	eachStep(p, turn, func(s mu.Step) {
		if s.Kind == mu.Captured && s.Seat == seat {
			men += int(s.Taken)
		}
	})
	return men
}

// eachStep calls f with each step of a legal turn.
func eachStep(p *mu.Position, turn []string, f func(mu.Step)) {
	for _, text := range turn {
		a, err := mu.ParseAction(text)
		if err != nil {
			return
		}
		next, steps, err := p.PlaySteps(a)
		if err != nil {
			return
		}
		for _, s := range steps {
			f(s)
		}
		p = next
	}
}

// trimmedMen returns how many men the seat to move loses at the end of a legal turn because their section oscillates.
func trimmedMen(p *mu.Position, turn []string) int {
	before := p
	for _, text := range turn[:len(turn)-1] {
		next, err := before.Play(text)
		if err != nil {
			return 0
		}
		before = next.(*mu.Position)
	}
	next, err := before.Play(turn[len(turn)-1])
	if err != nil {
		return 0
	}
	return before.Men()[p.Turn()] - next.(*mu.Position).Men()[p.Turn()]
}

// occupiedSegments returns the number of segments in which a seat has men.
func occupiedSegments(p *mu.Position, seat int) int {
	found := make(map[int]bool)
	for _, c := range p.Cells() {
		if c.Owner == seat {
			found[c.Segment] = true
		}
	}
	return len(found)
}

// whyLost returns why a match has ended and a winner has won it, as a sentence.
func whyLost(p *mu.Position, r engine.Result, winner string) string {
	alive := 0
	for seat, men := range p.Men() {
		if men > 0 && !p.HasLeft(seat) {
			alive++
		}
	}
	switch {
	case alive == 1:
		return fmt.Sprintf("only %s has men left.", winner)
	case r.Reason == engine.ReasonRepetition:
		return fmt.Sprintf("the position has occurred for the third time, and %s has more territory.", winner)
	}
	return fmt.Sprintf("all have passed, and %s has more territory.", winner)
}

// worstMove returns the move of the seat to move that costs another seat most men, and how many.
func worstMove(p *mu.Position, seat int) (worst mu.Action, loss int) {
	if p.Turn() == seat || p.Phase() != mu.Play {
		return worst, 0
	}
	men := p.Men()[seat]
	for _, text := range p.Legal() {
		a, err := mu.ParseAction(text)
		if err != nil || a.Kind != mu.Move {
			continue
		}
		if after, err := p.Do(a); err == nil && men-after.Men()[seat] > loss {
			worst, loss = a, men-after.Men()[seat]
		}
	}
	return worst, loss
}
