package linemode

import (
	"context"
	"fmt"
	"io"
	"strings"

	"ayumu/tui/op"
)

// byHand has the operations that line mode implements for itself, by their names.
var byHand map[string]func(t *session, args string)

func init() { // a literal would refer to itself, because some of them run commands
	byHand = map[string]func(*session, string){
		"help":     (*session).printHelp,
		"learn":    (*session).learn,
		"watch":    (*session).watch,
		"play":     (*session).play,
		"next":     (*session).openNextWaiting,
		"more":     (*session).printMore,
		"replay":   (*session).replay,
		"board":    (*session).printBoard,
		"turns":    (*session).printTurns,
		"turn":     (*session).goToTurn,
		"back":     (*session).stepBack,
		"try":      (*session).tryTurn,
		"live":     (*session).returnToLive,
		"hint":     (*session).printHint,
		"analysis": (*session).analyze,
		"status":   (*session).printStatus,
		"act":      (*session).move,
		"unwatch":  (*session).toLobby,
		"quit":     (*session).quit,
	}
}

// runCommand runs one input line.
func (t *session) runCommand(line string) {
	line = strings.TrimSpace(line)
	switch {
	case line == interrupt || line == endOfText:
		t.exit()
		return
	case line == overlong:
		t.onConfirm = nil
		t.printf("Error: a line can have at most %d characters; that one was ignored.", maxLine)
		return
	case line == "":
		if t.lessons != nil && t.lessons.IsSolved {
			t.nextLesson()
		}
		return
	case t.visit == nil:
		t.register(line)
		return
	}
	name, args, _ := strings.Cut(line, " ")
	name, args = strings.ToLower(name), strings.TrimSpace(args)
	confirmed := t.onConfirm
	t.onConfirm = nil
	if confirmed != nil && (name == "yes" || name == "y") {
		confirmed()
		return
	}
	if confirmed != nil && (name == "no" || name == "n") {
		t.printf("Nothing was done.")
		return
	}
	o := t.config.Operations.ForLine(name)
	if o != nil { // a name of two words begins with a command
		second, rest, _ := strings.Cut(args, " ")
		two := o.Info().On.Line.Name(o.Info().Name) + " " + strings.ToLower(second)
		if longer := t.config.Operations.ForLine(two); longer != nil {
			o, name, args = longer, two, strings.TrimSpace(rest)
		}
	}
	if t.lessons != nil {
		if inLesson, found := findLessonCommand(name); found {
			inLesson.do(t, args)
			return
		} else if o == nil || strings.ContainsAny(name, "0123456789") {
			t.answerLesson(line)
			return
		}
	}
	switch {
	case o != nil && t.lessons != nil && o.Info().Name == "hint":
		t.printf("A lesson has no hints. Type solution to see how it is solved.")
	case o != nil && t.allows(o.Info().Where):
		t.runOperation(o, name, args)
	case o != nil && o.Info().Where == op.AtSeat && t.current() != nil:
		t.printf("Only the players can do that; you are a spectator.")
	case o != nil && o.Info().Name == "hint" && t.visit.PuzzleTry() != nil:
		t.runOperation(op.PuzzleHint, "puzzle hint", args)
	case o != nil:
		t.printf("That works only in a game. Type games, then play or watch and a number.")
	case t.allows(op.AtSeat) && t.playHint(line):
	case t.allows(op.AtSeat) && t.looksLikeMove(line):
		t.move(line)
	case t.allows(op.OnBoard) && t.printPoint(line):
	default:
		t.printf("Unknown command %q%s. Type help for a list.", line, t.config.Operations.Suggest(name, false))
	}
}

// runOperation runs an operation with the words after its name.
func (t *session) runOperation(o op.Operation, name, args string) {
	if do := byHand[o.Info().Name]; do != nil {
		if err := t.visit.May(o.Info()); err != nil {
			t.printError(err)
			return
		}
		do(t, args)
		return
	}
	switch { // without words these two do something else
	case o == op.Operation(op.Join) && args == "":
		o = op.Tables
	case o == op.Operation(op.Quick) && args == "":
		if request := t.visit.QuickRequest(t.visit.Lobby.View()); request != nil {
			o, args = op.Cancel, request.ID
		}
	}
	call, err := o.ParseWords(t.visit, name, strings.Fields(args))
	var question string
	if err == nil {
		question, err = call.Confirmation(t.visit)
	}
	hint := ""
	if args == "" {
		hint = whatToType[o.Info().Name]
	}
	switch {
	case err != nil:
		t.printError(err)
	case question != "":
		t.askConfirm(question, func() {
			if t.runCall(call, hint) && o == op.Operation(op.DeleteAccount) {
				t.exit()
			}
		})
	default:
		if t.runCall(call, hint) && args == "" && o == op.Operation(op.Announcements) {
			t.markListed()
		}
	}
}

// runCall runs an operation with its arguments and opens the match that it has started, or prints the result, with a hint
// after its last sentence, and what has happened. It reports whether the operation succeeded.
func (t *session) runCall(c op.Call, hint string) (ok bool) {
	var r op.Result
	if ok = t.call(func(ctx context.Context) (err error) {
		r, err = c.Run(ctx, t.visit)
		return err
	}); ok && r.Opens != "" {
		t.visit.Expect(r.Opens)
		t.openMatch(r.Opens, "")
		return true
	} else if ok {
		text := r.Text()
		if n := len(text.Lines); n > 0 && hint != "" {
			text.Lines[n-1] += " " + hint
		}
		t.printText(text)
	}
	t.printEvents()
	return ok
}

// whatToType has what a person may type after the result of an operation without arguments, by its name.
var whatToType = map[string]string{
	"draw":    "Type refuse to withdraw it.",
	"puzzle":  "Type puzzle solution to see how it is solved, or puzzle next for another one.",
	"ignore":  "Type ignore and a name to block or unblock a player.",
	"rematch": "Type refuse to withdraw it.",
	"undo":    "Type refuse to withdraw it.",
}

// printText prints the result of an operation: sentences, a position in words, and each row of a list as one.
func (t *session) printText(text op.Text) {
	for _, l := range text.Lines {
		if l != "" {
			t.printf("%s", l)
		}
	}
	if b := text.Board; b != nil {
		for _, l := range b.Game.DescribePosition(b.Position) {
			t.printf("%s", l)
		}
	}
	rows := text.Rows
	if rows == nil {
		return
	}
	t.printRows(rows)
	if hint := t.whatToTypeAfter(rows); hint != "" {
		t.printf("%s", hint)
	}
}

// printRows prints each row of a list as a sentence.
func (t *session) printRows(rows *op.Rows) {
	if len(rows.Rows) == 0 && rows.Empty != "" {
		t.printf("%s", rows.Empty)
	}
	var ids []string
	for i, r := range rows.Rows {
		if r.Heading != "" {
			t.printf("%s", r.Heading)
		}
		sentence := rows.Sentence(r)
		if rows.Kind != "" {
			ids = append(ids, r.ID)
			sentence = fmt.Sprintf("%d: %s", i+1, sentence)
		}
		t.printf("%s.", strings.TrimSuffix(sentence, "."))
	}
	if rows.Kind != "" {
		t.visit.Listed[rows.Kind] = ids
	}
	t.next = rows.Next
}

// whatToTypeAfter returns what a person may type after a list; "": nothing in particular.
func (t *session) whatToTypeAfter(rows *op.Rows) string {
	hint := ""
	switch isEmpty := len(rows.Rows) == 0; {
	case isEmpty && rows.Kind == op.RowTable && t.config.Bots != nil:
		return "Type quick to find an opponent, new to open a table, or bot to play a bot."
	case isEmpty && rows.Kind == op.RowTable:
		return "Type quick to find an opponent, or new to open a table."
	case isEmpty:
		return ""
	case rows.Kind == op.RowTable:
		hint = "Type join and a number to join."
	case rows.Kind == op.RowMatch:
		hint = "Type watch or play and a number to go to a game."
	case rows.Kind == op.RowFinished:
		hint = "Type replay and a number to go through a game."
	}
	if rows.Next != "" {
		hint = strings.TrimSpace(hint + " There are more; type more.")
	}
	return hint
}

// printMore continues the last list.
func (t *session) printMore(string) {
	name, args, _ := strings.Cut(t.next, " ")
	if o := t.config.Operations.Named(name); o != nil {
		t.runOperation(o, name, args)
		return
	}
	t.printf("There is nothing more to list. Type finished for finished games.")
}

// list prints the list of an operation without arguments.
func (t *session) list(o op.Operation) { t.runOperation(o, o.Info().Name, "") }

// complete completes the name of a command that is being typed, or lists those that it can become. In other words Tab is a
// space.
func (t *session) complete() {
	typed := strings.ToLower(t.editor.text())
	of, asksHelp := strings.CutPrefix(typed, "help ")
	if !asksHelp {
		of = typed
	}
	names := t.config.Operations.LineNames(of, func(i *op.Info) bool {
		return (asksHelp || t.allows(i.Where)) && t.visit.May(i) == nil
	})
	rest := " "
	if n := len(names); n > 0 {
		first, last := names[0], names[n-1]
		common := 0
		for common < min(len(first), len(last)) && first[common] == last[common] {
			common++
		}
		if common == len(of) && n > 1 {
			t.printf("Commands: %s.", strings.Join(names, ", "))
			return
		}
		if rest = first[len(of):common]; n == 1 {
			rest += " "
		}
	}
	for _, r := range rest {
		io.WriteString(t.out, t.editor.add(r))
	}
}

// allows reports whether operations of a place are available now.
func (t *session) allows(w op.Where) bool {
	switch w {
	case op.OnBoard:
		return t.current() != nil || t.review != nil
	case op.InMatch:
		return t.current() != nil
	case op.AtSeat:
		m := t.current()
		return m != nil && m.Player != nil
	}
	return true
}

// printHelp lists the commands, or describes one.
func (t *session) printHelp(args string) {
	if args != "" {
		t.describe(strings.ToLower(args))
		return
	}
	t.printf("Commands; you can abbreviate them to their first letters:")
	if t.lessons != nil {
		for _, c := range lessonTable {
			t.printf("%s: %s.", strings.TrimSpace(c.name+" "+c.args), c.help)
		}
	}
	for _, isHere := range []bool{true, false} { // those of the present place come first
		for _, o := range t.config.Operations.All() {
			i := o.Info()
			name := i.On.Line.Name(i.Name)
			switch {
			case name == "" || strings.HasPrefix(name, "admin "): // admin alone lists them
			case isHere == (i.Where != op.Anywhere) && t.allows(i.Where) && t.visit.May(i) == nil:
				t.printf("%s: %s.", i.InLine().Usage(name), i.Help)
			}
		}
	}
	if t.current() == nil {
		t.printf("There are more commands in a game; type help there.")
	}
}

// describe describes the command that a name or an abbreviation means.
func (t *session) describe(name string) {
	o := t.config.Operations.ForLine(name)
	if o == nil {
		t.printf("Unknown command %q%s. Type help for a list.", name, t.config.Operations.Suggest(name, false))
		return
	}
	for _, l := range o.Info().InLine().Describe(o.Info().On.Line.Name(o.Info().Name)) {
		t.printf("%s", l)
	}
}

func (t *session) quit(args string) {
	if args != "" { // "quit learn", for example, is meant to leave the lessons only
		t.printf("Type quit alone to leave Ayumu, or lobby to go to the lobby.")
		return
	}
	if m := t.current(); m != nil && m.ClockRuns() {
		t.askConfirm("Your game continues and your clock keeps running.", t.exit)
		return
	}
	t.exit()
}
