package record

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"ayumu/engine"
	"ayumu/lobby/clock"
	"ayumu/lobby/sanitize"
)

// Read reads one record of one of the games up to the end of r. It returns the error of r, or an *Error with the line.
func Read(r io.Reader, games engine.Games) (*Record, error) {
	text, err := io.ReadAll(io.LimitReader(r, maxFileBytes+1))
	if err != nil {
		return nil, err
	}
	if len(text) > maxFileBytes {
		return nil, errorAt(0, "a record has at most %d MiB", maxFileBytes>>20)
	}
	lines, err := split(text)
	if err != nil {
		return nil, err
	}
	h, err := readHeader(lines)
	if err != nil {
		return nil, err
	}
	rec, err := h.record(games)
	if err != nil {
		return nil, err
	}
	for i := h.end; i < len(lines); i++ {
		l, err := rec.readLine(lines[i])
		if err != nil {
			return nil, errorAt(i+1, "%v", err)
		}
		rec.Lines = append(rec.Lines, l)
	}
	if err := rec.compare(lines); err != nil {
		return nil, err
	}
	return rec, nil
}

// split returns the lines of a text, each of which must end in a line feed and be printable.
func split(text []byte) ([]string, error) {
	lines := strings.Split(string(text), "\n")
	for i, l := range lines {
		switch {
		case len(l) > maxLineBytes:
			return nil, errorAt(i+1, "a line has at most %d KiB", maxLineBytes>>10)
		case strings.HasSuffix(l, "\r"):
			return nil, errorAt(i+1, "the line ends in a carriage return; lines end in a line feed alone")
		case !utf8.ValidString(l) || strings.ContainsFunc(l, func(r rune) bool { return !unicode.IsPrint(r) }):
			return nil, errorAt(i+1, "the line has characters that are not text")
		}
	}
	last := len(lines) - 1
	if lines[last] != "" {
		return nil, errorAt(last+1, "the last line does not end in a line feed; the file may be cut off")
	}
	return lines[:last], nil
}

// compare returns an error for the first line that differs from the record's own text.
func (r *Record) compare(lines []string) error {
	n := 0
	for want := range bytes.Lines(r.text()) {
		want := strings.TrimSuffix(string(want), "\n")
		if n == len(lines) || lines[n] != want {
			return errorAt(n+1, "this must be: %s", want)
		}
		n++
	}
	return nil
}

// header holds the tags while they are read.
type header struct {
	values map[string]string
	lines  map[string]int
	end    int // the number of the empty line after the tags
	err    error
}

var tagForm = regexp.MustCompile(`^\[([A-Za-z]+[0-9]?) "((?:[^"\\]|\\["\\])*)"\]$`)

func readHeader(lines []string) (*header, error) {
	h := &header{values: make(map[string]string), lines: make(map[string]int)}
	unescape := strings.NewReplacer(`\\`, `\`, `\"`, `"`)
	for i, l := range lines {
		if l == "" {
			h.end = i + 1
			return h, nil
		}
		m := tagForm.FindStringSubmatch(l)
		if m == nil {
			return nil, errorAt(i+1, `a tag is written like [Name "value"], and an empty line follows the last`)
		}
		name, value := m[1], unescape.Replace(m[2])
		if h.lines[name] > 0 {
			return nil, errorAt(i+1, "the tag %s is already on line %d", name, h.lines[name])
		}
		limit := maxTagValue
		if name == "Position" {
			limit = engine.MaxStartBytes
		}
		if value == "" || sanitize.Line(value, limit) != value {
			return nil, errorAt(i+1, "the value of %s must be 1 to %d characters of plain text with single spaces", name, limit)
		}
		h.values[name], h.lines[name] = value, i+1
	}
	return nil, errorAt(len(lines)+1, "an empty line must follow the tags")
}

// required reads a tag that must be present. It does nothing after an error.
func (h *header) required(name string, set func(value string) error) {
	if h.err == nil && h.lines[name] == 0 {
		h.err = errorAt(h.end, "the tag %s is missing", name)
	}
	h.optional(name, set)
}

// optional reads a tag if it is present.
func (h *header) optional(name string, set func(value string) error) {
	line := h.lines[name]
	if line == 0 || h.err != nil {
		return
	}
	if err := set(h.values[name]); err != nil {
		h.err = errorAt(line, "%s: %v", name, err)
	}
	delete(h.lines, name)
}

// into returns a function that stores a tag's value in a string.
func into(target *string) func(string) error {
	return func(value string) error { *target = value; return nil }
}

// timeInto returns a function that stores a tag's value as a time.
func timeInto(target *time.Time) func(string) error {
	return func(value string) (err error) {
		*target, err = time.Parse(time.RFC3339, value)
		*target = target.UTC()
		if err != nil {
			return fmt.Errorf("a time is written like 2026-11-20T20:00:00Z")
		}
		return nil
	}
}

// record returns the record without its lines.
func (h *header) record(games engine.Games) (*Record, error) {
	r := new(Record)
	h.required("AyumuRecord", func(v string) error {
		if v != version {
			return fmt.Errorf("this program reads version %s of the format", version)
		}
		return nil
	})
	var game engine.Game
	h.required("Game", func(v string) (err error) {
		var ok bool
		if game, ok = games.ByName(v); !ok {
			err = fmt.Errorf("unknown game")
		}
		r.Game = v
		return err
	})
	h.required("Options", func(v string) (err error) {
		start := h.values["Position"] // whose error is that of the options
		r.Options, err = parseOptions(game, v, start)
		return err
	})
	h.optional("Position", func(v string) error {
		if engine.StartPosition(r.Options) != v {
			return fmt.Errorf("a game with these options does not begin with a position")
		}
		return nil
	})
	h.optional("Site", into(&r.Site))
	h.optional("Match", into(&r.Match))
	h.optional("RematchOf", into(&r.RematchOf))
	h.required("Started", timeInto(&r.Started))
	h.optional("Ended", timeInto(&r.Ended))
	h.seats(r)
	h.required("Clock", func(v string) (err error) {
		r.Control, err = parseControl(v)
		return err
	})
	h.required("Rated", func(v string) error { r.Rated = v == "yes"; return nil })
	h.required("Result", func(v string) (err error) {
		r.Result, err = parseResult(v, len(r.Seats))
		return err
	})
	if r.Result != nil {
		h.required("Reason", into(&r.Result.Reason))
		h.optional("Scores", func(v string) (err error) {
			r.Result.Scores, err = parseNumbers(v)
			return err
		})
	}
	if h.err == nil {
		h.err = h.unused()
	}
	return r, h.err
}

// unused returns an error for the first tag that was not read.
func (h *header) unused() error {
	if len(h.lines) == 0 {
		return nil
	}
	first := slices.MinFunc(slices.Collect(maps.Keys(h.lines)), func(a, b string) int { return h.lines[a] - h.lines[b] })
	return errorAt(h.lines[first], "there is no tag %s in a record of such a game", first)
}

func (h *header) seats(r *Record) {
	if h.err != nil {
		return
	}
	_, maxSeats := r.Options.Seats()
	r.Seats = make([]Seat, maxSeats)
	for i := range r.Seats {
		s, n := &r.Seats[i], strconv.Itoa(i)
		h.required("Seat"+n, into(&s.Name))
		h.optional("Rating"+n, func(v string) error {
			rating, err := strconv.Atoi(v)
			if err != nil {
				return fmt.Errorf("a rating is a whole number")
			}
			s.Rating = &rating
			return nil
		})
		h.optional("Type"+n, func(v string) error { s.Bot = true; return nil })
	}
}

// parseOptions returns the options of a game with this text, and with a start position unless that is empty.
func parseOptions(game engine.Game, v, start string) (engine.Options, error) {
	var raw strings.Builder
	for i, pair := range strings.Split(v, " ") {
		name, value, ok := strings.Cut(pair, "=")
		if !ok || !json.Valid([]byte(value)) || strings.ContainsAny(value, `"[{`) {
			return nil, fmt.Errorf("options are written like size=11 pie=true")
		}
		if i > 0 {
			raw.WriteByte(',')
		}
		fmt.Fprintf(&raw, "%q:%s", name, value)
	}
	if start != "" {
		fmt.Fprintf(&raw, `,"position":%q`, start)
	}
	o, err := game.ParseOptions(json.RawMessage("{" + raw.String() + "}"))
	if err != nil {
		return nil, err
	}
	if minSeats, maxSeats := o.Seats(); minSeats != maxSeats {
		return nil, fmt.Errorf("the number of seats must be given")
	}
	return o, nil
}

func parseControl(v string) (c clock.Control, err error) {
	if v == "none" {
		return c, nil
	}
	raw := ""
	if days, ok := strings.CutSuffix(strings.TrimSuffix(v, "s"), " day"); ok {
		raw = fmt.Sprintf(`{"days":%s}`, days)
	} else if initial, increment, ok := strings.Cut(v, "+"); ok {
		raw = fmt.Sprintf(`{"initial":%s,"increment":%s}`, initial, increment)
	}
	if !json.Valid([]byte(raw)) {
		return c, fmt.Errorf("a clock is written like 600+10 (seconds), 3 days or none")
	}
	return c, c.UnmarshalJSON([]byte(raw))
}

func parseResult(v string, seats int) (*engine.Result, error) {
	if v == unfinished {
		return nil, nil
	}
	parts := strings.Split(v, "-")
	if len(parts) != seats {
		return nil, fmt.Errorf("it must have a part for each of the %d seats, such as 1-0, or be %s while the game runs", seats, unfinished)
	}
	r := &engine.Result{Winners: []int{}}
	for i, part := range parts {
		if part != "0" {
			r.Winners = append(r.Winners, i)
		}
	}
	return r, nil
}

func parseNumbers(v string) ([]int, error) {
	var all []int
	for _, text := range strings.Split(v, " ") {
		n, err := strconv.Atoi(text)
		if err != nil {
			return nil, fmt.Errorf("%q is not a whole number; write numbers with spaces between them", text)
		}
		all = append(all, n)
	}
	return all, nil
}

var lineForm = regexp.MustCompile(`^[0-9]+\. ([0-9]) ([^{}]+?)(?: \{([^{}]*)\})?$`)

func (r *Record) readLine(text string) (l Line, err error) {
	m := lineForm.FindStringSubmatch(text)
	if m == nil {
		return l, fmt.Errorf("a turn is written like 12. 1 b1-b2 {0:09:58.3}")
	}
	l.Seat = int(m[1][0] - '0')
	actions, comment := m[2], m[3]
	switch {
	case actions != strings.ToLower(strings.Join(strings.Fields(actions), " ")):
		return l, fmt.Errorf("actions are written in lower case with single spaces")
	case strings.HasPrefix(actions, "leave "):
		if comment != engine.ReasonResign && comment != engine.ReasonTime && comment != absent {
			return l, fmt.Errorf("a seat leaves {%s}, {%s} or {%s}", engine.ReasonResign, engine.ReasonTime, absent)
		}
		l.Reason = comment
		return l, nil
	case comment != "" && !r.Control.IsLive():
		return l, fmt.Errorf("only games with a live clock have clock times")
	case comment != "":
		l.Remaining, err = parseRemaining(comment)
	}
	l.Actions = strings.Split(actions, actionSeparator)
	return l, err
}

func parseRemaining(v string) (*time.Duration, error) {
	var h, m, s, t int
	if n, err := fmt.Sscanf(v, "%d:%d:%d.%d", &h, &m, &s, &t); n != 4 || err != nil || h < 0 || h > 1000 {
		return nil, fmt.Errorf("a clock time is written like {0:09:58.3}")
	}
	left := time.Duration(h)*time.Hour + time.Duration(m)*time.Minute + time.Duration(s)*time.Second + time.Duration(t)*clockUnit
	return &left, nil
}
