package mu

import (
	"slices"
	"strings"
	"testing"

	"ayumu/engine"
	"ayumu/engine/mu"
	"ayumu/lobby/learn"
	"ayumu/lobby/learn/learntest"
	"ayumu/tui/game"
)

func TestLessons(t *testing.T) { learntest.Check(t, lessons) }

// lessonGoals has, for each lesson, whether a part of a turn does what the task asks for in words. before is the position of the
// lesson, after that after the actions.
var lessonGoals = map[string]func(before, after *mu.Position, actions []mu.Action) bool{
	"Laying the board": func(before, after *mu.Position, _ []mu.Action) bool {
		return len(after.Board().Centres()) > len(before.Board().Centres())
	},
	"Clearing": func(before, _ *mu.Position, actions []mu.Action) bool {
		c, ok := before.Cell(actions[0].At)
		return ok && actions[0].Kind == mu.Clear && c.Owner == before.Turn()
	},
	"Men and pieces": func(_, after *mu.Position, actions []mu.Action) bool {
		return lastAction(actions).At == mu.Hex{} && menOn(after, "1,0") == 3
	},
	"Height is distance": func(_, after *mu.Position, actions []mu.Action) bool {
		return lastAction(actions).Men == 2 && lastAction(actions).Dir == mu.E && menOn(after, "0,0") == 1
	},
	"Capturing": func(before, after *mu.Position, _ []mu.Action) bool { return before.Men()[1]-after.Men()[1] == 4 },
	"One move per segment": func(before, after *mu.Position, actions []mu.Action) bool {
		return len(actions) == 2 && before.Men()[1]-after.Men()[1] == 2 && menOn(after, "1,-1") == 2
	},
	"Explosions": func(before, after *mu.Position, _ []mu.Action) bool { return after.Men()[0] == before.Men()[0]+1 },
	"Capturing by explosion": func(before, after *mu.Position, _ []mu.Action) bool {
		return before.Men()[1]-after.Men()[1] == 3
	},
	"Order of explosions": func(_, after *mu.Position, actions []mu.Action) bool {
		return actions[0] == mu.Action{Kind: mu.Move, Men: 1, Dir: mu.W} && after.Men()[1] == 0
	},
	"The Commonwealth": func(before, after *mu.Position, _ []mu.Action) bool { return after.Men()[0] > before.Men()[0] },
	"The Wall": func(_, after *mu.Position, actions []mu.Action) bool {
		return actions[0].At == mu.Hex{} && terrainOf(after, "-1,1") == mu.Wall
	},
	"Moves from the Wall": func(before, after *mu.Position, _ []mu.Action) bool { return before.Men()[1]-after.Men()[1] == 2 },
	"Territory":           func(_, after *mu.Position, _ []mu.Action) bool { return after.Territory()[0] == 5 },
	"Empty sections": func(_, after *mu.Position, _ []mu.Action) bool {
		return after.Territory()[0] == 5 && terrainOf(after, onlyCell(after)) == mu.Wall
	},
	"The end": func(_, after *mu.Position, actions []mu.Action) bool {
		return len(actions) == 1 && after.Phase() == mu.Over
	},
}

// maxLessonActions is the number of actions of a turn that are played. Every solution has fewer.
const maxLessonActions = 3

func lastAction(actions []mu.Action) mu.Action { return actions[len(actions)-1] }

// TestLessonsAskForWhatTheySay plays all beginnings of turns of each lesson, and compares what is accepted with what does what the task
// asks for in words, as soon as it does.
func TestLessonsAskForWhatTheySay(t *testing.T) {
	for i := range lessons {
		l := &lessons[i]
		before, goal := l.Position.(*mu.Position), lessonGoals[l.Title]
		if goal == nil {
			t.Errorf("there is no goal of %s", l.Title)
			continue
		}
		accepted := 0
		var try func(p *mu.Position, texts []string, actions []mu.Action)
		try = func(p *mu.Position, texts []string, actions []mu.Action) {
			for _, text := range p.Legal() {
				a, err := mu.ParseAction(text)
				if err != nil {
					t.Fatal(err)
				}
				after, err := p.Do(a)
				if err != nil {
					t.Fatal(err)
				}
				played, all := append(slices.Clip(texts), text), append(slices.Clip(actions), a)
				o, why := l.Check(played)
				switch isGoal := goal(before, after, all); {
				case isGoal != (o == learn.Solved):
					t.Errorf("%s: %q has outcome %d (%s); it does what the task asks for: %t", l.Title, played, o, why, isGoal)
				case isGoal:
					accepted++
				case after.MidTurn() && len(played) < maxLessonActions:
					try(after, played, all)
				}
			}
		}
		try(before, nil, nil)
		if accepted == 0 {
			t.Errorf("%s: no turn is accepted", l.Title)
		}
	}
}

// TestTheManStays checks what the lesson about the order of explosions says about the wrong one.
func TestTheManStays(t *testing.T) {
	p, _, _, err := lessonOf(t, "Order of explosions").After([]string{"move 0,0 1 w"})
	if err == nil {
		p, err = p.Play("explode 0,1")
	}
	if err != nil {
		t.Fatal(err)
	}
	var try func(p engine.Position)
	try = func(p engine.Position) {
		if p.(*mu.Position).Men()[1] != 1 {
			t.Errorf("Triangle has %d men in %s", p.(*mu.Position).Men()[1], p)
		}
		for _, action := range p.Legal() {
			next, err := p.Play(action)
			if err != nil {
				t.Fatal(err)
			}
			if next.Turn() == p.Turn() && next.MidTurn() {
				try(next)
			}
		}
	}
	try(p)
}

// TestReasonsOfLessons tries typical wrong actions, legal or not.
func TestReasonsOfLessons(t *testing.T) {
	for _, test := range []struct{ title, actions, want string }{
		{"Laying the board", "place 1,0", "overlap the board"},
		{"Laying the board", "place 5,0", "at least two cells"},
		{"Clearing", "clear 3,-1", "belongs to another player"},
		{"Men and pieces", "move 1,0 1 w", "Move the single man"},
		{"Height is distance", "move 0,0 1 e", "Two men move two cells"},
		{"Height is distance", "move 0,0 3 w", "Out of Bounds"},
		{"Capturing", "move 2,-1 1 sw", "belongs to another player"},
		{"One move per segment", "move -1,0 1 se; move -1,1 1 e", "no move left this turn"},
		{"One move per segment", "move -1,0 1 se; end", "Capture both"},
		{"Explosions", "move -1,0 1 e", "with the next man"},
		{"Capturing by explosion", "move 0,0 1 nw", "captures one of them"},
		{"Order of explosions", "move 0,0 1 w; explode 0,1", "explode the cell in the middle first"},
		{"Order of explosions", "move 0,0 1 w; end", "choose first"},
		{"The Wall", "move -1,0 1 se", "move the man in the middle"},
		{"Moves from the Wall", "move 0,0 1 ne", "is on the Wall"},
		{"Territory", "end", "Capture that man"},
		{"Empty sections", "move 1,-1 1 w", "has left the Wall"},
		{"The end", "move 0,0 1 e", "You lead"},
	} {
		if o, why := lessonOf(t, test.title).Check(strings.Split(test.actions, "; ")); o != learn.Refused || !strings.Contains(why, test.want) {
			t.Errorf("%s: %s has outcome %d and the reason %q, want %q", test.title, test.actions, o, why, test.want)
		}
	}
}

// TestWhatLessonsShow checks what the lessons say of the positions after their solutions.
func TestWhatLessonsShow(t *testing.T) {
	after := func(title string, actions ...string) *mu.Position {
		p, _, _, err := lessonOf(t, title).After(actions)
		if err != nil {
			t.Fatal(err)
		}
		return p.(*mu.Position)
	}
	for _, action := range lessonOf(t, "Clearing").Position.Legal() {
		if p := after("Clearing", action); p.Phase() != mu.Play || p.Men()[0] != 7 || p.Men()[1] != 7 {
			t.Errorf("after %s: phase %v, men %v", action, p.Phase(), p.Men())
		}
	}
	if p := after("Order of explosions", "move 0,0 1 w", "explode 0,0"); p.Men()[1] != 0 || len(p.Critical()) != 0 {
		t.Errorf("Triangle has %d men, critical are %v", p.Men()[1], p.Critical())
	}
	wrong, err := after("Order of explosions", "move 0,0 1 w").Play("explode 0,1")
	if err != nil || wrong.(*mu.Position).Men()[1] != 1 {
		t.Errorf("the other order captures: %v", err)
	}
	if p := after("Territory", "move 0,0 1 se"); !slices.Equal(p.Territory(), []int{5, 7}) {
		t.Errorf("the territories are %v", p.Territory())
	}
	if r, over := after("The end", "end").Result(); !over || !slices.Equal(r.Scores, []int{7, 5}) {
		t.Errorf("the result is %v", r)
	}
}

// menOn returns the number of men on a cell.
func menOn(p *mu.Position, cell string) int {
	c, _ := p.Cell(parseHexes([]string{cell})[0])
	return c.Men
}

func terrainOf(p *mu.Position, cell string) mu.Terrain {
	c, _ := p.Cell(parseHexes([]string{cell})[0])
	return c.Terrain
}

// onlyCell returns the last cell with a piece of Disc.
func onlyCell(p *mu.Position) (cell string) {
	for _, c := range p.Cells() {
		if c.Men > 0 && c.Owner == 0 {
			cell = c.At.String()
		}
	}
	return cell
}

func lessonOf(t *testing.T, title string) *learn.Lesson {
	t.Helper()
	for i := range lessons {
		if lessons[i].Title == title {
			return &lessons[i]
		}
	}
	t.Fatalf("there is no lesson %q", title)
	return nil
}

// TestNumbersWaitForTheirLesson checks that no lesson before that of explosions shows how many more men a cell takes, on the board,
// beside it or with the command that shows it, and that this one and all after it do.
func TestNumbersWaitForTheirLesson(t *testing.T) {
	explained := false
	for _, l := range lessons {
		explained = explained || l.Title == "Explosions"
		b := Game{}.New().(*Board)
		b.Show(game.State{Position: l.Position, Seat: l.Position.Turn(), CanAct: true, HidesMarks: l.HidesMarks})
		shows := func() bool { return b.frameKey(large, game.Style{}).showCapacity }
		if shows() != explained {
			t.Errorf("%s: the numbers are shown: %t", l.Title, !explained)
		}
		if text := b.DescribeCursor(); l.Position.(*mu.Position).Phase() == mu.Play && strings.Contains(text, ";") != explained {
			t.Errorf("%s: %q", l.Title, text)
		}
		if b.showCapacity[large] = !b.showCapacity[large]; shows() {
			t.Errorf("%s: the command for numbers shows them", l.Title)
		}
	}
	if !explained {
		t.Error("no lesson explains the numbers")
	}
}
