package club_test

import (
	"context"
	"errors"
	"maps"
	"net/netip"
	"reflect"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"ayumu/lobby"
	"ayumu/lobby/account"
	"ayumu/lobby/club"
	"ayumu/lobby/errcode"
	"ayumu/lobby/lobbytest"
	"ayumu/lobby/store/sqlite"
)

func openClub(t *testing.T) (*club.Club, *sqlite.Store) {
	t.Helper()
	db := lobbytest.Store(t)
	c, err := club.New(t.Context(), db)
	if err != nil {
		t.Fatal(err)
	}
	c.SetPolicy(club.PublicPolicy(), nil)
	return c, db
}

// code returns the code of an *errcode.Error, or "".
func code(err error) errcode.Code {
	var e *errcode.Error
	if errors.As(err, &e) {
		return e.Code
	}
	return ""
}

// TestEveryMethodChecksThePermission calls each method of a moderator, including new ones, with the role of
// a player, and with that of nobody what others may do. Those of a manager are called with the role of a moderator, apart
// from the lists that moderators see.
func TestEveryMethodChecksThePermission(t *testing.T) {
	c, db := openClub(t)
	if _, err := db.CreateAccount(t.Context(), "ana", []byte("key of ana"), time.Now()); err != nil {
		t.Fatal(err)
	}
	player, nobody := c.Moderator(club.Actor{Role: club.RolePlayer, Name: "bob"}), c.Moderator(club.Actor{Name: "eve"})
	manager, member := c.Manager(club.Actor{Role: club.RoleModerator, Name: "mod"}), c.Manager(club.Actor{Role: club.RolePlayer, Name: "bob"})
	moderators := []string{"Members", "Member", "NotYetHere", "Invitations", "Revoke"} // methods of a manager that they may call
	type method struct {
		name string
		call reflect.Value
	}
	var all []method
	for kind, m := range map[reflect.Type]any{reflect.TypeFor[club.Moderator](): player, reflect.TypeFor[club.Manager](): manager} {
		for i := range kind.NumMethod() {
			name := kind.Method(i).Name
			call := reflect.ValueOf(m).MethodByName(name)
			switch {
			case name == "Report", name == "RecordRuling": // for all players
				call = reflect.ValueOf(nobody).MethodByName(name)
			case slices.Contains(moderators, name):
				call = reflect.ValueOf(member).MethodByName(name)
			}
			all = append(all, method{name, call})
		}
	}
	for _, m := range all {
		name, call := m.name, m.call
		if name == "Permit" {
			continue
		}
		args := []reflect.Value{reflect.ValueOf(t.Context())}
		for in := 1; in < call.Type().NumIn(); in++ {
			switch kind := call.Type().In(in); kind {
			case reflect.TypeFor[string]():
				args = append(args, reflect.ValueOf("ana"))
			case reflect.TypeFor[club.Target]():
				args = append(args, reflect.ValueOf(club.Target{Name: "ana"}))
			case reflect.TypeFor[club.SanctionKind]():
				args = append(args, reflect.ValueOf(club.KindBan))
			case reflect.TypeFor[lobby.Room]():
				args = append(args, reflect.ValueOf(lobby.LobbyRoom))
			case reflect.TypeFor[int](), reflect.TypeFor[int64](), reflect.TypeFor[club.Role]():
				args = append(args, reflect.ValueOf(1).Convert(kind))
			case reflect.TypeFor[time.Duration]():
				args = append(args, reflect.ValueOf(time.Hour))
			default:
				args = append(args, reflect.Zero(kind))
			}
		}
		out := call.Call(args)
		if err, _ := out[len(out)-1].Interface().(error); code(err) != errcode.NotAllowed {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := c.Manager(club.Actor{Role: club.RoleModerator, Name: "mod"}).Members(t.Context(), "", 9); err != nil {
		t.Errorf("a moderator lists members: %v", err)
	}
	if all, err := db.AuditLog(t.Context(), 9); err != nil || len(all) != 0 {
		t.Errorf("in the audit log are %v, %v", all, err)
	}
}

// TestModeratorsActOnLowerRolesOnly, by name and by key, whose roles are those of the list of keys or of the store.
func TestModeratorsActOnLowerRolesOnly(t *testing.T) {
	c, db := openClub(t)
	keys := club.KeyList{"key of mod": {Role: club.RoleModerator}, "key of owner": {Role: club.RoleServerOwner}}
	c.SetPolicy(club.PublicPolicy(), keys)
	targets := map[string]club.Role{
		"ana": club.RolePlayer, "mod": club.RoleModerator, "owner": club.RoleServerOwner,
		"stored-mod": club.RoleModerator, "stored-owner": club.RoleServerOwner,
	}
	for name, role := range targets {
		if _, err := db.CreateAccount(t.Context(), name, []byte("key of "+name), time.Now()); err != nil {
			t.Fatal(err)
		}
		if strings.HasPrefix(name, "stored") {
			if err := c.Manager(club.Actor{Role: club.RoleServerOwner, Name: "x"}).SetRole(t.Context(), name, role); err != nil {
				t.Fatal(err)
			}
		}
	}
	for _, role := range []club.Role{club.RoleModerator, club.RoleServerOwner} {
		m := c.Moderator(club.Actor{Role: role, Name: "x"})
		for name, other := range targets {
			_, _, byName := m.Ban(t.Context(), club.Target{Name: name}, time.Hour, "")
			key := account.Key{Wire: []byte("key of " + name)}
			_, _, byKey := m.Ban(t.Context(), club.Target{Fingerprint: key.Fingerprint()}, time.Hour, "")
			_, mute := m.Mute(t.Context(), name, time.Hour, "")
			_, kick := m.Kick(t.Context(), name, "")
			for what, err := range map[string]error{"ban": byName, "ban of the key": byKey, "mute": mute, "kick": kick} {
				if refused := code(err) == errcode.NotAllowed; refused != (other >= role) {
					t.Errorf("%s: %s of %s: %v", role, what, name, err)
				}
			}
		}
		wide := club.Target{Prefix: netip.MustParsePrefix("10.0.0.0/8")}
		if _, _, err := m.Ban(t.Context(), wide, time.Hour, ""); (err == nil) != (role == club.RoleServerOwner) {
			t.Errorf("%s: ban of %v: %v", role, wide, err)
		}
	}
}

// TestABanOfAnAddressEndsSessionsOfLowerRoles bans an address from which users of all roles are connected to two nodes. Moderators and
// owners stay on both, also if an owner bans it, because they would be admitted again.
func TestABanOfAnAddressEndsSessionsOfLowerRoles(t *testing.T) {
	for _, actor := range []club.Role{club.RoleModerator, club.RoleServerOwner} {
		synctest.Test(t, func(t *testing.T) {
			a, b, _ := twoNodes(t)
			for _, n := range []*node{a, b} {
				for role := club.RoleGuest; role <= club.RoleServerOwner; role++ {
					n.enter(account.Account{ID: account.ID(role), Name: role.String()}, role)
				}
			}
			m := a.Moderator(club.Actor{Role: actor, Name: "actor"})
			_, ended, err := m.Ban(t.Context(), club.Target{Prefix: netip.MustParsePrefix("192.0.2.0/24")}, time.Hour, "")
			<-time.After(2 * time.Second)
			if err != nil || ended != 2 {
				t.Errorf("the ban of an address by a %s ended %d sessions: %v", actor, ended, err)
			}
			for _, n := range []*node{a, b} {
				if got := slices.Sorted(maps.Keys(n.endings())); !slices.Equal(got, []string{"guest", "player"}) {
					t.Errorf("the ban of an address by a %s ended the sessions of %v", actor, got)
				}
			}
		})
	}
}

// TestDurationsAndNumbersAreBounded has sanctions and invitations at their bounds and beyond.
func TestDurationsAndNumbersAreBounded(t *testing.T) {
	c, db := openClub(t)
	if _, err := db.CreateAccount(t.Context(), "ana", []byte("key of ana"), time.Now()); err != nil {
		t.Fatal(err)
	}
	m := c.Moderator(club.Actor{Role: club.RoleModerator, Name: "mod"})
	const day = 24 * time.Hour
	for d, want := range map[time.Duration]errcode.Code{-1: errcode.BadRequest, 36500 * day: "", 36500*day + 1: errcode.BadRequest} {
		if _, err := m.Mute(t.Context(), "ana", d, ""); code(err) != want || want == "" && err != nil {
			t.Errorf("a mute for %v: %v, want %q", d, err, want)
		}
	}
	for _, i := range []struct {
		uses     int
		validity time.Duration
		want     errcode.Code
	}{
		{1, 1, ""}, {1000, 366 * day, ""},
		{0, day, errcode.NotAllowed}, {1001, day, errcode.NotAllowed}, {1, 0, errcode.NotAllowed}, {1, 366*day + 1, errcode.NotAllowed},
	} {
		if _, err := m.Invite(t.Context(), i.uses, i.validity); code(err) != i.want || i.want == "" && err != nil {
			t.Errorf("an invitation for %d keys and %v: %v, want %q", i.uses, i.validity, err, i.want)
		}
	}
}

// TestABanOutlivesItsAccount: it holds for the keys of an account that was deleted, and for no other key.
func TestABanOutlivesItsAccount(t *testing.T) {
	c, db := openClub(t)
	ana, err := db.CreateAccount(t.Context(), "ana", []byte("key of ana"), time.Now())
	if err != nil {
		t.Fatal(err)
	}
	m := c.Moderator(club.Actor{Role: club.RoleModerator, Name: "mod"})
	if _, _, err := m.Ban(t.Context(), club.Target{Name: "ana"}, time.Hour, ""); err != nil {
		t.Fatal(err)
	}
	if err := db.DeleteAccount(t.Context(), ana.ID, time.Now()); err != nil {
		t.Fatal(err)
	}
	c.AccountDeleted(t.Context(), ana.ID)
	for name, want := range map[string]errcode.Code{"ana": errcode.NotAllowed, "bob": ""} {
		if err := c.CheckBan([]byte("key of "+name), 0, netip.MustParseAddr("192.0.2.7"), club.RolePlayer); code(err) != want {
			t.Errorf("the key of %s, after the account of ana was banned and deleted: %v, want %q", name, err, want)
		}
	}
}

// TestModeratorsDoNotLiftWhatAnOwnerGave has a moderator lift a ban, a mute and a closed room of an owner, and those of
// another moderator.
func TestModeratorsDoNotLiftWhatAnOwnerGave(t *testing.T) {
	c, db := openClub(t)
	c.SetPolicy(club.PublicPolicy(), club.KeyList{})
	if _, err := db.CreateAccount(t.Context(), "eve", []byte("key of eve"), time.Now()); err != nil {
		t.Fatal(err)
	}
	moderator := c.Moderator(club.Actor{Role: club.RoleModerator, Name: "mod"})
	for _, by := range []club.Role{club.RoleModerator, club.RoleServerOwner} {
		issuer := c.Moderator(club.Actor{Role: by, Name: "issuer"})
		_, mute := issuer.Mute(t.Context(), "eve", time.Hour, "")
		_, _, ban := issuer.Ban(t.Context(), club.Target{Name: "eve"}, time.Hour, "")
		_, room := issuer.CloseRoom(t.Context(), lobby.LobbyRoom, time.Hour, "")
		if err := errors.Join(mute, ban, room); err != nil {
			t.Fatal(err)
		}
		for kind, subject := range map[club.SanctionKind]string{club.KindMute: "eve", club.KindBan: "eve", club.KindClose: "lobby"} {
			err := moderator.Lift(t.Context(), kind, subject)
			if refused := code(err) == errcode.NotAllowed; refused != (by == club.RoleServerOwner) || err != nil && !refused {
				t.Errorf("%s by the role %s: %v", kind, by, err)
			}
			if err != nil {
				if err := issuer.Lift(t.Context(), kind, subject); err != nil {
					t.Errorf("%s by the issuer: %v", kind, err)
				}
			}
		}
	}
}

// TestBuiltinPlayersCannotBeChanged has an owner try everything with a built-in player.
func TestBuiltinPlayersCannotBeChanged(t *testing.T) {
	c, db := openClub(t)
	c.SetPolicy(club.PublicPolicy(), club.KeyList{})
	if _, err := db.CreateAccount(t.Context(), "Pebble", []byte(account.BuiltInKey+"1"), time.Now()); err != nil {
		t.Fatal(err)
	}
	owner := club.Actor{Role: club.RoleServerOwner, Name: "x"}
	m := c.Moderator(owner)
	_, mute := m.Mute(t.Context(), "Pebble", time.Hour, "")
	_, _, ban := m.Ban(t.Context(), club.Target{Name: "Pebble"}, time.Hour, "")
	for what, err := range map[string]error{
		"mute": mute, "ban": ban,
		"rename": c.Manager(owner).Rename(t.Context(), "Pebble", "Rock"),
		"remove": c.Manager(owner).Remove(t.Context(), "Pebble"),
		"role":   c.Manager(owner).SetRole(t.Context(), "Pebble", club.RoleModerator),
	} {
		if code(err) != errcode.NotAllowed || !strings.Contains(err.Error(), "built-in player") {
			t.Errorf("%s: %v", what, err)
		}
	}
}

// slowStore lets a test decide when a reading of the sanctions returns.
type slowStore struct {
	club.Store
	reads chan chan []club.Sanction
}

func (s slowStore) Sanctions(context.Context, time.Time) ([]club.Sanction, error) {
	result := make(chan []club.Sanction)
	s.reads <- result
	return <-result, nil
}

// TestAnOlderListOfSanctionsReplacesNoNewerOne: two readings overlap, and the one that began first ends last.
func TestAnOlderListOfSanctionsReplacesNoNewerOne(t *testing.T) {
	s := slowStore{Store: lobbytest.Store(t), reads: make(chan chan []club.Sanction)}
	made := make(chan *club.Club)
	go func() {
		c, _ := club.New(t.Context(), s)
		made <- c
	}()
	for range 2 { // New reads twice
		(<-s.reads) <- nil
	}
	c := <-made
	c.SetPolicy(club.PublicPolicy(), nil)
	done := make(chan error)
	reload := func() chan []club.Sanction {
		go func() { done <- c.ReloadSanctions(t.Context()) }()
		return <-s.reads
	}
	older, newer := reload(), reload()
	newer <- []club.Sanction{{Kind: club.KindMute, Account: 7}}
	<-done
	older <- nil
	<-done
	if err := c.CheckChat(account.Account{ID: 7}, lobby.LobbyRoom); code(err) != errcode.NotAllowed {
		t.Errorf("a muted account may chat: %v", err)
	}
}
