// Package ayu is the board of Ayu on a terminal, and Ayu in words.
//
// What all who look at a position see alike is drawn once and shared ([board.Cache]); a session
// adds its cursor, its chosen stone and that stone's targets. Black is a disc and White a ring in
// every look, so that no colour is needed to tell them apart.
//
// It imports the engine, the common package of boards, theme and paint.
package ayu
