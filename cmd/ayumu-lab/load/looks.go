package load

import (
	"context"
	"time"

	"golang.org/x/crypto/ssh"
)

// look is the size of a terminal, and what tells the server its colours.
type look struct {
	columns, rows uint32
	term          string
	env           map[string]string
}

// MaxLooks is the number of different looks: lookSizes sizes with each of palettes.
const (
	MaxLooks  = 30
	lookSizes = 10
)

// palettes are terminals of 256 colours, 16 colours and true colours.
var palettes = []look{
	{term: "xterm-256color"},
	{term: "xterm"},
	{term: "xterm-256color", env: map[string]string{"COLORTERM": "truecolor"}},
}

// lookOf returns one of the looks; the first is 80×24 with 256 colours.
func lookOf(i int) look {
	l := palettes[i/lookSizes%len(palettes)]
	l.columns, l.rows = uint32(80+10*(i%lookSizes)), uint32(24+2*(i%lookSizes))
	return l
}

// request asks for a terminal with the look (RFC 4254, sections 6.2 and 6.4).
func (l look) request(ch ssh.Channel) error {
	for name, value := range l.env {
		if err := request(ch, "env", ssh.Marshal(struct{ Name, Value string }{name, value})); err != nil {
			return err
		}
	}
	return request(ch, "pty-req", ssh.Marshal(struct {
		Term                         string
		Columns, Rows, Width, Height uint32
		Modes                        string
	}{Term: l.term, Columns: l.columns, Rows: l.rows}))
}

// LookFigures are the costs of a watched match with several looks among its spectators.
type LookFigures struct {
	Looks        int
	SpectatorCPU time.Duration // as in Figures
	TickCPU      time.Duration // as in Figures
}

// measureLooks measures another match that all sessions watch, with r.Looks looks.
func measureLooks(ctx context.Context, r *run) error {
	if r.Config.Looks < 2 || r.bare {
		return nil
	}
	one := r.Figures
	r.clients.looks = r.Config.Looks
	err := r.measureTurns(ctx)
	r.clients.looks = 0
	many := LookFigures{r.Config.Looks, r.SpectatorCPU, r.TickCPU}
	r.Figures = one
	r.Figures.Looks = many
	return err
}
