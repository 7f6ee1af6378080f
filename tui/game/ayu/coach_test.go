package ayu

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"ayumu/engine/ayu"
	"ayumu/engine/ayu/ayutest"
)

// TestAdvice has what both sides have and need. In the position of the lesson about three units one move joins all.
func TestAdvice(t *testing.T) {
	for _, test := range []struct {
		name, line string
		seat       int
		want       string
	}{
		{"walls", "5 b ..x.x/..x../.o.o./.xx../..x..", 0, "You have 3 units, and a path of 2 points to join them; White has 2 units, and a path of 1 point to join them."},
		{"walls, White", "5 b ..x.x/..x../.o.o./.xx../..x..", 1, "You have 2 units, and a path of 1 point to join them; Black has 3 units, and a path of 2 points to join them."},
		{"several at once", "5 b o...o/..x../.x.x./...../..o..", 0, "You have 3 units, and a path of 2 points to join them; White has 3 units, and a path of 8 points to join them."},
		{"White has joined", "5 b x...x/...../...../oo.../.....", 0, "You have 2 units, and a path of 3 points to join them; White has joined all stones and wins on its next turn."},
		{"no path for White", "5 b ox.../xx..x/...../xx.../ox...", 0, "You have 3 units, and a path of 3 points to join them; no path joins White's units, so White wins on its next turn unless you open one."},
	} {
		b, err := ayu.ParseBoard(test.line)
		if err != nil {
			t.Fatal(err)
		}
		got, isUrgent := Game{}.Advise(ayu.FromBoard(b), test.seat)
		if got != test.want || isUrgent != strings.Contains(got, "wins on its next turn") {
			t.Errorf("%s: got %q, want %q; urgent: %t", test.name, got, test.want, isUrgent)
		}
	}
}

// TestWarnings has moves that are warned of, and others that are not.
func TestWarnings(t *testing.T) {
	for _, test := range []struct{ name, line, move, want string }{
		{"locks in", "5 b ..x.x/..x../.o.o./.xx../..x..", "b2-c3", "locks White in"},
		{"joins", "5 b ..x.x/..x../.o.o./.xx../..x..", "c1-c3", ""},
		{"illegal", "5 b ..x.x/..x../.o.o./.xx../..x..", "a1-a2", ""},
	} {
		b, err := ayu.ParseBoard(test.line)
		if err != nil {
			t.Fatal(err)
		}
		why, isUrgent := Game{}.Warn(ayu.FromBoard(b), []string{test.move})
		if (why == "") != (test.want == "") || isUrgent != (why != "") || !strings.Contains(why, test.want) {
			t.Errorf("%s: got %q, want %q", test.name, why, test.want)
		}
	}
}

// The sentences of the coach, with the numbers and moves in them.
var (
	needsText  = regexp.MustCompile(`^(You have .*); ((?:Black|White) has .*)\.$`)
	joinedText = regexp.MustCompile(`^(You have .*); (Black|White) has joined all stones and wins on its next turn\.$`)
	lockedText = regexp.MustCompile(`^(You have .*); no path joins (Black|White)'s units, so (Black|White) wins on its next turn unless you open one\.$`)
	locksText  = regexp.MustCompile(`^That locks (Black|White) in: no path joins any of (Black|White)'s units, so (Black|White) has no move and wins\.$`)
	thenText   = regexp.MustCompile(`^Then (Black|White) can move (\w+) to (\w+), and your path is (\d+) points long instead of (\d+)\. Another move avoids that\.$`)
)

// The clauses about the path of a side.
var (
	oneUnitText   = regexp.MustCompile(`^has joined all stones$`)
	noPathText    = regexp.MustCompile(`^has (\d+) units and no path between them$`)
	wholePathText = regexp.MustCompile(`^has (\d+) units, and a path of (\d+) points? to join them$`)
	someCutText   = regexp.MustCompile(`^has (\d+) units, and a path of (\d+) points? to join those that can be joined$`)
)

// checkPath checks a clause about the path of a side.
func checkPath(t *testing.T, b ayu.Board, c ayu.Color, clause string, said map[*regexp.Regexp]int) {
	units, path := strconv.Itoa(ayutest.Units(b, c)), strconv.Itoa(ayutest.Path(b, c))
	regions := ayutest.Regions(b, c)
	verb := strings.Replace(strings.TrimPrefix(strings.TrimPrefix(clause, "You "), c.Name()+" "), "have", "has", 1)
	for text, want := range map[*regexp.Regexp][]string{
		oneUnitText:   {},
		noPathText:    {units},
		wholePathText: {units, path},
		someCutText:   {units, path},
	} {
		got := text.FindStringSubmatch(verb)
		if got == nil {
			continue
		}
		said[text]++
		isTrue := map[*regexp.Regexp]bool{
			oneUnitText:   units == "1",
			noPathText:    units != "1" && path == "0",
			wholePathText: units != "1" && regions == 1,
			someCutText:   path != "0" && regions > 1,
		}[text]
		if !isTrue || !slices.Equal(got[1:], want) {
			t.Errorf("%s: %q; %s units, a path of %s, in %d regions", b, clause, units, path, regions)
		}
		return
	}
	t.Errorf("%s: nothing proves %q", b, clause)
}

// TestAllThatTheCoachSaysIsTrue plays random games, and proves each sentence of the coach about each position and move:
// numbers of units and what follows from the rules by the rules, and numbers of moves, which are estimates and say so, by
// measuring the ways again. A sentence that is not known here fails.
func TestAllThatTheCoachSaysIsTrue(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 7))
	said := make(map[*regexp.Regexp]int)
	for game := range 300 {
		for b := ayu.NewBoard([]int{5, 7, 7, 9, 11}[game%5]); ; {
			m, ok := b.RandomMove(rng.IntN)
			if !ok {
				break
			}
			checkAdvice(t, b, said)
			if b.Size() < 9 || rng.IntN(10) == 0 {
				checkWarning(t, b, m, said)
			}
			b = b.After(m)
		}
	}
	for _, text := range []*regexp.Regexp{needsText, joinedText, lockedText, locksText, thenText, oneUnitText, noPathText, wholePathText, someCutText} {
		if t.Logf("%4d: %s", said[text], text); said[text] == 0 {
			t.Errorf("the coach has never said %s", text)
		}
	}
}

// checkAdvice checks the advice for both seats.
func checkAdvice(t *testing.T, b ayu.Board, said map[*regexp.Regexp]int) {
	for _, own := range []ayu.Color{ayu.Black, ayu.White} {
		other := own.Other()
		text, isUrgent := Game{}.Advise(ayu.FromBoard(b), int(own))
		// Whatever own does, the other side has no move then, or has one only if own opens a path.
		canMove := false
		for _, m := range b.Moves(nil) {
			canMove = canMove || b.After(m).CountMoves() > 0
		}
		var found *regexp.Regexp
		switch {
		case joinedText.MatchString(text):
			found = joinedText
			if b.Turn() != own || canMove || ayutest.Units(b, other) != 1 {
				t.Errorf("%s: %s", b, text)
			}
		case lockedText.MatchString(text):
			found = lockedText
			if got := found.FindStringSubmatch(text); b.Turn() != own || ayutest.Units(b, other) == 1 || ayutest.Path(b, other) > 0 || got[2] != other.Name() || got[3] != other.Name() {
				t.Errorf("%s: %s", b, text)
			}
		case needsText.MatchString(text):
			found = needsText
			checkPath(t, b, other, found.FindStringSubmatch(text)[2], said)
		default:
			t.Errorf("%s: nothing proves %q", b, text)
			continue
		}
		if isUrgent != (found != needsText) {
			t.Errorf("%s: %q is urgent: %t", b, text, isUrgent)
		}
		checkPath(t, b, own, found.FindStringSubmatch(text)[1], said)
		said[found]++
	}
}

// most returns the length of own's longest way after a reply, and the replies after which it has that length.
func most(b ayu.Board, own ayu.Color) (length int, replies []string) {
	for _, m := range b.Moves(nil) {
		n := ayutest.Path(b.After(m), own)
		if n > length {
			length, replies = n, nil
		}
		if n == length {
			replies = append(replies, m.String())
		}
	}
	return length, replies
}

// checkWarning checks what is said before a move, and that what should be said is.
func checkWarning(t *testing.T, b ayu.Board, m ayu.Move, said map[*regexp.Regexp]int) {
	own, other, after := b.Turn(), b.Turn().Other(), b.After(m)
	text, isUrgent := Game{}.Warn(ayu.FromBoard(b), []string{m.String()})
	locks := after.CountMoves() == 0 && ayutest.Units(after, other) > 1
	now := ayutest.Path(b, own)
	cost, replies := most(after, own)
	isWorse := false
	if b.Size() <= 9 && cost >= now+4 {
		isWorse = slices.ContainsFunc(b.Moves(nil), func(m ayu.Move) bool {
			least, _ := most(b.After(m), own)
			return least <= cost-3
		})
	}
	if isUrgent != locks {
		t.Errorf("%s, %s: %q is urgent: %t", b, m, text, isUrgent)
	}
	switch {
	case locks:
		said[locksText]++
		if got := locksText.FindStringSubmatch(text); !slices.Equal(got, []string{text, other.Name(), other.Name(), other.Name()}) {
			t.Errorf("%s, %s: %q", b, m, text)
		}
	case isWorse:
		said[thenText]++
		got := thenText.FindStringSubmatch(text)
		if len(got) == 0 || got[1] != other.Name() || !slices.Contains(replies, got[2]+"-"+got[3]) || got[4] != fmt.Sprint(cost) || got[5] != fmt.Sprint(now) {
			t.Errorf("%s, %s: %q; the path is %d, and %d after %v", b, m, text, now, cost, replies)
		}
	case text != "":
		t.Errorf("%s, %s: nothing proves %q", b, m, text)
	}
}

// The sentence of Comment, and what follows "that" in it.
var (
	insteadText   = regexp.MustCompile(`^Instead of your last move, the engine would move (\w+) to (\w+): that (.*)\.$`)
	joinsAllText  = regexp.MustCompile(`^joins all your stones$`)
	joinsManyText = regexp.MustCompile(`^joins (three|four) units at once$`)
	openText      = regexp.MustCompile(`^leaves (Black|White)'s last path to (\w+) open, which your move has closed: a unit that is locked in need not be joined$`)
	joinsTwoText  = regexp.MustCompile(`^joins two units$`)
	longerText    = regexp.MustCompile(`^makes (Black|White)'s path longer: (\d+) points? instead of (\d+)$`)
	shorterText   = regexp.MustCompile(`^leaves you a shorter path: (\d+) points? instead of (\d+)$`)
)

// TestCommentsAreTrue compares two moves in 200 positions of random games for each size, and proves each sentence by counting the
// units and measuring the paths again. A sentence that is not known here fails.
func TestCommentsAreTrue(t *testing.T) {
	rng := rand.New(rand.NewPCG(11, 3))
	said := make(map[*regexp.Regexp]int)
	for _, size := range []int{5, 7, 9} {
		for positions := 0; positions < 200; {
			for b := ayu.NewBoard(size); positions < 200; positions++ {
				m, ok := b.RandomMove(rng.IntN)
				if !ok {
					break
				}
				better := slices.MaxFunc(b.Moves(nil), func(x, y ayu.Move) int { return promise(b, x) - promise(b, y) })
				checkComparison(t, b, m, better, said)
				b = b.After(m)
			}
		}
	}
	for _, line := range []string{"5 b ...../.x..o/.x.x./o...o/..o..", "5 b o...o/..x../.x.x./...../..o..", "5 b o...o/..x../.x.x./...../x.o..", "5 b o...o/.x..o/..x.x/...../o...o", "5 w ...../...xx/...../o..../x.o.."} { // of the lessons, or nearly
		b, err := ayu.ParseBoard(line)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range b.Moves(nil) {
			for _, better := range b.Moves(nil) {
				checkComparison(t, b, m, better, said)
			}
		}
	}
	for _, text := range []*regexp.Regexp{joinsAllText, joinsManyText, openText, joinsTwoText, longerText, shorterText} {
		if t.Logf("%4d: %s", said[text], text); said[text] == 0 {
			t.Errorf("the coach has never said %s", text)
		}
	}
}

// promise is how much a move seems to gain.
func promise(b ayu.Board, m ayu.Move) int {
	after, own := b.After(m), b.Turn()
	return after.Span(own.Other()) - after.Span(own) - 2*after.CountUnits(own)
}

func checkComparison(t *testing.T, b ayu.Board, m, better ayu.Move, said map[*regexp.Regexp]int) {
	text := Game{}.Comment(ayu.FromBoard(b), []string{m.String()}, []string{better.String()})
	if text == "" {
		return
	}
	sentence := insteadText.FindStringSubmatch(text)
	if sentence == nil || sentence[1]+"-"+sentence[2] != better.String() {
		t.Errorf("%s: %s instead of %s: %q", b, better, m, text)
		return
	}
	text = sentence[3]
	own, other := b.Turn(), b.Turn().Other()
	after, wanted := b.After(m), b.After(better)
	joins := func(b, after ayu.Board) int { return ayutest.Units(b, own) - ayutest.Units(after, own) }
	isTrue := false
	var found *regexp.Regexp
	switch {
	case joinsAllText.MatchString(text):
		found, isTrue = joinsAllText, ayutest.Units(wanted, own) == 1 && ayutest.Units(after, own) > 1
	case joinsManyText.MatchString(text):
		n := map[string]int{"three": 2, "four": 3}[joinsManyText.FindStringSubmatch(text)[1]]
		found, isTrue = joinsManyText, joins(b, wanted) == n && joins(b, after) < n
	case openText.MatchString(text):
		w := openText.FindStringSubmatch(text)
		stone, err := ayu.ParsePoint(w[2])
		isOpen := func(b ayu.Board) bool { return ayutest.HasPath(b, other, stone) }
		found, isTrue = openText, err == nil && w[1] == other.Name() && b.Stones(other).Has(stone) && isOpen(b) && isOpen(wanted) && !isOpen(after)
	case joinsTwoText.MatchString(text):
		found, isTrue = joinsTwoText, joins(b, wanted) == 1 && joins(b, after) <= 0
	case longerText.MatchString(text):
		w := longerText.FindStringSubmatch(text)
		found = longerText
		isTrue = w[1] == other.Name() && w[2] == strconv.Itoa(ayutest.Path(wanted, other)) && w[3] == strconv.Itoa(ayutest.Path(after, other)) &&
			ayutest.Path(wanted, other) > ayutest.Path(b, other) && wanted.CountMoves() > 0
	case shorterText.MatchString(text):
		w := shorterText.FindStringSubmatch(text)
		found = shorterText
		isTrue = w[1] == strconv.Itoa(ayutest.Path(wanted, own)) && w[2] == strconv.Itoa(ayutest.Path(after, own)) && ayutest.Path(wanted, own) < ayutest.Path(after, own)
	}
	if said[found]++; !isTrue {
		t.Errorf("%s: %s instead of %s: %q", b, better, m, text)
	}
}
