// Package access decides which connections are admitted to a club. It knows SSH keys: it reads the
// operator's list of them, and identifies a visitor by the key whose possession they have proved.
package access
