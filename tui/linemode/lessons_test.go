package linemode

import "testing"

// TestLessonsInLines goes through lessons: a wrong move has its reason, the answer can be shown, a lesson skipped, and
// the lessons continue where they were left.
func TestLessonsInLines(t *testing.T) {
	withHarness(t, func(h *harness) {
		p := h.connect("a", "")
		p.typeLines("ana")
		p.waitFor("Type learn to learn the games")
		p.typeLines("learn ayu")
		p.waitFor("Lesson 1 of 11: Units. You are Black.", "diagonals do not count.", " 3 . X . X .", "Join Black's two units")
		p.typeLines("b3c3", "hello")
		p.waitFor("Wrong: Moving b3 to c3 would split its group.", "is not a move")
		p.typeLines("hint", "solution", "board", "d3c3", "d3c3")
		p.waitFor("A lesson has no hints. Type solution", "The solution: Move d3 to c3. Type: d3-c3", "Black (X), 2 units", "Right. Black moves d3 to c3, now in a group of 3.", "All black stones are one unit.", "Press Enter for the next lesson.", "This lesson is solved.")
		p.typeLines("", "", "learn next", "learn back", "move b2-c2")
		p.waitFor("Lesson 2 of 11", "Lesson 3 of 11", "Lesson 2 of 11", "Wrong: The stone on b2 is White's")
		p.typeLines("help")
		p.waitFor("move MOVE: answer the lesson.", "lobby: leave the lessons")
		p.typeLines("leave", "learn ayu")
		p.waitFor("You are in the lobby.", "Lesson 2 of 11")
		p.typeLines("learn next", "b2b3", "leave", "learn", "learn ayu")
		p.waitFor("Lesson 3 of 11", "Right.", "Ayu: 11 lessons, 2 solved.", "Lesson 2 of 11")
		p.typeLines("leave", "learn chess", "b2b3")
		p.waitFor("There are no lessons of that name.", "Unknown command")
	})
}

// TestLessonsOfWholeTurnsInLines answers lessons with turns of several actions, in the notation of a match.
func TestLessonsOfWholeTurnsInLines(t *testing.T) {
	withHarness(t, func(h *harness) {
		p := h.connect("a", "")
		p.typeLines("ana", "learn")
		p.waitFor("Ayu: 11 lessons, 0 solved.", "Mu: 15 lessons, 0 solved.", "Type learn ayu or learn mu.")
		p.typeLines("learn mu")
		p.waitFor("Lesson 1 of 15: Laying the board. You are Triangle.", "Lay your first segment.\r\n")
		p.typeLines("1,0", "place 2,1", "learn next", "clear 0,0")
		p.waitFor("Error: the segment would overlap the board.", "Right. Triangle lays", "Lesson 2 of 15", "Right. Triangle clears the segment 3,-1.")
		p.typeLines("", "0,0 1", "solution", "0,0 1 e", "", "0,0:2e", "")
		p.waitFor("Lesson 3 of 15", "Error: type a cell, how many men", "Type: move 0,0 1 e; end", "Right. Disc moves 1 man from 0,0 right to 1,0.", "Lesson 4 of 15", "Right. Disc moves 2 men", "Lesson 5 of 15")
		for range 4 {
			p.typeLines("learn next")
		}
		p.typeLines("0,0 1 w; end", "0,0 1 w; explode 0,1; end", "0,0 1 w; explode 0,0; end")
		p.waitFor("Lesson 9 of 15: Order of explosions.", "choose first which critical cell", "Wrong: In that order Triangle's man stays. This time explode the cell in the middle first", "Right. Disc moves", "Press Enter for the next lesson.")
	})
}

// TestTheLastLessonLeadsToAGameInLines skips to the last lesson, whose task names no key, and then plays a bot.
func TestTheLastLessonLeadsToAGameInLines(t *testing.T) {
	withHarness(t, func(h *harness) {
		h.newBots(new(countingEngine))
		defer h.bots.Close()
		p := h.connect("a", "")
		p.typeLines("ana", "learn ayu")
		for range 10 {
			p.typeLines("learn next")
		}
		p.waitFor("Lesson 11 of 11: The pie rule. You are White.", "Swap colours: a move called swap.\r\n")
		p.typeLines("a2a3", "swap", "")
		p.waitFor("Wrong: That is a legal move. This time swap colours instead.", "Right. White swap", "Press Enter to play Moss.", "Ayu 7x7", "Your turn.")
	})
}

// TestWordsOfLessonsAndPuzzlesMeanWhatTheySay types what newcomers typed: next and quit in a lesson, hint after a
// puzzle, and watch without knowing what to type there.
func TestWordsOfLessonsAndPuzzlesMeanWhatTheySay(t *testing.T) {
	withHarness(t, func(h *harness) {
		h.puzzles = openPuzzles(t)
		a, b := h.connect("a", ""), h.connect("b", "")
		a.typeLines("ana", "learn ayu", "next")
		a.waitFor("Lesson 1 of", "Lesson 2 of")
		a.typeLines("quit learn", "lobby")
		a.waitFor("Type quit alone to leave Ayumu", "You are in the lobby.")
		a.typeLines("hint", "puzzle", "hint")
		a.waitFor("That works only in a game.", "Ayu · Finish", "Move the stone on b1.")
		a.typeLines("new 5x5 pie=off")
		b.typeLines("bob", "tables", "join 1")
		b.waitFor("Type a move to play it.")
		w := h.connect("w", "")
		w.typeLines("zoe", "watch ana")
		w.waitFor("Type board to have the position described, say and a text to chat with the spectators, or lobby to leave.")
	})
}
