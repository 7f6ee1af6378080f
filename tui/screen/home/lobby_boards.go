package home

import (
	"ayumu/lobby"
	"ayumu/tui/screen"
	"ayumu/tui/screen/preview"
)

// chooser chooses the boards that the lobby of a session shows. It implements boardSpace.
type chooser struct {
	all        *preview.Boards
	sh         *screen.Shell
	candidates []*lobby.MatchListing // in the order of preference
	day        *preview.Preview      // the puzzle of the day; nil: there is none
	main       *preview.Preview      // that rows has chosen
	others     []*preview.Preview
}

// maxCandidates bounds the matches that are considered.
const maxCandidates = 16

// rows implements boardSpace: the first match that fits is chosen, and without any the puzzle of the day.
func (c *chooser) rows(w, h int) int {
	c.main = nil
	for _, m := range c.candidates[:min(len(c.candidates), maxCandidates)] {
		if p := c.all.OfMatch(c.sh, m); p != nil {
			if n := p.Rows(w, h); n > 0 {
				c.main = p
				return n
			}
		}
	}
	if c.day != nil {
		if n := c.day.Rows(w, h); n > 0 {
			c.main = c.day
			return n
		}
	}
	return 0
}

// more implements boardSpace: the puzzle of the day is first.
func (c *chooser) more(w, h int) int {
	c.others = c.others[:0]
	add := func(p *preview.Preview) {
		if p != nil && p != c.main && len(c.others) < maxMoreBoards && p.Rows(w, h) > 0 {
			c.others = append(c.others, p)
		}
	}
	add(c.day)
	for _, m := range c.candidates[:min(len(c.candidates), maxCandidates)] {
		add(c.all.OfMatch(c.sh, m))
	}
	return len(c.others)
}
