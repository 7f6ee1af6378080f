package mu

import "ayumu/lobby/learn"

const lessonBoard = "0,0;3,-1" // the segments of most lessons

// oneSolution returns the solutions of a task with one, a sequence of actions.
func oneSolution(actions ...string) [][]string { return [][]string{actions} }

// Lessons implements game.Teacher.
func (Game) Lessons() []learn.Lesson { return lessons }

// lessons has the lessons in their order. It must not be changed.
var lessons = []learn.Lesson{
	{
		Title:      "Laying the board",
		Text:       "The players build the board from segments: a cell with six neighbours, and one of your men in the middle. Two or more of its cells must touch the board.",
		Task:       "Lay your first segment. Press Tab for the places, Enter to lay it.",
		Position:   afterActions(2, "place 0,0"),
		HidesMarks: true,
		Done:       "What no segment covers is Out of Bounds: no piece moves onto or over it.",
	},
	{
		Title:      "Clearing",
		Text:       "Then the players take turns clearing one of their segments, until each has one left: the man is removed, the cells stay.",
		Task:       "Clear one of your two segments.",
		Position:   afterActions(2, "place 0,0", "place 3,-1", "place 1,2", "place -2,3"),
		Reply:      []string{"clear 3,-1"},
		HidesMarks: true,
		Done:       "Triangle has cleared one too. Your last segments were filled: a man on each of their seven cells.",
	},
	{
		Title:      "Men and pieces",
		Text:       "A piece is one man, or a column of men on one cell; the number is its height. A single man moves one cell in any of six directions, and joins a piece of yours there.",
		Task:       "Move your single man onto your piece of two.",
		Position:   lessonPosition(lessonBoard, "0,0:v0.1 1,0:v0.2 3,-2:v1.1 4,-1:v1.2", 0),
		Solutions:  oneSolution("move 0,0 1 e"),
		Wrong:      map[string]string{"move 1,0 1 w": "That moves one man of the piece of two, and the other stays. Move the single man."},
		Otherwise:  "Move the single man onto the piece of two beside it.",
		HidesMarks: true,
		Done:       "They are now one piece of three.",
	},
	{
		Title:      "Height is distance",
		Text:       "You choose how many men of a piece move: one moves one cell, two move two, three move three, in a straight line and over any piece. The others stay.",
		Task:       "Move two men of your piece of three two cells to the right.",
		Position:   lessonPosition(lessonBoard, "0,0:v0.3 3,-2:v1.1 4,-2:v1.1", 0),
		Solutions:  oneSolution("move 0,0 2 e"),
		Wrong:      map[string]string{"move 0,0 1 e": "That is one man, which moves one cell. Two men move two cells."},
		Otherwise:  "Move two men, two cells to the right along the row.",
		HidesMarks: true,
		Done:       "A tall piece reaches far.",
	},
	{
		Title:      "Capturing",
		Text:       "A piece that lands on a piece of another player captures it: all men of that piece leave the board.",
		Task:       "Capture Triangle's piece of four with your single man.",
		Position:   lessonPosition(lessonBoard, "1,0:v0.1 -1,1:v0.2 2,-1:v1.4 4,-1:v1.1", 0),
		Solutions:  oneSolution("move 1,0 1 ne"),
		Otherwise:  "Your single man stands beside the piece of four. Move it there.",
		HidesMarks: true,
		Done:       "One man can capture a piece of any height.",
	},
	{
		Title:      "One move per segment",
		Text:       "In a turn you may make one move from each segment in which you have a piece as the turn begins: all, some or none.",
		Task:       "Capture both of Triangle's single men, with a move from each segment.",
		Position:   lessonPosition(lessonBoard, "-1,0:v0.1 3,0:v0.1 -1,1:v1.1 4,-1:v1.1 1,-1:v1.2", 0),
		Solutions:  [][]string{{"move -1,0 1 se", "move 3,0 1 ne"}, {"move 3,0 1 ne", "move -1,0 1 se"}},
		Otherwise:  "Each of your men stands beside a single man of Triangle's. Capture both.",
		HidesMarks: true,
		Done:       "In games, e ends a turn.",
	},
	{
		Title:     "Explosions",
		Text:      "A cell is virgin at first; its capacity is the number of its virgin neighbours. A piece at least that high explodes: one man goes to each virgin neighbour, the others stay. The small number says how many more men fit; at 0, none.",
		Task:      "Make your piece of two at the edge explode.",
		Position:  lessonPosition(lessonBoard, "0,0:v0.2 -1,0:v0.2 3,-2:v1.1 4,-1:v1.2", 0),
		Solutions: oneSolution("move 0,0 1 w"),
		Otherwise: "The piece of two at the left edge explodes with the next man. Move one there from the middle.",
		Done:      "Three men went to the three neighbours. The cell is Commonwealth now, with a new man: that is how you get men.",
	},
	{
		Title:     "Capturing by explosion",
		Text:      "A man of an explosion that lands on another player's piece captures it, whatever its height.",
		Task:      "Capture both of Triangle's pieces on the left with one explosion.",
		Position:  lessonPosition(lessonBoard, "0,0:v0.1 -1,0:v0.2 0,-1:v1.2 -1,1:v1.1 4,-1:v1.2", 0),
		Solutions: oneSolution("move 0,0 1 w"),
		Wrong: map[string]string{
			"move 0,0 1 nw": "That captures one of them. An explosion of your piece of two captures both.",
			"move 0,0 1 sw": "That captures one of them. An explosion of your piece of two captures both.",
		},
		Otherwise: "Your piece of two stands between them, and explodes with the next man.",
		Done:      "Each neighbour got a man, so both were captured.",
	},
	{
		Title:     "Order of explosions",
		Text:      "Cells with enough men to explode are critical. If there are several, you choose which explodes next, and the order can decide what is captured.",
		Task:      "Move one man from the middle of the left segment to its left. Then capture Triangle's man.",
		Position:  lessonPosition(lessonBoard, "-1,0:v0.1 -1,1:v0.1 0,-1:c 0,0:v0.3 0,1:v0.2 2,-1:v1.1", 0),
		Solutions: oneSolution("move 0,0 1 w", "explode 0,0"),
		Wrong:     map[string]string{"move 0,0 1 w; explode 0,1": "In that order Triangle's man stays. This time explode the cell in the middle first."},
		Otherwise: "Move one man from the middle of the left segment to its left edge.",
		Done:      "Explosions go on until no cell is critical.",
	},
	{
		Title:     "The Commonwealth",
		Text:      "Connected cells of the Commonwealth are a section. A virgin cell beside a section has a smaller capacity, since only virgin neighbours count, and joins that section when it explodes. A cell that is already Commonwealth adds no man.",
		Task:      "Make one of your pieces explode.",
		Position:  lessonPosition(lessonBoard, "-1,0:c 0,-1:v0.1 0,0:v0.1 3,-2:v1.1 4,-1:v1.2", 0),
		Solutions: oneSolution("move 0,0 1 nw"),
		Otherwise: "The cell at the upper left has two virgin neighbours. Move your other man onto the man there.",
		Done:      "The section has two cells now, and you have a new man. On the Commonwealth, both Commonwealth and virgin neighbours count.",
	},
	{
		Title:     "The Wall",
		Text:      "Sections never merge. A virgin cell that explodes between two of them becomes a cell of the Wall, and no man is added.",
		Task:      "Move your man in the middle onto the empty virgin cell between the two sections.",
		Position:  lessonPosition(lessonBoard, "-1,0:c0.1 0,1:c 0,0:v0.1 3,-2:v1.2 4,-1:v1.1", 0),
		Solutions: oneSolution("move 0,0 1 sw"),
		Wrong: map[string]string{
			"move -1,0 1 se": "That would explode too, but move the man in the middle.",
		},
		Otherwise: "The cell between the two sections is at the lower left of your man in the middle.",
		Done:      "The cell had only one virgin neighbour, so one man was enough and went back there. It is Wall now.",
	},
	{
		Title:     "Moves from the Wall",
		Text:      "A piece that is not on the Wall may not stop there, and crosses it only over its player's pieces. A piece on it may move along it or leave it to either side.",
		Task:      "Capture Triangle's piece of two with your man on the Wall.",
		Position:  lessonPosition(lessonBoard, "0,0:c0.1 1,-1:w0.1 1,0:w 2,-1:c1.2 2,0:c -1,0:c 0,-1:c -1,1:c 0,1:c 3,-1:c 3,0:c 4,-1:c 3,-2:c1.1 4,-2:c", 0),
		Solutions: oneSolution("move 1,-1 1 e"),
		Otherwise: "Your man on the Wall stands beside the piece of two. Move that man.",
		Done:      "A piece on the Wall higher than the number of its Wall neighbours explodes: each gets one man.",
	},
	{
		Title:     "Territory",
		Text:      "A section with pieces of one player only is that player's territory: a point for each cell. Connected virgin cells that touch this section alone belong to it, with the pieces on them. With pieces of several players it is neutral.",
		Task:      "Make the section on the left yours.",
		Position:  lessonPosition(lessonBoard, "0,0:c0.1 -1,0:c 0,-1:c -1,1:c 0,1:c1.1 1,-1:w 1,0:w 2,-1:c 2,0:c 3,-1:c1.2 3,0:c 4,-1:c 3,-2:c 4,-2:c", 0),
		Solutions: oneSolution("move 0,0 1 se"),
		Otherwise: "Triangle still has a man in that section, so it is neutral. Capture that man.",
		Done:      "Its five cells are yours now. Virgin ground beside no section, or several, is a section of its own; the Wall is nobody's. Press s to see territories.",
	},
	{
		Title:     "Empty sections",
		Text:      "An empty section belongs to the only player who could move into it from the Wall. Here both of you could, so it is neutral.",
		Task:      "Make the section on the left yours, and keep your man on the Wall.",
		Position:  lessonPosition(lessonBoard, "0,0:c -1,0:c 0,-1:c -1,1:c 0,1:c 1,-1:w0.1 1,0:w1.1 2,-1:c 2,0:c 3,-1:c1.2 3,0:c 4,-1:c 3,-2:c 4,-2:c", 0),
		Solutions: oneSolution("move 1,-1 1 se"),
		Wrong: map[string]string{
			"move 1,-1 1 w":  "That makes the section yours too, but your man has left the Wall. Capture Triangle's man on the Wall.",
			"move 1,-1 1 sw": "That makes the section yours too, but your man has left the Wall. Capture Triangle's man on the Wall.",
		},
		Otherwise: "Triangle's man on the Wall still reaches that section. Capture it.",
		Done:      "Now only you reach the empty section: its five cells are yours.",
	},
	{
		Title:     "The end",
		Text:      "The game ends when all pass one after the other, or only one player has men, who wins. Otherwise the largest territory wins. Triangle has just passed; you hold 7 cells, Triangle 5.",
		Task:      "Pass: end your turn without a move. Press e twice.",
		Position:  lessonPosition(lessonBoard, "0,0:c0.1 -1,0:c 0,-1:c -1,1:c 0,1:c 1,-1:c 1,0:c 2,-1:w 2,0:w 3,-1:c1.1 3,0:c 4,-1:c 3,-2:c 4,-2:c", 1),
		Solutions: oneSolution("end"),
		Otherwise: "You lead. After a move the game goes on, and Triangle could do something about it.",
		Done:      "Both have passed: Disc wins 7 to 5.",
	},
}
