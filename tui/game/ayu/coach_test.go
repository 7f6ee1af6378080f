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
		{"walls", "5 b ..x.x/..x../.o.o./.xx../..x..", 0, "You have 3 units, about 2 moves to go; White has 2, about 1."},
		{"walls, White", "5 b ..x.x/..x../.o.o./.xx../..x..", 1, "You have 2 units, about 1 move to go; Black has 3, about 2."},
		{"several at once", "5 b o...o/..x../.x.x./...../..o..", 0, "You have 3 units, about 2 moves to go; White has 3, about 8."},
		{"White has joined", "5 b x...x/...../...../oo.../.....", 0, "You have 2 units, about 3 moves to go; White has joined all stones and wins on its next turn."},
		{"no path for White", "5 b ox.../xx..x/...../xx.../ox...", 0, "You have 3 units, about 3 moves to go; no path joins White's units, so White wins on its next turn unless you open one."},
	} {
		b, err := ayu.ParseBoard(test.line)
		if err != nil {
			t.Fatal(err)
		}
		if got := (Game{}).Advise(ayu.FromBoard(b), test.seat); got != test.want {
			t.Errorf("%s: got %q, want %q", test.name, got, test.want)
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
		why := Game{}.Warn(ayu.FromBoard(b), []string{test.move})
		if (why == "") != (test.want == "") || !strings.Contains(why, test.want) {
			t.Errorf("%s: got %q, want %q", test.name, why, test.want)
		}
	}
}

// The sentences of the coach, with the numbers and moves in them.
var (
	needsText  = regexp.MustCompile(`^You have (\d+) units?, about (\d+) moves? to go; (Black|White) has (\d+), about (\d+)\.$`)
	joinedText = regexp.MustCompile(`^You have (\d+) units?, about (\d+) moves? to go; (Black|White) has joined all stones and wins on its next turn\.$`)
	lockedText = regexp.MustCompile(`^You have (\d+) units?, about (\d+) moves? to go; no path joins (Black|White)'s units, so (Black|White) wins on its next turn unless you open one\.$`)
	locksText  = regexp.MustCompile(`^That locks (Black|White) in: no path joins any of (Black|White)'s units, so (Black|White) has no move and wins\.$`)
	thenText   = regexp.MustCompile(`^Then (Black|White) can move (\w+) to (\w+), and you need about (\d+) moves instead of about (\d+)\. Another move avoids that\.$`)
)

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
	for _, text := range []*regexp.Regexp{needsText, joinedText, lockedText, locksText, thenText} {
		if t.Logf("%4d: %s", said[text], text); said[text] == 0 {
			t.Errorf("the coach has never said %s", text)
		}
	}
}

// checkAdvice checks the advice for both seats.
func checkAdvice(t *testing.T, b ayu.Board, said map[*regexp.Regexp]int) {
	for _, own := range []ayu.Color{ayu.Black, ayu.White} {
		other := own.Other()
		text := Game{}.Advise(ayu.FromBoard(b), int(own))
		want := []string{text, strconv.Itoa(ayutest.Units(b, own)), strconv.Itoa(ayutest.Path(b, own)), other.Name()}
		// Whatever own does, the other side has no move then, or has one only if own opens a path.
		canMove := false
		for _, m := range b.Moves(nil) {
			canMove = canMove || b.After(m).CountMoves() > 0
		}
		var found *regexp.Regexp
		switch {
		case needsText.MatchString(text):
			found = needsText
			want = append(want, strconv.Itoa(ayutest.Units(b, other)), strconv.Itoa(ayutest.Path(b, other)))
		case joinedText.MatchString(text):
			found = joinedText
			if b.Turn() != own || canMove || ayutest.Units(b, other) != 1 {
				t.Errorf("%s: %s", b, text)
			}
		case lockedText.MatchString(text):
			found = lockedText
			want = append(want, other.Name())
			if b.Turn() != own || ayutest.Units(b, other) == 1 || ayutest.Path(b, other) > 0 {
				t.Errorf("%s: %s", b, text)
			}
		default:
			t.Errorf("%s: nothing proves %q", b, text)
			continue
		}
		if got := found.FindStringSubmatch(text); !slices.Equal(got, want) {
			t.Errorf("%s: got %q, want %q", b, got, want)
		}
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
	text := Game{}.Warn(ayu.FromBoard(b), []string{m.String()})
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
