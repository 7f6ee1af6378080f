// Package tui is a session with screens: its event loop, sign-in, and the list of screens.
//
// [Run] is one session at one terminal. It runs on Bubble Tea's event loop and draws through tui/paint;
// nothing else writes to the terminal. What others and time cause does not pass through the event loop: a queue of all
// sessions (tui/taskqueue) runs it, under the lock of the session's Model. Input is read by a small reader of its own, because Bubble Tea's
// keeps tables for each session and has no bounds. A session waits for the lobby's wake and then reads
// the newest state; nothing ticks unless a clock on the screen runs, and then once a second. Calls into
// a match run outside the event loop. What many sessions show alike, such as the rows of a board, is
// drawn once and shared.
//
// The screens are packages below tui/screen, which has their contract. What all front ends do alike is in
// tui/op. The package knows neither SSH nor a particular game: Config.Games is the list of games.
// It imports the lobby, the engine's common package, and the packages below it.
package tui
