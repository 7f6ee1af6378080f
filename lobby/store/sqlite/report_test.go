package sqlite

import (
	"context"
	"errors"
	"path/filepath"
	"reflect"
	"testing"
	"testing/synctest"
	"time"

	"ayumu/lobby"
	"ayumu/lobby/store/sqlite/sqlitetest"
	"ayumu/lobby/store/storetest"
)

// unreported are the methods whose callers report their errors, because no server runs that has a log, and
// those that return no error.
var unreported = map[string]bool{"AllMatches": true, "Unfinished": true, "Backup": true, "Check": true, "Close": true, "WriteFailure": true}

// TestEveryFailureIsReportedOnce calls each exported method of the store, including new ones, on a file
// without tables.
func TestEveryFailureIsReportedOnce(t *testing.T) {
	path := filepath.Join(t.TempDir(), FileName)
	s := openFile(t, path)
	ana, bob := account(t, s, "ana"), account(t, s, "bob")
	info := match(t, "m", "", ana, bob)
	want(t, "create", s.CreateMatch(t.Context(), info), nil)
	var log storetest.Reported
	s.ReportFailures(log.Add)
	want(t, "break the file", sqlitetest.DropTables(t.Context(), path), nil)

	value := reflect.ValueOf(s)
	failure := reflect.TypeFor[error]()
	tried := 0
	for i := range value.NumMethod() {
		name, method := value.Type().Method(i).Name, value.Method(i)
		kind := method.Type()
		if unreported[name] || kind.NumOut() == 0 || kind.Out(kind.NumOut()-1) != failure {
			continue
		}
		var args []reflect.Value
		for in := range kind.NumIn() {
			arg := reflect.Zero(kind.In(in))
			switch arg.Interface().(type) {
			case context.Context, nil:
				arg = reflect.ValueOf(t.Context())
			case string:
				arg = reflect.ValueOf("m")
			case []byte:
				arg = reflect.ValueOf([]byte("key"))
			case *lobby.MatchInfo:
				arg = reflect.ValueOf(info)
			case []lobby.Entry:
				arg = reflect.ValueOf(lobby.Entry{Kind: lobby.EntryTurn, Actions: []string{"a1-a2"}, At: start})
			}
			args = append(args, arg)
		}
		out := method.Call(args)
		err, _ := out[len(out)-1].Interface().(error)
		if all := log.Take(); err == nil || isExpected(err) || len(all) != 1 {
			t.Errorf("%s: error %v, reported %q", name, err, all)
		}
		tried++
	}
	if tried < 25 {
		t.Errorf("%d methods were tried", tried)
	}
}

// TestWhatIsNoFailureIsNotReported: of the errors on which callers act, and of the end of a store, none is
// reported (storetest has most of them); a change that takes too long is.
func TestWhatIsNoFailureIsNotReported(t *testing.T) {
	withMemoryStore(t, func(t *testing.T, s *Store) {
		var log storetest.Reported
		s.ReportFailures(log.Add)
		ana := account(t, s, "ana")
		_, err := s.CreateAccount(t.Context(), "ana", []byte("another key"), start)
		want(t, "taken", err, lobby.ErrTaken)
		if all := log.Take(); len(all) > 0 {
			t.Errorf("taken: reported %q", all)
		}
		late, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		release := blockWriter(t, s)
		result := make(chan error)
		go func() { result <- s.SaveSettings(late, ana.ID, nil) }()
		if err := <-result; !errors.Is(err, context.DeadlineExceeded) || len(log.Take()) != 1 {
			t.Errorf("a write that took too long: %v", err)
		}
		release()
		synctest.Wait()
		want(t, "close", s.Close(), nil)
		want(t, "when it is closed", s.SaveSettings(t.Context(), ana.ID, nil), lobby.ErrClosed)
		if all := log.Take(); len(all) > 0 {
			t.Errorf("closing: reported %q", all)
		}
	})
}
