package cluster

import (
	"context"

	"ayumu/lobby/shared"
)

// kindLease is the kind of the rows that say which node does a task for all: the node's name, by the task.
const kindLease = "lease"

// Leads reports whether this node does a task that one node does for all, and takes it over if no other node that
// is alive does. While the store fails it is false. For a moment two nodes can lead, so that the task must be
// harmless if it is done twice.
func (n *Node) Leads(ctx context.Context, task string) bool {
	if n == nil {
		return true
	}
	ctx, cancel := context.WithTimeout(ctx, callTimeout)
	defer cancel()
	w := shared.Write{Key: shared.Key{Kind: kindLease, ID: task}, Data: []byte(n.Name)}
	rows, err := n.Store.Read(ctx, w.Key)
	if err != nil {
		return false
	}
	for _, r := range rows {
		leader := string(r.Data)
		if leader == n.Name || n.IsAlive(leader) {
			return leader == n.Name
		}
		w.Replaces = r.Version
	}
	_, err = n.Store.Write(ctx, w)
	return err == nil
}
