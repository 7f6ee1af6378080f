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
var lessons = hideMarks([]learn.Lesson{
	{
		Title:     "Units",
		Text:      "Stones of one colour that touch form a unit; diagonals do not count. A single stone is a unit too.",
		Task:      "Join Black's two units with one move.",
		Position:  lessonPosition("5 b ...../.x..o/.x.x./o...o/..o.."),
		Solutions: moves("d3-c3", "b4-c3"),
		Done:      "All black stones are one unit. That is the goal.",
	},
	{
		Title:     "A single stone",
		Text:      "A single stone steps to an empty point beside it. Each move must bring its unit closer to the nearest other unit of its colour: fewer empty points between them.",
		Task:      "Move a stone closer to the other.",
		Position:  lessonPosition("5 b ...../.o.o./...../.o.../x..x."),
		Solutions: moves("a1-b1", "d1-c1"),
		Done:      "The distance was 2 and is now 1.",
	},
	{
		Title:     "Around other stones",
		Text:      "Distances are counted along empty points. White is in the way: the shortest path from b2 to d2 leads along row 3.",
		Task:      "Move one step along that path.",
		Position:  lessonPosition("5 b ...../o...o/...../.xox./..o.."),
		Solutions: moves("b2-b3", "d2-d3"),
		Done:      "The distance was 3 and is now 2.",
	},
	{
		Title:     "The nearest unit",
		Text:      "Only the nearest unit counts: b3 is at distance 1 from b5 and 2 from e3, so it may not step towards e3.",
		Task:      "Move the stone on b3.",
		Position:  lessonPosition("5 b .x.o./...../.x..x/o..../..o.o"),
		Solutions: moves("b3-b4"),
		Wrong: map[string]string{
			"b5-b4": "That joins the same stones, but move the one on b3 this time.",
			"e3-d3": "That is legal, because b3 is the nearest unit of e3. Move the stone on b3 this time.",
		},
		Done: "b3 has joined b5, its nearest unit.",
	},
	{
		Title:     "Groups",
		Text:      "A unit of several stones is a group. Each stone may move to any empty point beside the others, if the group stays whole and gets closer.",
		Task:      "Move a stone of the group closer to e1.",
		Position:  lessonPosition("5 b ..o../.o..o/...../xxx../....x"),
		Solutions: moves("a2-d2", "a2-c1"),
		Wrong: map[string]string{
			"e1-e2": "That brings the units closer too, but move a stone of the group this time.",
			"e1-d1": "That brings the units closer too, but move a stone of the group this time.",
		},
		Done: "A group moves one stone at a time.",
	},
	{
		Title:     "The group stays whole",
		Text:      "After the move the group must still be connected, with the stone that moved.",
		Task:      "Move a stone of the group on the left to d3.",
		Position:  lessonPosition("5 b ..o../o..../.xx.x/.x.../..o.o"),
		Solutions: moves("b2-d3"),
		Wrong:     map[string]string{"e3-d3": "That joins them too, but move a stone of the group on the left this time."},
		Done:      "Without b3 or c3 the group would have split.",
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
		Text:      "If you have no legal move on your turn, you win: for example when all your stones form one unit.",
		Task:      "Join your last two units.",
		Position:  lessonPosition("5 b o...o/.xx../..x.x/...../o...o"),
		Solutions: moves("b4-d3", "e3-d3"),
		Reply:     []string{"a1-a2"},
		Done:      "White moved once more. Then Black had no move and won.",
	},
	{
		Title:     "Locked in",
		Text:      "Whoever has no path between their units has no move either, and wins. You are White. Black's a1 has one way out: b1.",
		Task:      "Move without locking a1 in.",
		Position:  lessonPosition("5 w ...../...xx/...../o..../x.o.."),
		Solutions: moves("c1-c2", "a2-b2"),
		Wrong:     map[string]string{"c1-b1": "Now no path leads from a1 to the other black stones. Black has no move, and so Black wins."},
		Done:      "Never close the last path between your opponent's units.",
	},
	{
		Title:     "Walls",
		Text:      "A wall with a hole makes the opponent's path longer. White needs c3 to join.",
		Task:      "Move to c3 so that White's path becomes as long as possible.",
		Position:  lessonPosition("5 b ..x.x/..x../.o.o./.xx../..x.."),
		Solutions: moves("c1-c3"),
		Wrong: map[string]string{
			"c5-c3": "This leaves the hole at c5, and White's path is 5 points long. The other end is farther away.",
			"b2-c3": "This closes the last hole. White's stones are locked in, so White has no move and wins.",
		},
		Otherwise: "White moves to c3 next and joins its groups. Take c3 yourself.",
		Done:      "White's path now leads around the wall: 7 points instead of 1.",
	},
	{
		Title:     "The pie rule",
		Text:      "With the pie rule White may swap colours on its first turn, because moving first is an advantage. You are White.",
		Task:      "Swap colours: a move called swap. Press s, then Enter.",
		Position:  afterFirstMove("b1-b2"),
		Solutions: moves("swap"),
		Otherwise: "That is a legal move. This time swap colours instead.",
		Done:      "You now have Black. With this rule, begin with a fair move.",
	},
})

// hideMarks has no lesson mark stones that cannot move, which the legend of games explains.
func hideMarks(all []learn.Lesson) []learn.Lesson {
	for i := range all {
		all[i].HidesMarks = true
	}
	return all
}
