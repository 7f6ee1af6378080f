package mu

import (
	"ayumu/engine/mu"
	"ayumu/tui/game"
	"ayumu/tui/paint"
)

// legendKey identifies a legend, as the key of shared.legends.
type legendKey struct {
	style game.Style
	phase mu.Phase
	seat  int // whose pieces are the samples
}

// Legend implements game.Board.
func (b *Board) Legend(style game.Style) []game.LegendEntry {
	k := legendKey{style, b.view.shown().Phase(), max(b.view.state.Seat, 0)}
	return b.view.shared.legends.Get(k, k.entries)
}

// entries draws the legend: two columns for each sign, as a small cell has.
func (k legendKey) entries() []game.LegendEntry {
	colors := paletteOf(k.style)
	ground := func(t mu.Terrain) paint.Style {
		return paint.Style{FG: colors.texture[t], BG: colors.background[t][0]}
	}
	piece := ground(mu.Virgin)
	piece.FG, piece.Attr = colors.seat[k.seat], colors.piece
	var all []game.LegendEntry
	add := func(text, sign string, style paint.Style) {
		all = append(all, game.LegendEntry{Text: text, Sample: paint.Draw(nil, 2, 1, func(c paint.Canvas) {
			c.Text(0, 0, style, sign)
		})})
	}
	if k.phase == mu.Play {
		add("can still move", mark(k.seat, false, k.style)+" ", piece)
		add("cannot move", mark(k.seat, true, k.style)+" ", piece)
		add("its height: 3 men", mark(k.seat, false, k.style)+"3", piece)
		add("critical: explodes", mark(k.seat, false, k.style)+"!", overlay(piece, colors.critical))
		add("target", "+1", overlay(ground(mu.Virgin), colors.target))
		add("target with a capture", mark(k.seat, false, k.style)+"1", overlay(piece, colors.capture))
	}
	if k.phase >= mu.Play {
		add("Commonwealth", "░░", ground(mu.Commonwealth))
		add("Wall", "▓▓", ground(mu.Wall))
	}
	add("cursor", "  ", overlay(ground(mu.Virgin), colors.cursor))
	return all
}
