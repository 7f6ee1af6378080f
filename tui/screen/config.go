package screen

import (
	"strings"

	"ayumu/lobby/match"
	"ayumu/tui/op"
	"ayumu/tui/theme"
	"ayumu/tui/widget"
)

// Config describes the visitor and the server to a session with screens. It must not be changed while a
// session uses it.
type Config struct {
	op.Config
	// Record is a match that is shown first, with its analysis, instead of the destination; nil: none.
	Record *match.Snapshot
	// Picture is the operator's picture; nil: none.
	Picture widget.Picture
	// Shared is what the server's sessions share; nil: nothing.
	Shared *Shared
	// Themes are the server's colours, shared by all sessions; nil: theme.DefaultSet.
	Themes *theme.ThemeSet
}

// SSHCommand returns the command that connects to this server; "" if unknown.
func (c *Config) SSHCommand() string {
	if c.SSHTarget == "" {
		return ""
	}
	return "ssh " + c.SSHTarget
}

// SSHArguments returns the arguments for ssh to connect to this server; "HOST" if unknown.
func (c *Config) SSHArguments() string {
	if c.SSHTarget == "" {
		return "HOST"
	}
	return strings.TrimSpace(c.SSHTarget)
}
