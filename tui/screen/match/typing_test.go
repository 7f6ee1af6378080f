package match_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"ayumu/lobby"
	"ayumu/lobby/clock"
	lobbymatch "ayumu/lobby/match"
	"ayumu/tui/screen/match"
	"ayumu/tui/screen/screentest"
)

// wantBoard fails the test if keys have led from the board of the match to something else.
func wantBoard(h *screentest.Harness, d *screentest.Session, m *lobby.Match, keys string) {
	h.T.Helper()
	if shown := d.Current().Traits().Match; shown != m.Info.ID || d.HasOverlay() || d.HasEnded {
		h.T.Errorf("%q left the board:\n%s", keys, d.Text())
	}
	d.WantNoText("Esc stay", "Enter send", "Offer a draw") // a question or an input line
	rows := strings.Split(strings.TrimSpace(d.Text()), "\n")
	for _, row := range rows[max(len(rows)-2, 0):] {
		if strings.Contains(row, "?  ") { // a question; a provisional rating above may have the same
			h.T.Errorf("%q ask a question: %q", keys, row)
		}
	}
}

func TestEscStaysOnTheBoard(t *testing.T) {
	screentest.With(t, func(h *screentest.Harness) {
		d, m := h.PlayingScreen()
		for _, keys := range []string{"esc", "enter esc esc", "b 1 esc esc", "pgup esc"} {
			d.Press(keys)
			wantBoard(h, d, m, keys)
		}
		w := h.SignIn("zoe", "watch "+m.Info.ID)
		w.Press("esc esc")
		wantBoard(h, w, m, "esc")
	})
}

// Every legal move of the largest board can be typed, and no character of it does anything else.
func TestLettersOfAMoveAreNoCommands(t *testing.T) {
	screentest.With(t, func(h *screentest.Harness) {
		m := h.StartMatch("ana", "bob", `{"size":15,"pie":false}`, clock.Control{})
		d := h.SignIn("ana", "watch "+m.Info.ID)
		for _, move := range m.Snapshot().Position.Legal() {
			for i, r := range move {
				d.Press(string(r))
				if typed := match.Board(d.Current()).Typed(); i > 0 && typed != move[:i+1] {
					h.T.Fatalf("%q was typed, and %q is what the board has", move[:i+1], typed)
				}
				wantBoard(h, d, m, move[:i+1])
			}
			d.Press("esc")
		}
		for key := range strings.SplitSeq("q r t x V U = ? # ! [ ] , .", " ") {
			d.Press("c 3 " + key)
			wantBoard(h, d, m, "c3"+key)
			d.WantText("Your move: c3, which " + key + " cannot continue. Enter: play it, Esc: clear it.")
			d.Press("esc")
		}
		if n := len(m.Snapshot().Offers); n > 0 || m.Snapshot().IsOver() {
			h.T.Errorf("typing made %d offers", n)
		}
	})
}

// The rest of a move that is being typed when the match ends does nothing.
func TestTheRestOfADroppedMoveIsNoCommand(t *testing.T) {
	screentest.With(t, func(h *screentest.Harness) {
		m := h.StartMatch("ana", "bob", `{"size":15,"pie":false}`, clock.Control{})
		d := h.SignIn("ana", "watch "+m.Info.ID)
		d.Press("m 1 -")
		if err := h.Player(m, 1).Resign(h.T.Context()); err != nil {
			h.T.Fatal(err)
		}
		d.Drain()
		d.WantText("Your typed move was dropped: the position has changed.")
		d.Press("m")
		d.Advance(time.Second)
		d.Press("2 q t enter")
		wantBoard(h, d, m, "m1-m2qt")
		if offers := m.Snapshot().Offers; len(offers) > 0 {
			h.T.Fatalf("the letter made the offer %v", offers)
		}
		d.Press("m")
		if offers := m.Snapshot().Offers; len(offers) != 1 {
			h.T.Errorf("after Enter m makes the offers %v", offers)
		}
	})
}

func TestAPauseEndsADroppedMove(t *testing.T) {
	screentest.With(t, func(h *screentest.Harness) {
		m := h.StartMatch("ana", "bob", `{"size":5,"pie":false}`, clock.Control{})
		d := h.SignIn("ana", "watch "+m.Info.ID)
		d.Press("b 1")
		if err := h.Player(m, 1).Resign(h.T.Context()); err != nil {
			h.T.Fatal(err)
		}
		d.Drain()
		d.Advance(2 * time.Second)
		d.Press("m")
		if offers := m.Snapshot().Offers; len(offers) != 1 {
			h.T.Errorf("after a pause m makes the offers %v", fmt.Sprint(offers))
		}
	})
}

// A message closes the input line of the chat, so that what is typed next is for the board.
func TestTheChatClosesAfterAMessage(t *testing.T) {
	screentest.With(t, func(h *screentest.Harness) {
		d, m := h.PlayingScreen()
		say := func(text string) {
			d.Press("t")
			d.TypeText(text)
			d.Press("enter")
		}
		say("good luck")
		d.WantText("ana: good luck", "Enter choose")
		d.TypeText("b1b2")
		d.Press("enter")
		if n := m.Snapshot().Turns; n != 1 {
			h.T.Fatalf("%d turns were played, not 1:\n%s", n, d.Text())
		}
		d.Settings.KeepChat = true
		say("your turn")
		d.WantText("ana: your turn", "Enter send", "Esc close")
		d.Press("enter")
		d.WantNoText("Enter send")
	})
}

// A turn of Mu that begins with a sign or a digit can be typed while the opponent is to move: it begins a premove, and the
// comma of its cell does not step through the match.
func TestATypedCellBeginsAPremove(t *testing.T) {
	screentest.With(t, func(h *screentest.Harness) {
		m := startMu(h, "ana", "bob")
		for !slices.Contains(m.Snapshot().Position.Legal(), "end") {
			h.Play(m, m.Snapshot().Position.Legal()[0])
		}
		move := func() string { // of a piece on a cell that begins with a sign
			legal := m.Snapshot().Position.Legal()
			return legal[slices.IndexFunc(legal, func(action string) bool { return strings.HasPrefix(action, "move -") })]
		}
		action := move()
		mine := strings.TrimPrefix(action, "move ") + "; end"
		h.Play(m, "end")
		d := h.Visit(screentest.Setting{Name: "ana", Open: "watch " + m.Info.ID})
		for _, key := range strings.Fields("- 0 1 2 3 4 5 6 7 8 9 ! @ ×") {
			d.Press(key)
			d.WantText("Your next move: " + key)
			d.Press("esc")
			wantBoard(h, d, m, key)
		}
		d.TypeText(mine)
		d.Press("enter")
		d.WantPanel("Your next move: " + mine + ". Esc: drop it.")
		theirs := []string{move(), "end"} // a second pass would end the match
		if _, err := h.Player(m, 1).Act(h.T.Context(), m.Snapshot().Version, theirs); err != nil {
			h.T.Fatal(err)
		}
		d.Drain()
		if log := m.Snapshot().Log; !slices.ContainsFunc(log, func(e lobbymatch.Entry) bool { return slices.Contains(e.Actions, action) }) {
			h.T.Errorf("the log is %+v, without %s", log, action)
		}
	})
}

// Where there are no premoves, a cell that is typed while another player is to move shows why it does nothing, and no character
// of it is a command.
func TestATypedCellIsNoCommand(t *testing.T) {
	screentest.With(t, func(h *screentest.Harness) {
		d, m := threePlayerMatch(h)
		for m.Snapshot().Turns < 3 || m.Info.Seats[m.Snapshot().Position.Turn()].Name == "ana" {
			playFirstLegal(h, d, m)
		}
		d.TypeText("-1,2 t")
		d.WantText("'s turn")
		d.Press("enter")
		d.Advance(time.Minute) // the message expires
		wantBoard(h, d, m, "-1,2 t")
		d.WantText(m.Info.Seats[m.Snapshot().Position.Turn()].Name + "'s turn") // not an earlier position
	})
}
