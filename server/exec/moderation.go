package exec

import (
	"context"

	"ayumu/lobby"
	"ayumu/tui/admin"
)

func runAdmin(ctx context.Context, e Env, args []string, _ bool) error {
	if e.Moderator == nil {
		return &lobby.Error{Code: lobby.CodeNotAllowed, Message: "this server has no moderators"}
	}
	return admin.Run(ctx, admin.Env{Moderator: e.Moderator, SSHTarget: e.SSHTarget, Bulletin: e.Bulletin, Manager: e.Manager, Out: e.Out}, args)
}
