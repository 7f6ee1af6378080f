// Package load measures a server under load: sessions in the lobby, typing, spectators of one match, and
// games played by scripts. To make figures comparable between machines, it measures a bare server of
// golang.org/x/crypto/ssh with the same authentication and frame sizes in the same way, and reports the
// ratio.
//
// Each server is a separate process, so that the clients' costs do not count. The package uses it through SSH and its
// metrics; of a database it also reads the size of the log. Every wait is bounded, and everything ends with its context.
package load
