package client

import (
	"strings"

	"ayumu/lobby"
)

// followTarget selects the matches that open by themselves: those of a user, or the featured ones. The zero
// value is none.
type followTarget struct {
	id       lobby.AccountID
	name     string
	featured bool
}

// Follow makes the matches of a user open by themselves, one after the other (NextFollowed).
func (c *Client) Follow(id lobby.AccountID, name string) { c.follow = followTarget{id: id, name: name} }

// FollowFeatured makes the featured matches open by themselves.
func (c *Client) FollowFeatured() { c.follow = followTarget{featured: true} }

// Unfollow ends Follow and FollowFeatured.
func (c *Client) Unfollow() { c.follow = followTarget{} }

// IsFollowing reports whether matches open by themselves.
func (c *Client) IsFollowing() bool { return c.follow != followTarget{} }

// Followed names what is followed: "the featured game" or a user's name; "": nothing.
func (c *Client) Followed() string {
	if c.follow.featured {
		return "the featured game"
	}
	return c.follow.name
}

// NextFollowed returns the id of the match that the followed user plays, or of the featured one; "": none.
func (c *Client) NextFollowed() string {
	if !c.IsFollowing() {
		return ""
	}
	v := c.Session.Lobby().View()
	if c.follow.featured {
		return v.Featured
	}
	for _, p := range v.Users {
		if p.ID == c.follow.id {
			return p.Match
		}
	}
	return ""
}

// UserByName returns the user who is online under a name, ignoring case.
func UserByName(v *lobby.View, name string) (u lobby.UserListing, ok bool) {
	for _, u := range v.Users {
		if strings.EqualFold(u.Name, name) {
			return u, true
		}
	}
	return lobby.UserListing{}, false
}
