// Package tournaments has the screens of tournaments: the list of them, one tournament with its standings and games, and the form
// with which one is made. What they show of a tournament follows from its state, and sessions share what is computed for it.
package tournaments
