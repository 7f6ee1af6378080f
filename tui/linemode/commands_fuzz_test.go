package linemode

import (
	"context"
	"strings"
	"testing"
)

// FuzzCommands: whatever lines a player and a spectator type, their sessions go on or end without an error.
func FuzzCommands(f *testing.F) {
	for _, lines := range []string{
		"b1b2\nturn 0\ntry d1d2\nback\nback\nlive\nrecord\nstatus", "resign\nyes\nrematch\nfinished\nmore\nreplay 1\nturn\nturn\nturn\nboard\nlobby",
		"draw\ndraw\nrefuse\nundo\nclaim win\nvote\nhint", "follow\nunfollow\nfollow bob\nwatch bob\nlobby\nplay 1\nnext",
		"account\naccount key\naccount remove 1\ny\naccount name x\naccount delete ana", "new 5x5 to bob\ntables\ncancel 1\nquick\nquick\nready\njoin 1",
		"turn 99999999999999999999\nturn -1\ntry\ntry \x00\nreplay x\nsay hi\nignore bob\nreport bob x\ntop ayu\nprofile bob\nrules\nwho",
	} {
		f.Add(lines)
	}
	f.Fuzz(func(t *testing.T, lines string) {
		if len(lines) > 2000 {
			return
		}
		withHarness(t, func(h *harness) {
			first, second, m := h.pair()
			spectator := h.connect("w", "")
			spectator.typeLines("zoe", "watch "+m.Info.ID)
			for line := range strings.Lines(lines) {
				for _, p := range []*person{first, second, spectator} {
					p.typeLines(strings.TrimRight(line, "\r\n"))
				}
			}
			for _, p := range []*person{first, second, spectator} {
				p.stop()
				p.in.CloseWithError(context.Canceled)
				if <-p.gone; p.left.Err != nil {
					t.Errorf("%q: %v", lines, p.left.Err)
				}
			}
		})
	})
}
