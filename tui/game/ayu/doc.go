// Package ayu implements the board of Ayu on a terminal, and its descriptions in words.
//
// The part of a board that is the same for all sessions is drawn once and shared ([game.Cache]); a
// session adds its cursor, its selected stone and that stone's targets. Black is a disc and White a ring
// in every style, so the stones can be told apart without colour.
//
// It imports the engine, tui/game, theme and paint.
package ayu
