package linemode

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"

	"ayumu/engine"
	"ayumu/engine/search"
	"ayumu/lobby/errcode"
	"ayumu/lobby/limit"
	"ayumu/lobby/match"
	"ayumu/tui/game"
	"ayumu/tui/op"
	"ayumu/tui/words"
)

// review is an earlier position of a match, or one that was tried from there.
type review struct {
	game      game.Game
	snapshot  *match.Snapshot
	seat      int               // the user's; -1 for a spectator
	entries   []match.Entry     // turns and leaves
	positions []engine.Position // before the first entry and after each
	at        int               // number of entries before the position
	tried     *op.Variation     // from that position; nil: none
}

// position returns the position that is shown.
func (r *review) position() engine.Position {
	if r.tried != nil {
		return r.tried.Position()
	}
	return r.positions[r.at]
}

// turns returns the number of turns among the first n entries. A leave is not a turn.
func (r *review) turns(n int) int {
	turns := 0
	for _, e := range r.entries[:n] {
		if e.Kind == match.EntryTurn {
			turns++
		}
	}
	return turns
}

// entriesUpTo returns the number of entries up to and including a turn, by its number.
func (r *review) entriesUpTo(turn int) int {
	n := 0
	for n < len(r.entries) && r.turns(n) < turn {
		n++
	}
	return n
}

// shownMatch returns the state, game and seat of the match that is open or reviewed.
func (t *session) shownMatch() (s *match.Snapshot, g game.Game, seat int) {
	if t.review != nil {
		return t.review.snapshot, t.review.game, t.review.seat
	}
	m := t.current()
	return m.Snapshot, m.Game, m.Seat
}

// shownPosition returns the position that is shown.
func (t *session) shownPosition() engine.Position {
	if t.review != nil {
		return t.review.position()
	}
	return t.current().Snapshot.Position
}

// ensureReview starts a review of the open match at its last turn, unless there is a review. It reports whether there
// is one now.
func (t *session) ensureReview() bool {
	if t.review != nil {
		return true
	}
	s, g, seat := t.shownMatch()
	return t.call(func(context.Context) error {
		if err := t.visit.Session.Spend(limit.WorkHistory); err != nil {
			return err
		}
		if err := t.visit.Session.SpendMore(limit.WorkHistory, s.Version); err != nil {
			return err
		}
		return t.startReview(s, g, seat)
	})
}

// startReview starts a review of a match at its last turn.
func (t *session) startReview(s *match.Snapshot, g game.Game, seat int) error {
	positions, err := s.Positions()
	if err != nil {
		return t.config.Lobby.InternalError("match not replayed", err, "match", s.Info.ID)
	}
	t.review = &review{game: g, snapshot: s, seat: seat, entries: s.TurnEntries(), positions: positions, at: len(positions) - 1}
	return nil
}

// replay opens a finished game: one of the last list, or by its id.
func (t *session) replay(args string) {
	id, ok := t.visit.Numbered(op.RowFinished, args)
	if !ok {
		id = args
	}
	if id == "" {
		t.list(op.Finished)
		return
	}
	t.openReplay(id)
}

// openReplay opens a finished match before its first turn; a running one is watched.
func (t *session) openReplay(id string) {
	var s *match.Snapshot
	if !t.call(func(ctx context.Context) (err error) {
		s, err = t.visit.Archive().Snapshot(ctx, id)
		return err
	}) {
		return
	}
	if !s.IsOver() {
		t.openMatch(id, "")
		return
	}
	t.closeMatch()
	if !t.call(func(context.Context) error {
		m, err := t.visit.Archived(s)
		if err == nil {
			err = t.startReview(m.Snapshot, m.Game, m.Seat)
		}
		if err == nil {
			t.visit.Current = m
		}
		return err
	}) {
		return
	}
	t.review.at = 0
	t.printf("%s, %s: %s. %s", s.Info.Title(), s.Info.Control, t.config.LongNames(s.Info), words.ResultAndPlaces(s, t.review.game, t.review.seat))
	t.printf("%s. Type turn for the next turn, turn and a number, board for the position, or lobby to leave.", words.Plural(s.Turns, "turn"))
}

// goToTurn goes to the position after the next turn, or the turn with the number args.
func (t *session) goToTurn(args string) {
	number, err := strconv.Atoi(args)
	switch {
	case args == "" && t.review == nil:
		t.printf("The current position is shown. Type turn and a number, or back.")
		return
	case args != "" && (err != nil || number < 0):
		t.printf("Usage: turn NUMBER, or turn for the next one.")
		return
	case !t.ensureReview():
		return
	}
	r := t.review
	switch {
	case args == "" && r.tried != nil:
		if !r.tried.Step(1) {
			t.printf("No further move was tried.")
			return
		}
	case args == "" && r.at == len(r.entries):
		t.printf("This is the last turn.")
		return
	case args == "":
		r.at++
	case number > r.turns(len(r.entries)):
		t.printf("The game has only %s.", words.Plural(r.turns(len(r.entries)), "turn"))
		return
	default:
		r.at, r.tried = r.entriesUpTo(number), nil
	}
	t.printPosition()
}

// stepBack goes to the position before the last turn, or takes a tried turn back.
func (t *session) stepBack(string) {
	if !t.ensureReview() {
		return
	}
	r := t.review
	switch {
	case r.tried != nil:
		r.tried.Step(-1)
		if r.tried.Shown == 0 {
			r.tried = nil
		}
	case r.at == 0:
		t.printf("This is the start of the game.")
		return
	default:
		r.at--
	}
	t.printPosition()
}

// tryTurn plays a turn of the side to move, for the user alone.
func (t *session) tryTurn(args string) {
	if args == "" {
		t.printf("Usage: try MOVE.")
		return
	}
	if !t.ensureReview() {
		return
	}
	r := t.review
	turn, err := r.game.ParseTurn(r.position(), args)
	if err == nil && r.tried == nil {
		var v op.Variation
		if v, err = op.NewVariation(r.position()); err == nil {
			r.tried = &v
		}
	}
	if err == nil {
		err = r.tried.Play(turn)
	}
	if r.tried != nil && r.tried.Shown == 0 {
		r.tried = nil
	}
	if err != nil {
		t.printf("Error: %v.", err)
		return
	}
	t.printPosition()
}

// returnToLive ends the review of the open match.
func (t *session) returnToLive(string) {
	switch {
	case t.review == nil:
		t.printf("The current position is shown.")
		return
	case t.current() == nil:
		t.printf("This game is over. Type turn and a number, or lobby to leave.")
		return
	}
	t.review = nil
	t.printf("The current position:")
	t.printTurn()
}

// printPosition prints the turn that led to the position that is shown, and who is to move.
func (t *session) printPosition() {
	r := t.review
	switch {
	case r.tried != nil:
		n := r.tried.Shown
		side := r.game.Side(r.tried.Positions[n-1], r.tried.Positions[n-1].Turn())
		t.printf("Tried: %s.", r.game.DescribeTurn(r.tried.Position(), r.tried.Turns[n-1], side))
	case r.at == 0:
		t.printf("The start of the game.")
	case r.entries[r.at-1].Kind == match.EntryTurn:
		e := r.entries[r.at-1]
		t.printf("Turn %d: %s.", r.turns(r.at), r.game.DescribeTurn(r.positions[r.at], e.Actions, r.snapshot.Info.Seats[e.Seat].Name))
	default:
		t.printf("%s leaves.", r.snapshot.Info.Seats[r.entries[r.at-1].Seat].Name)
	}
	t.printVerdict(r)
	p := r.position()
	if result, over := p.Result(); over {
		t.printf("%s", words.Sentence("the game ends here: "+words.Ending(r.game, p, result)))
		return
	}
	t.printf("%s to move.", r.game.Side(p, p.Turn()))
}

func (t *session) printBoard(string) {
	_, g, _ := t.shownMatch()
	for _, l := range g.DescribePosition(t.shownPosition()) {
		t.printf("%s", l)
	}
}

// printPoint describes a point of the position that is shown, and reports whether the line names one.
func (t *session) printPoint(line string) bool {
	_, g, _ := t.shownMatch()
	d, ok := g.(game.PointDescriber)
	if !ok {
		return false
	}
	text, ok := d.DescribePoint(t.shownPosition(), line)
	if ok {
		t.printf("%s.", text)
	}
	return ok
}

func (t *session) printTurns(string) {
	s, g, _ := t.shownMatch()
	entries := s.TurnEntries()
	if len(entries) == 0 {
		t.printf("No turns have been played.")
	}
	turns := 0
	for _, e := range entries {
		if e.Kind != match.EntryTurn {
			t.printf("%s leaves.", s.Info.Seats[e.Seat].Name)
			continue
		}
		turns++
		t.printf("%d, %s: %s.", turns, s.Info.Seats[e.Seat].Name, g.ShortTurn(e.Actions))
	}
}

// printHint prints the engine's estimate of the position that is shown and its best turns.
func (t *session) printHint(string) {
	s, g, seat := t.shownMatch()
	p := t.shownPosition()
	var advice search.Advice
	if t.call(func(ctx context.Context) (err error) {
		if err = t.visit.CheckHint(s, seat); err == nil {
			err = t.visit.PaceHint(time.Now())
		}
		if err == nil {
			advice, err = t.visit.Hint(ctx, g.Engine(), p)
		}
		return err
	}) {
		t.printAdvice(advice, p)
	}
	t.printEvents()
}

// printAdvice prints the chances of the seats and the best turns, each with the line that plays it.
func (t *session) printAdvice(a search.Advice, p engine.Position) {
	s, g, own := t.shownMatch()
	name := func(seat int) string {
		if seat == own {
			return "You"
		}
		return s.Info.Seats[seat].Name
	}
	var chances []string
	best, tied := 0, false
	for seat, chance := range a.Chances {
		chances = append(chances, name(seat)+" "+percent(chance))
		if seat > 0 && percent(chance) == percent(a.Chances[best]) {
			tied = true
		} else if chance > a.Chances[best] {
			best, tied = seat, false
		}
	}
	ahead := name(best) + " is ahead"
	switch {
	case tied:
		ahead = "The position is even"
	case best == own:
		ahead = "You are ahead"
	}
	t.printf("%s. Chances: %s.", ahead, strings.Join(chances, ", "))
	command := ""
	if t.review != nil {
		command = "try "
	}
	if p.Turn() == own {
		t.printf("Your best moves:")
	} else {
		t.printf("The best moves for %s:", name(p.Turn()))
	}
	if t.hinted, t.hintedAt = a.Choices, p; t.review == nil && p.Turn() == own {
		defer t.printf("Type a number alone to play that move.")
	}
	for i, c := range a.Choices {
		after, err := engine.PlayTurn(p, c.Actions)
		if err != nil {
			continue
		}
		t.printf("%d, %s: %s. Type: %s%s", i+1, percent(c.Chance), g.DescribeTurn(after, c.Actions, ""), command, typedForm(c.Actions))
	}
}

// playHint plays the turn of the last hint with a number, if line is one and the position still is that of the hint.
func (t *session) playHint(line string) bool {
	n, err := strconv.Atoi(line)
	if err != nil || n < 1 || n > len(t.hinted) || t.review != nil || t.hintedAt != t.current().Snapshot.Position {
		return false
	}
	t.move(typedForm(t.hinted[n-1].Actions))
	return true
}

// typedForm returns the line that plays a turn.
func typedForm(turn []string) string { return strings.Join(turn, "; ") }

func percent(share float64) string { return fmt.Sprintf("%.0f percent", 100*share) }

// optionsHere returns the options of a game that begins with the position that is shown: of the lesson or game that
// is open, otherwise of the last puzzle.
func (t *session) optionsHere() (engine.Options, error) {
	switch {
	case t.lessons != nil:
		return op.StartFrom(t.lessons.Game.Engine(), t.lessons.Position())
	case t.allows(op.OnBoard):
		s, _, seat := t.shownMatch()
		return op.StartAt(s, seat, t.shownPosition())
	case t.visit.PuzzleTry() != nil:
		return t.visit.StartAtPuzzle()
	}
	return nil, &errcode.Error{Code: errcode.NotAllowed, Message: "no position is shown; first open a game (finished, then replay and a number), a lesson (learn) or a puzzle (puzzle)"}
}
