// Package themetest measures how well colours can be told apart with red-green blindness.
package themetest

import (
	"math"

	"ayumu/tui/paint"
)

// visions has for normal sight, protanopia and deuteranopia the matrix that turns linear RGB into what is seen (Machado,
// Oliveira and Fernandes 2009, severity 1).
var visions = [...][3][3]float64{
	{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
	{{0.152286, 1.052583, -0.204868}, {0.114503, 0.786281, 0.099216}, {-0.003882, -0.048116, 1.051998}},
	{{0.367322, 0.860646, -0.227968}, {0.280085, 0.672501, 0.047413}, {-0.011820, 0.042940, 0.968881}},
}

// Distance returns the smallest distance of two RGB colours in CIELAB for normal sight, protanopia and deuteranopia.
// About 2 is just noticed, and 10 seen at a glance.
func Distance(a, b paint.Color) float64 {
	least := math.Inf(1)
	for _, m := range visions {
		x, y := lab(a, m), lab(b, m)
		least = min(least, math.Hypot(math.Hypot(x[0]-y[0], x[1]-y[1]), x[2]-y[2]))
	}
	return least
}

// lab returns the colour in CIELAB (white point D65) as it is seen through m.
func lab(c paint.Color, m [3][3]float64) [3]float64 {
	var linear, seen [3]float64
	for i := range linear {
		v := float64(c>>(16-8*i)&255) / 255
		if linear[i] = v / 12.92; v > 0.04045 {
			linear[i] = math.Pow((v+0.055)/1.055, 2.4)
		}
	}
	for i, row := range m {
		seen[i] = min(max(row[0]*linear[0]+row[1]*linear[1]+row[2]*linear[2], 0), 1)
	}
	f := func(r, g, b, white float64) float64 {
		t := (r*seen[0] + g*seen[1] + b*seen[2]) / white
		if t > 0.008856 {
			return math.Cbrt(t)
		}
		return 7.787*t + 16.0/116
	}
	x, y, z := f(0.4124, 0.3576, 0.1805, 0.9505), f(0.2126, 0.7152, 0.0722, 1), f(0.0193, 0.1192, 0.9505, 1.089)
	return [3]float64{116*y - 16, 500 * (x - y), 200 * (y - z)}
}
