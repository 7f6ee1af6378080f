package ayu

import (
	"strconv"

	"ayumu/engine"
	"ayumu/engine/ayu"
	"ayumu/tui/game"
	"ayumu/tui/paint"
	"ayumu/tui/picture"
	"ayumu/tui/theme"
)

// Sizes of what a picture shows, in distances between two points.
const (
	pictureStone = 0.42 // the radius of a stone
	pictureInner = 0.33 // of its inside
	pictureLink  = 0.24 // the width of the link between two stones of a unit
	pictureEdge  = 0.85 // the space beside the outer points, with the names of rows and columns
)

// sprites has what the pictures of a game consist of.
type sprites struct {
	board                 [ayu.MaxSize + 1]*picture.Sprite // by size: the ground and the names of rows and columns
	stone                 [2]*picture.Sprite               // by colour, as are those below
	linkRight, linkBelow  [2]*picture.Sprite
	mark                  [2]*picture.Sprite
	last, from, lastFrame *picture.Sprite
}

// pictureSprites is shared by all pictures, because sprites are immutable.
var pictureSprites = newSprites()

func newSprites() *sprites {
	b := &theme.Dark.Board // the boards of both themes have the same colours
	s := &sprites{
		last: picture.NewSprite(picture.Rect(b.Last, picture.Point{}, 1, 1)),
		from: picture.NewSprite(cross(b.From.FG)),
		lastFrame: picture.NewSprite(
			corner(b.From.FG, -1, -1), corner(b.From.FG, 1, -1), corner(b.From.FG, -1, 1), corner(b.From.FG, 1, 1)),
	}
	for n := ayu.MinSize; n <= ayu.MaxSize; n += 2 {
		s.board[n] = newBoardSprite(n)
	}
	insides := [2]paint.Color{b.BlackInside, b.Hollow}
	for c, edge := range [2]paint.Color{b.Black.FG, b.White.FG} {
		inside := insides[c]
		s.stone[c] = picture.NewSprite(picture.Disc(edge, picture.Point{}, pictureStone), picture.Disc(inside, picture.Point{}, pictureInner))
		s.mark[c] = picture.NewSprite(picture.Disc(b.Point.FG, picture.Point{}, 0.5), picture.Disc(edge, picture.Point{}, 0.46), picture.Disc(inside, picture.Point{}, 0.34))
		s.linkRight[c] = picture.NewSprite(picture.Rect(edge, picture.Point{X: 0.5}, 0.4, pictureLink))
		s.linkBelow[c] = picture.NewSprite(picture.Rect(edge, picture.Point{Y: 0.5}, pictureLink, 0.4))
	}
	return s
}

// cross returns the mark of the point that the last move has left.
func cross(fill paint.Color) picture.Shape {
	const a, w = 0.17, 0.05
	return picture.Polygon(fill,
		picture.Point{X: -a, Y: -a + w}, picture.Point{X: -a + w, Y: -a}, picture.Point{Y: -w}, picture.Point{X: a - w, Y: -a},
		picture.Point{X: a, Y: -a + w}, picture.Point{X: w}, picture.Point{X: a, Y: a - w}, picture.Point{X: a - w, Y: a},
		picture.Point{Y: w}, picture.Point{X: -a + w, Y: a}, picture.Point{X: -a, Y: a - w}, picture.Point{X: -w})
}

// corner returns a corner of the frame around the last move.
func corner(fill paint.Color, x, y float64) picture.Shape {
	const a, length, w = 0.47, 0.17, 0.05
	at := func(dx, dy float64) picture.Point { return picture.Point{X: x * (a - dx), Y: y * (a - dy)} }
	return picture.Polygon(fill, at(0, 0), at(length, 0), at(length, w), at(w, w), at(w, length), at(0, length))
}

// newBoardSprite returns the empty board of a size: squares as the terminal shows them, and a dot on each point, so that
// points can be counted.
func newBoardSprite(n int) *picture.Sprite {
	b := &theme.Dark.Board
	middle, size := float64(n-1)/2, float64(n)
	shapes := []picture.Shape{
		picture.RoundRect(b.Join.FG, picture.Point{X: middle, Y: middle}, size+0.24, size+0.24, 0.14),
		picture.Rect(b.Point.BG, picture.Point{X: middle, Y: middle}, size, size),
	}
	shade := picture.Shape{Fill: b.Shade}
	for row := range n {
		for column := range n {
			if (row+column)%2 == 1 {
				shade.Path = append(shade.Path, picture.Rect(0, picture.Point{X: float64(column), Y: float64(n - 1 - row)}, 1, 1).Path...)
			}
		}
	}
	dots := picture.Shape{Fill: b.Point.FG}
	for row := range n {
		for column := range n {
			dots.Path = append(dots.Path, picture.Disc(0, picture.Point{X: float64(column), Y: float64(row)}, 0.055).Path...)
		}
	}
	shapes = append(shapes, shade, dots)
	for i := range n {
		at := float64(i)
		shapes = append(shapes,
			picture.Text(picture.Ink, picture.Point{X: at, Y: float64(n) - 0.5 + 0.45}, string(rune('a'+i)), picture.Regular, 0.42, picture.Middle),
			picture.Text(picture.Ink, picture.Point{X: -0.5 - 0.25, Y: float64(n-1) - at}, strconv.Itoa(i+1), picture.Regular, 0.42, picture.End))
	}
	return picture.NewSprite(shapes...)
}

// Picture implements game.Picturer.
func (Game) Picture(s game.State, _ bool) *picture.Drawing {
	p := s.Position.(*ayu.Position)
	b := p.Board()
	n := b.Size()
	d := &picture.Drawing{Min: picture.Point{X: -0.5 - pictureEdge, Y: -0.5 - 0.3}, Max: picture.Point{X: float64(n) - 0.5 + 0.3, Y: float64(n) - 0.5 + pictureEdge}}
	at := func(p ayu.Point) (x, y float64) { return float64(p.Column()), float64(n - 1 - p.Row()) }
	d.Add(0, 0, pictureSprites.board[n])
	last, isMove := lastMove(s)
	if isMove {
		for _, p := range []ayu.Point{last.From, last.To} {
			x, y := at(p)
			d.Add(x, y, pictureSprites.last)
		}
		x, y := at(last.From)
		d.Add(x, y, pictureSprites.from)
		x, y = at(last.To)
		d.Add(x, y, pictureSprites.lastFrame)
	}
	for _, c := range []ayu.Color{ayu.Black, ayu.White} {
		stones := b.Stones(c)
		for p := range stones.All() {
			x, y := at(p)
			if p.Column()+1 < n && stones.Has(ayu.At(p.Column()+1, p.Row())) {
				d.Add(x, y, pictureSprites.linkRight[c])
			}
			if p.Row() > 0 && stones.Has(ayu.At(p.Column(), p.Row()-1)) {
				d.Add(x, y, pictureSprites.linkBelow[c])
			}
		}
		for p := range stones.All() {
			x, y := at(p)
			d.Add(x, y, pictureSprites.stone[c])
		}
	}
	return d
}

// lastMove returns the move of the last turn; false: there is none.
func lastMove(s game.State) (ayu.Move, bool) {
	if len(s.LastTurn) == 0 {
		return ayu.Move{}, false
	}
	m, err := ayu.ParseMove(s.LastTurn[0])
	return m, err == nil
}

// PictureSteps implements game.Picturer.
func (Game) PictureSteps(game.State, bool) []*picture.Drawing { return nil }

// MarkPicture implements game.Picturer.
func (Game) MarkPicture(p engine.Position, seat int) *picture.Sprite {
	return pictureSprites.mark[seatColor(p, seat)]
}
