package rows

import (
	"slices"
	"strings"
	"time"
)

// NodeRows are the rows that only one node writes. Their ids begin with its name and a slash. NewNodeRows is the
// constructor. A nil NodeRows is that of a node that is alone: it writes nothing, because nobody would read it. Methods
// may be called from any goroutine, and never block.
type NodeRows struct {
	Fast, Slow *Outbox // the caller runs both

	node      string
	slowKinds []string
	isAlive   func(node string) bool
}

// NewNodeRows returns the rows of a node. Those of slowKinds are written in intervals of at least that time. isAlive
// reports whether another node is alive; wrote is that of NewOutbox.
func NewNodeRows(s Store, node string, interval time.Duration, slowKinds []string, isAlive func(node string) bool, wrote func()) *NodeRows {
	n := &NodeRows{Fast: NewOutbox(s, wrote), Slow: NewOutbox(s, wrote), node: node, slowKinds: slowKinds, isAlive: isAlive}
	n.Slow.Interval = interval
	return n
}

// SplitID splits the id of a row into the name of the node that writes it and the rest; node is "" if it belongs to
// no node.
func SplitID(row string) (node, id string) {
	if node, id, owned := strings.Cut(row, "/"); owned {
		return node, id
	}
	return "", row
}

func (n *NodeRows) outbox(kind string) *Outbox {
	if slices.Contains(n.slowKinds, kind) {
		return n.Slow
	}
	return n.Fast
}

// Put writes a row of this node, without its name in the id, or deletes it if data is nil.
func (n *NodeRows) Put(kind, id string, data []byte) {
	if n != nil {
		n.outbox(kind).Put(Key{Kind: kind, ID: n.node + "/" + id}, data)
	}
}

// WriteAgain has all rows of this node written again, because the store may have lost some.
func (n *NodeRows) WriteAgain() {
	if n != nil {
		n.Fast.WriteAgain()
		n.Slow.WriteAgain()
	}
}

// Remove deletes a row of a node, if that is this one, none or dead.
func (n *NodeRows) Remove(kind, node, id string) {
	if n == nil || node != "" && node != n.node && n.isAlive(node) {
		return
	}
	if node != "" {
		id = node + "/" + id
	}
	n.outbox(kind).Put(Key{Kind: kind, ID: id}, nil)
}
