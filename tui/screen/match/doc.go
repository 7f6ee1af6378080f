// Package match has the screens of one match: playing it, watching it, and replaying it from the archive.
//
// The three screens are types of their own that share a view: the board, the turns, stepping through them, a
// variation, autoplay, and hints. What differs, a view asks its screen for (role).
package match
