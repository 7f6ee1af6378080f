package beginner

import (
	"testing"

	"ayumu/engine"
	"ayumu/engine/ayu"
	"ayumu/engine/mu"
	"ayumu/engine/search"
)

// offered are the games that are offered to a newcomer against a bot.
var offered = map[string]engine.Options{
	"ayu": ayu.Options{Size: 7},
	"mu":  mu.Options{Players: 2, Segments: 2, Min: 2},
}

type chooser func(p engine.Position, randN func(n int) int) []string

// level plays level 0.
func level(p engine.Position, randN func(n int) int) []string {
	a, err := Level(p, uint64(randN(1<<30)))
	if err != nil {
		return nil
	}
	return a.Choices[0].Actions
}

// maxTurns is the number of turns of both after which a game counts as endless.
const maxTurns = 600

// played is what came of some games.
type played struct {
	share   float64 // of the win, of the first player
	turns   int     // of both in a game, on average
	endless int
}

// play plays games in which the players take turns to begin.
func play(t *testing.T, o engine.Options, games int, players [2]chooser) (all played) {
	t.Helper()
	randN := search.RandN(7, 7)
	for g := range games {
		p := o.Game().New(o)
		n := 0
		for ; n < maxTurns; n++ {
			if _, over := p.Result(); over {
				break
			}
			next, err := engine.PlayTurn(p, players[(p.Turn()+g)%2](p, randN))
			if err != nil {
				t.Fatal(err)
			}
			p = next
		}
		all.turns += n
		r, over := p.Result()
		for _, w := range r.Winners {
			if (w+g)%2 == 0 {
				all.share += 1 / float64(len(r.Winners))
			}
		}
		if !over {
			all.endless++
		}
	}
	all.share /= float64(games)
	all.turns /= games
	return all
}

// TestBeginnerBeatsLevel0: a beginner wins clearly more than half, and not all, of games that end and are short enough for a first
// one. `ayumu match beginner level:0` measures it in more games (docs/engines.md).
func TestBeginnerBeatsLevel0(t *testing.T) {
	games, most := map[string]int{"ayu": 200, "mu": 100}, map[string]int{"ayu": 40, "mu": 100}
	if testing.Short() {
		games = map[string]int{"ayu": 100, "mu": 30}
	}
	for name, o := range offered {
		got := play(t, o, games[name], [2]chooser{Best, level})
		t.Logf("%s: a beginner wins %.0f%%, in %d turns of both", name, got.share*100, got.turns)
		if got.share < 0.6 || got.share > 0.97 {
			t.Errorf("%s: a beginner wins %.0f%% against level 0", name, got.share*100)
		}
		if got.endless > 0 || got.turns > most[name] {
			t.Errorf("%s: %d games are endless, and they take %d turns on average", name, got.endless, got.turns)
		}
	}
}

// TestLevel0EndsALostGame: the beginner, who is ahead, passes, and level 0 too, although it is behind.
func TestLevel0EndsALostGame(t *testing.T) {
	for _, s := range []struct {
		standing
		player, level bool
	}{
		{standing{lead: 5, rounds: idleRounds - 1}, false, false},
		{standing{lead: 5, rounds: idleRounds}, true, true},
		{standing{lead: -5, rounds: idleRounds}, false, true},
		{standing{lead: 0, rounds: idleRounds}, false, false},
		{standing{lead: -5, rounds: enoughRounds}, true, true},
		{standing{lead: 0, rounds: enoughRounds}, true, true},
	} {
		if s.endsWon() != s.player || s.ends() != s.level {
			t.Errorf("%+v: a player passes: %v, level 0: %v", s.standing, s.endsWon(), s.ends())
		}
	}
}

// TestLevel0IsRepeatable: the seed and the position decide, so that a bot on another node plays on alike.
func TestLevel0IsRepeatable(t *testing.T) {
	for name, o := range offered {
		p, randN := o.Game().New(o), search.RandN(3, 3)
		for range 30 { // where the turns of all games differ
			next, err := engine.PlayTurn(p, level(p, randN))
			if err != nil {
				t.Fatal(err)
			}
			p = next
		}
		differ := false
		for seed := range uint64(20) {
			a, err := Level(p, seed)
			b, err2 := Level(p, seed)
			c, _ := Level(p, seed+1000)
			if err != nil || err2 != nil || len(a.Choices) != 1 || a.Choices[0].Actions[0] != b.Choices[0].Actions[0] {
				t.Errorf("%s: %v and %v, %v, %v", name, a, b, err, err2)
			}
			differ = differ || a.Choices[0].Actions[0] != c.Choices[0].Actions[0]
		}
		if !differ {
			t.Errorf("%s: all seeds choose alike", name)
		}
	}
}

// TestChoices checks in the positions of games what each player chooses of what the turns gain.
func TestChoices(t *testing.T) {
	randN := search.RandN(1, 2)
	for name, o := range offered {
		several := 0 // positions in which turns gain, and others do not
		for range 5 {
			p := o.Game().New(o)
			for range 60 {
				if _, over := p.Result(); over {
					break
				}
				gains := make(map[string]int)
				most, least := -1<<30, 1<<30
				for _, c := range candidates(p) {
					gains[c.actions[0]] = c.gain
					most, least = max(most, c.gain), min(least, c.gain)
				}
				best, joining, wandering := Best(p, randN), Joining(p, randN), choose(p, randN, aimless, standing.ends)
				if most > 0 && gains[best[0]] != most {
					t.Errorf("%s: the best turn %v gains %d of %d", name, best, gains[best[0]], most)
				}
				if most > 0 && gains[joining[0]] <= 0 {
					t.Errorf("%s: %v gains nothing", name, joining)
				}
				if least <= 0 && gains[wandering[0]] > 0 {
					t.Errorf("%s: %v gains %d", name, wandering, gains[wandering[0]])
				}
				if most > 0 && least <= 0 {
					several++
				}
				next, err := engine.PlayTurn(p, joining)
				if err != nil {
					t.Fatal(err)
				}
				p = next
			}
		}
		if several < 20 {
			t.Errorf("%s: only %d positions have a choice", name, several)
		}
	}
}
