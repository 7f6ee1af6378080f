package paint

import (
	"slices"
	"sync/atomic"
)

// Sessions that are shown the same frames share the bytes of the changes between them: a frame keeps the diffs
// that led to it. They are kept from the second terminal on that asks, since most frames are shown by one only.

// frameID identifies a frame. A diff has the id of the frame before, because the frame itself would keep its own
// diffs and so all earlier frames alive.
type frameID struct{ _ byte }

// The bounds of the diffs that a frame keeps: terminals in other states, or that have missed a frame, need
// other diffs.
const (
	maxFrameDiffs     = 8
	maxFrameDiffBytes = 4096
)

// frameDiffs are the diffs that lead to a frame. Any goroutine may use them.
type frameDiffs struct {
	asked atomic.Bool // for any diff
	diffs atomic.Pointer[[]frameDiff]
}

// frameDiff is a diff to a frame.
type frameDiff struct {
	from   *frameID // of the frame that the terminal shows
	before painter  // the terminal; without its frame
	after  painter  // without its frame
	bytes  []byte
}

// find returns the diff for a terminal; nil if it is not kept.
func (d *frameDiffs) find(p *painter) *frameDiff {
	all := d.diffs.Load()
	if all == nil || p.frame == nil {
		return nil
	}
	before := *p
	before.frame = nil
	for i := range *all {
		if diff := &(*all)[i]; diff.from == p.frame.id && diff.before == before {
			return diff
		}
	}
	return nil
}

// add keeps a diff with these bytes for a terminal that was in the state before. One of the oldest diffs may be
// dropped for it, or the diff is not kept.
func (d *frameDiffs) add(before, after painter, bytes []byte) {
	if !d.asked.Swap(true) || before.frame == nil || len(bytes) > maxFrameDiffBytes {
		return
	}
	diff := frameDiff{from: before.frame.id, before: before, after: after, bytes: slices.Clone(bytes)}
	diff.before.frame, diff.after.frame = nil, nil
	var all []frameDiff
	old := d.diffs.Load()
	if old != nil {
		all = append(all, (*old)[max(len(*old)-maxFrameDiffs+1, 0):]...)
	}
	all = append(all, diff)
	d.diffs.CompareAndSwap(old, &all) // if another one was added meanwhile, the next terminal adds this one
}
