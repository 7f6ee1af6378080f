// Package conditions lets players read and change their conditional moves: the turns with which the server answers for
// them in correspondence games. Package match decides which are allowed and when they are played; a Store keeps them
// beside the log.
//
// A change is conditional on the end of the log and on the earlier conditions, and an append of a turn on the conditions
// of the match. So each turn is answered by the conditions that its opponent's player has last stored, on whatever node,
// and by none that was withdrawn before.
package conditions
