// Package theme defines the colours of the screens: a table of roles for each kind of terminal.
//
// No information depends on a colour alone: a word or a shape repeats it. Black and white stones differ in brightness.
// For people with red-green blindness there are themes of their own. The package imports only paint.
package theme

import "ayumu/tui/paint"

// Theme defines the style of each role. Themes are immutable and shared by all sessions, so that
// pointers to them can be compared.
type Theme struct {
	Name string
	Base *Theme // the built-in theme from which it was derived; nil for a built-in theme

	// The four ranks of text, the same on all screens. Notice is the only accent: what wants an action now.
	Title  paint.Style // of panes and sections
	Text   paint.Style // content
	Dim    paint.Style // secondary text
	Notice paint.Style // needs attention, such as "your turn"

	Strong   paint.Style // names in content
	Good     paint.Style // possible, won
	Bad      paint.Style // errors, lost, little time
	Link     paint.Style // an address or command to open or copy
	Rule     paint.Style // separators
	Bar      paint.Style // the title bar and the status bar
	BarDim   paint.Style // secondary text in a bar
	BarKey   paint.Style // the name of a key in the status bar
	Selected paint.Style // the selected row of a list
	Field    paint.Style // an input field
	// FieldBlank is the character in the empty cells of the fields of forms: a space, unless Field has no background.
	FieldBlank rune

	Board Board
}

// Board defines the roles of a board of black and white stones on points. A game with other things to draw
// has colours of its own for each theme. A role whose background is Default keeps the background of the cell.
type Board struct {
	Label paint.Style // names of rows and columns
	Point paint.Style // an empty point
	Black paint.Style
	White paint.Style
	// Marks in the middle of large stones of the side to move that have no legal move.
	StuckBlack paint.Style
	StuckWhite paint.Style
	Join       paint.Style // between stones of one unit
	Target     paint.Style // legal destinations of the selected stone
	From       paint.Style // the point that the last move left, and the frame around its stone
	Path       paint.Style // an empty point on a shortest path
	Number     paint.Style // a distance beside a small stone
	Cursor     paint.Style
	Selected   paint.Style
	Hint       paint.Style // the turn that the engine suggests
	// Backgrounds. Default keeps the background of the cell.
	Last   paint.Color // the points of the last move
	Near   paint.Color // the nearest units to the one under the cursor
	Hollow paint.Color // the inside of a large white stone
	// BlackInside is the inside of a large black stone.
	BlackInside paint.Color
	Shade       paint.Color // every second cell of a board with large cells
}

// Stone returns the style of a stone that can move, on the board's background. Marks of the sides beside the
// board use it too, so that a stone has the same colours everywhere.
func (b *Board) Stone(white bool) paint.Style {
	if white {
		return b.White
	}
	return b.Black
}

func hex(n uint32) paint.Color { return paint.RGB(uint8(n>>16), uint8(n>>8), uint8(n)) }

func fg(n uint32) paint.Style { return paint.Style{FG: hex(n)} }

func on(f, b uint32) paint.Style { return paint.Style{FG: hex(f), BG: hex(b)} }

func bold(s paint.Style) paint.Style { return s.With(paint.Bold) }

// woodColor is a background on which both black and white stones are easy to see.
const woodColor = 0xaf875f

// woodBoard returns the roles of a board for terminals with 256 colours and more.
func woodBoard(label paint.Style) Board {
	return Board{
		Label: label,
		Point: on(0x6f4e2c, woodColor),
		Black: bold(on(0x080808, woodColor)), White: bold(on(0xffffff, woodColor)),
		StuckBlack: fg(0xb2b2b2), StuckWhite: fg(0x585858),
		Join:   on(0x5a3f20, woodColor),
		Target: bold(on(0x00337f, 0xafb7bf)),
		From:   bold(on(0x080808, 0xd7af87)),
		Path:   bold(on(0x003f6f, woodColor)),
		Number: bold(on(0x3a1800, woodColor)),
		Cursor: bold(on(0x000000, 0xffdf87)), Selected: bold(on(0xffffff, 0x00539f)),
		Hint: bold(on(0x000000, 0xffafff)),
		Last: hex(0xd7af87), Near: hex(0x87afaf), Hollow: hex(0xd7d0c4), BlackInside: hex(0x3a3a3a), Shade: hex(0xb9936b),
	}
}

// Dark is the theme for 256 colours and more on a dark background.
var Dark = Theme{
	Name:     "dark",
	Dim:      fg(0x8a8f98),
	Title:    paint.Style{Attr: paint.Bold},
	Strong:   paint.Style{Attr: paint.Bold},
	Notice:   bold(fg(0xffaf5f)),
	Good:     bold(fg(0x5fd7af)),
	Bad:      bold(fg(0xff8066)),
	Link:     fg(0x87c5ff),
	Rule:     fg(0x4b5260),
	Bar:      on(0xd7dce5, 0x2b303b),
	BarDim:   on(0x949cab, 0x2b303b),
	BarKey:   bold(on(0xffaf5f, 0x2b303b)),
	Selected: on(0xffffff, 0x005f87),
	Field:    on(0xffffff, 0x2b303b), FieldBlank: ' ',
	Board: woodBoard(fg(0x949cab)),
}

// Light is the theme for 256 colours and more on a light background.
var Light = Theme{
	Name:     "light",
	Dim:      fg(0x6a6f78),
	Title:    paint.Style{Attr: paint.Bold},
	Strong:   paint.Style{Attr: paint.Bold},
	Notice:   bold(fg(0x9a4f00)),
	Good:     bold(fg(0x00694f)),
	Bad:      bold(fg(0xb02a10)),
	Link:     fg(0x004f9f),
	Rule:     fg(0xb5bac4),
	Bar:      on(0x20242c, 0xdde1e8),
	BarDim:   on(0x5a606c, 0xdde1e8),
	BarKey:   bold(on(0x8a3f00, 0xdde1e8)),
	Selected: on(0x000000, 0xb9d4f5),
	Field:    on(0x000000, 0xe8ebf0), FieldBlank: ' ',
	Board: woodBoard(fg(0x6a6f78)),
}

func ansi(n uint8) paint.Style { return paint.Style{FG: paint.Index(n)} }

func ansiOn(f, b uint8) paint.Style { return paint.Style{FG: paint.Index(f), BG: paint.Index(b)} }

// printedBoard is the board for the 16 colours of the terminal's palette. Users can change these, so only a few
// pairs are legible everywhere: dark ink on light grey, as boards are printed. Black is a filled shape, White
// an outlined one. The board has a background of its own, because that of the terminal may not be known.
// Black is nowhere bold, because many terminals show bold black as grey.
var printedBoard = Board{
	Point: ansiOn(8, 7),
	Black: ansiOn(0, 7), White: ansiOn(0, 7),
	StuckBlack: ansi(7), StuckWhite: ansi(0),
	Join:   ansiOn(0, 7),
	Target: ansiOn(0, 6),
	From:   ansiOn(0, 2),
	Path:   ansiOn(4, 7),
	Number: ansiOn(4, 7),
	Cursor: ansiOn(0, 3), Selected: bold(ansiOn(15, 4)),
	Hint: bold(ansiOn(15, 5)),
	Last: paint.Index(2), Near: paint.Index(6), Hollow: paint.Index(15), BlackInside: paint.Index(0),
}

// ANSI is the theme for the 16 colours of the terminal's palette on a dark or unknown background: what it
// shows on the terminal's background is legible on a light one too.
var ANSI = Theme{
	Name:     "dark, 16 colours",
	Dim:      attr(paint.Faint),
	Title:    paint.Style{Attr: paint.Bold},
	Strong:   paint.Style{Attr: paint.Bold},
	Notice:   bold(ansi(5)),
	Good:     attr(paint.Bold),
	Bad:      bold(ansi(9)),
	Link:     attr(paint.Underline),
	Rule:     attr(paint.Faint),
	Bar:      ansiOn(15, 4),
	BarDim:   ansiOn(7, 4),
	BarKey:   bold(ansiOn(11, 4)),
	Selected: ansiOn(0, 6),
	Field:    ansiOn(15, 4), FieldBlank: ' ',
	Board: printedBoard,
}

// ANSILight is the theme for the 16 colours of the terminal's palette on a light background.
var ANSILight = Theme{
	Name:     "light, 16 colours",
	Dim:      attr(paint.Faint),
	Title:    paint.Style{Attr: paint.Bold},
	Strong:   paint.Style{Attr: paint.Bold},
	Notice:   bold(ansi(5)),
	Good:     bold(ansi(4)),
	Bad:      bold(ansi(1)),
	Link:     ansi(4),
	Rule:     attr(paint.Faint),
	Bar:      ansiOn(15, 4),
	BarDim:   ansiOn(7, 4),
	BarKey:   bold(ansiOn(11, 4)),
	Selected: ansiOn(0, 6),
	Field:    ansiOn(15, 4), FieldBlank: ' ',
	Board: printedBoard,
}

func attr(a paint.Attr) paint.Style { return paint.Style{Attr: a} }

// Plain is the theme without colours.
var Plain = Theme{
	Name:     "no colours",
	Dim:      attr(0),
	Title:    attr(paint.Bold),
	Strong:   attr(paint.Bold),
	Notice:   attr(paint.Bold),
	Good:     attr(paint.Bold),
	Bad:      attr(paint.Bold),
	Link:     attr(paint.Underline),
	Rule:     attr(paint.Faint),
	Bar:      attr(paint.Reverse),
	BarDim:   attr(paint.Reverse),
	BarKey:   attr(paint.Reverse | paint.Bold),
	Selected: attr(paint.Reverse),
	Field:    attr(paint.Underline), FieldBlank: '_',
	Board: Board{
		Black: attr(paint.Bold), White: attr(paint.Bold),
		Target: attr(paint.Bold),
		From:   attr(paint.Bold),
		Path:   attr(paint.Bold),
		Number: attr(0),
		Cursor: attr(paint.Bold | paint.Reverse), Selected: attr(paint.Bold | paint.Reverse),
		Hint: attr(paint.Bold),
	},
}
