package op

import (
	"context"
	"slices"
	"strings"

	"ayumu/lobby"
	"ayumu/lobby/club"
	"ayumu/tui/words"
)

// NameArgs has the name of another user.
type NameArgs struct {
	Name string `json:"name" arg:"NAME"`
}

// Block blocks a user.
var Block = New(Spec[NameArgs, None]{
	Info: Info{Name: "block", Help: "block a player: no pairing and no messages between you; they are not notified", Group: GroupPeople, Effect: Changes, Session: true,
		On: On{Line: Whole("block"), Screen: As("lobby", "profile")}},
	Run: func(ctx context.Context, v *Visit, in NameArgs) (None, error) {
		return None{}, v.Session.Block(ctx, in.Name)
	},
	Text: func(_ *Visit, in NameArgs, _ None) Text { return Say("%s", blockedText(in.Name)) },
})

func blockedText(name string) string {
	return name + " is blocked. You will no longer be paired or see each other's messages. They are not notified."
}

// Unblock removes a block.
var Unblock = New(Spec[NameArgs, None]{
	Info: Info{Name: "unblock", Help: "end a block", Group: GroupPeople, Effect: Changes, Session: true, On: On{Line: Whole("unblock"), Screen: As("lobby", "profile")}},
	Run: func(ctx context.Context, v *Visit, in NameArgs) (None, error) {
		return None{}, v.Session.Unblock(ctx, in.Name)
	},
	Text: func(_ *Visit, in NameArgs, _ None) Text { return Say("%s is no longer blocked.", in.Name) },
})

// BlocksResult has the names of those whom a user has blocked.
type BlocksResult struct {
	Names []string `json:"names"`
}

// Blocks lists whom the user has blocked.
var Blocks = New(Spec[None, BlocksResult]{
	Info: Info{Name: "blocks", Help: "list the players you have blocked", Group: GroupPeople, Session: true, On: On{Line: Whole("blocks"), Screen: As("account")}},
	Run:  func(_ context.Context, v *Visit, _ None) (BlocksResult, error) { return v.blocks(), nil },
	Text: func(_ *Visit, _ None, r BlocksResult) Text { return r.text() },
})

func (v *Visit) blocks() BlocksResult {
	r := BlocksResult{Names: []string{}}
	for _, b := range v.Session.Blocks() {
		r.Names = append(r.Names, b.Name)
	}
	return r
}

func (r BlocksResult) text() Text {
	if len(r.Names) == 0 {
		return Say("You have not blocked anyone.")
	}
	return Say("Blocked players: %s.", strings.Join(r.Names, ", "))
}

// IgnoreArgs are the arguments of Ignore.
type IgnoreArgs struct {
	Name string `arg:"[NAME]" help:"by default the blocked players are listed"`
}

// Ignore blocks a user, or unblocks one who is blocked.
var Ignore = New(Spec[IgnoreArgs, Text]{
	Info: Info{Name: "ignore", Help: "block or unblock a player; without a name, list blocked players", Group: GroupPeople, Effect: Changes, Session: true,
		On: On{SSH: Not("block, unblock and blocks say which"), API: Not("block, unblock and blocks say which"), Screen: As("lobby")}},
	Run: func(ctx context.Context, v *Visit, in IgnoreArgs) (Text, error) {
		blocked := v.blocks()
		if in.Name == "" {
			return blocked.text(), nil
		}
		if i := slices.IndexFunc(blocked.Names, func(n string) bool { return strings.EqualFold(n, in.Name) }); i >= 0 {
			name := NameArgs{blocked.Names[i]}
			r, err := Unblock.run(ctx, v, name)
			return Unblock.spec.Text(v, name, r), err
		}
		r, err := Block.run(ctx, v, NameArgs(in))
		return Block.spec.Text(v, NameArgs(in), r), err
	},
	Text: func(_ *Visit, _ IgnoreArgs, said Text) Text { return said },
})

// ReportArgs are the arguments of Report.
type ReportArgs struct {
	Name string `json:"name" arg:"NAME"`
	Text string `json:"text" arg:"TEXT..." help:"what happened"`
}

// Report reports a user to the moderators.
var Report = New(Spec[ReportArgs, None]{
	Info: Info{Name: "report", Help: "report a player to the moderators", Group: GroupPeople, Permission: club.PermissionReport, Effect: Changes,
		On: On{Screen: As("lobby", "profile")}},
	Run: func(ctx context.Context, v *Visit, in ReportArgs) (None, error) {
		return None{}, v.Moderator.Report(ctx, in.Name, in.Text)
	},
	Text: func(*Visit, ReportArgs, None) Text {
		return Say("Thank you. The moderators can now see your report.")
	},
})

// Sentence returns the public part of a refusal as a sentence.
func Sentence(err error) string {
	_, why := lobby.PublicError(err)
	return words.Sentence(why)
}
