// Package ayu implements the board of Ayu on a terminal, and its descriptions in words.
//
// The part of a board that is the same for all sessions is drawn once and shared ([game.Cache]); a
// session adds its cursor, its selected stone and that stone's targets. The stones of Black are filled
// and those of White outlined; in ASCII they are X and O. So the sides differ without colour too.
package ayu
