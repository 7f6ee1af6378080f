// Package match plays matches of many games between engines and estimates which is stronger, with
// confidence intervals: `ayumu match`.
//
// A side is a built-in player, one of two simple baselines (greedy, random), or a program that speaks the
// protocol of `ayumu engine` or that of the CodeCup. Programs are limited in time and output. A fault
// loses the game, with its reason in the report. All processes of a program are killed when its game ends.
package match
