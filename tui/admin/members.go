package admin

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"

	"ayumu/lobby"
	"ayumu/lobby/club"
	"ayumu/lobby/sanitize"
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

func jsonTime(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format(time.RFC3339)
}

func newMemberJSON(m club.Member) memberJSON {
	j := memberJSON{Name: m.Account.Name, Role: m.Role.String(), Bot: m.Account.Bot, Joined: jsonTime(m.Account.CreatedAt), LastSeen: jsonTime(m.LastSeen),
		LastGame: jsonTime(m.LastGame), Games: m.Games, Unfinished: m.Unfinished, Invited: m.IsInvited, Keys: m.Keys, Ratings: make(map[string]int)}
	for pool, r := range m.Account.Ratings {
		j.Ratings[pool] = int(r.Value + 0.5)
	}
	return j
}

// SeenText returns the day on which a member was last seen; "-" for a bot, which is always there.
func SeenText(m club.Member) string {
	switch {
	case m.Account.Bot:
		return "-"
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

func listMembers(ctx context.Context, e Env, args []string) error {
	all, err := e.Manager.Members(ctx, strings.Join(args, ""), membersListed)
	if err != nil {
		return err
	}
	if e.JSON {
		list := []memberJSON{}
		for _, m := range all {
			list = append(list, newMemberJSON(m))
		}
		return json.NewEncoder(e.Out).Encode(list)
	}
	if len(all) == 0 {
		fmt.Fprintln(e.Out, "no members")
	}
	w := tabwriter.NewWriter(e.Out, 0, 0, 2, ' ', 0)
	if len(all) > 0 {
		fmt.Fprint(w, "name\trole\tlast seen\tgames\tkeys\tratings\n")
	}
	for _, m := range all {
		fmt.Fprintf(w, "%s\t%s\t%s\t%d\t%d\t%s\n", m.Account.Name, RoleText(m), SeenText(m), m.Games, m.Keys, cmp.Or(RatingsText(m), "-"))
	}
	if err := w.Flush(); err != nil {
		return err
	}
	if len(all) == membersListed {
		fmt.Fprintf(e.Out, "There may be more. Next: members %s\n", all[len(all)-1].Account.Name)
		return nil
	}
	missing, err := e.Manager.NotYetHere(ctx)
	if err != nil {
		return err
	}
	for _, k := range missing {
		fmt.Fprintf(e.Out, "%s (%s) is listed and has not come yet: %s\n", cmp.Or(k.Name, "a key without a name"), k.Role, k.Fingerprint)
	}
	return nil
}

// RoleText returns the role of a member; "bot" for a bot.
func RoleText(m club.Member) string {
	if m.Account.Bot {
		return "bot"
	}
	return m.Role.String()
}

// MemberText describes a member with their keys, one thing a line.
func MemberText(m club.Member, keys []lobby.Key) string {
	var out strings.Builder
	invited := ""
	if m.IsInvited {
		invited = " with an invitation"
	}
	fmt.Fprintf(&out, "%s, %s, joined %s%s\n", m.Account.Name, RoleText(m), m.Account.CreatedAt.UTC().Format(time.DateOnly), invited)
	fmt.Fprintf(&out, "last seen: %s\n", SeenText(m))
	fmt.Fprintf(&out, "finished: %s, running: %d\n", lobby.Plural(m.Games, "game"), m.Unfinished)
	fmt.Fprintf(&out, "ratings: %s\n", cmp.Or(RatingsText(m), "not rated"))
	for _, k := range keys {
		fmt.Fprintf(&out, "key: %s %s, added %s\n", k.Type(), k.Fingerprint(), k.Added.UTC().Format(time.DateOnly))
	}
	return out.String()
}

func showMember(ctx context.Context, e Env, args []string) error {
	m, keys, err := e.Manager.Member(ctx, args[0])
	if err != nil {
		return err
	}
	if e.JSON {
		j := newMemberJSON(m)
		for _, k := range keys {
			j.KeyList = append(j.KeyList, keyJSON{k.Type(), k.Fingerprint(), jsonTime(k.Added)})
		}
		return json.NewEncoder(e.Out).Encode(j)
	}
	_, err = io.WriteString(e.Out, MemberText(m, keys))
	return err
}

func renameMember(ctx context.Context, e Env, args []string) error {
	if err := e.Manager.Rename(ctx, args[0], args[1]); err != nil {
		return err
	}
	_, err := fmt.Fprintf(e.Out, "%s is %s now\n", args[0], args[1])
	return err
}

func removeMember(ctx context.Context, e Env, args []string) error {
	if err := e.Manager.Remove(ctx, args[0]); err != nil {
		return err
	}
	_, err := fmt.Fprintf(e.Out, "removed: %s. The games stay; the name is reserved for 30 days.\n", args[0])
	return err
}

func setRole(ctx context.Context, e Env, args []string) error {
	role, ok := club.RoleByName(args[1])
	if !ok {
		return badRequest("%q is not a role; roles are player, moderator and owner", sanitize.Line(args[1], 20))
	}
	if err := e.Manager.SetRole(ctx, args[0], role); err != nil {
		return err
	}
	_, err := fmt.Fprintf(e.Out, "%s: %s, from the next sign-in on\n", args[0], role)
	return err
}

func listInvitations(ctx context.Context, e Env, _ []string) error {
	all, err := e.Manager.Invitations(ctx)
	if err != nil {
		return err
	}
	if e.JSON {
		type row struct {
			ID      int64  `json:"id"`
			Left    int    `json:"left"`
			Used    int    `json:"used"`
			By      string `json:"by"`
			Created string `json:"created"`
			Until   string `json:"until"`
		}
		list := []row{}
		for _, i := range all {
			list = append(list, row{i.ID, i.Left, i.Used, i.Issuer, jsonTime(i.Created), jsonTime(i.Until)})
		}
		return json.NewEncoder(e.Out).Encode(list)
	}
	if len(all) == 0 {
		fmt.Fprintln(e.Out, "no invitations")
	}
	for _, i := range all {
		fmt.Fprintln(e.Out, InvitationLine(i))
	}
	return nil
}

// InvitationLine describes a listed invitation in one line.
func InvitationLine(i club.ListedInvitation) string {
	return fmt.Sprintf("%d  for %s, %d used, by %s, %s", i.ID, lobby.Plural(i.Left, "more key"), i.Used, i.Issuer, club.UntilText(i.Until))
}

func revoke(ctx context.Context, e Env, args []string) error {
	id, err := strconv.ParseInt(args[0], 10, 64)
	if err != nil {
		return badRequest("%q is not the number of an invitation; the command invitations lists them", sanitize.Line(args[0], 20))
	}
	return e.Manager.Revoke(ctx, id)
}

func showStatistics(ctx context.Context, e Env, _ []string) error {
	s, err := e.Manager.Statistics(ctx)
	if err != nil {
		return err
	}
	if !e.JSON {
		_, err = io.WriteString(e.Out, StatisticsText(s))
		return err
	}
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
	return json.NewEncoder(e.Out).Encode(struct {
		ActiveWeek  int    `json:"active_week"`
		ActiveMonth int    `json:"active_month"`
		NewAccounts int    `json:"new_accounts"`
		Weeks       []int  `json:"weeks"`
		Kinds       []kind `json:"kinds"`
	}{s.ActiveWeek, s.ActiveMonth, s.NewAccounts, s.Weeks, kinds})
}

// StatisticsText describes statistics, one thing a line.
func StatisticsText(s club.Statistics) string {
	var out strings.Builder
	fmt.Fprintf(&out, "Active players: %d in 7 days, %d in 30 days\n", s.ActiveWeek, s.ActiveMonth)
	fmt.Fprintf(&out, "New accounts in %d weeks: %d\n", len(s.Weeks), s.NewAccounts)
	fmt.Fprintf(&out, "Finished games a week, the last one on the right: %s\n", strings.Trim(fmt.Sprint(s.Weeks), "[]"))
	if len(s.Kinds) == 0 {
		return out.String()
	}
	out.WriteString("\n")
	w := tabwriter.NewWriter(&out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintf(w, "games\tfirst wins\tfirst loses\tswaps\t\n")
	for _, k := range s.Kinds {
		fmt.Fprintf(w, "%d\t%d\t%d\t%d\t  %s\n", k.Games, k.FirstWins, k.FirstLoses, k.Swaps, k.Title)
	}
	w.Flush()
	return out.String()
}
