package store

import (
	"bytes"
	"reflect"
	"testing"
	"time"

	"ayumu/engine"
	"ayumu/lobby/match"
)

// start is the time of the entries.
var start = time.Date(2026, 11, 20, 20, 0, 0, 123456789, time.UTC)

// entries has every kind and every field.
var entries = []match.Entry{
	{},
	{Kind: match.EntryTurn, Seat: 1, Actions: []string{"b1-b2"}, At: start, Credit: 120 * time.Millisecond,
		Clocks: []time.Duration{598 * time.Second, 0}, Digest: "0123456789abcdef"},
	{Kind: match.EntryTurn, Seat: 5, Actions: []string{"move 0,0 1 e", "move 1,0 1 se", "end"}, At: start},
	{Kind: match.EntryUndo, Seat: 1, Undone: 2, At: start, Clocks: []time.Duration{1, 2}, Digest: "ff"},
	{Kind: match.EntryLeave, Seat: 2, Reason: "resign", At: start},
	{Kind: match.EntryLeave, Seat: 2, Reason: "absent", Fault: true, At: start},
	{Kind: match.EntryCredit, Seat: 0, Credit: -3, At: start.Add(-time.Hour * 500_000), Digest: "ABC"},
	{Kind: match.EntryEnd, Seat: -1, At: start, Result: &engine.Result{Winners: []int{}, Reason: engine.ReasonAbort},
		TurnsMade: []int{1, 0}, Sides: []string{"b", "w"}},
	{Kind: match.EntryEnd, Seat: -1, At: start, Result: &engine.Result{
		Winners: []int{0, 2}, Reason: engine.ReasonScore, Scores: []int{31, 12, 31}, Places: []int{0, 2, 0},
	}, TurnsMade: []int{20, 19, 21}, Sides: []string{"", "", ""}},
}

// TestEntryFields fails if match.Entry has a field that the encoding lacks.
func TestEntryFields(t *testing.T) {
	seen := map[string]bool{"AppendID": true} // which has a column of its own
	for _, e := range entries {
		for field, v := range reflect.ValueOf(e).Fields() {
			seen[field.Name] = seen[field.Name] || !v.IsZero()
		}
	}
	for field := range reflect.TypeFor[match.Entry]().Fields() {
		if !seen[field.Name] {
			t.Errorf("no entry of this test has a %s", field.Name)
		}
	}
}

func TestEntryComesBack(t *testing.T) {
	for i, e := range entries {
		body, err := EncodeEntry(e)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := DecodeEntry(body); err != nil || !reflect.DeepEqual(got, e) {
			t.Errorf("entry %d: %+v, %v\nwant %+v", i, got, err, e)
		}
		for n := range body {
			if got, err := DecodeEntry(body[:n]); err == nil && reflect.DeepEqual(got, e) {
				t.Errorf("entry %d: its last %d bytes say nothing", i, len(body)-n)
			}
		}
	}
	if turn, err := EncodeEntry(entries[1]); err != nil || len(turn) > 50 {
		t.Errorf("a turn of Ayu takes %d bytes, %v", len(turn), err)
	}
}

func TestEntryOfANewerVersionIsRefused(t *testing.T) {
	body, err := EncodeEntry(entries[1])
	if err != nil {
		t.Fatal(err)
	}
	for _, newer := range [][]byte{{tagFault + 1, 0}, {0, 0}, {tagKind, 0x80, 0x08}} {
		if e, err := DecodeEntry(append(bytes.Clone(body), newer...)); err == nil {
			t.Errorf("%x is read as %+v", newer, e)
		}
	}
}

func FuzzEntry(f *testing.F) {
	for _, e := range entries {
		body, err := EncodeEntry(e)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(body)
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		e, err := DecodeEntry(body)
		if err != nil {
			return
		}
		again, err := EncodeEntry(e)
		if err != nil {
			t.Fatalf("what was read cannot be written: %v", err)
		}
		if got, err := DecodeEntry(again); err != nil || !reflect.DeepEqual(got, e) {
			t.Fatalf("%x is %+v, then %+v, %v", body, e, got, err)
		}
	})
}
