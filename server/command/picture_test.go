package command_test

import (
	"bytes"
	"strings"
	"testing"

	"ayumu/lobby/table"
	"ayumu/server/command"
	"ayumu/tui/game/gametest"
	"ayumu/tui/op"
)

// TestPicturesInAShell: the commands write bytes for files, to those who may see the game, and never to a terminal.
func TestPicturesInAShell(t *testing.T) {
	h := open(t)
	ana, bob, eve := h.member("ana"), h.member("bob"), h.member("eve")
	public, private, running := h.begin(ana, bob, table.Proposal{}), h.begin(ana, bob, table.Proposal{Private: true}), h.begin(ana, eve, table.Proposal{})
	h.resign(ana, public)
	h.resign(ana, private)
	for line, prefix := range map[string]string{
		"svg " + public: "<svg ", "svg " + public + " turn=1 size=240 light": "<svg ", "gif " + public + " light": "GIF89a", "cast " + public: `{"version":3,`,
		"cast " + public + " v=2": `{"version":2,`, "svg " + running: "<svg ",
	} {
		if out := h.must(nil, line); !strings.HasPrefix(out, prefix) {
			t.Errorf("%s: %.40q", line, out)
		}
	}
	h.must(bob, "gif "+private)
	for line, why := range map[string]string{
		"gif " + private: "private", "svg " + private: "private", "cast nosuch": `no game "nosuch"`, "gif " + running: "still running",
		"svg": "usage: svg MATCH", "gif " + public + " turn=1": "usage: gif MATCH", "svg " + public + " turn=9": "no such turn", "svg " + public + " size=1": "size is one of 240",
		"svg " + public + " --json": "unknown flag --json", "svg ../../etc": "usage: svg MATCH", "svg " + public + " " + public: "usage: svg MATCH",
	} {
		h.refused(eve, line, why)
	}
	var out, errs bytes.Buffer
	c := op.Config{Games: gametest.Games, Lobby: h.l, SSHTarget: "play.example.org", IsTerminal: true}
	if status := command.Run(t.Context(), &c, &out, &errs, []string{"gif", public}); status != 1 || out.Len() > 0 || !strings.Contains(errs.String(), "ssh play.example.org gif "+public+" > "+public+".gif") {
		t.Errorf("exit %d, %q, %q", status, out.String(), errs.String())
	}
}
