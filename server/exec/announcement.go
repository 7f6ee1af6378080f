package exec

import (
	"context"
	"encoding/json"
	"fmt"

	"ayumu/lobby"
	"ayumu/lobby/club"
	"ayumu/tui/wire"
	"ayumu/tui/words"
)

// maxAnnouncements is the number of announcements that the command lists.
const maxAnnouncements = 100

// announcements lists the newest announcements, newest first.
func announcements(ctx context.Context, e Env, _ []string, asJSON bool) error {
	if e.Bulletin == nil {
		return &lobby.Error{Code: lobby.CodeNotAllowed, Message: "this server has no announcements"}
	}
	list, err := e.Bulletin.List(ctx, 0, maxAnnouncements, e.Moderator != nil && e.Moderator.Permit(club.PermissionAnnounce) == nil)
	if err != nil {
		return err
	}
	if asJSON {
		all := []wire.Announcement{}
		for _, a := range list {
			all = append(all, wire.AnnouncementOf(a))
		}
		return json.NewEncoder(e.Out).Encode(all)
	}
	if len(list) == 0 {
		fmt.Fprintln(e.Out, "no announcements")
	}
	for i, a := range list {
		if i > 0 {
			fmt.Fprintln(e.Out)
		}
		if _, err := fmt.Fprintf(e.Out, "%s\n%s\n", words.AnnouncementHeading(a), a.Text); err != nil {
			return err
		}
	}
	return nil
}
