package storetest

import (
	"context"
	"database/sql"
	"errors"
	"strings"
	"sync"
	"testing"

	"ayumu/lobby/errcode"
	"ayumu/lobby/store"
)

// Faulty is a database in which each change is first tried with every one of its statements failing, one at a time: the
// change has to fail with the error of that statement. And it is made beside rows of others, which it must not change.
// Nothing of these tries remains, and the change is made after them.
// NewFaulty is the constructor.
type Faulty struct {
	store.Database
	t *testing.T

	mu    sync.Mutex
	tried map[string]int // how many changes of each operation
}

// The numbers of changes of each operation with failing statements, and beside bystanders. The others are only made.
const (
	maxFaulty = 20
	maxBeside = 5
)

// NewFaulty returns a faulty database with the content of another. It reports to t what does not fail.
func NewFaulty(t *testing.T, db store.Database) *Faulty {
	return &Faulty{Database: db, t: t, tried: make(map[string]int)}
}

// count counts a change of an operation and returns how many there were.
func (d *Faulty) count(op string) int {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.tried[op]++
	return d.tried[op]
}

// errInjected is the error of a statement that fails. A query for one row cannot have it: that one gets a row of more columns
// than it reads, and failedRow is what its error says.
var errInjected = errors.New("injected failure")

const (
	unreadableRow = "SELECT 1" + ", 1, 1, 1, 1, 1, 1, 1, 1, 1" + ", 1, 1, 1, 1, 1, 1, 1, 1, 1"
	failedRow     = "expected 19 destination arguments"
)

// Update implements store.Database.
func (d *Faulty) Update(ctx context.Context, op string, do func(store.Tx) error) error {
	number := d.count(op)
	if number > maxFaulty {
		return d.Database.Update(ctx, op, do)
	}
	if number <= maxBeside {
		d.checkBystanders(ctx, op, do)
	}
	for failing := 0; ; failing++ {
		t, err, got := d.try(ctx, op, failing, do)
		if t == nil || t.failed == "" {
			return err
		}
		d.check(op, t, got)
	}
}

// Try fails a change as Update does, and undoes it after that as well.
func (d *Faulty) Try(ctx context.Context, op string, do func(store.Tx) error) {
	undo := func(t store.Tx) error {
		if err := do(t); err != nil {
			return err
		}
		return errcode.ErrNotFound
	}
	_ = d.Update(ctx, op, undo)
}

// try makes a change in which a statement fails: counted from 0, that with this number. got is the error of the change.
// t is nil if the change was not begun. A try in which a statement has failed is undone, without being a failure.
func (d *Faulty) try(ctx context.Context, op string, failing int, do func(store.Tx) error) (t *faultyTx, err, got error) {
	err = d.Database.Update(ctx, op, func(tx store.Tx) error {
		t = &faultyTx{Tx: tx, left: failing}
		if got = do(t); t.failed == "" {
			return got
		}
		return errcode.ErrNotFound
	})
	return t, err, got
}

func (d *Faulty) check(op string, t *faultyTx, got error) {
	if !errors.Is(got, errInjected) && (got == nil || !strings.Contains(got.Error(), failedRow)) {
		d.t.Errorf("%s the store returns %v although this statement has failed: %s", op, got, t.failed)
	}
}

// faultyTx is a transaction in which a statement fails after a number of others.
type faultyTx struct {
	store.Tx
	left   int
	failed string // the statement; "": none has failed
}

// fails counts a statement and reports whether it fails.
func (t *faultyTx) fails(statement string) bool {
	t.left--
	if t.left != -1 {
		return false
	}
	t.failed = strings.Join(strings.Fields(statement), " ")
	return true
}

func (t *faultyTx) LockAccount(id int64) error {
	if t.fails("the lock of an account") {
		return errInjected
	}
	return t.Tx.LockAccount(id)
}

func (t *faultyTx) Lock(name string) error {
	if t.fails("the lock of " + name) {
		return errInjected
	}
	return t.Tx.Lock(name)
}

func (t *faultyTx) Exec(query string, args ...any) (int64, error) {
	if t.fails(query) {
		return 0, errInjected
	}
	return t.Tx.Exec(query, args...)
}

func (t *faultyTx) QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error) {
	if t.fails(query) {
		return nil, errInjected
	}
	return t.Tx.QueryContext(ctx, query, args...)
}

func (t *faultyTx) Row(query string, args ...any) *sql.Row {
	if t.fails(query) {
		return t.Tx.Row(unreadableRow)
	}
	return t.Tx.Row(query, args...)
}

// FaultyReads is a database in which a query fails after a number of others, outside of changes.
type FaultyReads struct {
	store.Database
	count faultyTx
}

// Each makes a reading with every one of its queries failing, one at a time: the reading has to fail with the error of that
// query. After that it makes it without a failure. It returns the number of queries.
func (d *FaultyReads) Each(t *testing.T, what string, read func() error) (queries int) {
	t.Helper()
	for ; ; queries++ {
		d.count = faultyTx{left: queries}
		err := read()
		switch {
		case d.count.failed == "":
			Want(t, what, err, nil)
			return queries
		case !errors.Is(err, errInjected):
			t.Errorf("%s returns %v although this query has failed: %s", what, err, d.count.failed)
		}
	}
}

// QueryContext implements store.Querier.
func (d *FaultyReads) QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error) {
	return faultyQuerier{d.Database, &d.count}.QueryContext(ctx, query, args...)
}

// ReadTx implements store.Database.
func (d *FaultyReads) ReadTx(ctx context.Context, do func(store.Querier) error) error {
	return d.Database.ReadTx(ctx, func(q store.Querier) error { return do(faultyQuerier{q, &d.count}) })
}

// faultyQuerier has queries that count.
type faultyQuerier struct {
	store.Querier
	count *faultyTx
}

func (q faultyQuerier) QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error) {
	if q.count.fails(query) {
		return nil, errInjected
	}
	return q.Querier.QueryContext(ctx, query, args...)
}
