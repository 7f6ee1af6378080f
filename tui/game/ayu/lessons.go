package ayu

import (
	"ayumu/engine"
	"ayumu/engine/ayu"
	"ayumu/lobby/learn"
)

// Lessons implements game.Teacher.
func (Game) Lessons() []learn.Lesson { return lessons }

// lessonPosition returns the position of a one-line form.
func lessonPosition(line string) engine.Position {
	b, err := ayu.ParseBoard(line)
	if err != nil {
		panic(err) // the lessons are constant
	}
	return ayu.FromBoard(b)
}

// afterFirstMove returns the position on 5×5 with the pie rule after Black's first move.
func afterFirstMove(move string) engine.Position {
	p, err := ayu.Game{}.New(ayu.Options{Size: 5, Pie: true}).Play(move)
	if err != nil {
		panic(err)
	}
	return p
}

// moves returns a solution for each of some moves.
func moves(list ...string) (solutions [][]string) {
	for _, m := range list {
		solutions = append(solutions, []string{m})
	}
	return solutions
}

// lessons are the lessons in their order.
var lessons = []learn.Lesson{
	{
		Title:     "Units",
		Text:      "Stones of one colour that touch along a row or column form a unit; a single stone is one too. Diagonals do not count.",
		Task:      "Join Black's two units with one move.",
		Position:  lessonPosition("5 b ...../.x..o/.x.x./o...o/..o.."),
		Solutions: moves("d3-c3", "b4-c3"),
		Done:      "All black stones are now one unit. Joining all your stones is the goal of the game.",
	},
	{
		Title:     "A single stone",
		Text:      "A single stone moves to an empty point next to it. Each move must bring its unit closer to the nearest other unit of its colour. The distance is the number of empty points between them.",
		Task:      "Move a black stone closer to the other one.",
		Position:  lessonPosition("5 b ...../.o.o./...../.o.../x..x."),
		Solutions: moves("a1-b1", "d1-c1"),
		Done:      "The distance was 2 and is now 1.",
	},
	{
		Title:     "Around other stones",
		Text:      "Distances are counted along empty points. White's stones are in the way, so the shortest path from b2 to d2 goes along row 3.",
		Task:      "Move a black stone one step along that path.",
		Position:  lessonPosition("5 b ...../o...o/...../.xox./..o.."),
		Solutions: moves("b2-b3", "d2-d3"),
		Done:      "The distance was 3 and is now 2.",
	},
	{
		Title:     "The nearest unit",
		Text:      "Only the nearest unit counts. The stone on b3 is at distance 1 from b5 and 2 from e3, so it may not step towards e3.",
		Task:      "Move the stone on b3.",
		Position:  lessonPosition("5 b .x.o./...../.x..x/o..../..o.o"),
		Solutions: moves("b3-b4"),
		Wrong: map[string]string{
			"b5-b4": "That joins the same stones, but move the one on b3 this time.",
			"e3-d3": "That is legal, because b3 is the nearest unit of e3. Move the stone on b3 this time.",
		},
		Done: "b3 has joined b5. The stone on e3 could have moved towards b3, its nearest unit.",
	},
	{
		Title:     "Groups",
		Text:      "A unit of several stones is a group. Each of its stones may move to any empty point next to the group. The group must get closer to its nearest unit.",
		Task:      "Move a stone of the group closer to e2.",
		Position:  lessonPosition("5 b ..o../.o..o/...../....x/xxx.."),
		Solutions: moves("a1-d1", "a1-c2"),
		Wrong: map[string]string{
			"e2-d2": "That brings the units closer too, but move a stone of the group this time.",
			"e2-e1": "That brings the units closer too, but move a stone of the group this time.",
		},
		Done: "The stone at one end of the row has gone to the other: a group moves one stone at a time.",
	},
	{
		Title:     "The group stays whole",
		Text:      "After the move, all stones of the group must still be connected, with the one that has moved.",
		Task:      "Move a stone of the group on the left to d3.",
		Position:  lessonPosition("5 b ..o../o..../.xx.x/.x.../..o.o"),
		Solutions: moves("b2-d3"),
		Wrong:     map[string]string{"e3-d3": "That joins them too, but move a stone of the group on the left this time."},
		Done:      "Only the stone on b2 could go: without b3 or c3 the group would have split.",
	},
	{
		Title:     "Several at once",
		Text:      "One move can join more than two units.",
		Task:      "Join all three black units with one move.",
		Position:  lessonPosition("5 b o...o/..x../.x.x./...../..o.."),
		Solutions: moves("b3-c3", "c4-c3", "d3-c3"),
		Otherwise: "That joins two of them, and one more move is needed. One point touches all three.",
		Done:      "c3 touches all three. Look for such points.",
	},
	{
		Title:     "How to win",
		Text:      "If you have no legal move on your own turn, you win. This happens when all your stones form one unit.",
		Task:      "Join your last two units.",
		Position:  lessonPosition("5 b o...o/.xx../..x.x/...../o...o"),
		Solutions: moves("b4-d3", "e3-d3"),
		Reply:     []string{"a1-a2"},
		Done:      "White moved once more. Then Black had no move on its own turn: Black wins.",
	},
	{
		Title:     "Locked in",
		Text:      "A player whose units have no path to each other has no move either, and so wins. You are White. Two points are next to Black's stone on a1: a2 is already closed, b1 is still open.",
		Task:      "Make a move that does not lock a1 in.",
		Position:  lessonPosition("5 w ...../...xx/...../o..../x.o.."),
		Solutions: moves("c1-c2", "a2-b2"),
		Wrong:     map[string]string{"c1-b1": "Now no path leads from a1 to the other black stones. Black has no move, and so Black wins."},
		Done:      "Never close the last path between your opponent's units: it wins the game for them.",
	},
	{
		Title:     "Walls",
		Text:      "A wall of stones makes the opponent's path longer, but it must have a hole. White needs c3 to join. Each of your stones that can move to c3 joins your groups there.",
		Task:      "Move to c3 so that White's path becomes as long as possible.",
		Position:  lessonPosition("5 b ..x.x/..x../.o.o./.xx../..x.."),
		Solutions: moves("c1-c3"),
		Wrong: map[string]string{
			"c5-c3": "This leaves the hole at c5, and White's path is 5 points long. The other end is farther away.",
			"b2-c3": "This closes the last hole. White's stones are locked in, so White has no move and wins.",
		},
		Otherwise: "White moves to c3 next and joins its groups. Take c3 yourself.",
		Done:      "White's path leads around the wall through c1: 7 points instead of 1. That is worth more than a step of your own.",
	},
	{
		Title:     "The pie rule",
		Text:      "Moving first is an advantage. With the pie rule, White may swap colours on the first turn instead of moving, and so take over a strong first move. You are White.",
		Task:      "Swap colours with the move swap. Press s, then Enter.",
		Position:  afterFirstMove("b1-b2"),
		Solutions: moves("swap"),
		Otherwise: "That is a legal move. This time swap colours instead.",
		Done:      "You now have Black and its first move, and your opponent continues as White. So with the pie rule, make a first move that is fair.",
	},
}
