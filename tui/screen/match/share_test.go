package match_test

import (
	"encoding/base64"
	"testing"

	"ayumu/lobby/clock"
	"ayumu/tui/screen/screentest"
)

// A finished game has the command that replays it, which one key copies, and a text with its last position.
func TestFinishedGamesAreShared(t *testing.T) {
	screentest.With(t, func(h *screentest.Harness) {
		m := h.Finished("ana", "bob", `{"size":5,"pie":false}`, "b1-b2")
		command := "ssh -t play.example.org replay " + m.Info.ID
		s := screentest.Setting{Name: "ana", Open: "watch " + m.Info.ID}
		s.Site.WebURL = "https://play.example.org"
		d := h.Terminal(s)
		d.WaitFor("& copy")
		d.Type("&")
		d.WaitFor("Copied")
		if want := "\x1b]52;c;" + base64.StdEncoding.EncodeToString([]byte(command)) + "\a"; !d.Received(want) {
			t.Errorf("the terminal did not receive %q", want)
		}

		ana := h.Visit(s)
		ana.Press(":share")
		ana.WantText("Share this game", "Ayu 5×5: ● ana (Black) – ○ bob (White)", "ana wins: bob resigned.", " 5 · ● · ● ·", command, "https://play.example.org/m/"+m.Info.ID)
		ana.GoldenSizes("share", m.Info.ID, "MATCHID")
	})
}

// The command is not there before the end.
func TestRunningGamesAreNotShared(t *testing.T) {
	screentest.With(t, func(h *screentest.Harness) {
		m := h.StartMatch("ana", "bob", `{"size":5,"pie":false}`, clock.Default, "b1-b2")
		d := h.SignIn("ana", "watch "+m.Info.ID)
		d.Press("&")
		d.WantNoText("& copy", "Copied")
	})
}

// The field for codes on the first page takes the id of a match, and the command and the address that have it.
func TestCodesOfFinishedGames(t *testing.T) {
	screentest.With(t, func(h *screentest.Harness) {
		m := h.Finished("ana", "bob", `{"size":5,"pie":false}`, "b1-b2")
		running := h.StartMatch("carol", "dave", `{"size":5,"pie":false}`, clock.Default, "b1-b2")
		d := h.SignIn("erika", "")
		for _, text := range []string{m.Info.ID, "ssh -t play.example.org replay " + m.Info.ID, "https://play.example.org/m/" + m.Info.ID} {
			d.Press(":code")
			d.TypeText(text)
			d.Press("enter")
			d.WantText("Start of the game", "bob")
			d.Press("q")
		}
		d.Press(":code")
		d.TypeText(running.Info.ID)
		d.Press("enter")
		d.WantText("carol", "dave's turn")
		d.Press("q :code")
		d.TypeText("nothing")
		d.Press("enter")
		d.WantText(`No table or game has the code "nothing"`)
	})
}
