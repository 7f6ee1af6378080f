package admin

import (
	"context"
	"fmt"
	"strings"

	"ayumu/lobby/club"
	"ayumu/lobby/errcode"
	"ayumu/lobby/sanitize"
	"ayumu/tui/op"
	"ayumu/tui/words"
)

// All returns the operations of moderators and owners.
func All() []op.Operation {
	return []op.Operation{
		Help, Invite, Mute, Unmute, Kick, Ban, Unban, Bans, Reports, Done, Close, Open, Announce, Post, Withdraw, Message, Audit,
		Members, Member, Rename, Remove, Role, Invitations, Revoke, Statistics,
	}
}

// info returns the declaration of an operation that needs a permission.
func info(word, help string, p club.Permission, e op.Effect, screen op.Availability) op.Info {
	return op.Info{Name: namePrefix + word, Help: help, Group: op.GroupClub, Permission: p, Effect: e,
		On: op.On{Line: op.Whole("admin " + word), SSH: op.As("admin " + word), Screen: screen}}
}

// namePrefix begins the names of the operations.
const namePrefix = "admin_"

// onScreen is where the screens for moderators begin. The palette runs every operation.
var onScreen = op.As("lobby")

// HelpArgs are the arguments of Help.
type HelpArgs struct {
	Command []string `json:"command" arg:"[COMMAND...]" help:"by default all that you may use are listed"`
}

// HelpResult has operations of moderators.
type HelpResult struct {
	all      []*op.Info
	isDetail bool // there is one, which was asked for
}

// Help lists the operations that the user may use, or describes one.
var Help = op.New(op.Spec[HelpArgs, HelpResult]{
	Info: op.Info{Name: "admin", Help: "list the moderator commands that you may use, such as admin mute, or describe one", Group: op.GroupClub,
		On: op.On{Line: op.Whole("admin", "admin help"), SSH: op.As("admin help", "admin"), API: op.Not("docs/protocol.md has the operations admin_mute and so on"), Screen: onScreen}},
	Run: func(_ context.Context, v *op.Visit, in HelpArgs) (r HelpResult, err error) {
		if len(in.Command) > 0 {
			o := v.Operations.Named(namePrefix + in.Command[0])
			if o == nil {
				return r, badRequest("unknown admin command %q; `admin help` lists them", sanitize.Line(in.Command[0], 20))
			}
			return HelpResult{all: []*op.Info{o.Info()}, isDetail: true}, nil
		}
		refused := error(&errcode.Error{Code: errcode.NotAllowed, Message: "you are not a moderator"})
		for _, o := range v.Operations.All() {
			if i := o.Info(); i.Group == op.GroupClub && i.Permission != "" {
				if err := v.May(i); err == nil {
					r.all = append(r.all, i)
				} else if v.Moderator == nil {
					refused = err
				}
			}
		}
		if len(r.all) == 0 {
			return r, refused
		}
		return r, nil
	},
	Text: func(_ *op.Visit, _ HelpArgs, r HelpResult) (t op.Text) {
		if r.isDetail {
			return op.Text{Lines: r.all[0].Describe(r.all[0].On.SSH.Name(r.all[0].Name))}
		}
		for _, i := range r.all {
			t.Lines = append(t.Lines, i.Usage(strings.TrimPrefix(i.Name, namePrefix)))
		}
		t.Lines = append(t.Lines, "DURATION is for example 30m, 12h, 7d or forever. TIME is a duration from now, or a time in UTC: 2006-01-02 or 2006-01-02T15:04.", "Type admin help and a command to read what it does.")
		return t
	},
	JSON: func(_ *op.Visit, r HelpResult) any {
		d := struct {
			Operations []op.Description `json:"operations"`
		}{[]op.Description{}}
		for _, i := range r.all {
			d.Operations = append(d.Operations, i.Description())
		}
		return d
	},
})

func badRequest(format string, args ...any) error {
	return &errcode.Error{Code: errcode.BadRequest, Message: fmt.Sprintf(format, args...)}
}

// sayText returns a function that says a sentence, whatever the arguments and the result are.
func sayText[A, R any](sentence string) func(*op.Visit, A, R) op.Text {
	return func(*op.Visit, A, R) op.Text { return op.Say("%s", sentence) }
}

// splitLines splits a text into lines.
func splitLines(text string) []string { return strings.Split(strings.TrimSuffix(text, "\n"), "\n") }

// InviteArgs are the arguments of Invite.
type InviteArgs struct {
	Keys     *int      `json:"keys" arg:"[KEYS]" help:"how many new keys can use it; 1 by default"`
	Duration *Duration `json:"duration" arg:"[DURATION]" help:"how long it is valid; 7d by default"`
}

// Invite creates an invitation.
var Invite = op.New(op.Spec[InviteArgs, club.Invitation]{
	Info: info("invite", "create an invitation to this server, whose code is shown only once", club.PermissionInvite, op.Changes, onScreen),
	Run: func(ctx context.Context, v *op.Visit, in InviteArgs) (i club.Invitation, err error) {
		keys, d := 1, DefaultValidity
		if in.Keys != nil {
			keys = *in.Keys
		}
		if in.Duration != nil {
			if d, err = in.Duration.Value(); err != nil {
				return i, err
			}
		}
		return v.Moderator.Invite(ctx, keys, d)
	},
	Text: func(v *op.Visit, _ InviteArgs, i club.Invitation) op.Text {
		return op.Text{Lines: splitLines(InvitationText(i, v.SSHTarget))}
	},
	JSON: func(_ *op.Visit, i club.Invitation) any {
		return struct {
			Code  string `json:"code"`
			Keys  int    `json:"keys"`
			Until string `json:"until"`
		}{i.Code, i.Uses, jsonTime(i.Until)}
	},
})

// InvitationText describes an invitation, with the command that uses it. target is what users type after ssh.
func InvitationText(i club.Invitation, target string) string {
	return fmt.Sprintf("For %s, %s:\n\n  ssh -t -l %s %s\n", words.Plural(i.Uses, "new key"), club.UntilText(i.Until), i.Code, target)
}

// AuditEntry is an entry of the audit log for programs.
type AuditEntry struct {
	At     string `json:"at"`
	Actor  string `json:"actor"`
	Action string `json:"action"`
}

// Audit lists the last entries of the audit log.
var Audit = op.New(op.Spec[op.None, []club.AuditEntry]{
	Info: info("audit", "list what moderators and owners did last", club.PermissionAudit, op.Reads, onScreen),
	Run: func(ctx context.Context, v *op.Visit, _ op.None) ([]club.AuditEntry, error) {
		return v.Moderator.AuditLog(ctx)
	},
	Text: func(_ *op.Visit, _ op.None, all []club.AuditEntry) op.Text {
		if len(all) == 0 {
			return op.Say("The audit log is empty.")
		}
		return op.Text{Lines: splitLines(AuditText(all))}
	},
	JSON: func(_ *op.Visit, all []club.AuditEntry) any {
		r := struct {
			Entries []AuditEntry `json:"entries"`
		}{[]AuditEntry{}}
		for _, e := range all {
			r.Entries = append(r.Entries, AuditEntry{jsonTime(e.At), e.Actor, e.Action})
		}
		return r
	},
})

// AuditText has the audit log, one entry a line.
func AuditText(all []club.AuditEntry) string {
	var out strings.Builder
	for _, e := range all {
		fmt.Fprintf(&out, "%s  %s %s\n", e.At.UTC().Format("2006-01-02 15:04:05"), e.Actor, e.Action)
	}
	return out.String()
}

// sentence turns a clause into a text.
func sentence(clause string) op.Text { return op.Say("%s", words.Sentence(clause)) }
