package exec

import (
	"context"
	"io"
	"strings"

	"ayumu/tui/admin"
)

// moderationCommands exist only where there is moderation. Their last argument may have spaces.
var moderationCommands = map[string]func(ctx context.Context, e Env, args []string) error{
	"admin":  runAdmin,
	"report": report,
}

func runAdmin(ctx context.Context, e Env, args []string) error {
	return admin.Run(ctx, admin.Env{Moderator: e.Moderator, SSHTarget: e.SSHTarget, Bulletin: e.Bulletin, Manager: e.Manager, Out: e.Out}, args)
}

func report(ctx context.Context, e Env, args []string) error {
	about, text := "", ""
	if len(args) > 1 { // otherwise Report returns the usage
		about, text = args[0], strings.Join(args[1:], " ")
	}
	if err := e.Moderator.Report(ctx, about, text); err != nil {
		return err
	}
	_, err := io.WriteString(e.Out, "thank you; the report is open for the moderators\n")
	return err
}
