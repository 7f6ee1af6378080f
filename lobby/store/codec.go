package store

import (
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"time"

	"ayumu/lobby/match"
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
	tagResult    = 8  // text: JSON of storedResult
	tagClock     = 9  // number, repeated: nanoseconds
	tagDigest    = 10 // text: the bytes of a digest in lower-case hexadecimal
	tagRawDigest = 11 // text: a digest of any other form
	tagMade      = 12 // number, repeated
	tagSide      = 13 // text, repeated
	tagFault     = 14 // number: 1
)

// EncodeEntry returns the stored form of an entry without its AppendID, which is stored beside it.
func EncodeEntry(e match.Entry) ([]byte, error) {
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
	if e.Fault {
		number(tagFault, 1)
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

// EncodeEntries returns the stored forms of entries that are to follow in a log of version entries. It
// returns ErrInvalidEnd for an EntryEnd that lacks something or is not the last, and for what only an
// EntryEnd has in another entry.
func EncodeEntries(id string, version int, entries []match.Entry) ([][]byte, error) {
	bodies := make([][]byte, len(entries))
	for i, e := range entries {
		body, err := EncodeEntry(e)
		if end := e.Kind == match.EntryEnd; err == nil && (end != isComplete(e) || end && i < len(entries)-1) {
			err = ErrInvalidEnd
		}
		if err != nil {
			return nil, fmt.Errorf("match %s: entry %d: %w", id, version+i+1, err)
		}
		bodies[i] = body
	}
	return bodies, nil
}

// EncodeAppendID returns the stored form of the AppendID of an entry; nil, which is null, for the zero value.
func EncodeAppendID(id match.AppendID) []byte {
	if id == (match.AppendID{}) {
		return nil
	}
	return id[:]
}

// ErrInvalidEnd is the error of an end that no log has.
var ErrInvalidEnd = errors.New("an end, and nothing else, has a result with the turns and sides of all seats, and nothing follows it")

// isComplete reports whether an entry has what an EntryEnd needs.
func isComplete(e match.Entry) bool {
	return e.Result != nil && len(e.TurnsMade) > 0 && len(e.TurnsMade) == len(e.Sides)
}

var errTruncated = errors.New("the entry is truncated")

// DecodeEntry reads the form of EncodeEntry. It accepts any bytes, and returns an error for those that
// EncodeEntry does not write.
func DecodeEntry(b []byte) (e match.Entry, err error) {
	for len(b) > 0 && err == nil {
		tag := b[0]
		var n int64
		var s string
		switch tag {
		case tagKind, tagSeat, tagAt, tagUndone, tagCredit, tagClock, tagMade, tagFault:
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

func setField(e *match.Entry, tag byte, n int64, s string) error {
	switch tag {
	case tagKind:
		e.Kind = match.EntryKind(n)
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
	case tagFault:
		e.Fault = n != 0
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
