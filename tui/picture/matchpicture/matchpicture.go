// Package matchpicture makes pictures of matches: as SVG, as PNG for links in messages, as an animated GIF, and as a recording
// of a terminal (asciicast). The commands over SSH and the web pages share one [Pictures].
//
// Each picture is made once for a version of a match and a [Request], however many ask for it at the same time, and kept
// while there is space. A few are made at a time; more wait, and above that ErrBusy is returned, so that pictures never
// take the time of the games. Who may see a match is decided by whoever has its snapshot.
package matchpicture

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"ayumu/engine"
	"ayumu/lobby/errcode"
	"ayumu/lobby/match"
	"ayumu/tui/game"
	"ayumu/tui/picture"
	"ayumu/tui/words"
)

// Kind is a kind of picture. It is the ending of a file's name.
type Kind string

// The kinds.
const (
	SVG  Kind = "svg"
	PNG  Kind = "png" // a card of picture.CardWidth by picture.CardHeight pixels
	GIF  Kind = "gif" // of a finished match only
	Cast Kind = "cast"
)

// Sizes are the widths in pixels that an SVG or a GIF can have. They are few, so that there are few pictures to make.
var Sizes = []int{240, 480, 720, 960}

// DefaultSize is the width of a picture for which none is named.
const DefaultSize = 480

// Newest is the turn of the newest position.
const Newest = -1

// Request is what a picture shows of a match, and how. It is comparable. The zero Request is an SVG before the first turn.
type Request struct {
	Kind  Kind
	Turn  int  // the number of turns before the position; Newest: all. Not of a GIF or a cast, which show all turns
	Size  int  // one of Sizes; 0: DefaultSize. Only of an SVG or a GIF
	Light bool // for light backgrounds
	V2    bool // asciicast of version 2, for old players

	Site string // the name of the server
	Note string // a line below the caption of a card: how to connect
}

// Errors of requests.
var (
	ErrNoTurn  = errcode.Errorf(errcode.BadRequest, "the game has no such turn")
	ErrSize    = errcode.Errorf(errcode.BadRequest, "size is one of %s", strings.Trim(fmt.Sprint(Sizes), "[]"))
	ErrRunning = errcode.Errorf(errcode.BadRequest, "the game is still running; a GIF shows a finished game")
	ErrBusy    = errcode.Errorf(errcode.RateLimited, "too many pictures are being made; try again in a moment")
)

// Pictures makes pictures and keeps them. NewPictures is the only way to make one. Any goroutine may use it.
type Pictures struct {
	games game.List
	cache cache
}

// NewPictures returns Pictures of the games of a server.
func NewPictures(games game.List) *Pictures {
	return &Pictures{games: games, cache: cache{entries: make(map[key]*entry), slots: make(chan struct{}, maxWorking)}}
}

// Get returns a picture of a match as a snapshot shows it. The result is shared and must not be changed.
func (p *Pictures) Get(ctx context.Context, s *match.Snapshot, r Request) ([]byte, error) {
	if err := r.check(s); err != nil {
		return nil, err
	}
	var names strings.Builder
	for _, seat := range s.Info.Seats {
		names.WriteString(seat.Name + "\n")
	}
	return p.cache.get(ctx, key{s.Info.ID, names.String(), s.Version, s.IsOver(), r}, func(ctx context.Context) ([]byte, error) {
		return p.render(ctx, s, r)
	})
}

// Made returns how many pictures were made since the start, and how many requests were refused because too many waited.
func (p *Pictures) Made() (made, refused int) { return p.cache.counts() }

// check sets defaults and returns why a picture cannot be made.
func (r *Request) check(s *match.Snapshot) error {
	if r.Size == 0 {
		r.Size = DefaultSize
	}
	switch {
	case !slices.Contains(Sizes, r.Size):
		return ErrSize
	case r.Turn < Newest || r.Turn > len(s.TurnEntries()):
		return ErrNoTurn
	case r.Kind == GIF && !s.IsOver():
		return ErrRunning
	}
	switch r.Kind { // what a kind does not depend on makes no further picture
	case GIF, Cast:
		r.Turn = Newest
	}
	if r.Kind == PNG || r.Kind == Cast {
		r.Size = DefaultSize
	}
	if r.Kind == SVG || r.Kind == GIF {
		r.Note = ""
	}
	if r.Kind != Cast {
		r.V2 = false
	}
	return nil
}

func (p *Pictures) render(ctx context.Context, s *match.Snapshot, r Request) ([]byte, error) {
	g, ok := p.games.ByName(s.Info.Game)
	if !ok {
		return nil, errcode.Errorf(errcode.BadRequest, "this server has no board for %s", s.Info.Game)
	}
	m, err := newReplay(s, g)
	if err != nil {
		return nil, fmt.Errorf("replay match %s: %w", s.Info.ID, err)
	}
	theme := picture.Dark
	if r.Light {
		theme = picture.Light
	}
	turn := len(m.turns)
	if r.Turn != Newest {
		turn = r.Turn
	}
	switch r.Kind {
	case PNG:
		c := m.caption(turn)
		c.Site, c.Note = r.Site, r.Note
		return picture.Card(m.draw(turn, r.Light), c, theme).PNG(theme, picture.CardWidth), nil
	case GIF:
		return m.gif(ctx, theme, r.Light, r.Size)
	case Cast:
		return m.cast(ctx, r)
	}
	return m.draw(turn, r.Light).SVG(m.Describe(turn), theme, r.Size), nil
}

// replay has the positions of a match.
type replay struct {
	s         *match.Snapshot
	game      game.Game
	turns     []match.Entry     // that were not taken back
	positions []engine.Position // before the first turn and after each
}

func newReplay(s *match.Snapshot, g game.Game) (*replay, error) {
	positions, err := s.Positions()
	if err != nil {
		return nil, err
	}
	return &replay{s, g, s.TurnEntries(), positions}, nil
}

// state returns what a board shows after a number of turns.
func (m *replay) state(turn int) game.State {
	state := game.State{Position: m.positions[turn], Seat: -1, Static: true}
	if turn > 0 {
		state.LastTurn, state.Previous = m.turns[turn-1].Actions, m.positions[turn-1]
	}
	return state
}

func (m *replay) draw(turn int, light bool) *picture.Drawing {
	return Draw(m.game, m.state(turn), light)
}

// Draw returns the drawing of a state.
func Draw(g game.Game, s game.State, light bool) *picture.Drawing {
	if p, ok := g.(game.Picturer); ok {
		return p.Picture(s, light)
	}
	return drawBoard(g, s, light)
}

// mark returns the sign of a seat; nil if the game has none.
func (m *replay) mark(turn, seat int) *picture.Sprite {
	if p, ok := m.game.(game.Picturer); ok {
		return p.MarkPicture(m.positions[turn], seat)
	}
	return nil
}

// caption returns the names of the players and what has happened up to a turn.
func (m *replay) caption(turn int) *picture.Caption {
	c := &picture.Caption{Title: m.s.Info.Title(), Status: m.status(turn)}
	for seat, s := range m.s.Info.Seats {
		p := picture.Player{Mark: m.mark(turn, seat), Name: s.Name, Note: words.SeatRating(s.Rating)}
		if m.isLast(turn) && m.s.Result != nil {
			p.Won = slices.Contains(m.s.Result.Winners, seat)
		}
		c.Players = append(c.Players, p)
	}
	return c
}

func (m *replay) isLast(turn int) bool { return turn == len(m.turns) }

// status returns the result after the last turn, or whose turn it is.
func (m *replay) status(turn int) string {
	if m.isLast(turn) && m.s.IsOver() {
		return words.Result(m.s, m.game, -1)
	}
	text := fmt.Sprintf("Turn %d", turn)
	if !m.isLast(turn) {
		text = fmt.Sprintf("Turn %d of %d", turn, len(m.turns))
	}
	if !m.isLast(turn) || !m.s.IsOver() {
		text += ", " + m.s.Info.Seats[m.positions[turn].Turn()].Name + " to move"
	}
	return text
}

// Describe returns a picture in words, as its title.
func (m *replay) Describe(turn int) string {
	names := make([]string, len(m.s.Info.Seats))
	for i, s := range m.s.Info.Seats {
		names[i] = s.Name
	}
	return strings.Join(names, " – ") + ", " + m.s.Info.Title() + ". " + m.status(turn)
}

// Times of an animation.
const (
	turnDelay = 800 * time.Millisecond
	fastDelay = 500 * time.Millisecond // of a turn in a long game
	stepDelay = 260 * time.Millisecond
	lastDelay = 3 * time.Second
	longGame  = 120 // turns
)

// gif returns an animation. If it would be too large, the steps within turns are left out, and then every second turn, and so
// on.
func (m *replay) gif(ctx context.Context, t picture.Theme, light bool, width int) ([]byte, error) {
	for stride := 0; ; stride = max(2*stride, 1) {
		b, err := picture.GIF(ctx, m.frames(t, light, stride), t, width)
		if err != picture.ErrTooLarge || stride > len(m.turns) {
			return b, err
		}
	}
}

// frames returns the frames of an animation of every stride-th turn, up to the last; 0: of all turns with their steps.
func (m *replay) frames(t picture.Theme, light bool, stride int) (frames []picture.Frame) {
	delay := turnDelay
	if len(m.turns) > longGame {
		delay = fastDelay
	}
	captions := newCaptions(m, t)
	add := func(d *picture.Drawing, turn int, delay time.Duration) {
		frames = append(frames, picture.Frame{Drawing: captions.below(d, turn), Delay: delay})
	}
	for turn := range m.positions {
		if stride > 1 && (len(m.turns)-turn)%stride != 0 {
			continue
		}
		state := m.state(turn)
		if p, ok := m.game.(game.Picturer); ok && stride == 0 {
			for _, d := range p.PictureSteps(state, light) {
				if len(frames) > picture.MaxFrames {
					return frames // too many: the next attempt leaves the steps out
				}
				add(d, turn, stepDelay)
			}
		}
		add(Draw(m.game, state, light), turn, delay)
	}
	frames[len(frames)-1].Delay = lastDelay
	return frames
}
