package storetest

import (
	"context"
	"reflect"
	"testing"
	"time"

	"ayumu/engine/puzzle"
	"ayumu/lobby"
	"ayumu/lobby/account"
	"ayumu/lobby/match"
	"ayumu/lobby/notify"
	"ayumu/lobby/store"
)

// unreported are the methods whose callers report their errors, because no server runs that has a log, and
// those that return no error of their own. Size reads no table, and the metrics report its errors.
var unreported = map[string]bool{"AllMatches": true, "Unfinished": true, "Backup": true, "Check": true, "Close": true, "WriteFailure": true,
	"Import": true, "CountRows": true, "Size": true}

// RunBroken breaks a store, and then calls each method of its interface: each returns a failure, and has
// reported it once. After break, no statement succeeds, but the store does not know.
func RunBroken(t *testing.T, s store.Store, breakIt func() error) {
	info := Match(t, "m", "", Account(t, s, "ana"), Account(t, s, "bob"))
	Want(t, "create", s.CreateMatch(t.Context(), info, lobby.MatchStart{}), nil)
	var log Reported
	s.ReportFailures(log.Add)
	Want(t, "break the store", breakIt(), nil)
	tried := 0
	for method, call := range reflect.ValueOf(&s).Elem().Methods() {
		kind := call.Type()
		if unreported[method.Name] || kind.NumOut() == 0 || kind.Out(kind.NumOut()-1) != reflect.TypeFor[error]() {
			continue
		}
		var args []reflect.Value
		for in := range kind.NumIn() {
			args = append(args, argument(t, kind.In(in), info))
		}
		out := call.Call(args)
		err, _ := out[len(out)-1].Interface().(error)
		if all := log.Take(); err == nil || store.IsExpected(err) || len(all) != 1 {
			t.Errorf("%s: error %v, reported %q", method.Name, err, all)
		}
		tried++
	}
	if tried < 30 {
		t.Errorf("%d methods were tried", tried)
	}
}

// argument returns an argument of a type for a method of a store.
func argument(t *testing.T, kind reflect.Type, info *match.Info) reflect.Value {
	switch reflect.Zero(kind).Interface().(type) {
	case context.Context, nil:
		return reflect.ValueOf(t.Context())
	case string:
		return reflect.ValueOf(info.ID)
	case []byte:
		return reflect.ValueOf([]byte("key"))
	case *match.Info:
		return reflect.ValueOf(info)
	case map[account.ID]time.Time:
		return reflect.ValueOf(map[account.ID]time.Time{info.Seats[0].Account: Start})
	case []puzzle.Puzzle:
		return reflect.ValueOf([]puzzle.Puzzle{{ID: "p"}})
	case []string:
		return reflect.ValueOf([]string{"id"})
	case []notify.Notification:
		return reflect.ValueOf([]notify.Notification{{Account: 1, ID: "id", Event: notify.EventTurn, At: Start}})
	case *notify.Lease:
		return reflect.ValueOf(&notify.Lease{Receiver: notify.Receiver{Account: 1}})
	case []match.Entry:
		return reflect.ValueOf(match.Entry{Kind: match.EntryTurn, Actions: []string{"a1-a2"}, At: Start})
	}
	return reflect.Zero(kind)
}
