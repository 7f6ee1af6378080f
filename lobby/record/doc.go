// Package record is the text form of played games: tags as in PGN, then a turn on each line
// (docs/records.md). It knows no game: options, actions and results come from the engine and its
// registry.
//
// A game has exactly one text. [Read] takes nothing else, so what was read prints the same again,
// and a record that somebody changed is either another valid one or refused with the line that is
// wrong. [Record.Check] plays it through.
//
// The package imports the engine and the lobby and does no I/O but through the reader and the
// writer that it is given.
package record
