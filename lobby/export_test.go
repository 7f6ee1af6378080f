package lobby

import (
	"context"
	"fmt"
)

// CheckUserList compares the list of users, which changes bring up to date one by one, with all users.
func (l *Lobby) CheckUserList() error {
	v := l.View()
	l.mu.Lock()
	defer l.mu.Unlock()
	present := 0
	for id, u := range l.users.byID {
		a := u.Account()
		switch i := v.Users.Index(id, a.Name); {
		case u.absence().IsPresent() != (i >= 0):
			return fmt.Errorf("%s is listed: %t, present: %t", a.Name, i >= 0, u.absence().IsPresent())
		case i >= 0:
			present++
			if listed := v.Users.At(i); listed.Name != a.Name || listed.Match != v.playing[id] || len(listed.Ratings) != len(a.Ratings) {
				return fmt.Errorf("%s is listed as %+v, and plays %q", a.Name, listed, v.playing[id])
			}
		}
	}
	if n := v.Users.Len(); n != present {
		return fmt.Errorf("%d users are listed, %d are present", n, present)
	}
	return nil
}

// FollowTableAgain takes over the known state of a table once more (rows.Shared.Apply).
func (l *Lobby) FollowTableAgain(ctx context.Context, id string) error {
	return follower{l}.followTable(ctx, id, l.rows.tables.Get(id))
}

// GuestDigest returns the digest of a return code.
func GuestDigest(code string) string { return guestDigest(code) }
