package client

import (
	"context"
	"time"
)

// Moderation gives one user access to moderation. Implementations authorize every call; CanUse only
// lets a front end hide what the user may not do. Methods may be called from any goroutine.
type Moderation interface {
	// CanUse reports whether the user may use a command of moderation, such as "mute", or "report".
	CanUse(command string) bool
	// Run executes a command given as words and returns its output.
	Run(ctx context.Context, words ...string) (string, error)
	// Report reports the user named about to the moderators.
	Report(ctx context.Context, about, what string) error
	// Sanctions lists the active sanctions, and Reports the open reports, both oldest first.
	Sanctions(ctx context.Context) ([]Sanction, error)
	Reports(ctx context.Context) ([]Report, error)
	// CountReports returns the number of open reports.
	CountReports(ctx context.Context) (int, error)
	// BanTargets returns what besides the name can be banned of a user: keys, addresses, networks.
	BanTargets(ctx context.Context, name string) ([]string, error)
}

// Sanction is a mute, a ban, or a closed chat room. LiftCommand is the command that ends it.
type Sanction struct {
	Kind, Who, Reason, By, LiftCommand string
	Until                              time.Time // zero: permanent
}

// Report is a report of a user to the moderators.
type Report struct {
	ID              int64
	At              time.Time
	By, About, Text string
}
