// Package vacation keeps the vacations of players, in which their clocks stand still in correspondence matches. Package match
// decides what a vacation does to a match.
//
// A vacation is in a row of lobby/shared for each player, which is durable and changed by compare-and-swap, so that all
// nodes agree on it. The days of a year are bounded, so that no match can be delayed without end.
package vacation
