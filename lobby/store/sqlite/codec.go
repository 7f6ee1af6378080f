package sqlite

import (
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"ayumu/engine"
	"ayumu/lobby"
)

// The body of an entry is a sequence of fields, each a tag of one byte and a value. Numbers are varints of
// encoding/binary; texts are a length (uvarint) and that many bytes. Zero values are left out, and a slice
// has a field for each element, so that an empty slice and nil are equal. A new field gets a new tag. A
// reader rejects an entry with an unknown tag, because without the field it would be another game.
const (
	tagKind      = 1  // number
	tagSeat      = 2  // number
	tagAt        = 3  // number: nanoseconds since 1970; the years 1678 to 2262
	tagAction    = 4  // text, repeated
	tagUndone    = 5  // number
	tagCredit    = 6  // number: nanoseconds
	tagReason    = 7  // text
	tagResult    = 8  // text: JSON of result
	tagClock     = 9  // number, repeated: nanoseconds
	tagDigest    = 10 // text: the bytes of a digest in lower-case hexadecimal
	tagRawDigest = 11 // text: a digest of any other form
	tagMade      = 12 // number, repeated
	tagSide      = 13 // text, repeated
)

// storedResult is the stored form of an engine.Result, places included.
type storedResult struct {
	Winners []int  `json:"winners"`
	Reason  string `json:"reason"`
	Scores  []int  `json:"scores,omitempty"`
	Places  []int  `json:"places,omitempty"`
}

// outcomeOf is the stored form of the end of a match in the archive: the result, and why seats left.
type outcomeOf struct {
	storedResult
	Departures []string `json:"departures,omitempty"`
}

func encodeResult(r engine.Result) ([]byte, error) { return encodeOutcome(r, nil) }

func encodeOutcome(r engine.Result, departures []string) ([]byte, error) {
	if r.Winners == nil {
		r.Winners = []int{}
	}
	return json.Marshal(outcomeOf{storedResult(r), departures})
}

func decodeResult(raw []byte) (engine.Result, error) {
	r, _, err := decodeOutcome(raw)
	return r, err
}

func decodeOutcome(raw []byte) (engine.Result, []string, error) {
	var r outcomeOf
	err := json.Unmarshal(raw, &r)
	if r.Winners == nil {
		r.Winners = []int{}
	}
	return engine.Result(r.storedResult), r.Departures, err
}

func encode(e lobby.Entry) ([]byte, error) {
	b := make([]byte, 0, 64)
	number := func(tag byte, n int64) { b = binary.AppendVarint(append(b, tag), n) }
	some := func(tag byte, n int64) {
		if n != 0 {
			number(tag, n)
		}
	}
	text := func(tag byte, s string) {
		b = append(binary.AppendUvarint(append(b, tag), uint64(len(s))), s...)
	}
	some(tagKind, int64(e.Kind))
	some(tagSeat, int64(e.Seat))
	if !e.At.IsZero() {
		number(tagAt, e.At.UnixNano())
	}
	for _, a := range e.Actions {
		text(tagAction, a)
	}
	some(tagUndone, int64(e.Undone))
	some(tagCredit, int64(e.Credit))
	if e.Reason != "" {
		text(tagReason, e.Reason)
	}
	if e.Result != nil {
		raw, err := encodeResult(*e.Result)
		if err != nil {
			return nil, err
		}
		text(tagResult, string(raw))
	}
	for _, n := range e.TurnsMade {
		number(tagMade, int64(n))
	}
	for _, side := range e.Sides {
		text(tagSide, side)
	}
	for _, left := range e.Clocks {
		number(tagClock, int64(left))
	}
	if raw, err := hex.DecodeString(e.Digest); err != nil || hex.EncodeToString(raw) != e.Digest {
		text(tagRawDigest, e.Digest)
	} else if e.Digest != "" {
		text(tagDigest, string(raw))
	}
	return b, nil
}

var errTruncated = errors.New("the entry is truncated")

// decode reads the form of encode. It accepts any bytes, and returns an error for those that encode does
// not write.
func decode(b []byte) (e lobby.Entry, err error) {
	for len(b) > 0 && err == nil {
		tag := b[0]
		var n int64
		var s string
		switch tag {
		case tagKind, tagSeat, tagAt, tagUndone, tagCredit, tagClock, tagMade:
			n, b, err = cutNumber(b[1:])
		case tagAction, tagReason, tagResult, tagDigest, tagRawDigest, tagSide:
			s, b, err = cutText(b[1:])
		default:
			err = fmt.Errorf("it has an unknown field %d; a newer version of ayumu may have written it", tag)
		}
		if err == nil {
			err = setField(&e, tag, n, s)
		}
	}
	return e, err
}

func setField(e *lobby.Entry, tag byte, n int64, s string) error {
	switch tag {
	case tagKind:
		e.Kind = lobby.EntryKind(n)
		if int64(e.Kind) != n {
			return fmt.Errorf("it has an unknown kind %d", n)
		}
	case tagSeat:
		e.Seat = int(n)
	case tagAt:
		e.At = timeOfNanos(n)
	case tagAction:
		e.Actions = append(e.Actions, s)
	case tagUndone:
		e.Undone = int(n)
	case tagCredit:
		e.Credit = time.Duration(n)
	case tagReason:
		e.Reason = s
	case tagResult:
		r, err := decodeResult([]byte(s))
		e.Result = &r
		return err
	case tagClock:
		e.Clocks = append(e.Clocks, time.Duration(n))
	case tagDigest:
		e.Digest = hex.EncodeToString([]byte(s))
	case tagRawDigest:
		e.Digest = s
	case tagMade:
		e.TurnsMade = append(e.TurnsMade, int(n))
	case tagSide:
		e.Sides = append(e.Sides, s)
	}
	return nil
}

func cutNumber(b []byte) (int64, []byte, error) {
	n, size := binary.Varint(b)
	if size <= 0 {
		return 0, nil, errTruncated
	}
	return n, b[size:], nil
}

func cutText(b []byte) (string, []byte, error) {
	n, size := binary.Uvarint(b)
	if size <= 0 || n > uint64(len(b)-size) {
		return "", nil, errTruncated
	}
	end := size + int(n)
	return string(b[size:end]), b[end:], nil
}

// timeOfNanos returns the time n nanoseconds after 1970.
func timeOfNanos(n int64) time.Time { return time.Unix(0, n).UTC() }
