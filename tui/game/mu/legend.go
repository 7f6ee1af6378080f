package mu

import (
	"strings"

	"ayumu/engine/mu"
	"ayumu/tui/game"
	"ayumu/tui/paint"
)

// legendKey identifies a legend, as the key of shared.legends.
type legendKey struct {
	style         game.Style
	scale         int
	phase         mu.Phase
	seat          int // whose pieces are the samples
	showCapacity  bool
	showTerritory bool
	hasHint       bool
	hidesCursor   bool
	isPlanned     bool // the hint is the turn that the seat has entered in advance
}

// Legend implements game.Board.
func (b *Board) Legend(style game.Style) []game.LegendEntry {
	scale := b.viewport.drawnScale()
	phase := b.view.shown().Phase()
	k := legendKey{
		style: style, scale: scale, phase: phase, seat: max(b.view.state.Seat, 0),
		showCapacity: b.showCapacity[scale], showTerritory: b.showTerritory && hasTerritory(phase), hasHint: b.view.hint != nil,
		hidesCursor: b.view.hidesCursor(&b.pointer), isPlanned: b.view.state.IsPlanned,
	}
	return b.view.shared.legends.Get(k, k.entries)
}

// sample is a cell that the legend explains. Its signs are those of a small cell, or of the two rows of a large one.
type sample struct {
	text         string
	small        string
	upper, lower string
	style        paint.Style
	number       paint.Style // of the last sign, if hasNumber
	hasNumber    bool
}

// draw draws the sample as a cell.
func (s sample) draw(scale int) *paint.Frame {
	return paint.Draw(nil, 2*scale, scale, func(c paint.Canvas) {
		c.Fill(0, 0, 2*scale, scale, s.style, ' ')
		last, at := s.small, 1
		if scale == small {
			c.Text(0, 0, s.style, s.small)
		} else {
			c.Text(indent(s.upper), 0, s.style, s.upper)
			c.Text(indent(s.lower), 1, s.style, s.lower)
			last, at = s.lower, 2
		}
		if s.hasNumber {
			c.Text(at, scale-1, s.number, last[len(last)-1:])
		}
	})
}

// indent returns the column of a sign in a row of a large cell: the second one, unless it fills the row.
func indent(sign string) int {
	if paint.Width(sign) == 2*large {
		return 0
	}
	return 1
}

// entries draws the legend.
func (k legendKey) entries() []game.LegendEntry {
	var all []game.LegendEntry
	for _, s := range k.samples() {
		all = append(all, game.LegendEntry{Text: s.text, Sample: s.draw(k.scale)})
	}
	return all
}

func (k legendKey) samples() []sample {
	var all []sample
	colors := stylePalette(k.style)
	virgin := k.ground(mu.Virgin)
	if k.hasHint {
		all = append(all, k.hintSamples()...)
	}
	if k.showTerritory {
		all = append(all, k.territorySamples()...)
	}
	switch {
	case k.phase == mu.Layout:
		all = append(all, sample{text: "a segment fits", small: "+", upper: " +", style: colors.besideBoard[k.seat]})
	case k.phase == mu.Clearing:
		all = append(all, sample{text: "Enter clears it", small: "-", upper: " -", style: overlay(virgin, colors.clearable)})
	case k.phase == mu.Play:
		all = append(all, k.pieceSamples()...)
	}
	if k.showCapacity && k.phase >= mu.Play {
		all = append(all, k.capacitySample())
	}
	if k.phase >= mu.Play {
		all = append(all, k.terrainSample("Commonwealth", mu.Commonwealth), k.terrainSample("Wall", mu.Wall))
	}
	if colors.tiled {
		shade := virgin
		shade.BG = colors.background[mu.Virgin][1]
		all = append(all, sample{text: "shades show segments", style: shade})
	}
	if !k.hidesCursor {
		all = append(all, sample{text: "cursor", style: overlay(virgin, colors.cursor)})
	}
	return all
}

// capacitySample returns the sample of the number of men that a cell takes, which small cells have only while they are
// empty.
func (k legendKey) capacitySample() sample {
	ground := k.ground(mu.Virgin)
	number := overlay(ground, stylePalette(k.style).number)
	if k.scale == small {
		return sample{text: "takes 2 men", small: "2", style: number}
	}
	return sample{text: "takes 2 more men", upper: mark(k.seat, false, k.style), lower: " 2", style: k.piece(k.seat), number: number, hasNumber: true}
}

// ground returns the style of an empty cell.
func (k legendKey) ground(t mu.Terrain) paint.Style {
	colors := stylePalette(k.style)
	return paint.Style{FG: colors.texture[t], BG: colors.background[t][0]}
}

// piece returns the style of a seat's pieces on a virgin cell.
func (k legendKey) piece(seat int) paint.Style {
	colors, style := stylePalette(k.style), k.ground(mu.Virgin)
	style.FG, style.Attr = colors.seat[seat], colors.piece
	return style
}

func (k legendKey) pieceSamples() []sample {
	colors, piece := stylePalette(k.style), k.piece(k.seat)
	own, stuck := mark(k.seat, false, k.style), mark(k.seat, true, k.style)
	other := 0
	if k.seat == 0 {
		other = 1
	}
	critical := own + "5"
	if !colors.tiled {
		critical = own + "!"
	}
	enemy, captured := mark(other, false, k.style), "captures with 1"
	if k.scale == small { // it shows the heights there
		captured = "can be captured"
	}
	all := []sample{
		{text: "3 men, can move", small: own + "3", upper: own + "3", style: piece},
		{text: "cannot move now", small: stuck, upper: stuck, style: piece},
	}
	if k.scale == large || !k.showCapacity { // a small cell has the number there
		all = append(all, sample{text: "segment can move", small: " *", lower: "*", style: k.ground(mu.Virgin).With(paint.Bold)})
	}
	return append(all, []sample{
		{text: "target of 1 man", small: "+1", lower: "+1", style: overlay(k.ground(mu.Virgin), colors.target)},
		{text: captured, small: enemy + "×", upper: enemy, lower: "×1", style: overlay(k.piece(other), colors.capture)},
		{text: "explodes", small: critical, upper: own + "5", lower: "!", style: overlay(piece, colors.critical)},
	}...)
}

func (k legendKey) terrainSample(text string, t mu.Terrain) sample {
	texture := string(textures[t])
	return sample{text: text, small: strings.Repeat(texture, 2), upper: strings.Repeat(texture, 2*large), lower: strings.Repeat(texture, 2*large), style: k.ground(t)}
}

func (k legendKey) territorySamples() []sample {
	colors, ground := stylePalette(k.style), k.ground(mu.Commonwealth)
	own := ground
	own.FG = colors.seat[k.seat]
	sign := mark(k.seat, true, k.style)
	return []sample{
		{text: seatStyles[k.seat].name + "'s territory", small: " " + sign, lower: strings.Repeat(sign, 2*large), style: own},
		{text: "neutral", small: "//", lower: "////", style: ground},
	}
}

func (k legendKey) hintSamples() []sample {
	arrow := arrows[mu.E]
	if !k.style.HasSymbols() {
		arrow = arrowsASCII[mu.E]
	}
	what := "hint"
	if k.isPlanned {
		what = "next turn"
	}
	own, style := mark(k.seat, false, k.style), overlay(k.piece(k.seat), stylePalette(k.style).hint)
	return []sample{
		{text: what + ": moves", small: own + arrow, upper: own, lower: arrow + "1", style: style},
		{text: what + ": lands here", small: "{}", lower: "{1}", style: style},
	}
}
