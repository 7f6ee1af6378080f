// Package tui is a session with screens: its Bubble Tea model, sign-in, and the list of screens.
//
// [Model] is a complete tea.Model. Two runtimes run it. On a server it is package program, which has no goroutine, ticker
// or renderer for a session and shows the model's frames with tui/paint; [Run] does that for one session at one
// terminal. Stock Bubble Tea, a tea.Program for each session, runs it in the user's own terminal ([Play]) and, if
// Terminal.Stock is set, for a connection. Both show the same cells.
//
// A session waits for the lobby's wake and then reads the newest state; nothing ticks unless a clock on the screen runs,
// and then once a second. What others and time cause is sent by a queue of all sessions (tui/jobqueue). The input of a
// connection is read by a small reader of its own, because Bubble Tea's keeps tables for each session and has no bounds.
// Calls into a match run as commands. What many sessions show alike, such as the rows of a board, is drawn once and shared.
//
// The screens are packages below tui/screen, which has their contract. What all front ends do alike is in
// tui/op. The package knows neither SSH nor a particular game: Config.Games is the list of games.
package tui
