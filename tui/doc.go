// Package tui is the terminal screens: name, lobby, new table, match, watching one game or several,
// replays, the archive, profiles, ratings, settings, account, help.
//
// [Run] is one session at one terminal. It runs on Bubble Tea's event loop and paints through
// tui/paint; nothing else writes to the terminal, and input is read by its own small reader, since
// Bubble Tea's keeps tables for each session and has no bounds. A session waits for the lobby's
// wake, then reads the newest state; nothing ticks unless a clock on the screen runs, and then
// once a second. Calls into a match run beside the loop. What many sessions show alike, such as
// the rows of a board, is drawn once and shared.
//
// The package knows no SSH and no particular game: it is handed a list of games.
// It imports the lobby, the engine's common package, and the packages below it.
package tui
