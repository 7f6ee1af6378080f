package storetest

import (
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"

	"ayumu/lobby"
	"ayumu/lobby/account"
	"ayumu/lobby/errcode"
	"ayumu/lobby/store"
)

// hostileTexts are names, ids and texts that the front ends refuse or clean, or that have no meaning.
var hostileTexts = map[string]string{
	"empty":           "",
	"NUL":             "a\x00b",
	"only NUL":        "\x00",
	"C0":              "a\x01\x07\x1b[2J\r\n\tb\x7f",
	"C1":              "a\u0080\u0085\u009bb",
	"invalid UTF-8":   "a\xff\xc3(b",
	"surrogate":       "a\xed\xa0\x80b",
	"overlong NUL":    "a\xc0\x80b",
	"bidirectional":   "a\u202eb\u2066",
	"zero width":      "\u200b\ufeff\u2060",
	"blank":           "\u3164\u115f\u00a0\u2800",
	"combining":       "z" + strings.Repeat("\u0301", 500),
	"four bytes":      "😀\U000e0041\U0010ffff",
	"not a character": "\ufffe\uffff",
	"SQL":             "'; DROP TABLE accounts; -- ?1 $1 %s \\",
	"JSON":            `{"a":"\u0000"}`,
	"very long":       strings.Repeat("long é ", 20_000),
}

// testHostileText calls each method with each hostile text wherever it takes one. A store refuses some of them, as
// nothing that it has or can have: that is no failure, and the operator is not told of it.
func testHostileText(t *testing.T, open func() store.Store) {
	s := open()
	info := Match(t, "m", "", Account(t, s, "ana"), Account(t, s, "bob"))
	Want(t, "create", s.CreateMatch(t.Context(), info, lobby.MatchStart{}), nil)
	var log Reported
	s.ReportFailures(log.Add)
	for _, name := range slices.Sorted(maps.Keys(hostileTexts)) {
		text := hostileTexts[name]
		tried := 0
		for method, call := range reflect.ValueOf(&s).Elem().Methods() {
			kind := call.Type()
			if unreported[method.Name] || kind.NumOut() == 0 || kind.Out(kind.NumOut()-1) != reflect.TypeFor[error]() {
				continue
			}
			var args []reflect.Value
			for in := range kind.NumIn() {
				other := *info
				arg := argument(t, kind.In(in), &other)
				v := reflect.New(arg.Type()).Elem()
				v.Set(arg)
				fill(v, text, info.Seats[0].Account)
				args = append(args, v)
			}
			out := call.Call(args)
			err, _ := out[len(out)-1].Interface().(error)
			code, _ := lobby.PublicError(err)
			if all := log.Take(); !store.IsExpected(err) && code != errcode.BadRequest || len(all) != 0 {
				t.Errorf("%s with %s: error %v, reported %.300q", method.Name, name, err, all)
			}
			tried++
		}
		if tried < 30 {
			t.Errorf("%d methods were tried", tried)
		}
	}
	if since, err := s.WriteFailure(); err != nil || s.FailedWrites() != 0 {
		t.Errorf("%d writes failed since %v: %v", s.FailedWrites(), since, err)
	}
}

// fill sets all texts in a value, except those in interfaces, and all ids of accounts.
func fill(v reflect.Value, text string, id account.ID) {
	if v.Type() == reflect.TypeFor[account.ID]() {
		v.SetInt(int64(id))
		return
	}
	switch v.Kind() {
	case reflect.String:
		v.SetString(text)
	case reflect.Pointer:
		if !v.IsNil() {
			fill(v.Elem(), text, id)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				fill(v.Field(i), text, id)
			}
		}
	case reflect.Slice:
		if v.Type().Elem().Kind() == reflect.Uint8 {
			v.SetBytes([]byte(text))
			return
		}
		for i := range v.Len() {
			fill(v.Index(i), text, id)
		}
	}
}
