// Package club keeps the rules of a club: who may enter, chat and moderate, with its roles, sanctions,
// invitations, reports and audit log. It knows keys only in SSH wire format.
//
// A right comes from a key whose possession has been proved, or from the local socket of the machine, and
// from nothing else that a client sends. Codes of invitations are stored only as hashes, and attempts at
// them are limited for each address. Everybody who is refused gets a reason.
package club
