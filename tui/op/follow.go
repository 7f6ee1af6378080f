package op

import (
	"context"
	"sync/atomic"

	"ayumu/lobby/account"
)

// follow selects the matches that open automatically. The zero value selects none. Its methods may be called from any
// goroutine.
type follow struct{ whom atomic.Pointer[followed] }

// followed is a user whose matches open automatically, or stands for the featured matches.
type followed struct {
	id       account.ID
	name     string
	featured bool
}

// Follow makes the matches of a user open automatically, one after the other (Visit.NextFollowed).
func (f *follow) Follow(id account.ID, name string) {
	f.whom.Store(&followed{id: id, name: name})
}

// FollowFeatured makes the featured matches open automatically.
func (f *follow) FollowFeatured() { f.whom.Store(&followed{featured: true}) }

// Unfollow ends Follow and FollowFeatured.
func (f *follow) Unfollow() { f.whom.Store(nil) }

// IsFollowing reports whether matches open automatically.
func (f *follow) IsFollowing() bool { return f.whom.Load() != nil }

// Followed names what is followed: "the featured game" or a user's name; "": nothing.
func (f *follow) Followed() string {
	switch whom := f.whom.Load(); {
	case whom == nil:
		return ""
	case whom.featured:
		return "the featured game"
	default:
		return whom.name
	}
}

// NextFollowed returns the id of the match that the followed user plays, or of the featured one; "": none.
func (v *Visit) NextFollowed() string {
	whom := v.whom.Load()
	if whom == nil {
		return ""
	}
	view := v.Session.Lobby().View()
	if whom.featured {
		return view.Featured
	}
	return view.MatchPlayedBy(whom.id, whom.name)
}

// FollowArgs are the arguments of FollowGames.
type FollowArgs struct {
	Name string `json:"name" arg:"[NAME]" help:"a player who is online; by default the featured games"`
}

// followInfo describes an operation that selects which matches open automatically.
func followInfo(name, help string, keys ...string) Info {
	return Info{Name: name, Help: help, Group: GroupFind, Session: true,
		On: On{SSH: Not(opensAGame), API: Not("a program watches what it chooses from the operation matches"), Screen: As(keys...)}}
}

// FollowGames makes the matches of a user or the featured ones open automatically, and returns whose.
var FollowGames = New(Spec[FollowArgs, string]{
	Info: followInfo("follow", "watch each new game of a player; without a name, the featured games", "lobby f", "match f"),
	Run: func(_ context.Context, v *Visit, in FollowArgs) (string, error) {
		u := v.Lobby.View().Users.Named(in.Name)
		switch {
		case in.Name == "":
			v.FollowFeatured()
		case u == nil:
			return "", badRequest("no player named %s is online", in.Name)
		case u.ID == v.User().ID:
			return "", badRequest("this is you; your own games open automatically")
		default:
			v.Follow(u.ID, u.Name)
		}
		return v.Followed(), nil
	},
	Text: func(_ *Visit, _ FollowArgs, whom string) Text {
		return Say("Following %s. Each new game opens automatically; unfollow ends that.", whom)
	},
})

// UnfollowGames ends FollowGames.
var UnfollowGames = New(Spec[None, None]{
	Info: followInfo("unfollow", "stop following", "lobby"),
	Run: func(_ context.Context, v *Visit, _ None) (None, error) {
		if !v.IsFollowing() {
			return None{}, badRequest("you are not following anyone")
		}
		v.Unfollow()
		return None{}, nil
	},
	Text: func(*Visit, None, None) Text { return Say("You no longer follow anyone.") },
})
