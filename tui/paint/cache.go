package paint

import (
	"hash/maphash"
	"slices"
	"sync/atomic"
)

// Sessions show many rows in common: the lists of the lobby, the turns of a match with many spectators. The
// line cache finds recent lines by their content, so that all these sessions share one copy.

// lineCacheSize is the number of lines in the cache. A line replaces the one with the same remainder of its
// hash. At 80 columns the cache takes about 2 MiB. Lines of wider windows than people have are not cached: they would keep
// ten times as much.
const (
	lineCacheSize     = 1 << 12
	maxCachedLineSize = 400 // columns
)

var lineCache [lineCacheSize]atomic.Pointer[line]

// shareLine returns a line equal to pieces: the cached one if there is one, else the result of newLine,
// which it adds to the cache unless it is too wide. It does not keep pieces, whose cells may be those of a grid.
func shareLine(pieces line, newLine func() line) line {
	if n := len(pieces); n > 0 && pieces[n-1].x+pieces[n-1].n > maxCachedLineSize {
		return newLine()
	}
	place := &lineCache[pieces.hash()%lineCacheSize]
	if l := place.Load(); l != nil && slices.EqualFunc(*l, pieces, piece.equal) {
		return *l
	}
	l := newLine()
	place.Store(&l)
	return l
}

// hash returns a hash of all cells and their columns. Equal lines have the same hash.
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

// The spectators of one match are shown the same change on terminals in the same state. The bytes of such a
// diff are made for the first two of them, then cached.

// diffCacheSize is the number of cached diffs. A diff replaces the one with the same remainder of its hash.
// Diffs of more than maxDiffCells cells are not cached, so that the cache, with the lines that only it
// keeps alive, takes at most 8 MiB.
const (
	diffCacheSize = 1 << 6
	maxDiffCells  = 1 << 12
)

var (
	diffCache [diffCacheSize]atomic.Pointer[cachedDiff]
	diffsSeen [diffCacheSize]atomic.Uint64 // hashes of diffs that were made once
	hashSeed  = maphash.MakeSeed()
)

// diffKey identifies a diff: the state of the terminal and the rows to change.
type diffKey struct {
	before painter // without its frame
	rows   []change
	cursor position // -1: hidden
	hash   uint64
}

// cachedDiff is a diff with its bytes and the state of the terminal after them.
type cachedDiff struct {
	diffKey
	after painter // without its frame
	bytes []byte
}

// newDiff returns the diff from what p's terminal shows to f. Its rows are buf.changes, so it is valid until buf is used
// again.
func (buf *scratch) newDiff(p *painter, f *Frame) diffKey {
	buf.changes = buf.changes[:0]
	for y := range p.h {
		if old, now := p.frame.line(y), f.line(y); !old.isSame(now) {
			buf.changes = append(buf.changes, change{y, old, now})
		}
	}
	k := diffKey{before: *p, rows: buf.changes, cursor: position{-1, -1}}
	k.before.frame = nil
	if f.visible {
		k.cursor = position{f.cx, f.cy}
	}
	var h maphash.Hash
	h.SetSeed(hashSeed)
	maphash.WriteComparable(&h, k.before.at)
	maphash.WriteComparable(&h, k.before.pen)
	maphash.WriteComparable(&h, k.before.profile)
	for _, c := range k.rows {
		maphash.WriteComparable(&h, c.y)
		for _, l := range [...]line{c.old, c.now} {
			if len(l) > 0 {
				maphash.WriteComparable(&h, &l[0])
			}
		}
	}
	k.hash = h.Sum64()
	return k
}

// cached returns the cached diff with this key; nil if there is none.
func (k *diffKey) cached() *cachedDiff {
	d := diffCache[k.hash%diffCacheSize].Load()
	if d == nil || d.hash != k.hash || d.before != k.before || d.cursor != k.cursor || !slices.EqualFunc(d.rows, k.rows, change.isSame) {
		return nil
	}
	return d
}

// cache adds a diff to the cache if it is made for the second time: most diffs are only made once.
func (k *diffKey) cache(after painter, bytes []byte) {
	if len(k.rows) == 0 || len(k.rows)*k.before.w > maxDiffCells || diffsSeen[k.hash%diffCacheSize].Swap(k.hash) != k.hash {
		return
	}
	after.frame = nil
	d := &cachedDiff{*k, after, slices.Clone(bytes)}
	d.rows = slices.Clone(k.rows)
	diffCache[k.hash%diffCacheSize].Store(d)
}

func (c change) isSame(o change) bool {
	return c.y == o.y && c.old.isSame(o.old) && c.now.isSame(o.now)
}

// The first frames of two sessions are seldom equal, but most of their rows are. The bytes of a row on a blank
// screen are made for the first two sessions that show it, then cached.

// rowCacheSize is the number of cached rows. With the lines that only the cache keeps alive they take less
// than 2 MiB.
const rowCacheSize = 1 << 9

var (
	rowCache [rowCacheSize]atomic.Pointer[cachedRow]
	rowsSeen [rowCacheSize]atomic.Uint64 // hashes of rows that were made once
)

// rowKey identifies a row on a blank screen and the state of the terminal before it is drawn.
type rowKey struct {
	profile Profile
	w, y    int
	at      position
	pen     Style
	first   *piece // of the n pieces of the line
	n       int
}

// cachedRow is a row with its bytes, and the cursor and the pen after them.
type cachedRow struct {
	rowKey
	after position
	drawn Style
	bytes []byte
}

// rowKey returns the key of a row and its hash. The row must not be empty.
func (p *painter) rowKey(c change) (at rowKey, hash uint64) {
	at = rowKey{p.profile, p.w, c.y, p.at, p.pen, &c.now[0], len(c.now)}
	return at, maphash.Comparable(hashSeed, at)
}

// appendCachedRow appends the bytes of a cached row; it returns false if the row is not cached.
func (p *painter) appendCachedRow(b []byte, at rowKey, hash uint64) ([]byte, bool) {
	d := rowCache[hash%rowCacheSize].Load()
	if d == nil || d.rowKey != at {
		return b, false
	}
	p.at, p.pen = d.after, d.drawn
	return append(b, d.bytes...), true
}

// cacheRow adds a row to the cache if it is made for the second time.
func (p *painter) cacheRow(at rowKey, hash uint64, bytes []byte) {
	if rowsSeen[hash%rowCacheSize].Swap(hash) == hash {
		rowCache[hash%rowCacheSize].Store(&cachedRow{at, p.at, p.pen, slices.Clone(bytes)})
	}
}
