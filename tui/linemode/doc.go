// Package linemode implements line mode: Ayumu as lines of text and typed commands, for terminals without
// cursor movement (TERM=dumb) and for screen readers.
//
// Each event is one or more whole lines. Nothing is overwritten, and no escape sequence is ever written.
// [Run] echoes the input, because a client with a terminal leaves that to the server.
package linemode
