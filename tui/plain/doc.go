// Package plain is Ayumu as lines of text and typed commands, for terminals that can show no more
// (TERM=dumb) and for people who listen to a screen reader.
//
// What happens is said in whole lines, one thing each; nothing is drawn over and no escape sequence
// is ever written. [Run] echoes what is typed, since a client with a terminal leaves that to the
// server. The package imports the lobby, the registry of boards, package words, and tui for who
// visits.
package plain
