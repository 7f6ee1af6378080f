package sqlite

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"reflect"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"ayumu/lobby"
	"ayumu/lobby/store/sqlite/sqlitetest"
)

// reported collects what a store reports to the operator.
type reported struct {
	mu  sync.Mutex
	all []string
}

func (r *reported) add(msg string, keyvals ...any) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.all = append(r.all, fmt.Sprint(msg, " ", keyvals))
}

// take returns what was reported since the last call.
func (r *reported) take() []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	all := r.all
	r.all = nil
	return all
}

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
	var log reported
	s.ReportFailures(log.add)
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
		if all := log.take(); err == nil || isExpected(err) || len(all) != 1 {
			t.Errorf("%s: error %v, reported %q", name, err, all)
		}
		tried++
	}
	if tried < 25 {
		t.Errorf("%d methods were tried", tried)
	}
}

func TestWhatIsNoFailureIsNotReported(t *testing.T) {
	withMemoryStore(t, func(t *testing.T, s *Store) {
		var log reported
		s.ReportFailures(log.add)
		ana := account(t, s, "ana")
		over, cancel := context.WithCancel(t.Context())
		cancel()
		_, unknown := s.AccountByName(t.Context(), "bob")
		_, taken := s.CreateAccount(t.Context(), "ana", []byte("another key"), start)
		_, cancelled := s.Rename(over, ana.ID, "eva", start)
		_, interrupted := s.Leaderboard(over, "ayu", start, 0, 10)
		for what, err := range map[string]error{
			"unknown": unknown, "taken": taken, "cancelled write": cancelled, "cancelled read": interrupted,
			"last key": s.RemoveKey(t.Context(), ana.ID, []byte("key of ana"), start),
		} {
			if all := log.take(); err == nil || len(all) > 0 {
				t.Errorf("%s: error %v, reported %q", what, err, all)
			}
		}
		late, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		release := blockWriter(t, s)
		result := make(chan error)
		go func() { result <- s.SaveSettings(late, ana.ID, nil) }()
		if err := <-result; !errors.Is(err, context.DeadlineExceeded) || len(log.take()) != 1 {
			t.Errorf("a write that took too long: %v", err)
		}
		release()
		synctest.Wait()
		want(t, "close", s.Close(), nil)
		want(t, "when it is closed", s.SaveSettings(t.Context(), ana.ID, nil), lobby.ErrClosed)
		if all := log.take(); len(all) > 0 {
			t.Errorf("closing: reported %q", all)
		}
	})
}
