// Package presence decides whether a user is present: whether they have a session on any node that is alive.
//
// Every node writes a Row about each of its users, and a User has what the rows say about one of them. The
// package reads no time and has no locks. Times are those of the store's clock.
package presence
