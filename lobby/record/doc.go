// Package record reads and writes played games as text: tags as in PGN, then a turn on each line
// (docs/records.md). It knows no game: options, actions and results are those of the engine and its
// registry.
//
// A game has exactly one text. [Read] accepts no other, so that a record which was read is written
// identically, and an edited record is either another valid one or an error that names the line.
// [Record.Check] replays the game.
//
// It does no I/O except through the reader and the writer that are passed to it.
package record
