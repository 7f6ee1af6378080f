package mu

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"ayumu/engine"
	"ayumu/engine/mu"
	"ayumu/engine/mu/mutest"
)

// coach gives the advice.
var coach Game

// shapes has the names of the seats.
var shapes = []string{"Disc", "Triangle", "Box"}

// coachPosition returns a position of two players on two segments in which it is Disc's turn, who has some rights.
func coachPosition(t *testing.T, cells, rights, passes string) *mu.Position {
	t.Helper()
	p, err := mu.ParsePosition(2, "0,0;3,-1", "play|"+cells+"|0|"+rights+"||"+passes)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// virginCells has Disc's piece of three in the left segment, and a man of Disc's beside Triangle's piece of two in the right
// one.
const virginCells = "-1,0:v;-1,1:v;0,-1:v;0,0:v0.3;0,1:v;1,-1:v;1,0:v;2,-1:v;2,0:v0.1;3,-2:v1.1;3,-1:v1.2;3,0:v;4,-2:v;4,-1:v"

func TestAdvice(t *testing.T) {
	var layout engine.Position = mu.New(mu.Options{Players: 2, Segments: 1, Min: 2})
	if got, _ := coach.Advise(layout, 0); !strings.HasPrefix(got, "When the board is complete, your segment is filled") {
		t.Errorf("layout: %q", got)
	}
	layout = mu.New(mu.Options{Players: 2, Segments: 2, Min: 2})
	if got, _ := coach.Advise(layout, 0); !strings.HasPrefix(got, "Later you clear all of your segments but one") {
		t.Errorf("layout of two segments: %q", got)
	}
	if got, _ := coach.Advise(coachPosition(t, virginCells, "0,0 3,-1", "0"), 0); !strings.HasPrefix(got, "Territory: you 0, Triangle 0. Explode virgin cells") {
		t.Errorf("play: %q", got)
	}
	common := strings.NewReplacer(":v", ":c").Replace(virginCells)
	if got, _ := coach.Advise(coachPosition(t, common, "0,0 3,-1", "0"), 1); !strings.HasPrefix(got, "Territory: Disc 0, you 0. No virgin cells are left") {
		t.Errorf("play without virgin cells: %q", got)
	}
}

func TestWarnings(t *testing.T) {
	lost := "-1,0:c;-1,1:c;0,-1:c;0,0:c0.1;0,1:c;1,-1:w;1,0:w;2,-1:c;2,0:c;3,-2:c;3,-1:c1.1;3,0:c;4,-2:c;4,-1:c"
	lone := "-1,0:w;-1,1:w;0,-1:w;0,0:c;0,1:w;1,-1:w;1,0:w0.1;2,-1:c;2,0:c;3,-2:c;3,-1:c1.1;3,0:c;4,-2:c;4,-1:c" // 0,0 holds no man at the end of a turn
	for _, test := range []struct{ name, cells, rights, passes, turn, want string }{
		{"in reach", virginCells, "0,0 3,-1", "0", "move 0,0 2 e; end", "Then Triangle can capture 3 of your men with one move, from 3,-1 to 2,0."},
		{"a man", virginCells, "0,0 3,-1", "0", "move 0,0 1 e; end", ""},
		{"out of reach", virginCells, "0,0 3,-1", "0", "move 0,0 1 w; end", ""},
		{"a pass", virginCells, "0,0 3,-1", "0", "end", ""},
		{"the last pass", lost, "0,0", "1", "end", "That ends the game: all have passed, and Triangle has more territory."},
		{"the last man", lone, "0,0", "0", "move 1,0 1 w; end", "That ends the game: only Triangle has men left."},
		{"illegal", virginCells, "0,0 3,-1", "0", "move 0,0 9 e; end", ""},
	} {
		got, isUrgent := coach.Warn(coachPosition(t, test.cells, test.rights, test.passes), strings.Split(test.turn, "; "))
		if got != test.want || isUrgent != strings.HasPrefix(got, "That ends the game") {
			t.Errorf("%s: got %q, want %q; urgent: %t", test.name, got, test.want, isUrgent)
		}
	}
}

// TestWarnsOfRepetition goes to and fro on the Commonwealth until a position would stand for the third time, which ends
// the game for Disc.
func TestWarnsOfRepetition(t *testing.T) {
	cells := "-1,0:c;-1,1:c;0,-1:c;0,0:c1.1;0,1:c;1,-1:w;1,0:w;2,-1:c;2,0:c;3,-2:c;3,-1:c0.1;3,0:c;4,-2:c;4,-1:c"
	var p engine.Position = coachPosition(t, cells, "3,-1", "0")
	turns := []string{"move 3,-1 1 e", "move 0,0 1 w", "move 4,-1 1 w", "move -1,0 1 e"}
	for n := range 12 {
		turn := []string{turns[n%4], "end"}
		next, err := engine.PlayTurn(p, turn)
		if err != nil {
			t.Fatal(err)
		}
		why, _ := coach.Warn(p, turn)
		if r, over := next.Result(); !over {
			if why != "" {
				t.Errorf("turn %d: %q", n, why)
			}
			p = next
			continue
		} else if seat := p.Turn(); r.Reason != engine.ReasonRepetition || seat != 1 || r.Places[seat] == 0 {
			t.Fatalf("seat %d ends it: %+v", seat, r)
		}
		if want := "That ends the game: the position has occurred for the third time, and Disc has more territory."; why != want {
			t.Errorf("got %q, want %q", why, want)
		}
		return
	}
	t.Fatal("no position stands for the third time")
}

// The sentences of the coach, with the numbers, names and cells in them.
var (
	allButOneText = regexp.MustCompile(`^Later you clear all of your segments but one, and that one is filled with men\.$`)
	onlyOneText   = regexp.MustCompile(`^When the board is complete, your segment is filled: a man on each of its seven cells\.$`)
	keepText      = regexp.MustCompile(`^The segment that you keep is filled: a man on each of its seven cells\.$`)
	explodeText   = regexp.MustCompile(`^Territory: (.*)\. Explode virgin cells: each gives you a man, unless it becomes Wall\.$`)
	holdText      = regexp.MustCompile(`^Territory: (.*)\. No virgin cells are left: hold sections alone, and reach empty ones from the Wall\.$`)
	passedText    = regexp.MustCompile(`^That ends the game: all have passed, and (\w+) has more territory\.$`)
	onlyMenText   = regexp.MustCompile(`^That ends the game: only (\w+) has men left\.$`)
	captureText   = regexp.MustCompile(`^Then (\w+) can capture (\d+) of your men with one move, from (\S+) to (\S+)\.$`)
)

// TestAllThatTheCoachSaysIsTrue plays random games, and proves each sentence of the coach about each position and turn by
// the rules, with territories counted by package mutest. A sentence that is not known here fails. Those of rare
// ends have tests of their own.
func TestAllThatTheCoachSaysIsTrue(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 9))
	said := make(map[*regexp.Regexp]int)
	for game := range 160 {
		players := 2 + game%2
		var p engine.Position = mu.New(mu.Options{Players: players, Segments: 1 + game%3, Min: players})
		for range 80 {
			if _, over := p.Result(); over {
				break
			}
			at := p.(*mu.Position)
			checkAdvice(t, at, said)
			turn := randomTurn(t, at, rng)
			next, err := engine.PlayTurn(p, turn)
			if err != nil {
				t.Fatal(err)
			}
			checkWarning(t, at, turn, next.(*mu.Position), said)
			p = next
		}
	}
	for _, text := range []*regexp.Regexp{allButOneText, onlyOneText, keepText, explodeText, holdText, passedText, captureText} {
		if t.Logf("%5d: %s", said[text], text); said[text] == 0 {
			t.Errorf("the coach has never said %s", text)
		}
	}
}

// randomTurn returns a turn of random actions; one in four is a pass.
func randomTurn(t *testing.T, p *mu.Position, rng *rand.Rand) (turn []string) {
	var at engine.Position = p
	for {
		legal := at.Legal()
		action := legal[rng.IntN(len(legal))]
		if slices.Contains(legal, "end") && rng.IntN(4) == 0 {
			action = "end"
		}
		next, err := at.Play(action)
		if err != nil {
			t.Fatal(err)
		}
		if turn = append(turn, action); !next.MidTurn() {
			return turn
		}
		at = next
	}
}

// checkAdvice checks the advice for each seat.
func checkAdvice(t *testing.T, p *mu.Position, said map[*regexp.Regexp]int) {
	virgin := slices.ContainsFunc(p.Cells(), func(c mu.Cell) bool { return c.Terrain == mu.Virgin })
	for seat := range p.Seats() {
		text, _ := coach.Advise(p, seat)
		var parts []string
		for s, n := range mutest.Territory(p) {
			who := shapes[s]
			if s == seat {
				who = "you"
			}
			parts = append(parts, fmt.Sprint(who, " ", n))
		}
		territory := strings.Join(parts, ", ")
		for _, known := range []struct {
			text   *regexp.Regexp
			isTrue bool
		}{
			{allButOneText, p.Phase() == mu.Layout && p.Segments() > 1},
			{onlyOneText, p.Phase() == mu.Layout && p.Segments() == 1},
			{keepText, p.Phase() == mu.Clearing},
			{explodeText, p.Phase() == mu.Play && virgin && strings.Contains(text, ": "+territory+". ")},
			{holdText, p.Phase() == mu.Play && !virgin && strings.Contains(text, ": "+territory+". ")},
		} {
			if known.text.MatchString(text) {
				if said[known.text]++; !known.isTrue {
					t.Errorf("%s, seat %d: %q; the territories are %s", p, seat, text, territory)
				}
				text = ""
			}
		}
		if text != "" {
			t.Errorf("%s, seat %d: nothing proves %q", p, seat, text)
		}
	}
}

// checkWarning checks what is said before a turn, and that what should be said is.
func checkWarning(t *testing.T, p *mu.Position, turn []string, after *mu.Position, said map[*regexp.Regexp]int) {
	text, isUrgent := coach.Warn(p, turn)
	seat := p.Turn()
	r, over := after.Result()
	territory := mutest.Territory(after)
	lost := over && r.Places[seat] > 0
	loss := 0
	if !over && p.Phase() == mu.Play && len(turn) > 1 {
		passed, err := p.Play("end")
		if err != nil {
			t.Fatal(err)
		}
		if n := mostCaptured(after, seat); n >= 3 && n >= mostCaptured(passed.(*mu.Position), seat)+2 {
			loss = n
		}
	}
	fail := func() { t.Errorf("%s, %q: %q; territories %v, a loss of %d", p, turn, text, territory, loss) }
	if isUrgent != lost {
		t.Errorf("%s, %q: %q is urgent: %t", p, turn, text, isUrgent)
	}
	switch {
	case passedText.MatchString(text):
		said[passedText]++
		winner := slices.Index(shapes, passedText.FindStringSubmatch(text)[1])
		passes := p.Passes() + 1 // seats without men are passed over
		for _, men := range menOf(after) {
			if men == 0 {
				passes++
			}
		}
		if !lost || len(turn) > 1 || passes < p.Seats() || territory[winner] <= territory[seat] {
			fail()
		}
	case onlyMenText.MatchString(text):
		said[onlyMenText]++
		winner := slices.Index(shapes, onlyMenText.FindStringSubmatch(text)[1])
		for s, men := range menOf(after) {
			if !lost || (men > 0) != (s == winner) {
				fail()
			}
		}
	case captureText.MatchString(text):
		said[captureText]++
		w := captureText.FindStringSubmatch(text)
		if loss == 0 || w[1] != shapes[after.Turn()] || w[2] != fmt.Sprint(loss) || !captures(after, seat, w[3], w[4], loss) {
			fail()
		}
	case text != "":
		t.Errorf("%s, %q: nothing proves %q", p, turn, text)
	case lost || loss > 0:
		fail()
	}
}

// menOf returns the number of men of each seat.
func menOf(p *mu.Position) []int {
	men := make([]int, p.Seats())
	for _, c := range p.Cells() {
		if c.Men > 0 {
			men[c.Owner] += c.Men
		}
	}
	return men
}

// eachMove calls f for each legal move of another seat's turn, with the number of men that a seat loses by it.
func eachMove(p *mu.Position, seat int, f func(a mu.Action, loss int)) {
	if p.Turn() == seat {
		return
	}
	for _, text := range p.Legal() {
		a, err := mu.ParseAction(text)
		if err != nil || a.Kind != mu.Move {
			continue
		}
		next, err := p.Play(text)
		if err == nil {
			f(a, menOf(p)[seat]-menOf(next.(*mu.Position))[seat])
		}
	}
}

func mostCaptured(p *mu.Position, seat int) (most int) {
	eachMove(p, seat, func(_ mu.Action, loss int) { most = max(most, loss) })
	return most
}

// captures reports whether a move between two cells captures a number of men of a seat.
func captures(p *mu.Position, seat int, from, to string, men int) (ok bool) {
	eachMove(p, seat, func(a mu.Action, loss int) {
		ok = ok || a.At.String() == from && a.At.Step(a.Dir, int(a.Men)).String() == to && loss == men
	})
	return ok
}

// The sentences of Comment: what the turn cost, and what the engine would do, with what that does and the other does not.
var (
	couldText    = regexp.MustCompile(`^After your last turn (\w+) could capture (all )?(\d+) of your men, from (\S+) to (\S+?)\.$`)
	trimmedText  = regexp.MustCompile(`^At the end of your last turn you lost (\d+) (?:man|men), because their section oscillated\.$`)
	cutText      = regexp.MustCompile(`^Your last turn cut your territory from (\d+) cells? to (\d+)\.$`)
	wholeText    = regexp.MustCompile(`^Instead of your last turn, the engine would (.*): that (.*)\.$`)
	firstText    = regexp.MustCompile(`^Instead of your last turn, the engine would first (.*): its whole turn (.*)\.$`)
	insteadText  = regexp.MustCompile(`^The engine would (.*) instead\.$`)
	moveText     = regexp.MustCompile(`^move (\d+) (?:man|men) from (\S+) ([a-z ]+) to (\S+)$`)
	winsText     = regexp.MustCompile(`^wins the game at once$`)
	capturesText = regexp.MustCompile(`^captures (\d+) (?:man|men)(?: instead of (\d+))?$`)
	leavesText   = regexp.MustCompile(`^leaves you (\d+) cells? of territory instead of (\d+)$`)
	menText      = regexp.MustCompile(`^leaves you (\d+) (?:man|men) instead of (\d+)$`)
	othersText   = regexp.MustCompile(`^leaves (\w+) (\d+) cells? of territory instead of (\d+)$`)
	segmentsText = regexp.MustCompile(`^leaves you men in (\d+) segments? instead of (\d+), each of which gives a move$`)
)

// TestCommentsAreTrue compares pairs of turns in 200 positions of random games of two and of three players, and in some that random
// games hardly reach, and proves each sentence by the legal actions, the men on the cells and the territories counted again. A
// sentence that is not known here fails.
func TestCommentsAreTrue(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 8))
	said := make(map[*regexp.Regexp]int)
	for _, players := range []int{2, 3} {
		for positions := 0; positions < 200; {
			var p engine.Position = mu.New(mu.Options{Players: players, Segments: 2, Min: players})
			for n := 0; n < 60 && positions < 200; n++ {
				if _, over := p.Result(); over {
					break
				}
				played, after := legalTurn(t, p, rng)
				if p.(*mu.Position).Phase() == mu.Play {
					positions++
					for range 8 {
						better, wanted := legalTurn(t, p, rng)
						checkComment(t, p.(*mu.Position), played, better, after.(*mu.Position), wanted.(*mu.Position), said)
					}
				}
				p = after
			}
		}
	}
	lone := "-1,0:w;-1,1:w;0,-1:w;0,0:c;0,1:w;1,-1:w;1,0:w0.1;2,-1:c;2,0:c;3,-2:c;3,-1:c1.1;3,0:c;4,-2:c0.1;4,-1:c"
	for _, cells := range []string{virginCells, lone, strings.NewReplacer(":v", ":c").Replace(virginCells)} {
		p := coachPosition(t, cells, "0,0 3,-1", "0")
		for range 300 {
			played, after := legalTurn(t, p, rng)
			better, wanted := legalTurn(t, p, rng)
			checkComment(t, p, played, better, after.(*mu.Position), wanted.(*mu.Position), said)
		}
	}
	for _, text := range []*regexp.Regexp{couldText, trimmedText, cutText, wholeText, firstText, insteadText, winsText, capturesText, leavesText, menText, othersText, segmentsText} {
		if t.Logf("%5d: %s", said[text], text); said[text] == 0 {
			t.Errorf("the coach has never said %s", text)
		}
	}
}

// legalTurn returns a legal turn and the position after it.
func legalTurn(t *testing.T, p engine.Position, rng *rand.Rand) (turn []string, after engine.Position) {
	t.Helper()
	for after = p; len(turn) == 0 || after.MidTurn(); {
		legal := after.Legal()
		action := legal[rng.IntN(len(legal))]
		next, err := after.Play(action)
		if err != nil {
			t.Fatal(err)
		}
		turn, after = append(turn, action), next
	}
	return turn, after
}

// checkComment checks what is said of a turn and a better one.
func checkComment(t *testing.T, p *mu.Position, played, better []string, after, wanted *mu.Position, said map[*regexp.Regexp]int) {
	text := coach.Comment(p, played, better)
	if text == "" {
		return
	}
	fail := func() { t.Errorf("%s: %v instead of %v: %q", p, better, played, text) }
	if _, over := after.Result(); over {
		fail()
	}
	seat := p.Turn()
	advice := text
	if i := strings.Index(text, ". "); i > 0 {
		checkCost(t, p, played, after, text[:i+1], said, fail)
		advice = text[i+2:]
	}
	var action, gain string
	isWhole := len(better) == 1 || len(better) == 2 && better[1] == "end"
	switch {
	case firstText.MatchString(advice):
		said[firstText]++
		w := firstText.FindStringSubmatch(advice)
		if action, gain = w[1], w[2]; isWhole {
			fail()
		}
	case wholeText.MatchString(advice):
		said[wholeText]++
		w := wholeText.FindStringSubmatch(advice)
		if action, gain = w[1], w[2]; !isWhole {
			fail()
		}
	case insteadText.MatchString(advice) && advice != text: // after what the turn cost
		said[insteadText]++
		action = insteadText.FindStringSubmatch(advice)[1]
		if first, ok := strings.CutPrefix(action, "first "); ok != isWhole {
			action = first
		} else {
			fail()
		}
	default:
		t.Errorf("%s: nothing proves %q", p, advice)
		return
	}
	if w := moveText.FindStringSubmatch(action); w != nil {
		a, err := mu.ParseAction(better[0])
		if err != nil || a.Kind != mu.Move || w[1] != fmt.Sprint(a.Men) || w[2] != a.At.String() || w[4] != a.At.Step(a.Dir, int(a.Men)).String() || w[3] != directions[a.Dir] {
			fail()
		}
	} else if action != "pass" || better[0] != "end" {
		fail()
	}
	if gain != "" {
		checkGain(t, p, seat, played, better, after, wanted, gain, said, fail)
	}
}

// directions are the directions in words.
var directions = map[mu.Dir]string{mu.E: "right", mu.NE: "up right", mu.NW: "up left", mu.W: "left", mu.SW: "down left", mu.SE: "down right"}

// checkCost checks what is said of the turn that was played.
func checkCost(t *testing.T, p *mu.Position, played []string, after *mu.Position, text string, said map[*regexp.Regexp]int, fail func()) {
	seat := p.Turn()
	switch {
	case couldText.MatchString(text):
		said[couldText]++
		w := couldText.FindStringSubmatch(text)
		n, err := strconv.Atoi(w[3])
		if err != nil || w[1] != shapes[after.Turn()] || after.Turn() == seat || !captures(after, seat, w[4], w[5], n) || (w[2] != "") != (n == menOf(after)[seat]) {
			fail()
		}
	case trimmedText.MatchString(text):
		said[trimmedText]++
		if trimmedText.FindStringSubmatch(text)[1] != fmt.Sprint(menOf(ended(t, p, played))[seat]-menOf(after)[seat]) {
			fail()
		}
	case cutText.MatchString(text):
		said[cutText]++
		was, is := mutest.Territory(p)[seat], mutest.Territory(after)[seat]
		if w := cutText.FindStringSubmatch(text); w[1] != fmt.Sprint(was) || w[2] != fmt.Sprint(is) || is >= was {
			fail()
		}
	default:
		t.Errorf("%s: nothing proves %q", p, text)
	}
}

// ended returns the position in which a turn is ended.
func ended(t *testing.T, p *mu.Position, turn []string) *mu.Position {
	for _, action := range turn[:len(turn)-1] {
		next, err := p.Play(action)
		if err != nil {
			t.Fatal(err)
		}
		p = next.(*mu.Position)
	}
	return p
}

// checkGain checks what is said of the better turn.
func checkGain(t *testing.T, p *mu.Position, seat int, played, better []string, after, wanted *mu.Position, text string, said map[*regexp.Regexp]int, fail func()) {
	captured := func(turn []string) (men int) { // as the rules report it
		at := p
		for _, text := range turn {
			a, err := mu.ParseAction(text)
			if err != nil {
				t.Fatal(err)
			}
			next, steps, err := at.PlaySteps(a)
			if err != nil {
				t.Fatal(err)
			}
			for _, s := range steps {
				if s.Kind == mu.Captured && int(s.Seat) == seat && int(s.Other) != seat {
					men += int(s.Taken)
				}
			}
			at = next
		}
		return men
	}
	segments := func(p *mu.Position) int {
		occupied := make(map[int]bool)
		for _, c := range p.Cells() {
			if c.Men > 0 && c.Owner == seat {
				occupied[c.Segment] = true
			}
		}
		return len(occupied)
	}
	territory := func(p *mu.Position, seat int) int { return mutest.Territory(p)[seat] }
	known := map[*regexp.Regexp]func(w []string) (more, less int){
		capturesText: func(w []string) (int, int) { return captured(better), captured(played) },
		leavesText:   func(w []string) (int, int) { return territory(wanted, seat), territory(after, seat) },
		menText:      func(w []string) (int, int) { return menOf(wanted)[seat], menOf(after)[seat] },
		segmentsText: func(w []string) (int, int) { return segments(wanted), segments(after) },
	}
	for found, count := range known {
		if w := found.FindStringSubmatch(text); w != nil {
			said[found]++
			more, less := count(w)
			if w[1] != fmt.Sprint(more) || more <= less || w[2] != fmt.Sprint(less) && (w[2] != "" || less != 0) {
				fail()
			}
			return
		}
	}
	if w := othersText.FindStringSubmatch(text); w != nil {
		said[othersText]++
		s := slices.Index(shapes, w[1])
		if n, more := territory(wanted, s), territory(after, s); s == seat || w[2] != fmt.Sprint(n) || w[3] != fmt.Sprint(more) || n >= more {
			fail()
		}
		return
	}
	said[winsText]++
	if r, over := wanted.Result(); text != "wins the game at once" || !over || len(r.Winners) != 1 || r.Winners[0] != seat {
		fail()
	}
}
