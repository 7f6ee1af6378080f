package admin

import (
	"encoding/json"
	"errors"
	"strconv"
	"strings"
	"time"

	"ayumu/lobby/club"
	"ayumu/lobby/sanitize"
	"ayumu/tui/op"
)

// Duration is how long something lasts, also forever. The zero value is unknown, so that nothing lasts forever because a
// program has left it out.
type Duration struct {
	d     time.Duration
	isSet bool
}

// NewDuration returns a duration, forever for club.Permanent.
func NewDuration(d time.Duration) Duration { return Duration{d, true} }

// Value returns the duration, club.Permanent for forever, or an error if it is unknown.
func (d Duration) Value() (time.Duration, error) {
	if !d.isSet {
		return 0, badRequest("enter a duration such as 30m, 12h, 7d or forever")
	}
	return d.d, nil
}

// Kind implements op.Kind.
func (*Duration) Kind() string { return "duration" }

// ParseWord implements op.Kind.
func (d *Duration) ParseWord(_ *op.Visit, word string) (err error) {
	d.d, err = parseDuration(word)
	d.isSet = err == nil
	return err
}

// UnmarshalJSON parses the text of a duration.
func (d *Duration) UnmarshalJSON(b []byte) error {
	text, err := unmarshalText(b)
	if err != nil {
		return err
	}
	return d.ParseWord(nil, text)
}

// unmarshalText returns the text of a JSON value that is a string.
func unmarshalText(b []byte) (text string, err error) {
	if json.Unmarshal(b, &text) != nil {
		return "", badRequest("%q is not a string", sanitize.Line(string(b), 20))
	}
	return text, nil
}

// parseDuration parses a duration such as 30m, 12h or 7d; "forever" is club.Permanent.
func parseDuration(s string) (time.Duration, error) {
	const maxDays = 36500
	if s == "forever" {
		return club.Permanent, nil
	}
	d, err := time.ParseDuration(s)
	if days, ok := strings.CutSuffix(s, "d"); ok {
		var n int64
		n, err = strconv.ParseInt(days, 10, 32)
		d = time.Duration(n) * 24 * time.Hour
		if errors.Is(err, strconv.ErrRange) || n > maxDays {
			return 0, badRequest("%q is longer than %d days; forever has no end", sanitize.Line(s, 20), maxDays)
		}
	}
	if err != nil || d <= 0 || d > maxDays*24*time.Hour {
		return 0, badRequest("%q is not a duration such as 30m, 12h, 7d or forever", sanitize.Line(s, 20))
	}
	return d, nil
}

// Time is a time; zero: without an end.
type Time struct{ at time.Time }

// NewTime returns a time; the zero time is without an end.
func NewTime(t time.Time) *Time { return &Time{t} }

// Kind implements op.Kind.
func (*Time) Kind() string { return "time" }

// ParseWord implements op.Kind.
func (t *Time) ParseWord(_ *op.Visit, word string) (err error) {
	t.at, err = ParseTime(word, time.Now())
	t.at = t.at.UTC()
	return err
}

// UnmarshalJSON parses the text of a time.
func (t *Time) UnmarshalJSON(b []byte) error {
	text, err := unmarshalText(b)
	if err != nil {
		return err
	}
	return t.ParseWord(nil, text)
}

// ParseTime parses a time: "now" or "", a duration from now such as 12h or 7d, a date or time in UTC as 2006-01-02,
// 2006-01-02T15:04 or 2006-01-02 15:04, or a time as programs write it, 2006-01-02T15:04:05Z. "forever" is the zero time.
func ParseTime(text string, now time.Time) (time.Time, error) {
	switch text {
	case "", "now":
		return now, nil
	case "forever":
		return time.Time{}, nil
	}
	for _, layout := range []string{time.DateOnly, "2006-01-02T15:04", "2006-01-02 15:04", time.RFC3339} {
		if t, err := time.Parse(layout, text); err == nil {
			return t, nil
		}
	}
	d, err := parseDuration(text)
	if err != nil {
		return time.Time{}, badRequest("%q is not a time; use for example 7d, 2006-01-02 or 2006-01-02T15:04 (UTC)", sanitize.Line(text, 20))
	}
	return now.Add(d), nil
}

// DefaultValidity is how long an invitation is valid unless its author decides otherwise.
const DefaultValidity = 7 * 24 * time.Hour

// ParseInvitation parses the words of an invitation: the number of keys and how long it is valid. One key and
// DefaultValidity are the defaults.
func ParseInvitation(args []string) (uses int, validity time.Duration, err error) {
	uses, validity = 1, DefaultValidity
	if len(args) > 0 {
		if uses, err = strconv.Atoi(args[0]); err != nil {
			return 0, 0, badRequest("%q is not a number of keys", sanitize.Line(args[0], 20))
		}
	}
	if len(args) > 1 {
		validity, err = parseDuration(args[1])
	}
	return uses, validity, err
}

func jsonTime(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format(time.RFC3339)
}
