package cluster

import (
	"context"
	"errors"
	"time"

	"ayumu/lobby/shared"
)

// deleteOldNodes deletes the rows of nodes that have had no heartbeat for keepStatus, or have no row: nodes in containers often
// have a new name each time they start. That of the node itself comes last. A node writes its own row before any other,
// and all are read at once, so that none is missed that has just started. If another node does the same, nothing
// happens twice.
func deleteOldNodes(ctx context.Context, s shared.Store, now time.Time) error {
	rows, _, err := s.Changes(ctx, "")
	if err != nil {
		return err
	}
	kept := make(map[string]bool)
	var nodes, owned []shared.Row
	for _, r := range rows {
		switch {
		case r.Kind != kindNode:
		case now.Sub(r.At) > keepStatus:
			nodes = append(nodes, r)
		default:
			kept[r.ID] = true
		}
	}
	for _, r := range rows {
		if owner, _ := shared.SplitID(r.ID); owner != "" && !kept[owner] {
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
