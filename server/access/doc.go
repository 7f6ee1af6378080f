// Package access decides who may do what: who may connect, who may chat, and which role may use which
// command of moderation. It imports the lobby and its store, and no other package of this module.
//
// A right comes from a key whose possession has been proved, or from the local socket of the machine, and
// from nothing else that a client sends. Codes of invitations are stored only as hashes, and attempts at
// them are limited for each address. Everybody who is refused gets a reason, as a complete sentence.
package access
