// Package load puts a server under load and says what that costs: people who look at the lobby,
// who type, who watch one match, and games by scripts. So that a figure means the same on every
// machine it does the same to a bare server of golang.org/x/crypto/ssh with the same
// authentication and frames of the same sizes, and gives the ratio.
//
// Each server is a process of its own, so that the clients do not count. It imports the engine
// for legal turns and golang.org/x/crypto/ssh; it knows the server only by its interfaces. Every
// wait is bounded, and everything ends with its context.
package load
