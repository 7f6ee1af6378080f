package postgres

import (
	"fmt"
	"testing"
	"time"

	"ayumu/engine"
	"ayumu/lobby"
	"ayumu/lobby/cluster/rows"
	"ayumu/lobby/store/postgres/postgrestest"
	"ayumu/lobby/store/storetest"
)

// noteCommits has each transaction that changes a match, a log or a row of nodes note how it is committed: the trigger
// is deferred to the commit.
const noteCommits = `CREATE TABLE commits (setting TEXT);
	CREATE FUNCTION note_commit() RETURNS trigger LANGUAGE plpgsql AS
	$$ BEGIN INSERT INTO commits (setting) VALUES (current_setting('synchronous_commit')); RETURN NULL; END $$;
	CREATE CONSTRAINT TRIGGER note AFTER INSERT OR UPDATE ON matches DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION note_commit();
	CREATE CONSTRAINT TRIGGER note AFTER INSERT OR UPDATE ON log DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION note_commit();
	CREATE CONSTRAINT TRIGGER note AFTER INSERT OR UPDATE ON shared_rows DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION note_commit()`

// TestAcknowledgedChangesAreOnTheDisk: matches, turns, ends and durable rows are acknowledged when they are on the
// disk. Rows about who is online need not be: they are written often, and nodes write them again.
func TestAcknowledgedChangesAreOnTheDisk(t *testing.T) {
	url := postgrestest.URL(t)
	s := openURL(t, url)
	storetest.Want(t, "note commits", postgrestest.Exec(url, noteCommits), nil)
	ana, bob := storetest.Account(t, s, "ana"), storetest.Account(t, s, "bob")
	info := storetest.Match(t, "m", "", ana, bob)
	log := append(storetest.Log(t, info, 2, storetest.NewChance()), storetest.End(time.Minute, engine.ReasonResign, 0))
	appendOf := func(from, to int) func() error {
		return func() error { return s.Append(t.Context(), "m", storetest.After(from), log[from:to]...) }
	}
	number := 0
	writeOf := func(durable ...bool) func() error {
		var all []rows.Write
		for _, d := range durable {
			number++
			all = append(all, rows.Write{Key: rows.Key{Kind: "test", ID: fmt.Sprint(number)}, Data: []byte("x"), Durable: d})
		}
		return func() error {
			_, err := s.Cluster().Write(t.Context(), all...)
			return err
		}
	}
	for _, c := range []struct {
		what    string
		change  func() error
		setting string
	}{
		{"a match", func() error { return s.CreateMatch(t.Context(), info, lobby.MatchStart{}) }, "on"},
		{"a turn", appendOf(0, 1), "on"},
		{"a turn that ends the match", appendOf(1, 3), "on"},
		{"a durable row", writeOf(true), "on"},
		{"a durable row before another", writeOf(true, false), "on"},
		{"a durable row after another", writeOf(false, true), "on"},
		{"a row that need not survive", writeOf(false), "off"},
	} {
		storetest.Want(t, "forget", postgrestest.Exec(url, "DELETE FROM commits"), nil)
		storetest.Want(t, c.what, c.change(), nil)
		var setting string
		err := s.db.QueryRowContext(t.Context(), "SELECT coalesce(string_agg(DISTINCT setting, ' and '), 'none') FROM commits").Scan(&setting)
		if storetest.Want(t, "the noted commits", err, nil); setting != c.setting {
			t.Errorf("%s is committed with synchronous_commit = %s, want %s", c.what, setting, c.setting)
		}
	}
}
