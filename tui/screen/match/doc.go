// Package match has the screens of matches: playing one, watching it, replaying it from the archive, and the grid of
// several running ones.
//
// The first three screens are types of their own that share a view: the board, the turns, stepping through them, a
// variation, autoplay, and hints. What differs, a view asks its screen for (viewer).
package match
