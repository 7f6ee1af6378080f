package lobby_test

import (
	"net/netip"
	"testing"
	"time"

	"ayumu/lobby"
	"ayumu/lobby/club"
)

// TestModerationOnAllNodes: what a moderator does on one node reaches the other through the lobbies.
func TestModerationOnAllNodes(t *testing.T) {
	withCluster(t, func(t *testing.T, c *sharedStore, _, _ harness) {
		var clubs []*club.Club
		c.configure = func(config *lobby.Config) {
			next, err := club.New(t.Context(), c.store.(club.Store))
			if err != nil {
				t.Fatal(err)
			}
			next.SetPolicy(club.PublicPolicy(), nil)
			config.CheckChat, config.FollowModeration = next.CheckChat, next.Follow
			clubs = append(clubs, next)
		}
		first, second := c.node("c"), c.node("d")
		defer first.Close()
		defer second.Close()
		clubs[0].Share, clubs[1].Share = first.ShareModeration, second.ShareModeration

		ana := second.member("ana")
		notice := ""
		enter := func() {
			s := &club.Session{Key: []byte("key of ana"), Role: club.RolePlayer, End: func(text string) { notice = text }}
			clubs[1].Sessions.Add(s)
			clubs[1].Sessions.SetAccount(s, ana.Account())
			advance(time.Second)
		}
		enter()
		m := clubs[0].Moderator(club.Actor{Role: club.RoleModerator, Name: "mod"})
		if _, err := m.Mute(t.Context(), "ana", time.Hour, "noise"); err != nil {
			t.Fatal(err)
		}
		c.settle()
		wantCode(t, "chat of a muted player", ana.Say("hello"), lobby.CodeNotAllowed)
		wantCode(t, "lift", m.Lift(t.Context(), club.KindMute, "ana"), "")
		c.settle()
		wantCode(t, "chat", ana.Say("hello"), "")
		if _, _, err := m.Ban(t.Context(), club.Target{Name: "ana"}, time.Hour, ""); err != nil {
			t.Fatal(err)
		}
		c.settle()
		if notice != "You have been banned." || clubs[1].CheckBan(nil, ana.Account().ID, netip.Addr{}, club.RolePlayer) == nil {
			t.Errorf("the session ended with %q", notice)
		}
	})
}
