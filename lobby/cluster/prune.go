package cluster

import (
	"context"
	"errors"
	"strings"
	"time"

	"ayumu/lobby/shared"
)

// prune deletes the rows of nodes that have had no heartbeat for keepStatus: nodes in containers often have a new name
// each time they start. That of the node itself comes last. If another node does the same, nothing happens twice.
func prune(ctx context.Context, s shared.Store, now time.Time) error {
	rows, _, err := s.Changes(ctx, "")
	if err != nil {
		return err
	}
	gone := make(map[string]bool)
	var nodes, owned []shared.Row
	for _, r := range rows {
		if r.Kind == kindNode && now.Sub(r.At) > keepStatus {
			gone[r.ID] = true
			nodes = append(nodes, r)
		}
	}
	for _, r := range rows {
		if owner, _, isOwned := strings.Cut(r.ID, "/"); isOwned && gone[owner] {
			owned = append(owned, r)
		}
	}
	for _, r := range append(owned, nodes...) {
		_, err := s.Write(ctx, shared.Write{Key: r.Key, Replaces: r.Version})
		if err != nil && !errors.Is(err, shared.ErrConflict) {
			return err
		}
	}
	return nil
}
