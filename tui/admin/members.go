package admin

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"ayumu/lobby/account"
	"ayumu/lobby/club"
	"ayumu/lobby/sanitize"
	"ayumu/tui/op"
	"ayumu/tui/words"
)

// membersListed is the number of members in one answer.
const membersListed = 200

// memberJSON is a member for programs.
type memberJSON struct {
	Name       string         `json:"name"`
	Role       string         `json:"role"`
	Bot        bool           `json:"bot,omitempty"`
	Joined     string         `json:"joined"`
	LastSeen   string         `json:"last_seen,omitempty"` // absent: unknown
	LastGame   string         `json:"last_game,omitempty"` // absent: none
	Games      int            `json:"games"`
	Unfinished int            `json:"unfinished"`
	Invited    bool           `json:"invited"`
	Keys       int            `json:"keys"`
	Ratings    map[string]int `json:"ratings"`
	KeyList    []keyJSON      `json:"key_list,omitempty"` // of one member only
}

type keyJSON struct {
	Type        string `json:"type"`
	Fingerprint string `json:"fingerprint"`
	Added       string `json:"added"`
}

func newMemberJSON(m club.Member) memberJSON {
	j := memberJSON{Name: m.Account.Name, Role: m.Role.String(), Bot: m.Account.Bot, Joined: jsonTime(m.Account.CreatedAt), LastSeen: jsonTime(m.LastSeen),
		LastGame: jsonTime(m.LastGame), Games: m.Games, Unfinished: m.Unfinished, Invited: m.IsInvited, Keys: m.Keys, Ratings: make(map[string]int)}
	for pool, r := range m.Account.Ratings {
		j.Ratings[pool] = int(r.Value + 0.5)
	}
	return j
}

// SeenText returns the day on which a member was last seen; "" for a bot, which is always there.
func SeenText(m club.Member) string {
	switch {
	case m.Account.Bot:
		return ""
	case m.LastSeen.IsZero():
		return "unknown"
	case time.Since(m.LastSeen) < time.Minute:
		return "now"
	}
	return m.LastSeen.UTC().Format(time.DateOnly)
}

// RatingsText returns the ratings of a member: "ayu 1512, mu 1600"; "" if there are none.
func RatingsText(m club.Member) string {
	var all []string
	for _, pool := range slices.Sorted(maps.Keys(m.Account.Ratings)) {
		all = append(all, fmt.Sprintf("%s %d", pool, int(m.Account.Ratings[pool].Value+0.5)))
	}
	return strings.Join(all, ", ")
}

// MembersArgs are the arguments of Members.
type MembersArgs struct {
	After string `json:"after" arg:"[AFTER]" help:"a name; only those after it are listed"`
}

// MembersResult has members by name.
type MembersResult struct {
	List    []club.Member
	missing []club.UnusedKey // keys of the list of keys with which nobody has come; only after the last member
	Next    string           // the name after which the next ones are listed; "": these are the last
}

// Members lists accounts by name.
var Members = op.New(op.Spec[MembersArgs, MembersResult]{
	Info: info("members", "list accounts by name, 200 at a time", club.PermissionSeeMembers, op.Reads, onScreen),
	Run: func(ctx context.Context, v *op.Visit, in MembersArgs) (r MembersResult, err error) {
		if r.List, err = v.Manager.Members(ctx, in.After, membersListed); err != nil {
			return r, err
		}
		if len(r.List) == membersListed {
			r.Next = r.List[len(r.List)-1].Account.Name
			return r, nil
		}
		r.missing, err = v.Manager.NotYetHere(ctx)
		return r, err
	},
	Text: func(_ *op.Visit, _ MembersArgs, r MembersResult) (t op.Text) {
		for _, k := range r.missing {
			t.Lines = append(t.Lines, fmt.Sprintf("%s (%s) is in the list of keys but has not signed in yet: %s", cmp.Or(k.Name, "a key without a name"), k.Role, k.Fingerprint))
		}
		t.Rows = &op.Rows{Empty: "No members.", Columns: []op.Column{{Title: "name"}, {Title: "role"}, {Title: "last seen", Phrase: "last seen: %s"}, {Title: "games", Phrase: "games: %s"},
			{Title: "keys", Phrase: "keys: %s"}, {Title: "ratings"}}}
		if r.Next != "" {
			t.Rows.Next = "admin members " + r.Next
		}
		for _, m := range r.List {
			t.Rows.Rows = append(t.Rows.Rows, op.Row{Values: []string{m.Account.Name, RoleText(m), SeenText(m), strconv.Itoa(m.Games), strconv.Itoa(m.Keys), cmp.Or(RatingsText(m), "not rated")}})
		}
		return t
	},
	JSON: func(_ *op.Visit, r MembersResult) any {
		type missing struct {
			Name        string `json:"name,omitempty"`
			Role        string `json:"role"`
			Fingerprint string `json:"fingerprint"`
		}
		all := struct {
			Members    []memberJSON `json:"members"`
			Next       string       `json:"next,omitempty"` // absent: these are the last
			NotYetHere []missing    `json:"not_yet_here,omitempty"`
		}{Members: []memberJSON{}, Next: r.Next}
		for _, m := range r.List {
			all.Members = append(all.Members, newMemberJSON(m))
		}
		for _, k := range r.missing {
			all.NotYetHere = append(all.NotYetHere, missing{k.Name, k.Role.String(), k.Fingerprint})
		}
		return all
	},
})

// RoleText returns the role of a member; "bot" for a bot.
func RoleText(m club.Member) string {
	if m.Account.Bot {
		return "bot"
	}
	return m.Role.String()
}

// MemberText describes a member with their keys, one thing a line.
func MemberText(m club.Member, keys []account.Key) string {
	var out strings.Builder
	invited := ""
	if m.IsInvited {
		invited = " with an invitation"
	}
	fmt.Fprintf(&out, "%s, %s, joined %s%s\n", m.Account.Name, RoleText(m), m.Account.CreatedAt.UTC().Format(time.DateOnly), invited)
	if seen := SeenText(m); seen != "" {
		fmt.Fprintf(&out, "last seen: %s\n", seen)
	}
	fmt.Fprintf(&out, "finished: %s, running: %d\n", words.Plural(m.Games, "game"), m.Unfinished)
	fmt.Fprintf(&out, "ratings: %s\n", cmp.Or(RatingsText(m), "not rated"))
	for _, k := range keys {
		fmt.Fprintf(&out, "key: %s %s, added %s\n", k.Type(), k.Fingerprint(), k.Added.UTC().Format(time.DateOnly))
	}
	return out.String()
}

// MemberResult is a member with their keys.
type MemberResult struct {
	Member club.Member
	Keys   []account.Key
}

// Member shows an account with its keys.
var Member = op.New(op.Spec[op.NameArgs, MemberResult]{
	Info: info("member", "show an account with its keys", club.PermissionSeeMembers, op.Reads, onScreen),
	Run: func(ctx context.Context, v *op.Visit, in op.NameArgs) (r MemberResult, err error) {
		r.Member, r.Keys, err = v.Manager.Member(ctx, in.Name)
		return r, err
	},
	Text: func(_ *op.Visit, _ op.NameArgs, r MemberResult) op.Text {
		return op.Text{Lines: splitLines(MemberText(r.Member, r.Keys))}
	},
	JSON: func(_ *op.Visit, r MemberResult) any {
		j := newMemberJSON(r.Member)
		for _, k := range r.Keys {
			j.KeyList = append(j.KeyList, keyJSON{k.Type(), k.Fingerprint(), jsonTime(k.Added)})
		}
		return j
	},
})

// RenameArgs are the arguments of Rename.
type RenameArgs struct {
	Name string `json:"name" arg:"NAME"`
	New  string `json:"new" arg:"NEW"`
}

// Rename changes the name of an account.
var Rename = op.New(op.Spec[RenameArgs, op.None]{
	Info: info("rename", "change the name of an account", club.PermissionMembers, op.Changes, onScreen),
	Run: func(ctx context.Context, v *op.Visit, in RenameArgs) (op.None, error) {
		return op.None{}, v.Manager.Rename(ctx, in.Name, in.New)
	},
	Text: func(_ *op.Visit, in RenameArgs, _ op.None) op.Text { return op.Say("%s is now %s.", in.Name, in.New) },
})

// Remove deletes an account.
var Remove = op.New(op.Spec[op.NameArgs, op.None]{
	Info: info("remove", "delete an account and resign its games", club.PermissionMembers, op.Final, onScreen),
	Confirm: func(_ *op.Visit, in op.NameArgs) (string, error) {
		return "The account " + in.Name + " will be deleted; that cannot be undone.", nil
	},
	Run: func(ctx context.Context, v *op.Visit, in op.NameArgs) (op.None, error) {
		return op.None{}, v.Manager.Remove(ctx, in.Name)
	},
	Text: func(_ *op.Visit, in op.NameArgs, _ op.None) op.Text {
		return op.Say("The account %s was deleted. Its games stay; its name is reserved for 30 days.", in.Name)
	},
})

// RoleArgs are the arguments of Role.
type RoleArgs struct {
	Name string `json:"name" arg:"NAME"`
	Role string `json:"role" arg:"player|moderator|owner"`
}

// Role gives an account a role.
var Role = op.New(op.Spec[RoleArgs, club.Role]{
	Info: info("role", "give an account a role, in addition to the list of keys", club.PermissionMembers, op.Changes, onScreen),
	Run: func(ctx context.Context, v *op.Visit, in RoleArgs) (club.Role, error) {
		role, ok := club.RoleByName(in.Role)
		if !ok {
			return role, badRequest("%q is not a role; roles are player, moderator and owner", sanitize.Line(in.Role, 20))
		}
		return role, v.Manager.SetRole(ctx, in.Name, role)
	},
	Text: func(_ *op.Visit, in RoleArgs, role club.Role) op.Text {
		return op.Say("%s has the role %s from the next sign-in on.", in.Name, role)
	},
	JSON: func(_ *op.Visit, role club.Role) any {
		return struct {
			Role string `json:"role"`
		}{role.String()}
	},
})

// Invitations lists the invitations that can be used.
var Invitations = op.New(op.Spec[op.None, []club.ListedInvitation]{
	Info: info("invitations", "list the valid invitations, oldest first", club.PermissionInvite, op.Reads, onScreen),
	Run: func(ctx context.Context, v *op.Visit, _ op.None) ([]club.ListedInvitation, error) {
		return v.Manager.Invitations(ctx)
	},
	Text: func(_ *op.Visit, _ op.None, all []club.ListedInvitation) op.Text {
		list := &op.Rows{Columns: make([]op.Column, 5), Empty: "No invitations."}
		for _, i := range all {
			list.Rows = append(list.Rows, op.Row{Values: []string{strconv.FormatInt(i.ID, 10), words.Plural(i.Left, "use") + " left", strconv.Itoa(i.Used) + " used", "by " + i.Issuer, club.UntilText(i.Until)}})
		}
		return op.Text{Rows: list}
	},
	JSON: func(_ *op.Visit, all []club.ListedInvitation) any {
		type row struct {
			ID      string `json:"id"`
			Left    int    `json:"left"`
			Used    int    `json:"used"`
			By      string `json:"by"`
			Created string `json:"created"`
			Until   string `json:"until"`
		}
		r := struct {
			Invitations []row `json:"invitations"`
		}{[]row{}}
		for _, i := range all {
			r.Invitations = append(r.Invitations, row{strconv.FormatInt(i.ID, 10), i.Left, i.Used, i.Issuer, jsonTime(i.Created), jsonTime(i.Until)})
		}
		return r
	},
})

// RevokeArgs are the arguments of Revoke.
type RevokeArgs struct {
	Invitation op.ID `json:"invitation" arg:"INVITATION" help:"its number in the list of invitations"`
}

// Revoke removes an invitation.
var Revoke = op.New(op.Spec[RevokeArgs, op.None]{
	Info: info("revoke", "revoke an invitation, so that nobody can use it any more", club.PermissionInvite, op.Changes, onScreen),
	Run: func(ctx context.Context, v *op.Visit, in RevokeArgs) (op.None, error) {
		return op.None{}, v.Manager.Revoke(ctx, int64(in.Invitation))
	},
	Text: sayText[RevokeArgs, op.None]("The invitation is revoked."),
})

// Statistics describes what was played in the last weeks.
var Statistics = op.New(op.Spec[op.None, club.Statistics]{
	Info: info("statistics", "show how much was played in recent weeks", club.PermissionMembers, op.Reads, onScreen),
	Run: func(ctx context.Context, v *op.Visit, _ op.None) (club.Statistics, error) {
		return v.Manager.Statistics(ctx)
	},
	Text: func(_ *op.Visit, _ op.None, s club.Statistics) op.Text {
		t := op.Text{Lines: []string{
			fmt.Sprintf("Active players: %d in 7 days, %d in 30 days.", s.ActiveWeek, s.ActiveMonth),
			fmt.Sprintf("New accounts in %d weeks: %d.", len(s.Weeks), s.NewAccounts),
			fmt.Sprintf("Finished games per week, the latest on the right: %s.", strings.Trim(fmt.Sprint(s.Weeks), "[]")),
		}}
		if len(s.Kinds) == 0 {
			return t
		}
		t.Lines = append(t.Lines, "")
		t.Rows = &op.Rows{Columns: []op.Column{{Title: "game"}, {Title: "games", Phrase: "games: %s"}, {Title: "first wins", Phrase: "first wins: %s"}, {Title: "first loses", Phrase: "first loses: %s"}, {Title: "swaps", Phrase: "swaps: %s"}}}
		for _, k := range s.Kinds {
			t.Rows.Rows = append(t.Rows.Rows, op.Row{Values: []string{k.Title, strconv.Itoa(k.Games), strconv.Itoa(k.FirstWins), strconv.Itoa(k.FirstLoses), strconv.Itoa(k.Swaps)}})
		}
		return t
	},
	JSON: func(_ *op.Visit, s club.Statistics) any {
		type kind struct {
			Title      string `json:"title"`
			Games      int    `json:"games"`
			FirstWins  int    `json:"first_wins"`
			FirstLoses int    `json:"first_loses"`
			Swaps      int    `json:"swaps"`
		}
		kinds := []kind{}
		for _, k := range s.Kinds {
			kinds = append(kinds, kind(k))
		}
		return struct {
			ActiveWeek  int    `json:"active_week"`
			ActiveMonth int    `json:"active_month"`
			NewAccounts int    `json:"new_accounts"`
			Weeks       []int  `json:"weeks"`
			Kinds       []kind `json:"kinds"`
		}{s.ActiveWeek, s.ActiveMonth, s.NewAccounts, s.Weeks, kinds}
	},
})
