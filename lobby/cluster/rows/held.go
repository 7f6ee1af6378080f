package rows

import "time"

// Held keeps rows of which what they belong to is not known yet: rows are read before the matches that start at the
// same time, and when a node starts before all matches. The zero value has none. It is not safe for concurrent use.
type Held struct {
	rows map[string]map[Key]Row // by what they belong to
}

// Put keeps a row, instead of an earlier state of it. One that is deleted is not kept.
func (h *Held) Put(owner string, r Row) {
	if r.IsDeleted() {
		delete(h.rows[owner], r.Key)
		if len(h.rows[owner]) == 0 {
			delete(h.rows, owner)
		}
		return
	}
	if h.rows == nil {
		h.rows = make(map[string]map[Key]Row)
	}
	if h.rows[owner] == nil {
		h.rows[owner] = make(map[Key]Row)
	}
	h.rows[owner][r.Key] = r
}

// Take removes the rows of an owner, in any order.
func (h *Held) Take(owner string) []Row {
	var rows []Row
	for _, r := range h.rows[owner] {
		rows = append(rows, r)
	}
	delete(h.rows, owner)
	return rows
}

// TakeOld removes the rows that were written before a time: what they belong to is gone.
func (h *Held) TakeOld(before time.Time) (old []Row) {
	for owner, rows := range h.rows {
		for key, r := range rows {
			if r.At.Before(before) {
				delete(rows, key)
				old = append(old, r)
			}
		}
		if len(rows) == 0 {
			delete(h.rows, owner)
		}
	}
	return old
}
