package club

import (
	"time"

	"ayumu/lobby/errcode"
	"ayumu/lobby/limit"
)

// The number of actions a minute of one moderator or owner that are not against other users, and at once.
const (
	actionRate  = 60
	actionBurst = 60
)

// actions counts the actions of moderators and owners, by their names.
type actions struct{ *limit.Buckets[string] }

func newActions() actions {
	return actions{limit.NewBuckets[string](limit.PerMinute(actionRate, actionBurst))}
}

// take counts an action, or returns why it is refused. The operator at the machine has no limit.
func (a actions) take(who Actor, hits *limit.Hits) error {
	if !who.Addr.IsValid() || a.Take(who.name(), time.Now(), 1) {
		return nil
	}
	hits.Add(hitActions)
	return &errcode.Error{Code: errcode.RateLimited, Message: "too many moderator commands in a minute; try again in a minute"}
}
