package simulation

import (
	"encoding/json"
	"strings"

	"ayumu/engine"
	"ayumu/lobby/match"
	"ayumu/lobby/table"
)

// maxStartTurns is the maximum number of random turns before a start position.
const maxStartTurns = 12

// startElsewhere changes a proposal to one of a game that begins with another position or, in Ayu, with a handicap. Such games are
// casual.
func (w *world) startElsewhere(proposal *table.Proposal, game engine.Game) {
	rated := false
	proposal.Rated, proposal.Quick = &rated, false
	if game.Name() == "ayu" && w.chance(40) {
		proposal.Options = json.RawMessage(`{"size":5,"pie":false,"handicap":2}`)
		return
	}
	options, err := game.ParseOptions(proposal.Options)
	if err != nil {
		w.fail("no options: %v", err)
		return
	}
	p := game.New(options)
	for range 1 + w.r.IntN(maxStartTurns) {
		next, err := engine.PlayTurn(p, w.turn(p, match.MaxActions))
		if err != nil {
			w.fail("no turn: %v", err)
			return
		}
		if _, over := next.Result(); over {
			break
		}
		p = next
	}
	if options, err = game.(engine.Starter).StartAt(p); err != nil {
		w.fail("no match can begin with %s: %v", p, err)
		return
	}
	if proposal.Options, err = json.Marshal(options); err != nil {
		w.fail("no options: %v", err)
	}
	proposal.First = []table.First{table.FirstRandom, table.FirstOwner, table.FirstOpponent}[w.r.IntN(3)]
	if p.Seats() > 2 && proposal.First == table.FirstOpponent {
		proposal.First = table.FirstOwner
	}
}

// checkStart checks that a match that has started begins with its start position, and is casual if it has one or a handicap.
func (w *world) checkStart(info *match.Info) {
	start := engine.StartPosition(info.Options)
	switch {
	case start != "":
		w.seen["match from a position"]++
		if p := info.Options.Game().New(info.Options); !strings.HasSuffix(start, p.String()) {
			w.fail("match %s is to begin with %s, and begins with %s", info.ID, start, p)
		}
	case engine.HasHandicap(info.Options):
		w.seen["match with a handicap"]++
	}
	if engine.NeverRated(info.Options) && info.Rated {
		w.fail("match %s with the options %v is rated", info.ID, info.Options)
	}
}

// withUsualStart returns a match as if it had begun with the usual position, without a handicap.
func (w *world) withUsualStart(info *match.Info) *match.Info {
	usual := *info
	game := info.Options.Game()
	var fields map[string]any
	text, err := json.Marshal(info.Options)
	if err == nil {
		err = json.Unmarshal(text, &fields)
	}
	delete(fields, "position")
	delete(fields, "handicap")
	if err == nil {
		text, err = json.Marshal(fields)
	}
	if err == nil {
		usual.Options, err = game.ParseOptions(text)
	}
	if err != nil {
		w.fail("no options: %v", err)
		return info
	}
	return &usual
}
