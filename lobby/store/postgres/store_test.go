package postgres

import (
	"testing"

	"ayumu/engine/enginetest"
	"ayumu/lobby/store"
	"ayumu/lobby/store/postgres/postgrestest"
	"ayumu/lobby/store/storetest"
)

func must[T any](t testing.TB) func(v T, err error) T { return storetest.Must[T](t) }

func TestDatabaseIsAStore(t *testing.T) {
	storetest.Run(t, func(t *testing.T) func() store.Store {
		url := postgrestest.URL(t)
		return func() store.Store { return openURL(t, url) }
	})
}

func openURL(t testing.TB, url string) *Store {
	t.Helper()
	s := must[*Store](t)(Open(t.Context(), url, enginetest.Games))
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

// TestEveryFailureIsReportedOnce breaks a database by dropping its tables.
func TestEveryFailureIsReportedOnce(t *testing.T) {
	url := postgrestest.URL(t)
	storetest.RunBroken(t, openURL(t, url), func() error {
		return postgrestest.Exec(url, "DO $$ BEGIN EXECUTE 'DROP SCHEMA ' || current_schema() || ' CASCADE'; END $$")
	})
}
