package postgres

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"ayumu/engine/enginetest"
	"ayumu/lobby/store/postgres/postgrestest"
	"ayumu/lobby/store/storetest"
)

// TestNodesHaveNames: nodes with different names use a database at the same time, those with one name do not, and
// a tool does not run beside them.
func TestNodesHaveNames(t *testing.T) {
	url := postgrestest.URL(t)
	lost := func(err error) { t.Error(err) }
	unlock := make(map[string]func())
	for _, name := range []string{"a", "b"} {
		var err error
		if unlock[name], err = LockNode(t.Context(), url, name, lost); err != nil {
			t.Fatal(err)
		}
	}
	_, err := LockNode(t.Context(), url, "a", lost)
	if !errors.Is(err, ErrNameTaken) || !strings.Contains(err.Error(), `the node "a"`) || !strings.Contains(err.Error(), "--node") {
		t.Errorf("a second node of one name: %v", err)
	}
	_, err = Lock(t.Context(), url)
	storetest.Want(t, "a tool beside nodes", err, ErrInUse)
	unlock["a"]()
	again, err := LockNode(t.Context(), url, "a", lost)
	storetest.Want(t, "the name of a node that has ended", err, nil)
	again()
	unlock["b"]()
	free, err := Lock(t.Context(), url)
	storetest.Want(t, "a tool alone", err, nil)
	_, err = LockNode(t.Context(), url, "a", lost)
	storetest.Want(t, "a node beside a tool", err, ErrLocked)
	free()
	other, err := LockNode(t.Context(), postgrestest.URL(t), "a", lost)
	storetest.Want(t, "the name in another database", err, nil)
	other()
}

// TestNameIsTakenAgain: the lock of a connection that breaks is taken again, also while the database still has the
// broken connection.
func TestNameIsTakenAgain(t *testing.T) {
	url := postgrestest.URL(t)
	unlock, err := lockNode(t.Context(), url, "a", time.Millisecond, func(err error) { t.Error(err) })
	storetest.Want(t, "lock", err, nil)
	defer unlock()
	first := holder(t, url)
	storetest.Want(t, "break the connection", postgrestest.Exec(url, "SELECT pg_terminate_backend("+first+")"), nil)
	await(t, "another connection", func() bool { pid := holder(t, url); return pid != "NULL" && pid != first })

	c := connect(t, url)
	storetest.Want(t, "the process takes its own name", takeName(t.Context(), c, "b", "ayumu lock test"), nil)
	after := connect(t, url)
	await(t, "the end of the broken connection", func() bool { return takeName(t.Context(), after, "b", "ayumu lock test") == nil })
	if c.Ping(t.Context()) == nil {
		t.Error("both connections have the name")
	}
}

// TestNameIsLost: another process has taken the name while the connection was broken.
func TestNameIsLost(t *testing.T) {
	url := postgrestest.URL(t)
	lost := make(chan error, 2)
	unlock, err := lockNode(t.Context(), url, "a", 50*time.Millisecond, func(err error) { lost <- err })
	storetest.Want(t, "lock", err, nil)
	defer unlock()
	other := connect(t, url)
	await(t, "the name", func() bool {
		storetest.Want(t, "break the connection", postgrestest.Exec(url, "SELECT pg_terminate_backend("+holder(t, url)+"::integer)"), nil)
		return takeName(t.Context(), other, "a", "ayumu lock other") == nil
	})
	if err := <-lost; !errors.Is(err, ErrNameTaken) {
		t.Error(err)
	}
}

// TestSchemaIsNotChangedBesideNodes: a newer version does not change the tables that nodes of an older one use.
func TestSchemaIsNotChangedBesideNodes(t *testing.T) {
	url := postgrestest.URL(t)
	openURL(t, url)
	storetest.Want(t, "make it old", postgrestest.Exec(url, "UPDATE schema SET version = version - 1"), nil)
	node := connect(t, url)
	storetest.Want(t, "a node of another process", takeName(t.Context(), node, "a", "ayumu lock other"), nil)
	checkRefused(t, url, "of an older version of ayumu", "(1); stop them all")
	storetest.Want(t, "the node ends", node.Close(t.Context()), nil)
	unlock, err := LockNode(t.Context(), url, "a", func(err error) { t.Error(err) })
	storetest.Want(t, "a node of this process", err, nil)
	defer unlock()
	if _, err := Open(t.Context(), url, enginetest.Games); err == nil || strings.Contains(err.Error(), "older version") {
		t.Errorf("its own lock keeps a node from changing the schema: %v", err)
	}
}

// connect opens a connection that ends with the test.
func connect(t *testing.T, url string) *pgx.Conn {
	t.Helper()
	c, err := pgx.Connect(t.Context(), url)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close(t.Context()) })
	return c
}

// holder returns the process id of the connection that has the lock of the node "a" in the schema of url, or "NULL".
func holder(t *testing.T, url string) (pid string) {
	t.Helper()
	err := connect(t, url).QueryRow(t.Context(), `SELECT coalesce((SELECT pid::text FROM pg_locks
		WHERE locktype = 'advisory' AND classid = $1 AND objid::bigint = hashtext(current_schema() || ' a')::bigint & 4294967295), 'NULL')`, nodeLock).Scan(&pid)
	if err != nil {
		t.Fatal(err)
	}
	return pid
}
