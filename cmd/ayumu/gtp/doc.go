// Package gtp implements the text protocols of `ayumu engine`.
//
// The framing is that of the Go Text Protocol, version 2. Everything common to all games uses
// engine.Position; what only some games can do is an optional interface of engine (engine/tools.go). The line
// protocol of the CodeCup, `ayumu engine --codecup`, is in codecup.go.
package gtp
