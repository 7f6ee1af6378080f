package config

import (
	"slices"
	"strings"
)

// removedKeys are settings of older versions. They are accepted in files, flags and variables, with
// any value and without effect, so that a server with old settings starts. CHANGELOG.md lists them.
var removedKeys = []string{
	"limits.actions", "limits.actions-burst", "limits.blocks", "limits.channels", "limits.codes",
	"limits.codes-burst", "limits.command-bytes", "limits.env-bytes", "limits.env-count",
	"limits.exec-input-rate", "limits.grace", "limits.handshake", "limits.height", "limits.idle",
	"limits.input-rate", "limits.invitations", "limits.invitations-burst", "limits.keepalive", "limits.keys",
	"limits.keys-burst", "limits.matches-per-address", "limits.rekeys", "limits.rekeys-burst",
	"limits.reports", "limits.reports-burst", "limits.reports-per-address", "limits.reports-per-person",
	"limits.request-bytes", "limits.request-bytes-burst", "limits.requests", "limits.requests-burst",
	"limits.stall", "limits.tables-per-address", "limits.unauthenticated",
	"limits.unauthenticated-per-address", "limits.unused", "limits.watched", "limits.width",
}

// removedSetting returns the setting of a removed key, for its names.
func removedSetting(key string) (s Setting, ok bool) {
	return Setting{Key: key}, slices.Contains(removedKeys, key)
}

// Warning returns one line that names the removed settings that c was loaded with, and where each
// stands. It is empty if there are none.
func (c *Config) Warning() string {
	if len(c.removed) == 0 {
		return ""
	}
	return "these settings no longer exist and have no effect; remove them: " + strings.Join(c.removed, ", ")
}
