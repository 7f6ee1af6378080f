// Package tables keeps the tables of a lobby as rows that all its nodes share.
//
// A change is computed by package table, replaces the rows of the tables by compare-and-swap, and is then taken over,
// as are the changes of other nodes. If another change came before, it is computed again. A table that has closed stays
// as a row for table.KeepClosed, so that every node learns what happened to it.
//
// The package imports, of the lobby, only account, errcode, sanitize, shared and table. It starts no goroutine.
package tables
