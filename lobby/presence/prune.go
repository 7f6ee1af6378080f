package presence

import (
	"context"
	"errors"
	"strings"
	"time"

	"ayumu/lobby/shared"
)

// Kind is the kind of the rows in the shared store. Their ids are the name of the node, a slash and the id of the
// account.
const Kind = "presence"

// KeepDead is the time for which the rows of a dead node are kept: it may come back, and its users are not there.
const KeepDead = 24 * time.Hour

// Prune deletes the rows of nodes that are gone for good. A node that starts deletes its own.
func Prune(ctx context.Context, s shared.Store, isGone func(node string) bool) error {
	rows, _, err := s.Changes(ctx, "")
	if err != nil {
		return err
	}
	for _, r := range rows {
		node, _, _ := strings.Cut(r.ID, "/")
		if r.Kind != Kind || !isGone(node) {
			continue
		}
		_, err := s.Write(ctx, shared.Write{Key: r.Key, Replaces: r.Version})
		if err != nil && !errors.Is(err, shared.ErrConflict) { // with another node that does so
			return err
		}
	}
	return nil
}
