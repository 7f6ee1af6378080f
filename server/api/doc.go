// Package api is the JSON interface for programs: one object a line in both directions
// (docs/protocol.md, section 2). It knows a session only as a stream of bytes.
//
// One goroutine reads lines, another answers them and writes events, one after the other, so that a program
// that does not read delays only itself. Events are not queued: a session is woken, and its events are
// computed from the logs and lists, so memory does not grow while it is slow.
package api
