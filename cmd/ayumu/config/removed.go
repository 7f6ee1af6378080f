package config

import (
	"fmt"
	"os"
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

// isRemovedVariable reports whether a variable is that of a removed setting.
func isRemovedVariable(name string) bool {
	return slices.ContainsFunc(removedKeys, func(key string) bool { return Setting{Key: key}.Env() == name })
}

// Warnings returns what the operator should know of settings that can be used, a line each: removed settings that c was
// loaded with, and where each stands; and files with secrets that every user of the machine may read.
func (c *Config) Warnings() (all []string) {
	if len(c.removed) > 0 {
		all = append(all, "these settings no longer exist and have no effect; remove them: "+strings.Join(c.removed, ", "))
	}
	for _, s := range []struct{ key, file string }{
		{"notify.mail-password-file", c.Notify.MailPasswordFile}, {"nats-credentials", c.NATS.Credentials}, {"nats-key", c.NATS.Key},
	} {
		// It is no error: the secrets of Docker and Kubernetes have such modes, in a container that has no other users.
		if info, err := os.Stat(s.file); err == nil && info.Mode().Perm()&0o007 != 0 {
			all = append(all, fmt.Sprintf("%s: every user of this machine may read or change %s (mode %04o); give it mode 0600, or hand it to the service with LoadCredential=", s.key, s.file, info.Mode().Perm()))
		}
	}
	return all
}
