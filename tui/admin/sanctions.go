package admin

import (
	"context"
	"fmt"
	"time"

	"ayumu/lobby/club"
	"ayumu/tui/jsonform"
	"ayumu/tui/op"
	"ayumu/tui/words"
)

// Sanction is a sanction for programs.
type Sanction struct {
	Kind    string `json:"kind"`
	Subject string `json:"subject"`
	Was     string `json:"was,omitempty"`   // the subject's name at the time of the sanction, if it is another one
	Until   string `json:"until,omitempty"` // absent: permanently
	By      string `json:"by,omitempty"`
	Reason  string `json:"reason,omitempty"`
	Ended   *int   `json:"ended,omitempty"` // the number of sessions that a new ban has ended
}

func newSanction(s club.Sanction) Sanction {
	r := Sanction{Kind: string(s.Kind), Subject: s.SubjectName, Until: jsonTime(s.Until), By: s.Issuer, Reason: s.Reason}
	if s.OriginalName != s.SubjectName {
		r.Was = s.OriginalName
	}
	return r
}

// SanctionText describes a sanction in one line: "mute: carol permanently".
func SanctionText(s club.Sanction) string {
	return fmt.Sprintf("%s: %s %s", s.Kind, s.SubjectName, club.UntilText(s.Until))
}

// EndedText returns how many sessions were ended.
func EndedText(sessions int) string { return words.Plural(sessions, "session") + " ended" }

// MuteArgs are the arguments of Mute.
type MuteArgs struct {
	Name     string   `json:"name" arg:"NAME"`
	Duration Duration `json:"duration" arg:"DURATION"`
	Reason   string   `json:"reason" arg:"[REASON...]" help:"the player reads it"`
}

// Mute forbids a player to chat.
var Mute = op.New(op.Spec[MuteArgs, club.Sanction]{
	Info: info("mute", "stop a player from chatting", club.PermissionMute, op.Changes, onScreen),
	Run: func(ctx context.Context, v *op.Visit, in MuteArgs) (s club.Sanction, err error) {
		d, err := in.Duration.Value()
		if err != nil {
			return s, err
		}
		return v.Moderator.Mute(ctx, in.Name, d, in.Reason)
	},
	Text: func(_ *op.Visit, _ MuteArgs, s club.Sanction) op.Text { return sentence(SanctionText(s)) },
	JSON: func(_ *op.Visit, s club.Sanction) any { return newSanction(s) },
})

// BanArgs are the arguments of Ban.
type BanArgs struct {
	Target   string   `json:"target" arg:"NAME|SHA256:…|ADDRESS[/BITS]" help:"a name, the fingerprint of a key, an address or a network"`
	Duration Duration `json:"duration" arg:"DURATION"`
	Reason   string   `json:"reason" arg:"[REASON...]" help:"whoever is banned reads it"`
}

// BanResult is a new ban.
type BanResult struct {
	Sanction club.Sanction
	Ended    int // sessions
}

// Ban refuses new sessions of a target and ends its sessions.
var Ban = op.New(op.Spec[BanArgs, BanResult]{
	Info: info("ban", "keep a player, a key or an address out, and end their sessions", club.PermissionBan, op.Changes, onScreen),
	Run: func(ctx context.Context, v *op.Visit, in BanArgs) (r BanResult, err error) {
		t, err := club.ParseTarget(in.Target)
		if err != nil {
			return r, err
		}
		d, err := in.Duration.Value()
		if err != nil {
			return r, err
		}
		r.Sanction, r.Ended, err = v.Moderator.Ban(ctx, t, d, in.Reason)
		return r, err
	},
	Text: func(_ *op.Visit, _ BanArgs, r BanResult) op.Text {
		return op.Text{Lines: []string{words.Sentence(SanctionText(r.Sanction)), words.Sentence(EndedText(r.Ended))}}
	},
	JSON: func(_ *op.Visit, r BanResult) any {
		s := newSanction(r.Sanction)
		s.Ended = &r.Ended
		return s
	},
})

// KickArgs are the arguments of Kick.
type KickArgs struct {
	Name   string `json:"name" arg:"NAME"`
	Reason string `json:"reason" arg:"[REASON...]" help:"the player reads it"`
}

// KickResult has the number of sessions that were ended.
type KickResult struct {
	Ended int `json:"ended"`
}

// Kick ends the sessions of a player.
var Kick = op.New(op.Spec[KickArgs, KickResult]{
	Info: info("kick", "end the sessions of a player, who can come back at once", club.PermissionKick, op.Changes, onScreen),
	Run: func(ctx context.Context, v *op.Visit, in KickArgs) (r KickResult, err error) {
		r.Ended, err = v.Moderator.Kick(ctx, in.Name, in.Reason)
		return r, err
	},
	Text: func(_ *op.Visit, _ KickArgs, r KickResult) op.Text { return sentence(EndedText(r.Ended)) },
})

// CloseArgs are the arguments of Close.
type CloseArgs struct {
	Room     string    `json:"room" arg:"lobby|watchers"`
	Duration *Duration `json:"duration" arg:"[DURATION]" help:"forever by default"`
	Reason   string    `json:"reason" arg:"[REASON...]"`
}

// Close closes a chat room.
var Close = op.New(op.Spec[CloseArgs, club.Sanction]{
	Info: info("close", "close the lobby chat, or the spectator chat of all games", club.PermissionCloseRooms, op.Changes, onScreen),
	Run: func(ctx context.Context, v *op.Visit, in CloseArgs) (s club.Sanction, err error) {
		room, err := club.RoomByName(in.Room)
		if err != nil {
			return s, err
		}
		d := club.Permanent
		if in.Duration != nil {
			if d, err = in.Duration.Value(); err != nil {
				return s, err
			}
		}
		return v.Moderator.CloseRoom(ctx, room, d, in.Reason)
	},
	Text: func(_ *op.Visit, _ CloseArgs, s club.Sanction) op.Text { return sentence(SanctionText(s)) },
	JSON: func(_ *op.Visit, s club.Sanction) any { return newSanction(s) },
})

// lift lifts the sanctions of a kind.
func lift(ctx context.Context, v *op.Visit, kind club.SanctionKind, subject string) (op.None, error) {
	return op.None{}, v.Moderator.Lift(ctx, kind, subject)
}

func liftedText(kind club.SanctionKind, subject string) op.Text {
	switch kind {
	case club.KindMute:
		return op.Say("%s is no longer muted.", subject)
	case club.KindBan:
		return op.Say("%s is no longer banned.", subject)
	}
	return op.Say("The room %s is open again.", subject)
}

// Unmute lifts a mute.
var Unmute = op.New(op.Spec[op.NameArgs, op.None]{
	Info: info("unmute", "let a player chat again", club.PermissionUnmute, op.Changes, onScreen),
	Run: func(ctx context.Context, v *op.Visit, in op.NameArgs) (op.None, error) {
		return lift(ctx, v, club.KindMute, in.Name)
	},
	Text: func(_ *op.Visit, in op.NameArgs, _ op.None) op.Text { return liftedText(club.KindMute, in.Name) },
})

// UnbanArgs are the arguments of Unban.
type UnbanArgs struct {
	Target string `json:"target" arg:"NAME|SHA256:…|ADDRESS[/BITS]" help:"as the list of bans shows it"`
}

// Unban lifts a ban.
var Unban = op.New(op.Spec[UnbanArgs, op.None]{
	Info: info("unban", "lift a ban", club.PermissionUnban, op.Changes, onScreen),
	Run: func(ctx context.Context, v *op.Visit, in UnbanArgs) (op.None, error) {
		return lift(ctx, v, club.KindBan, in.Target)
	},
	Text: func(_ *op.Visit, in UnbanArgs, _ op.None) op.Text { return liftedText(club.KindBan, in.Target) },
})

// OpenArgs are the arguments of Open.
type OpenArgs struct {
	Room string `json:"room" arg:"lobby|watchers"`
}

// Open opens a chat room that was closed.
var Open = op.New(op.Spec[OpenArgs, op.None]{
	Info: info("open", "open a closed chat again", club.PermissionOpenRooms, op.Changes, onScreen),
	Run: func(ctx context.Context, v *op.Visit, in OpenArgs) (op.None, error) {
		return lift(ctx, v, club.KindClose, in.Room)
	},
	Text: func(_ *op.Visit, in OpenArgs, _ op.None) op.Text { return liftedText(club.KindClose, in.Room) },
})

// Bans lists the sanctions in force.
var Bans = op.New(op.Spec[op.None, []club.Sanction]{
	Info: info("bans", "list mutes, bans and closed chats", club.PermissionSanctions, op.Reads, onScreen),
	Run: func(ctx context.Context, v *op.Visit, _ op.None) ([]club.Sanction, error) {
		return v.Moderator.Sanctions(ctx)
	},
	Text: func(_ *op.Visit, _ op.None, all []club.Sanction) op.Text {
		list := &op.Rows{Columns: []op.Column{{}, {}, {}, {}, {Phrase: "reason: %s"}}, Empty: "No sanctions in force."}
		for _, s := range all {
			shown := s.SubjectName
			if s.OriginalName != shown {
				shown += " (was " + s.OriginalName + ")"
			}
			list.Rows = append(list.Rows, op.Row{Values: []string{string(s.Kind), shown, club.UntilText(s.Until), "by " + s.Issuer, s.Reason}})
		}
		return op.Text{Rows: list}
	},
	JSON: func(_ *op.Visit, all []club.Sanction) any {
		r := struct {
			Sanctions []Sanction `json:"sanctions"`
		}{[]Sanction{}}
		for _, s := range all {
			r.Sanctions = append(r.Sanctions, newSanction(s))
		}
		return r
	},
})

// ReportsArgs are the arguments of Reports.
type ReportsArgs struct {
	After op.ID `json:"after" arg:"[AFTER]" help:"the number of a report; only newer ones are listed"`
	Limit *int  `json:"limit"`
}

// ReportsResult has open reports, oldest first.
type ReportsResult struct {
	list    []club.Report
	open    int  // number of all open ones
	hasMore bool // after the last one
}

// Reports lists open reports.
var Reports = op.New(op.Spec[ReportsArgs, ReportsResult]{
	Info: reportsInfo(),
	Run: func(ctx context.Context, v *op.Visit, in ReportsArgs) (r ReportsResult, err error) {
		limit := op.ListLimit(in.Limit)
		if r.list, err = v.Moderator.Reports(ctx, int64(in.After), limit+1); err != nil {
			return r, err
		}
		if r.hasMore = len(r.list) > limit; r.hasMore {
			r.list = r.list[:limit]
		}
		r.open, err = v.Moderator.CountReports(ctx)
		return r, err
	},
	Text: func(_ *op.Visit, _ ReportsArgs, r ReportsResult) (t op.Text) {
		for _, report := range r.list {
			t.Lines = append(t.Lines, fmt.Sprintf("%d  %s  %s about %s: %s", report.ID, report.At.UTC().Format(time.DateTime), report.Reporter, report.Subject(), report.Text))
			for _, line := range report.Evidence.Lines() {
				t.Lines = append(t.Lines, "    "+line)
			}
		}
		if len(r.list) == 0 {
			return op.Say("No open reports.")
		}
		if r.hasMore {
			t.Rows = &op.Rows{Next: fmt.Sprint("admin reports ", r.list[len(r.list)-1].ID)}
		}
		return t
	},
	JSON: func(_ *op.Visit, r ReportsResult) any {
		all := struct {
			Reports []jsonform.Report `json:"reports"`
			Open    int               `json:"open"`
		}{[]jsonform.Report{}, r.open}
		for _, report := range r.list {
			all.Reports = append(all.Reports, jsonform.NewReport(report))
		}
		return all
	},
})

// reportsInfo returns the declaration of Reports, which the API has under the name that it has always had there.
func reportsInfo() op.Info {
	i := info("reports", "list open reports, oldest first", club.PermissionReports, op.Reads, onScreen)
	i.On.API = op.As("reports")
	return i
}

// DoneArgs are the arguments of Done.
type DoneArgs struct {
	Report op.ID `json:"report" arg:"REPORT" help:"its number in the list of reports"`
}

// Done closes a report.
var Done = op.New(op.Spec[DoneArgs, op.None]{
	Info: info("done", "resolve a report, which deletes its evidence", club.PermissionCloseReports, op.Changes, onScreen),
	Run: func(ctx context.Context, v *op.Visit, in DoneArgs) (op.None, error) {
		return op.None{}, v.Moderator.CloseReport(ctx, int64(in.Report))
	},
	Text: sayText[DoneArgs, op.None]("Report resolved."),
})
