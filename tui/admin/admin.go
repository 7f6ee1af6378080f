package admin

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

	"ayumu/lobby"
	"ayumu/lobby/club"
	"ayumu/lobby/sanitize"
)

// Env is the environment of a command.
type Env struct {
	Moderator club.Moderator // who gives the command
	SSHTarget string         // what users type after ssh, for invitations
	Bulletin  *club.Bulletin // what the club shows; nil: nothing
	Manager   club.Manager   // manages members for who gives the command
	Out       io.Writer      // for the result
	JSON      bool           // the result is wanted as JSON; set by Run
}

// command is a command: its name, its arguments for the usage, their minimum number, and the permission that
// it requires.
type command struct {
	name, args string
	minArgs    int
	permission club.Permission
	run        func(ctx context.Context, e Env, args []string) error
}

var commands = []command{
	{"invite", "[KEYS [DURATION]]", 0, club.PermissionInvite, invite},
	{"mute", "NAME DURATION [REASON]", 2, club.PermissionMute, mute},
	{"unmute", "NAME", 1, club.PermissionUnmute, lift(club.KindMute)},
	{"kick", "NAME [REASON]", 1, club.PermissionKick, kick},
	{"ban", "NAME|SHA256:…|ADDRESS[/BITS] DURATION [REASON]", 2, club.PermissionBan, ban},
	{"unban", "NAME|SHA256:…|ADDRESS[/BITS]", 1, club.PermissionUnban, lift(club.KindBan)},
	{"bans", "", 0, club.PermissionSanctions, listSanctions},
	{"reports", "[AFTER]", 0, club.PermissionReports, listReports},
	{"done", "REPORT", 1, club.PermissionCloseReports, closeReport},
	{"close", "lobby|watchers [DURATION [REASON]]", 1, club.PermissionCloseRooms, closeRoom},
	{"open", "lobby|watchers", 1, club.PermissionOpenRooms, lift(club.KindClose)},
	{"announce", "TEXT", 1, club.PermissionAnnounce, announce},
	{"post", "[from=TIME] [until=TIME] TITLE: TEXT", 2, club.PermissionAnnounce, post},
	{"withdraw", "ANNOUNCEMENT", 1, club.PermissionAnnounce, withdraw},
	{"message", "[TEXT or -]", 0, club.PermissionMessage, message},
	{"audit", "[--json]", 0, club.PermissionAudit, printAuditLog},
	{"members", "[AFTER] [--json]", 0, club.PermissionSeeMembers, listMembers},
	{"member", "NAME [--json]", 1, club.PermissionSeeMembers, showMember},
	{"rename", "NAME NEW", 2, club.PermissionMembers, renameMember},
	{"remove", "NAME", 1, club.PermissionMembers, removeMember},
	{"role", "NAME player|moderator|owner", 2, club.PermissionMembers, setRole},
	{"invitations", "[--json]", 0, club.PermissionInvite, listInvitations},
	{"revoke", "INVITATION", 1, club.PermissionInvite, revoke},
	{"statistics", "[--json]", 0, club.PermissionMembers, showStatistics},
}

// Run runs the words of a command. A refusal is a *lobby.Error.
func Run(ctx context.Context, e Env, words []string) error {
	if len(words) == 0 || words[0] == "help" {
		return help(e)
	}
	for _, c := range commands {
		if c.name != words[0] {
			continue
		}
		if err := e.Moderator.Permit(c.permission); err != nil {
			return err
		}
		args := words[1:]
		if strings.Contains(c.args, "[--json]") {
			args = slices.DeleteFunc(slices.Clone(args), func(a string) bool { return a == "--json" })
			e.JSON = len(args) < len(words)-1
		}
		if len(args) < c.minArgs {
			return badRequest("usage: %s", strings.TrimSpace(c.name+" "+c.args))
		}
		return c.run(ctx, e, args)
	}
	return badRequest("there is no admin command %q; `admin help` lists them", sanitize.Line(words[0], 20))
}

// help lists the commands that the user may give.
func help(e Env) error {
	found := false
	for _, c := range commands {
		if e.Moderator.Permit(c.permission) == nil {
			found = true
			fmt.Fprintln(e.Out, strings.TrimSpace(c.name+" "+c.args))
		}
	}
	if !found {
		return &lobby.Error{Code: lobby.CodeNotAllowed, Message: "You are not a moderator."}
	}
	_, err := fmt.Fprintln(e.Out, "DURATION is for example 30m, 12h, 7d or forever. TIME is one, or a time in UTC: 2006-01-02 or 2006-01-02T15:04.")
	return err
}

func badRequest(format string, args ...any) error {
	return &lobby.Error{Code: lobby.CodeBadRequest, Message: fmt.Sprintf(format, args...)}
}

// parseDuration parses a duration such as 30m, 12h or 7d; "forever" is club.Permanent.
func parseDuration(s string) (time.Duration, error) {
	const maxDays = 36500
	if s == "forever" {
		return club.Permanent, nil
	}
	d, err := time.ParseDuration(s)
	if days, ok := strings.CutSuffix(s, "d"); ok {
		var n int
		n, err = strconv.Atoi(days)
		d = time.Duration(min(max(n, 0), maxDays)) * 24 * time.Hour
	}
	if err != nil || d <= 0 || d > maxDays*24*time.Hour {
		return 0, badRequest("%q is not a duration such as 30m, 12h, 7d or forever", sanitize.Line(s, 20))
	}
	return d, nil
}

// ParseInvitation parses the arguments of an invitation: the number of keys and how long it is valid. One
// key and 7 days are the defaults.
func ParseInvitation(args []string) (uses int, validity time.Duration, err error) {
	uses, validity = 1, 7*24*time.Hour
	if len(args) > 0 {
		if uses, err = strconv.Atoi(args[0]); err != nil {
			return 0, 0, badRequest("%q is not a number of keys", sanitize.Line(args[0], 20))
		}
	}
	if len(args) > 1 {
		validity, err = parseDuration(args[1])
	}
	return uses, validity, err
}

func invite(ctx context.Context, e Env, args []string) error {
	uses, validity, err := ParseInvitation(args)
	if err != nil {
		return err
	}
	i, err := e.Moderator.Invite(ctx, uses, validity)
	if err != nil {
		return err
	}
	_, err = io.WriteString(e.Out, InvitationText(i, e.SSHTarget))
	return err
}

// sanctionArgs parses the duration and the reason of a sanction.
func sanctionArgs(args []string) (d time.Duration, reason string, err error) {
	d, err = parseDuration(args[0])
	return d, strings.Join(args[1:], " "), err
}

func mute(ctx context.Context, e Env, args []string) error {
	d, reason, err := sanctionArgs(args[1:])
	if err != nil {
		return err
	}
	s, err := e.Moderator.Mute(ctx, args[0], d, reason)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintln(e.Out, SanctionText(s))
	return err
}

func ban(ctx context.Context, e Env, args []string) error {
	t, err := club.ParseTarget(args[0])
	if err != nil {
		return err
	}
	d, reason, err := sanctionArgs(args[1:])
	if err != nil {
		return err
	}
	s, ended, err := e.Moderator.Ban(ctx, t, d, reason)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(e.Out, "%s\n%s\n", SanctionText(s), EndedText(ended))
	return err
}

func kick(ctx context.Context, e Env, args []string) error {
	ended, err := e.Moderator.Kick(ctx, args[0], strings.Join(args[1:], " "))
	if ended > 0 {
		fmt.Fprintln(e.Out, EndedText(ended))
	}
	return err
}

func closeRoom(ctx context.Context, e Env, args []string) error {
	room, err := club.RoomByName(args[0])
	if err != nil {
		return err
	}
	d, reason := club.Permanent, ""
	if len(args) > 1 {
		if d, reason, err = sanctionArgs(args[1:]); err != nil {
			return err
		}
	}
	s, err := e.Moderator.CloseRoom(ctx, room, d, reason)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintln(e.Out, SanctionText(s))
	return err
}

// lift returns a command that lifts a kind of sanction.
func lift(kind club.Kind) func(context.Context, Env, []string) error {
	return func(ctx context.Context, e Env, args []string) error {
		if err := e.Moderator.Lift(ctx, kind, args[0]); err != nil {
			return err
		}
		_, err := fmt.Fprintf(e.Out, "lifted: %s of %s\n", kind, args[0])
		return err
	}
}

func closeReport(ctx context.Context, e Env, args []string) error {
	id, err := strconv.ParseInt(args[0], 10, 64)
	if err != nil {
		return badRequest("there is no open report %q; `admin reports` lists them", sanitize.Line(args[0], 20))
	}
	return e.Moderator.CloseReport(ctx, id)
}
