package club_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"ayumu/lobby/account"
	"ayumu/lobby/club"
	"ayumu/lobby/errcode"
	"ayumu/lobby/rating"
	"ayumu/tui/paint"
	"ayumu/tui/screen/dest"
	"ayumu/tui/screen/screentest"
)

// listManager lists made-up members.
type listManager struct {
	club.Manager
	all   []club.Member
	calls int
}

func (m *listManager) Members(_ context.Context, after string, limit int) ([]club.Member, error) {
	m.calls++
	from := 0
	for from < len(m.all) && after != "" && m.all[from].Account.Name <= after {
		from++
	}
	return m.all[from:min(from+limit, len(m.all))], nil
}

func (m *listManager) Member(_ context.Context, name string) (club.Member, []account.Key, error) {
	for _, who := range m.all {
		if who.Account.Name == name {
			return who, nil, nil
		}
	}
	return club.Member{}, nil, &errcode.Error{Code: errcode.BadRequest, Message: "there is no account " + name}
}

func (*listManager) NotYetHere(context.Context) ([]club.UnusedKey, error) { return nil, nil }

func (*listManager) Invitations(context.Context) ([]club.ListedInvitation, error) { return nil, nil }

// madeUp returns n members, in the order of their names.
func madeUp(n int) *listManager {
	m := new(listManager)
	for i := range n {
		one := club.Member{
			Account: account.Account{ID: account.ID(i + 1), Name: fmt.Sprintf("member-%04d-long", i), CreatedAt: time.Now().AddDate(0, 0, -i)},
			Role:    club.RolePlayer, Keys: 1 + i%3, Games: i * 7 % 1000, LastSeen: time.Now().Add(-time.Duration(i) * 7 * time.Hour),
		}
		if i%4 == 0 {
			one.Account.Ratings = map[string]rating.Rating{"ayu": {Value: 1500 + float64(i*13%400), Deviation: 80 + float64(i%90)}}
		}
		m.all = append(m.all, one)
	}
	return m
}

// TestMembersAreManagedOnTheScreen: an owner gives roles, renames and removes, each after a confirmation.
func TestMembersAreManagedOnTheScreen(t *testing.T) {
	screentest.With(t, func(h *screentest.Harness) {
		c := h.NewClub()
		c.Users, c.Remove = &h.Lobby.Accounts, club.RemoveFrom(h.Lobby)
		h.Account("boss")
		bob := h.Member("bob")
		h.Rated(1, "bob", "carol")
		d := h.Visit(screentest.Setting{Name: "boss", Club: c, Role: club.RoleServerOwner})
		d.Press(":moderation :members")
		d.WantText("Members", "3 members, by name", "› bob", "boss", "carol", "Name", "Role", "Seen", "Games", "Ayu", "Keys", "bob: player, joined 1 Jan 2000", "1 finished game, 0", "Ayu 1662 ±290 ?.")
		d.Press(":role")
		d.WantText("bob is a player. Which role instead?", "m moderator", "o owner")
		d.Press("m")
		d.WantText("Make bob a moderator?")
		d.Press("n")
		if c.Roles.Of(bob.Account().ID) != club.RoleNobody {
			t.Error("bob has a role without a confirmation")
		}
		d.Press(":role m y")
		d.WantText("bob is a moderator from the next sign-in on.", "bob: moderator")
		d.Press(":role p")
		d.WantText("Make bob a player? Their sessions end.")
		d.Press("y")
		d.WantText("bob: player")
		d.Press(":rename backspace backspace backspace")
		d.TypeText("carol")
		d.Press("enter")
		d.WantText("Rename bob to carol?")
		d.Press("y")
		d.WantText("The name carol, or a similar one, is taken;")
		d.Press("backspace backspace backspace backspace backspace")
		d.TypeText("zack")
		d.Press("enter y")
		d.WantText("bob is now zack.", "› zack")
		d.Press("enter")
		d.WantText("Member zack", "zack, player, joined 2000-01-01", "key: ")
		d.Press("q :moderate")
		d.WantText("Moderate zack")
		d.Press("esc x")
		d.WantText("Delete the account zack? Finished games stay")
		d.Press("n x y")
		d.WantText("The account zack was deleted.", "2 members")
		d.WantNoText("› zack")
		d.Press("i")
		d.WantText("carol")
		d.Press("q :invitations")
		d.WantText("Invitations", "No valid invitations. Press n to create one.")
		d.Press("n enter")
		d.WantText("This is shown only once.")
		d.Press("q")
		d.WantText("1 valid invitation", "boss", "1 key", "0 keys")
		d.GoldenSizes("invitations")
		d.Press("x")
		d.WantText("Revoke invitation 1 by boss?")
		d.Press("y")
		d.WantText("Invitation 1 is revoked.", "No valid invitations.")
		d.Press("q q q")
		d.WantText("Open tables")
		log, err := h.Store.AuditLog(h.T.Context(), 99)
		var actions []string
		for _, e := range log {
			actions = append(actions, e.Actor+" "+e.Action)
		}
		if got := strings.Join(actions, "; "); err != nil || got != "boss makes bob moderator; boss makes bob player; boss renames bob to zack; boss removes zack; boss creates an invitation; boss revokes invitation 1" {
			t.Errorf("the audit log has %s, %v", got, err)
		}
	})
}

// TestMembersArePrivate: players see nothing of the members; moderators see them and change nothing.
func TestMembersArePrivate(t *testing.T) {
	screentest.With(t, func(h *screentest.Harness) {
		c := h.NewClub()
		h.Account("ana")
		h.Account("mod")
		player := h.Visit(screentest.Setting{Name: "ana", Club: c, Role: club.RolePlayer})
		for _, to := range []dest.Destination{dest.Members{}, dest.Invitations{}, dest.Moderation{}} {
			player.Start(player.Open(to))
			player.Drain()
			player.WantText("Open tables")
		}
		d := h.Visit(screentest.Setting{Name: "mod", Club: c, Role: club.RoleModerator})
		d.Press(":moderation s")
		d.WantNoText("Statistics")
		d.Press(":members")
		d.WantText("2 members", ": moderate …")
		d.WantNoText("o role", "n rename", "x remove")
		d.Press("o n x")
		d.WantNoText("Which role", "New name", "Delete the account")
		d.Press("?")
		d.WantNoText("for server owners")
		d.Press("q :invitations")
		d.WantText("No valid invitations.")
	})
}

// TestMembersAreSortedAndSearched with a thousand of them.
func TestMembersAreSortedAndSearched(t *testing.T) {
	screentest.With(t, func(h *screentest.Harness) {
		h.Account("boss")
		o, m := moderators(), madeUp(1000)
		o.allowed = append(o.allowed, club.PermissionSeeMembers, club.PermissionMembers)
		d := h.Visit(screentest.Setting{Name: "boss", Moderator: o, Manager: m})
		d.Press(":moderation :members")
		d.WantText("1000 members, by name", "› member-0000-long")
		if m.calls != 6 {
			t.Errorf("%d calls read a thousand members", m.calls)
		}
		d.Press("end")
		d.WantText("› member-0999-long")
		d.Press("home right right right")
		d.WantText("by games", "› member-0000-long")
		d.Press("home")
		d.WantText("› member-0857-long", " 999 ") // 857 * 7 is 5999
		d.Press(":reverse home")
		d.WantText("by games, reversed", "› member-0000-long")
		d.Press("left home")
		d.WantText("by last visit", "› member-0000-long      player    now")
		d.Press("left")
		d.WantText("by role")
		d.Press("left left")
		d.WantText("by Mu, 3 and more rating")
		d.Press("right /")
		d.TypeText("R-001")
		d.Press("enter")
		d.WantText("10 of 1000 members, by name", "› member-0010-long", "q all members")
		d.Press("/")
		d.TypeText("nobody")
		d.Press("enter")
		d.WantText(`No member's name contains "nobody".`)
		d.Press("esc q")
		d.WantText("1000 members, by name")
		d.Press("q")
		d.WantText("Moderation")
	})
}

// TestMoreMembersThanAreListed: the others are found by their names.
func TestMoreMembersThanAreListed(t *testing.T) {
	screentest.With(t, func(h *screentest.Harness) {
		h.Account("boss")
		o, m := moderators(), madeUp(2500)
		o.allowed = append(o.allowed, club.PermissionSeeMembers)
		d := h.Visit(screentest.Setting{Name: "boss", Moderator: o, Manager: m})
		d.Press(":moderation :members")
		d.WantText("the first 2000 members", "The first 2000 members by name are listed; / finds the others.")
		d.Press("/")
		d.TypeText("member-2400-long")
		d.Press("enter")
		d.WantText("› member-2400-long", "1 of the first 2001 members")
		d.Press("q /")
		d.TypeText("nobody")
		d.Press("enter")
		d.WantText("There is no account nobody.")
	})
}

// TestGoldenMembers draws the list in several sizes, without colours and without members.
func TestGoldenMembers(t *testing.T) {
	for _, size := range []screentest.Setting{{Width: 80, Height: 24}, {Width: 60, Height: 20}, {Width: 40, Height: 16}, {Width: 120, Height: 40}, {Width: 200, Height: 60}, {Width: 60, Height: 20, Profile: paint.Profile{Colors: paint.NoColor}}} {
		screentest.With(t, func(h *screentest.Harness) {
			h.Account("boss")
			o, m := moderators(), madeUp(30)
			o.allowed = append(o.allowed, club.PermissionSeeMembers, club.PermissionMembers)
			m.all[0].Role, m.all[1].Role, m.all[2].Account.Bot = club.RoleServerOwner, club.RoleModerator, true
			m.all[3].LastSeen, m.all[0].IsInvited, m.all[0].LastGame = time.Time{}, true, time.Now()
			size.Name, size.Moderator, size.Manager = "boss", o, m
			d := h.Visit(size)
			d.Press(":moderation :members")
			name := "members" + size.Suffix()
			d.Golden(name)
		})
	}
	screentest.With(t, func(h *screentest.Harness) {
		h.Account("boss")
		o := moderators()
		o.allowed = append(o.allowed, club.PermissionSeeMembers)
		d := h.Visit(screentest.Setting{Name: "boss", Moderator: o, Manager: madeUp(0)})
		d.Press(":moderation :members")
		d.WantText("0 members, by name", "No members.")
	})
}
