package paint

import (
	"hash/maphash"
	"slices"
	"sync/atomic"
)

// Most rows that a session shows are the same in many others: the lists of a lobby, the moves of a
// match that all watch. What was drawn lately is found by what it shows, so that they keep it once.

// lineCacheSize is how many rows are found again; a place of its own for each remainder of their hash.
// At 80 columns they take about 2 MiB.
const lineCacheSize = 1 << 12

var lineCache [lineCacheSize]atomic.Pointer[line]

// shareLine returns a line that shows the same as pieces, which may lie in a row that is drawn on: one
// that was drawn before if there is such, else one of its own, made by newLine.
func shareLine(pieces line, newLine func() line) line {
	place := &lineCache[pieces.hash()%lineCacheSize]
	if l := place.Load(); l != nil && slices.EqualFunc(*l, pieces, piece.equal) {
		return *l
	}
	l := newLine()
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

// diffCacheSize is how many changes are found again; a place of its own for each remainder of their hash.
// Those of more than so many cells are not kept, so that all together, with rows that nobody else
// has any more, take at most 8 MiB.
const (
	diffCacheSize = 1 << 6
	maxDiffCells  = 1 << 12
)

var (
	diffCache [diffCacheSize]atomic.Pointer[cachedDiff]
	diffsSeen [diffCacheSize]atomic.Uint64 // hashes of tasks
	hashSeed  = maphash.MakeSeed()
)

// diffKey is what a painter is to do.
type diffKey struct {
	before painter // but for what it has shown
	rows   []change
	cursor position // -1: hidden
	hash   uint64
}

// cachedDiff is how a task was done.
type cachedDiff struct {
	diffKey
	after painter // but for what it has shown
	bytes []byte
}

// newDiff notes in the scratch buffer which rows change, and returns what is to be done, which holds until the
// scratch buffer is used again.
func (e *scratch) newDiff(p *painter, f *Frame) diffKey {
	e.changes = e.changes[:0]
	for y := range p.h {
		if old, now := p.frame.line(y), f.line(y); !old.isSame(now) {
			e.changes = append(e.changes, change{y, old, now})
		}
	}
	t := diffKey{before: *p, rows: e.changes, cursor: position{-1, -1}}
	t.before.frame = nil
	if f.visible {
		t.cursor = position{f.cx, f.cy}
	}
	var h maphash.Hash
	h.SetSeed(hashSeed)
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

// cached returns how the task was done before; nil if it was not, or is not kept.
func (t *diffKey) cached() *cachedDiff {
	d := diffCache[t.hash%diffCacheSize].Load()
	if d == nil || d.hash != t.hash || d.before != t.before || d.cursor != t.cursor || !slices.EqualFunc(d.rows, t.rows, change.isSame) {
		return nil
	}
	return d
}

// cache notes how the task was done, from the second time on: most are one session's own.
func (t *diffKey) cache(after painter, bytes []byte) {
	if len(t.rows) == 0 || len(t.rows)*t.before.w > maxDiffCells || diffsSeen[t.hash%diffCacheSize].Swap(t.hash) != t.hash {
		return
	}
	after.frame = nil
	d := &cachedDiff{*t, after, slices.Clone(bytes)}
	d.rows = slices.Clone(t.rows)
	diffCache[t.hash%diffCacheSize].Store(d)
}

func (c change) isSame(o change) bool {
	return c.y == o.y && c.old.isSame(o.old) && c.now.isSame(o.now)
}

// Hardly anybody's first frame is another's, but most of its rows are. The bytes of a row on a blank
// screen are made for the first two that are shown it, and kept for the others.

// rowCacheSize is how many such rows are found again. With lines that nobody else has any more they take
// less than 2 MiB.
const rowCacheSize = 1 << 9

var (
	rowCache [rowCacheSize]atomic.Pointer[cachedRow]
	rowsSeen [rowCacheSize]atomic.Uint64 // hashes of places
)

// rowKey is a row on a blank screen, and the state of the terminal before it is drawn.
type rowKey struct {
	profile Profile
	w, y    int
	at      position
	pen     Style
	first   *piece // of the line, which has n
	n       int
}

// cachedRow is how a row was drawn.
type cachedRow struct {
	rowKey
	after position
	drawn Style // with which the last was drawn
	bytes []byte
}

// rowKey returns that of a row on a blank screen; it is not empty.
func (p *painter) rowKey(c change) (at rowKey, hash uint64) {
	at = rowKey{p.profile, p.w, c.y, p.at, p.pen, &c.now[0], len(c.now)}
	return at, maphash.Comparable(hashSeed, at)
}

// appendCachedRow appends what was drawn there before, and reports whether that is known.
func (p *painter) appendCachedRow(b []byte, at rowKey, hash uint64) ([]byte, bool) {
	d := rowCache[hash%rowCacheSize].Load()
	if d == nil || d.rowKey != at {
		return b, false
	}
	p.at, p.pen = d.after, d.drawn
	return append(b, d.bytes...), true
}

// cacheRow notes what was drawn there, from the second time on.
func (p *painter) cacheRow(at rowKey, hash uint64, bytes []byte) {
	if rowsSeen[hash%rowCacheSize].Swap(hash) == hash {
		rowCache[hash%rowCacheSize].Store(&cachedRow{at, p.at, p.pen, slices.Clone(bytes)})
	}
}
