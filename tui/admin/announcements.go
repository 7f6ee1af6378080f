package admin

import (
	"context"
	"fmt"
	"strings"
	"time"

	"ayumu/lobby/club"
	"ayumu/tui/jsonform"
	"ayumu/tui/op"
)

// AnnounceArgs are the arguments of Announce.
type AnnounceArgs struct {
	Text string `json:"text" arg:"TEXT..."`
}

// Announce notifies everybody who is connected.
var Announce = op.New(op.Spec[AnnounceArgs, op.None]{
	Info: info("announce", "notify everyone who is connected, with a bell", club.PermissionAnnounce, op.Changes, onScreen),
	Run: func(ctx context.Context, v *op.Visit, in AnnounceArgs) (op.None, error) {
		return op.None{}, v.Moderator.Announce(ctx, in.Text)
	},
	Text: sayText[AnnounceArgs, op.None]("Everyone who is connected is notified."),
})

// PostArgs are the arguments of Post.
type PostArgs struct {
	From  *Time  `json:"from" arg:"from=TIME" help:"when it appears; now by default"`
	Until *Time  `json:"until" arg:"until=TIME" help:"until when it is shown on entry; a week by default"`
	Title string `json:"title" help:"without it the text begins with the title and a colon"`
	Text  string `json:"text" arg:"TITLE: TEXT..."`
}

// defaultShown is the time for which an announcement is shown on entry unless its author decides otherwise.
const defaultShown = 7 * 24 * time.Hour

// announcement returns the announcement of the arguments.
func (in PostArgs) announcement(now time.Time) (a club.Announcement, err error) {
	a = club.Announcement{From: now, Title: in.Title, Text: in.Text}
	if in.From != nil {
		a.From = in.From.at
	}
	if a.Title == "" {
		var found bool
		if a.Title, a.Text, found = strings.Cut(in.Text, ": "); !found {
			return a, badRequest("usage: admin post [from=TIME] [until=TIME] TITLE: TEXT")
		}
	}
	if a.Until = a.From.Add(defaultShown); in.Until != nil {
		a.Until = in.Until.at
	}
	return a, nil
}

// PostResult has a new announcement.
type PostResult struct {
	Announcement jsonform.Announcement `json:"announcement"`
	text         string
}

// Post stores an announcement, which is shown on entry.
var Post = op.New(op.Spec[PostArgs, PostResult]{
	Info: info("post", "make an announcement, which everyone reads on entry", club.PermissionAnnounce, op.Changes, op.As("announcements n")),
	Run: func(ctx context.Context, v *op.Visit, in PostArgs) (r PostResult, err error) {
		a, err := in.announcement(time.Now())
		if err == nil {
			a, err = v.Moderator.Post(ctx, a)
		}
		return PostResult{jsonform.NewAnnouncement(a), fmt.Sprintf("announcement %d, shown %s", a.ID, ShownText(a))}, err
	},
	Text: func(_ *op.Visit, _ PostArgs, r PostResult) op.Text { return sentence(r.text) },
})

// ShownText returns when an announcement is shown on entry: "from 2006-01-02 15:04 UTC until …".
func ShownText(a club.Announcement) string {
	return "from " + a.From.UTC().Format("2006-01-02 15:04 UTC") + " " + club.UntilText(a.Until)
}

// WithdrawArgs are the arguments of Withdraw.
type WithdrawArgs struct {
	Announcement op.ID `json:"announcement" arg:"ANNOUNCEMENT" help:"its number in the list of announcements"`
}

// Withdraw ends an announcement.
var Withdraw = op.New(op.Spec[WithdrawArgs, op.None]{
	Info: info("withdraw", "end an announcement", club.PermissionAnnounce, op.Changes, op.As("announcements x")),
	Run: func(ctx context.Context, v *op.Visit, in WithdrawArgs) (op.None, error) {
		return op.None{}, v.Moderator.Withdraw(ctx, int64(in.Announcement))
	},
	Text: sayText[WithdrawArgs, op.None]("The announcement is withdrawn."),
})

// MessageArgs are the arguments of Message.
type MessageArgs struct {
	Text *string `json:"text" arg:"[TEXT or -...]" help:"- removes the message; without a text nothing changes"`
}

// MessageResult has the message of the day that was set from inside; "": none.
type MessageResult struct {
	Message string `json:"message"`
	changed bool
}

// Message returns the message of the day that was set from inside, replaces it, or removes it.
var Message = op.New(op.Spec[MessageArgs, MessageResult]{
	Info: info("message", "show, replace or remove the message of the day, which everyone reads at sign-in", club.PermissionMessage, op.Changes, op.As("announcements")),
	Run: func(ctx context.Context, v *op.Visit, in MessageArgs) (r MessageResult, err error) {
		if in.Text != nil {
			text := *in.Text
			if text == "-" {
				text = ""
			}
			r.changed = true
			err = v.Moderator.SetMessage(ctx, text)
		}
		r.Message = v.Bulletin.Message()
		return r, err
	},
	Text: func(_ *op.Visit, _ MessageArgs, r MessageResult) op.Text {
		switch {
		case r.Message == "":
			return op.Say("No message is set here; the one in the settings is shown, if there is one.")
		case r.changed:
			return op.Say("The message of the day is: %s", r.Message)
		}
		return op.Say("%s", r.Message)
	},
})
