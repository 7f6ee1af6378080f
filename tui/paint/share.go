package paint

import (
	"hash/maphash"
	"slices"
	"sync/atomic"
)

// Most rows that a session shows are the same in many others: the lists of a lobby, the moves of a
// match that all watch. What was drawn lately is found by what it shows, so that they keep it once.

// lately is how many rows are found again; a place of its own for each remainder of their hash.
// At 80 columns they take about 2 MiB.
const lately = 1 << 12

var shared [lately]atomic.Pointer[line]

// share returns a line that shows the same as pieces, which may lie in a row that is drawn on: one
// that was drawn before if there is such, else one of its own, made by fresh.
func share(pieces line, fresh func() line) line {
	place := &shared[pieces.hash()%lately]
	if l := place.Load(); l != nil && slices.EqualFunc(*l, pieces, piece.equal) {
		return *l
	}
	l := fresh()
	place.Store(&l)
	return l
}

// hash is of all cells and where they stand. Lines that differ may have the same.
func (l line) hash() uint64 {
	const prime = 0x9e3779b97f4a7c15
	var h uint64
	mix := func(n uint64) {
		h = (h ^ n) * prime
		h ^= h >> 29
	}
	for _, p := range l {
		mix(uint64(p.x)<<32 | uint64(p.n))
		for _, c := range p.cells {
			mix(uint64(c.glyph))
			mix(uint64(c.fg)<<32 | uint64(c.bg))
		}
	}
	return h
}

// Those who watch one match are shown the same change on terminals that are in the same state. Its
// bytes are made for the first two of them, and kept for the others.

// changed is how many changes are found again; a place of its own for each remainder of their hash.
// Those of more than so many cells are not kept, so that all together, with rows that nobody else
// has any more, take at most 8 MiB.
const (
	changed     = 1 << 6
	changeCells = 1 << 12
)

var (
	changes  [changed]atomic.Pointer[deed]
	onceDone [changed]atomic.Uint64 // hashes of tasks
	seed     = maphash.MakeSeed()
)

// task is what a painter is to do.
type task struct {
	before painter // but for what it has shown
	rows   []change
	cursor position // -1: hidden
	hash   uint64
}

// deed is how a task was done.
type deed struct {
	task
	after painter // but for what it has shown
	bytes []byte
}

// task notes in the easel which rows change, and returns what is to be done, which holds until the
// easel is used again.
func (e *easel) task(p *painter, f *Frame) task {
	e.changes = e.changes[:0]
	for y := range p.h {
		if old, now := p.shown.line(y), f.line(y); !old.same(now) {
			e.changes = append(e.changes, change{y, old, now})
		}
	}
	t := task{before: *p, rows: e.changes, cursor: position{-1, -1}}
	t.before.shown = nil
	if f.visible {
		t.cursor = position{f.cx, f.cy}
	}
	var h maphash.Hash
	h.SetSeed(seed)
	maphash.WriteComparable(&h, t.before.at)
	maphash.WriteComparable(&h, t.before.pen)
	maphash.WriteComparable(&h, t.before.profile)
	for _, c := range t.rows {
		maphash.WriteComparable(&h, c.y)
		for _, l := range [...]line{c.old, c.now} {
			if len(l) > 0 {
				maphash.WriteComparable(&h, &l[0])
			}
		}
	}
	t.hash = h.Sum64()
	return t
}

// done returns how the task was done before; nil if it was not, or is not kept.
func (t *task) done() *deed {
	d := changes[t.hash%changed].Load()
	if d == nil || d.hash != t.hash || d.before != t.before || d.cursor != t.cursor || !slices.EqualFunc(d.rows, t.rows, change.same) {
		return nil
	}
	return d
}

// keep notes how the task was done, from the second time on: most are one session's own.
func (t *task) keep(after painter, bytes []byte) {
	if len(t.rows) == 0 || len(t.rows)*t.before.w > changeCells || onceDone[t.hash%changed].Swap(t.hash) != t.hash {
		return
	}
	after.shown = nil
	d := &deed{*t, after, slices.Clone(bytes)}
	d.rows = slices.Clone(t.rows)
	changes[t.hash%changed].Store(d)
}

func (c change) same(o change) bool { return c.y == o.y && c.old.same(o.old) && c.now.same(o.now) }

// Hardly anybody's first frame is another's, but most of its rows are. The bytes of a row on a blank
// screen are made for the first two that are shown it, and kept for the others.

// filled is how many such rows are found again. With lines that nobody else has any more they take
// less than 2 MiB.
const filled = 1 << 9

var (
	rowsDone [filled]atomic.Pointer[filledRow]
	rowsOnce [filled]atomic.Uint64 // hashes of places
)

// place is a row on a blank screen, and the state of the terminal before it is drawn.
type place struct {
	profile Profile
	w, y    int
	at      position
	pen     Style
	first   *piece // of the line, which has n
	n       int
}

// filledRow is how a row was drawn.
type filledRow struct {
	place
	after position
	drawn Style // with which the last was drawn
	bytes []byte
}

// place returns that of a row on a blank screen; it is not empty.
func (p *painter) place(c change) (at place, hash uint64) {
	at = place{p.profile, p.w, c.y, p.at, p.pen, &c.now[0], len(c.now)}
	return at, maphash.Comparable(seed, at)
}

// recall appends what was drawn there before, and reports whether that is known.
func (p *painter) recall(b []byte, at place, hash uint64) ([]byte, bool) {
	d := rowsDone[hash%filled].Load()
	if d == nil || d.place != at {
		return b, false
	}
	p.at, p.pen = d.after, d.drawn
	return append(b, d.bytes...), true
}

// keep notes what was drawn there, from the second time on.
func (p *painter) keep(at place, hash uint64, bytes []byte) {
	if rowsOnce[hash%filled].Swap(hash) == hash {
		rowsDone[hash%filled].Store(&filledRow{at, p.at, p.pen, slices.Clone(bytes)})
	}
}
