package lobby_test

import (
	"fmt"
	"net/netip"
	"slices"
	"strings"
	"testing"
	"time"

	"ayumu/lobby"
	"ayumu/lobby/club"
	"ayumu/lobby/cluster/rows"
	"ayumu/lobby/errcode"
	"ayumu/lobby/match"
	"ayumu/lobby/table"
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
		clubs[0].Users, clubs[1].Users = &first.Accounts, &second.Accounts

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
		wantCode(t, "chat of a muted player", ana.Say("hello"), errcode.NotAllowed)
		wantCode(t, "lift", m.Lift(t.Context(), club.KindMute, "ana"), "")
		c.settle()
		wantCode(t, "chat", ana.Say("hello"), "")
		if _, ended, err := m.Ban(t.Context(), club.Target{Name: "ana"}, time.Hour, ""); ended != 1 || err != nil {
			t.Fatal(ended, err)
		}
		c.settle()
		if notice != "You have been banned." || clubs[1].CheckBan(nil, ana.Account().ID, netip.Addr{}, club.RolePlayer) == nil {
			t.Errorf("the session ended with %q", notice)
		}
		manager := clubs[0].Manager(club.Actor{Role: club.RoleServerOwner, Name: "boss"})
		wantCode(t, "rename", manager.Rename(t.Context(), "ana", "anna"), "")
		c.settle()
		if got := ana.Account().Name; got != "anna" {
			t.Errorf("renamed on one node, the player's session on the other has the name %s", got)
		}
		for i, name := range []string{"hannah", "hanna"} { // by two commands of the operator, one after the other
			command, err := club.New(t.Context(), c.store.(club.Store))
			if err != nil {
				t.Fatal(err)
			}
			command.Share = func(id string, data []byte) {
				wantCode(t, "share", lobby.ShareModeration(t.Context(), c, id, data), "")
			}
			boss := command.Manager(club.Actor{Role: club.RoleServerOwner, Name: "operator"})
			wantCode(t, "rename", boss.Rename(t.Context(), []string{"anna", "hannah"}[i], name), "")
			if advance(2 * time.Second); ana.Account().Name != name { // nobody sends a message
				t.Errorf("renamed by a command to %s, the player's session has the name %s", name, ana.Account().Name)
			}
		}
	})
}

// chatTexts returns the lines of a room as "author: text".
func chatTexts(c *lobby.Chat) (all []string) {
	for _, l := range c.Since(0) {
		all = append(all, l.Author+": "+l.Text)
	}
	return all
}

// TestChatOnAllNodes: the lines of the lobby's room and of both rooms of a match reach the other node, also one that
// starts later, and an announcement reaches every room once.
func TestChatOnAllNodes(t *testing.T) {
	withCluster(t, func(t *testing.T, c *sharedStore, a, b harness) {
		seats := c.pairAcross(a, b, table.Proposal{Options: smallOptions})
		id := seats[0].Match().Info.ID
		eve := b.member("eve")
		watcher, err := eve.Watch(id, "")
		if err != nil {
			t.Fatal(err)
		}
		say := func(who string, err error) {
			t.Helper()
			if err != nil {
				t.Fatal(who, err)
			}
			advance(2 * time.Second)
		}
		say("seat 0", seats[0].Say("good luck"))
		say("seat 1", seats[1].Say("you too"))
		say("eve", watcher.Say("nice"))
		say("eve", eve.Say("hello"))
		a.Announce("maintenance")
		c.settle()
		check := func(name string, h harness) {
			t.Helper()
			m, err := h.Match(id)
			if err != nil {
				t.Fatal(err)
			}
			names := [2]string{m.Info.Seats[0].Name, m.Info.Seats[1].Name}
			players := []string{names[0] + ": good luck", names[1] + ": you too", "*: maintenance"}
			if name == "later" {
				players = players[:2] // announcements in matches are not kept
			}
			for room, want := range map[*lobby.Chat][]string{
				&m.PlayerChat:    players,
				&m.SpectatorChat: append([]string{"eve: nice"}, players[2:]...),
				&h.Chat:          {"eve: hello", "*: maintenance"},
			} {
				if got := chatTexts(room); !slices.Equal(got, want) {
					t.Errorf("node %s: %q, want %q", name, got, want)
				}
			}
		}
		check("a", a)
		check("b", b)
		later := c.node("later")
		defer later.Close()
		check("later", later)

		wantCode(t, "resign", seats[0].Resign(t.Context()), "")
		watcher.Close()
		if testing.Short() {
			return // eleven minutes of three nodes take a minute with the race detector
		}
		advance(11 * time.Minute)
		found, _, err := c.Changes(t.Context(), "")
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range found {
			if strings.Contains(r.ID, id) {
				t.Errorf("the row %s %s of a forgotten match is left", r.Kind, r.ID)
			}
		}
	})
}

// TestChatOfAStartingMatch: a line that is read together with the start of its match is shown.
func TestChatOfAStartingMatch(t *testing.T) {
	withCluster(t, func(t *testing.T, c *sharedStore, a, b harness) {
		seats := a.pair(a.member("ana"), a.member("bob"), table.Proposal{Options: smallOptions})
		if err := seats[0].Say("good luck"); err != nil {
			t.Fatal(err)
		}
		c.settle()
		m, err := b.Match(seats[0].Match().Info.ID)
		if err != nil || len(chatTexts(&m.PlayerChat)) != 1 {
			t.Error(err, chatTexts(&m.PlayerChat))
		}
	})
}

// TestARoomKeepsItsLastLines: older ones have no rows.
func TestARoomKeepsItsLastLines(t *testing.T) {
	withCluster(t, func(t *testing.T, c *sharedStore, a, b harness) {
		ana, bob := a.member("ana"), b.member("bob")
		for i := range 130 {
			s := []*lobby.Session{ana, bob}[i%2]
			wantCode(t, "chat", s.Say(fmt.Sprint("line ", i)), "")
			advance(2 * time.Second)
		}
		found, _, err := c.Changes(t.Context(), "")
		if err != nil {
			t.Fatal(err)
		}
		n := 0
		for _, r := range found {
			if r.Kind == "chat" {
				n++
			}
		}
		if x, y := chatTexts(&a.Chat), chatTexts(&b.Chat); n != 100 || len(x) != 100 || !slices.Equal(x, y) {
			t.Errorf("%d rows, %q and %q", n, x, y)
		}
	})
}

// kill ends a node without what it would have written at its end: nobody hears of it any more.
func (c *sharedStore) kill(h harness) {
	c.dead.Store(true)
	h.Close()
	c.dead.Store(false)
}

// TestDraftsOnAllNodes: a player who reconnects to another node after the first has died finds the draft, and it is
// gone with the turn.
func TestDraftsOnAllNodes(t *testing.T) {
	withCluster(t, func(t *testing.T, c *sharedStore, a, _ harness) {
		b := c.node("x")
		ana, bob := b.member("ana"), b.member("bob")
		seats := b.pair(ana, bob, table.Proposal{Options: smallOptions})
		c.settle()
		id, s := seats[0].Match().Info.ID, seats[0].Snapshot()
		legal := s.Position.Legal()
		wantCode(t, "draft of too many actions", seats[0].SetDraft(0, make([]string, match.MaxActions+1)), errcode.IllegalAction)
		before := c.writes.Load()
		for i := range 20 { // a draft that changes often is written seldom
			wantCode(t, "draft", seats[0].SetDraft(0, legal[i%10:i%10+1]), "")
			advance(10 * time.Millisecond)
		}
		c.settle()
		if n := c.writes.Load() - before; n > 12 { // with heartbeats
			t.Errorf("%d writes for 20 changes of a draft within 200 ms", n)
		}
		c.kill(b)
		player, err := a.member(seats[0].Match().Info.Seats[0].Name).AsPlayer(id)
		if err != nil {
			t.Fatal(err)
		}
		if d := player.Draft(); !slices.Equal(d.Actions, legal[9:10]) || d.Version != 0 {
			t.Errorf("draft %+v on the other node", d)
		}
		later := c.node("later")
		defer later.Close()
		again, err := later.member(seats[0].Match().Info.Seats[0].Name).AsPlayer(id)
		if err != nil || len(again.Draft().Actions) != 1 {
			t.Fatal(err, again.Draft())
		}
		wantCode(t, "draft", again.SetDraft(0, legal[2:3]), "")
		advance(time.Second)
		c.settle()
		if d := player.Draft(); !slices.Equal(d.Actions, legal[2:3]) {
			t.Errorf("draft %+v after a change on the third node", d)
		}
		if _, err := player.Act(t.Context(), 0, legal[2:3]); err != nil {
			t.Fatal(err)
		}
		advance(time.Second)
		c.settle()
		for name, p := range map[string]*lobby.Player{"a": player, "later": again} {
			if d := p.Draft(); len(d.Actions) > 0 {
				t.Errorf("after the turn %s has the draft %+v", name, d)
			}
		}
		last := c.node("last")
		defer last.Close()
		if p, err := last.member(player.Match().Info.Seats[0].Name).AsPlayer(id); err != nil || len(p.Draft().Actions) > 0 {
			t.Error("a node that starts after the turn has the draft of a dead node", err)
		}
	})
}

// TestSpectatorsOnAllNodes are counted, without those of a node that has died.
func TestSpectatorsOnAllNodes(t *testing.T) {
	withCluster(t, func(t *testing.T, c *sharedStore, a, b harness) {
		dies := c.node("x")
		seats := a.pair(a.member("ana"), a.member("bob"), table.Proposal{Options: smallOptions})
		id := seats[0].Match().Info.ID
		c.settle()
		var watching []*lobby.Spectator
		for i, h := range []harness{a, b, b, dies} {
			w, err := h.member(fmt.Sprint("watcher", i)).Watch(id, "")
			if err != nil {
				t.Fatal(err)
			}
			watching = append(watching, w)
		}
		want := func(what string, n int, nodes ...harness) {
			t.Helper()
			advance(time.Second)
			c.settle()
			for i, h := range nodes {
				m, err := h.Match(id)
				if err != nil {
					t.Fatal(err)
				}
				if listed := h.View().Matches[0].Spectators; m.SpectatorCount() != n || listed != n {
					t.Errorf("%s: node %d counts %d and lists %d, want %d", what, i, m.SpectatorCount(), listed, n)
				}
			}
		}
		want("all", 4, a, b, dies)
		watching[1].Close()
		want("one closed", 3, a, b, dies)
		c.kill(dies)
		advance(15 * time.Second)
		want("a node died", 2, a, b)
		later := c.node("later")
		defer later.Close()
		want("a node started", 2, a, b, later)
		watching[0].Close()
		watching[2].Close()
		want("all closed", 0, a, b, later)
		_, before, err := c.Changes(t.Context(), "")
		if err != nil {
			t.Fatal(err)
		}
		watching[0].Close()
		own, err := a.member("ana").Watch(id, "")
		if err != nil {
			t.Fatal(err)
		}
		own.Close()
		want("neither a player nor one who has closed", 0, a, b, later)
		found, _, err := c.Changes(t.Context(), before)
		if err != nil || slices.ContainsFunc(found, func(r rows.Row) bool { return r.Kind == "spectators" }) {
			t.Errorf("a number that has not changed was written, %v", err)
		}
	})
}

// TestListsOnAllNodes: both nodes list and feature the same matches, show who plays where, and offer them for
// watching; so do those who follow a player or watch several matches.
func TestListsOnAllNodes(t *testing.T) {
	withCluster(t, func(t *testing.T, c *sharedStore, a, b harness) {
		ana, bob, eve := a.member("ana"), a.member("bob"), b.member("eve")
		id := a.pair(ana, bob, table.Proposal{Options: smallOptions})[0].Match().Info.ID
		other := b.pair(b.member("cyd"), b.member("dan"), table.Proposal{Options: smallOptions})[0].Match().Info.ID
		advance(2 * time.Second)
		c.settle()
		for name, h := range map[string]harness{"a": a, "b": b} {
			v := h.View()
			var listed, online []string
			for _, m := range v.WatchableBy(eve.Account().ID) {
				listed = append(listed, m.ID)
			}
			for u := range v.Users.All() {
				online = append(online, u.Name+" "+u.Match)
			}
			if len(listed) != 2 || !slices.Contains(listed, id) || !slices.Contains(listed, other) || v.Featured == "" || listed[0] != v.Featured {
				t.Errorf("node %s lists %v and features %q", name, listed, v.Featured)
			}
			if want := []string{"ana " + id, "bob " + id, "cyd " + other, "dan " + other, "eve "}; !slices.Equal(online, want) {
				t.Errorf("node %s: online are %q, want %q", name, online, want)
			}
		}
		if x, y := a.View().Featured, b.View().Featured; x != y {
			t.Errorf("featured are %q and %q", x, y)
		}
	})
}
