package cluster

import (
	"context"
	"errors"
	"time"

	"ayumu/lobby/cluster/rows"
)

// deleteOldNodes deletes the rows of nodes that have had no heartbeat for keepStatus, or have no row: nodes in
// containers often have a new name each time they start. That of the node itself comes last. A node writes its own row
// before any other, and all are read at once, so that none is missed that has just started. If another node does the
// same, nothing happens twice.
func deleteOldNodes(ctx context.Context, s rows.Store, now time.Time) error {
	found, _, err := s.Changes(ctx, "")
	if err != nil {
		return err
	}
	kept := make(map[string]bool)
	var nodes, owned []rows.Row
	for _, r := range found {
		switch {
		case r.Kind != kindNode:
		case now.Sub(r.At) > keepStatus:
			nodes = append(nodes, r)
		default:
			kept[r.ID] = true
		}
	}
	for _, r := range found {
		if owner := rows.RowNode(r.ID); owner != "" && !kept[owner] {
			owned = append(owned, r)
		}
	}
	for _, r := range append(owned, nodes...) {
		_, err := s.Write(ctx, rows.Write{Key: r.Key, Replaces: r.Version})
		if err != nil && !errors.Is(err, rows.ErrConflict) {
			return err
		}
	}
	return nil
}
