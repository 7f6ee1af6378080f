package presence

import (
	"net/netip"
	"time"
)

// User has what nodes other than this one say about a user, and when the user was last on any node. It is not
// safe for concurrent use. NewUser is the constructor.
type User struct {
	last    Absence
	isKnown bool               // last is from a node, not from NewUser
	others  map[string]*remote // by node: where the user has sessions, or had when the node died
}

// remote is the user's sessions on another node.
type remote struct {
	Row
	at   time.Time // when the row was written
	died time.Time // when the node sent its last heartbeat; zero: it is alive
}

// lost returns the absence of a user whose node has died: since it was last known that the user was there.
func (r *remote) lost() Absence {
	since := r.died
	if r.at.After(since) {
		since = r.at
	}
	return Absence{Since: since, Dropped: true, NodeDied: true, Excused: true}
}

// NewUser returns a user who has not been seen yet: they are absent since now, as if their connection had broken.
func NewUser(now time.Time) User {
	return User{last: Absence{Since: now, Dropped: true, Excused: true}}
}

// MarkAbsent notes that the user has had no session on a node since then.
func (u *User) MarkAbsent(a Absence) {
	if !u.isKnown || a.Since.After(u.last.Since) {
		u.last, u.isKnown = a, true
	}
}

// Follow takes over the row of another node. at is the time at which the row was written, and died that of the
// node's last heartbeat; zero: it is alive. It reports whether the account may have changed in the store.
func (u *User) Follow(node string, r Row, at, died time.Time) (accountChanged bool) {
	before := u.others[node]
	if r.Sessions > 0 {
		if u.others == nil {
			u.others = make(map[string]*remote)
		}
		u.others[node] = &remote{r, at, died}
		return before == nil || before.Changes != r.Changes
	}
	delete(u.others, node)
	switch {
	case !r.Absence.IsPresent():
		u.MarkAbsent(r.Absence)
	case before != nil && !before.died.IsZero():
		u.MarkAbsent(before.lost())
	case before != nil: // another process of the node has deleted the row
		u.MarkAbsent(Absence{Since: at, Dropped: true, NodeDied: true, Excused: true})
	}
	return before != nil // the last change may never have been written
}

// SetNodes notes which nodes have died: died returns the time of a node's last heartbeat, or the zero time if it
// is alive. It reports whether that changes anything for the user.
func (u *User) SetNodes(died func(node string) time.Time) (changed bool) {
	for node, o := range u.others {
		if at := died(node); !at.Equal(o.died) {
			o.died, changed = at, true
		}
	}
	return changed
}

// Absence returns the absence of a user who has no session on this node: that on the node where they were last. If
// they were on one that has died, their connection broke.
func (u *User) Absence() Absence {
	last, isKnown := u.last, u.isKnown
	for _, o := range u.others {
		if o.died.IsZero() {
			return Absence{}
		}
		if lost := o.lost(); !isKnown || lost.Since.After(last.Since) {
			last, isKnown = lost, true
		}
		last.Dropped, last.NodeDied, last.Excused = true, true, true
	}
	return last
}

// Last returns the absence since the user was last on a node, as if they were on none now.
func (u *User) Last() Absence { return u.last }

// IsOnOtherNode reports whether another node has the user, also one that has died and may come back.
func (u *User) IsOnOtherNode() bool { return len(u.others) > 0 }

// Sessions returns the number of the user's sessions on the other nodes that are alive.
func (u *User) Sessions() (n int) {
	for _, o := range u.others {
		if o.died.IsZero() {
			n += o.Row.Sessions
		}
	}
	return n
}

// Nodes returns the other nodes that are alive and on which the user has sessions.
func (u *User) Nodes() (all []string) {
	for node, o := range u.others {
		if o.died.IsZero() && o.Row.Sessions > 0 {
			all = append(all, node)
		}
	}
	return all
}

// Origins returns the origins of the user's sessions on the other nodes that are alive.
func (u *User) Origins() (all []netip.Prefix) {
	for _, o := range u.others {
		if o.died.IsZero() {
			all = append(all, o.Row.Origins...)
		}
	}
	return all
}

// ReturnDigest returns the digest of a guest's return code, as far as another node knows it.
func (u *User) ReturnDigest() string {
	for _, o := range u.others {
		if o.Row.ReturnDigest != "" {
			return o.Row.ReturnDigest
		}
	}
	return ""
}

// NotBefore returns the absence with a start that is not before a time: since then the node has been in touch with the
// store, and what happened before it cannot know.
func (a Absence) NotBefore(since time.Time) Absence {
	if !a.IsPresent() && a.Since.Before(since) {
		a.Since = since
	}
	return a
}
