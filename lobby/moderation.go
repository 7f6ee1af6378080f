package lobby

import (
	"context"
	"encoding/json"

	"ayumu/lobby/cluster/rows"
)

// moderationRows returns the kind of the rows with which nodes know what the moderators of others did.
func moderationRows(apply func(ctx context.Context, node, id string, next rows.State[json.RawMessage]) error) rows.OfNode[json.RawMessage] {
	return rows.OfNode[json.RawMessage]{Name: "moderation", Inherits: true, Apply: apply}
}

// followModeration takes over what a moderator of another node did.
func (f follower) followModeration(ctx context.Context, _, id string, next rows.State[json.RawMessage]) error {
	if f.l.onModeration == nil || next.Value == nil {
		return nil
	}
	return f.l.onModeration(ctx, id, *next.Value, f.l.node.MachineTime(next.At))
}

// ShareModeration passes a row, whose data are JSON, to Config.FollowModeration of the other nodes, soon. It replaces the
// row of this node with that id, of at most 50 characters, and never blocks.
func (l *Lobby) ShareModeration(id string, data []byte) {
	l.rows.moderation.Put(id, (*json.RawMessage)(&data))
}

// notANode stands for the name of the node in the rows of processes that are none. No node can have this name.
const notANode = "*"

// ShareModeration does what Lobby.ShareModeration does for a process that is not a node, such as a command of the
// operator, and returns when the row is written. The error is that of the store.
func ShareModeration(ctx context.Context, s rows.Store, id string, data []byte) error {
	all := moderationRows(nil)
	ks := rows.NewKinds(rows.Config{Store: s, Node: notANode})
	ks.Add(&all)
	all.Put(id, (*json.RawMessage)(&data))
	return ks.Fast.Flush(ctx)
}
