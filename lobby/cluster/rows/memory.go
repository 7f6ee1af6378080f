package rows

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"
	"sync"
	"time"
)

// Memory is a Store in memory: that of a lobby with one node, or with several in one process, in tests. The
// zero value has no rows.
type Memory struct {
	mu       sync.Mutex
	rows     map[Key]memoryRow
	prepared map[Key]chan struct{} // the rows of changes that are prepared; closed when those end
	changes  uint64                // number of changes
	deleted  []deletion
}

// memoryRow is a row with the number of its last change.
type memoryRow struct {
	Row
	change uint64
}

// deletion is a row that has been deleted.
type deletion struct {
	key    Key
	change uint64
	at     time.Time
}

// Write implements Store.
func (m *Memory) Write(ctx context.Context, changes ...Write) ([]Row, error) {
	p, err := m.Prepare(ctx, changes...)
	if err != nil {
		return nil, err
	}
	p.End(true)
	return p.Rows, nil
}

// Prepared are changes that have been found possible and are not visible yet. Other changes of their rows wait
// until End.
type Prepared struct {
	Rows  []Row // the new ones
	m     *Memory
	ended chan struct{}
}

// Prepare is Write up to the point where nothing can fail any more. The caller has to call End soon.
func (m *Memory) Prepare(ctx context.Context, changes ...Write) (*Prepared, error) {
	if err := Check(changes); err != nil {
		return nil, err
	}
	for {
		p, other, err := m.prepare(changes)
		if other == nil {
			return p, err
		}
		select {
		case <-other:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

// prepare is Prepare unless other changes of the rows are prepared; other is then closed when those have ended.
func (m *Memory) prepare(changes []Write) (p *Prepared, other chan struct{}, err error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, w := range changes {
		if other := m.prepared[w.Key]; other != nil {
			return nil, other, nil
		}
		if row, ok := m.rows[w.Key]; w.Replaces != row.Version && !(ok && w.Replaces == 0 && row.IsDeleted()) {
			return nil, nil, ErrConflict
		}
	}
	p = &Prepared{Rows: make([]Row, len(changes)), m: m, ended: make(chan struct{})}
	if m.prepared == nil {
		m.prepared = make(map[Key]chan struct{})
	}
	now := time.Now()
	for i, w := range changes {
		p.Rows[i] = Row{Key: w.Key, Version: m.rows[w.Key].Version + 1, Data: w.Data, At: now}
		m.prepared[w.Key] = p.ended
	}
	return p, nil, nil
}

// End makes the changes visible, or forgets them if they are not valid.
func (p *Prepared) End(valid bool) {
	m := p.m
	m.mu.Lock()
	defer m.mu.Unlock()
	close(p.ended)
	for _, r := range p.Rows {
		delete(m.prepared, r.Key)
	}
	if valid {
		m.set(p.Rows)
	}
}

// Load adds rows that were kept elsewhere, before the Memory is used.
func (m *Memory) Load(rows []Row) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.set(rows)
}

// set replaces rows. The caller holds m.mu.
func (m *Memory) set(rows []Row) {
	if m.rows == nil {
		m.rows = make(map[Key]memoryRow)
	}
	m.prune(time.Now())
	for _, r := range rows {
		m.changes++
		m.rows[r.Key] = memoryRow{r, m.changes}
		if r.IsDeleted() {
			m.deleted = append(m.deleted, deletion{r.Key, m.changes, r.At})
		}
	}
}

// prune forgets rows that were deleted long ago. The caller holds m.mu.
func (m *Memory) prune(now time.Time) {
	n := 0
	for n < len(m.deleted) && now.Sub(m.deleted[n].at) > KeepDeleted {
		if d := m.deleted[n]; m.rows[d.key].change == d.change {
			delete(m.rows, d.key)
		}
		n++
	}
	m.deleted = slices.Delete(m.deleted, 0, n)
}

// Changes implements Store.
func (m *Memory) Changes(_ context.Context, since Cursor) ([]Row, Cursor, error) {
	from, err := uint64(0), error(nil)
	if since != "" {
		if from, err = strconv.ParseUint(string(since), 10, 64); err != nil {
			return nil, "", fmt.Errorf("the cursor %q is not one of this store", since)
		}
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	next := Cursor(strconv.FormatUint(m.changes, 10))
	if from == m.changes {
		return nil, next, nil
	}
	var found []memoryRow
	for _, row := range m.rows {
		if row.change > from && !(since == "" && row.IsDeleted()) {
			found = append(found, row)
		}
	}
	slices.SortFunc(found, func(a, b memoryRow) int { return cmp.Compare(a.change, b.change) })
	rows := make([]Row, len(found))
	for i := range found {
		rows[i] = found[i].Row
	}
	return rows, next, nil
}

// Read implements Store.
func (m *Memory) Read(_ context.Context, keys ...Key) (rows []Row, err error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, k := range keys {
		if row, ok := m.rows[k]; ok && !row.IsDeleted() {
			rows = append(rows, row.Row)
		}
	}
	return rows, nil
}

// Check returns an error for changes that no Store may take: they are faults of the caller.
func Check(changes []Write) error {
	for i, w := range changes {
		switch {
		case w.Kind == "" || len(w.Kind) > 16 || w.ID == "" || len(w.ID) > 100:
			return fmt.Errorf("shared row %q %q: the key is too long or empty", w.Kind, w.ID)
		case len(w.Data) > MaxData:
			return fmt.Errorf("shared row %q %q: %d bytes are too many", w.Kind, w.ID, len(w.Data))
		case slices.ContainsFunc(changes[:i], func(o Write) bool { return o.Key == w.Key }):
			return fmt.Errorf("shared row %q %q is written twice", w.Kind, w.ID)
		}
	}
	return nil
}
