package config

import (
	"fmt"
	"os"
)

// Warnings returns what the operator should know of settings that can be used, a line each: files with secrets that every
// user of the machine may read.
func (c *Config) Warnings() (all []string) {
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
