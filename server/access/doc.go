// Package access is the one place that decides who may do what: who may come in, who may speak,
// and which role may give which command. It imports the lobby and its store.
//
// It promises that a right comes from a key whose owner has proved to have it, or from the local
// socket of the machine, and from nothing else that a client says; that codes of invitations are
// kept only as hashes and that guessing them is limited for all strangers together; and that
// whoever is turned away is told why in a sentence.
package access
