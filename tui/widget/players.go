package widget

import "ayumu/tui/paint"

// Players formats the names of the one or two sides of a row with their ratings, cut to width columns. "" is
// no second name or no rating.
func Players(names, ratings [2]string, width int) string {
	const between = " – "
	withRating := func(i int) string {
		if ratings[i] == "" {
			return names[i]
		}
		return names[i] + " " + ratings[i]
	}
	if names[1] == "" {
		if s := withRating(0); paint.Width(s) <= width {
			return s
		}
		return paint.Cut(names[0], width)
	}
	if s := withRating(0) + between + withRating(1); paint.Width(s) <= width {
		return s
	}
	if s := names[0] + between + names[1]; paint.Width(s) <= width {
		return s
	}
	half := (width - paint.Width(between)) / 2
	return paint.Cut(names[0], half) + between + paint.Cut(names[1], half)
}
