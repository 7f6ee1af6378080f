package op

import "ayumu/lobby"

// following selects the matches that open by themselves: those of a user, or the featured ones. The zero value is
// none.
type following struct {
	id       lobby.AccountID
	name     string
	featured bool
}

// Follow makes the matches of a user open by themselves, one after the other (Visit.NextFollowed).
func (f *following) Follow(id lobby.AccountID, name string) { *f = following{id: id, name: name} }

// FollowFeatured makes the featured matches open by themselves.
func (f *following) FollowFeatured() { *f = following{featured: true} }

// Unfollow ends Follow and FollowFeatured.
func (f *following) Unfollow() { *f = following{} }

// IsFollowing reports whether matches open by themselves.
func (f *following) IsFollowing() bool { return *f != following{} }

// Followed names what is followed: "the featured game" or a user's name; "": nothing.
func (f *following) Followed() string {
	if f.featured {
		return "the featured game"
	}
	return f.name
}

// NextFollowed returns the id of the match that the followed user plays, or of the featured one; "": none.
func (c *Visit) NextFollowed() string {
	if !c.IsFollowing() {
		return ""
	}
	v := c.Session.Lobby().View()
	if c.featured {
		return v.Featured
	}
	return v.MatchOf(c.id, c.name)
}
