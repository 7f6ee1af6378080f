package record

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

	"ayumu/engine"
	"ayumu/lobby/clock"
)

const (
	version         = "1" // of the format
	unfinished      = "*" // the result of a running game
	actionSeparator = "; "
	absent          = "absent" // the reason of a seat that was voted out
	clockUnit       = 100 * time.Millisecond
)

// tag is a line of the header.
type tag struct{ name, value string }

// tags returns the header in order, without tags that have no value.
func (r *Record) tags() []tag {
	all := []tag{
		{"AyumuRecord", version}, {"Game", r.Game}, {"Options", optionsText(r.Options)},
		{"Position", engine.StartPosition(r.Options)}, {"Site", r.Site},
		{"Match", r.Match}, {"RematchOf", r.RematchOf}, {"Started", timeText(r.Started)}, {"Ended", timeText(r.Ended)},
	}
	for i, s := range r.Seats {
		all = append(all, tag{"Seat" + strconv.Itoa(i), s.Name})
		if s.Rating != nil {
			all = append(all, tag{"Rating" + strconv.Itoa(i), strconv.Itoa(*s.Rating)})
		}
		if s.Bot {
			all = append(all, tag{"Type" + strconv.Itoa(i), "bot"})
		}
	}
	all = append(all, tag{"Clock", controlText(r.Control)}, tag{"Rated", boolText(r.Rated)}, tag{"Result", resultText(r.Result, len(r.Seats))})
	if r.Result != nil {
		all = append(all, tag{"Reason", r.Result.Reason}, tag{"Scores", numbersText(r.Result.Scores)})
	}
	return slices.DeleteFunc(all, func(t tag) bool { return t.value == "" })
}

// tagLine returns the line of a tag; the line after the header if the tag is missing.
func (r *Record) tagLine(name string) int {
	all := r.tags()
	if i := slices.IndexFunc(all, func(t tag) bool { return t.name == name }); i >= 0 {
		return i + 1
	}
	return len(all) + 1
}

// text returns the complete text.
func (r *Record) text() []byte {
	var b bytes.Buffer
	escape := strings.NewReplacer(`\`, `\\`, `"`, `\"`)
	for _, t := range r.tags() {
		fmt.Fprintf(&b, "[%s \"%s\"]\n", t.name, escape.Replace(t.value))
	}
	b.WriteByte('\n')
	for i, l := range r.Lines {
		fmt.Fprintf(&b, "%d. %d %s\n", i+1, l.Seat, l)
	}
	return b.Bytes()
}

// Write writes the record's text. It returns the error of w, or an error if Read would not accept the text;
// then nothing is written.
func (r *Record) Write(w io.Writer) error {
	text := r.text()
	if _, err := Read(bytes.NewReader(text), engine.Games{r.Options.Game()}); err != nil {
		return fmt.Errorf("the game cannot be written as a record: %w", err)
	}
	_, err := w.Write(text)
	return err
}

// Outcome returns the result and its reason: "1-0 resign", or "*" while the game runs.
func (r *Record) Outcome() string {
	text := resultText(r.Result, len(r.Seats))
	if r.Result != nil {
		text += " " + r.Result.Reason
	}
	return text
}

// String returns the line's actions and comment.
func (l Line) String() string {
	switch {
	case len(l.Actions) == 0:
		return fmt.Sprintf("leave %d {%s}", l.Seat, l.Reason)
	case l.Remaining != nil:
		return fmt.Sprintf("%s {%s}", strings.Join(l.Actions, actionSeparator), remainingText(*l.Remaining))
	}
	return strings.Join(l.Actions, actionSeparator)
}

// optionsText returns options as name=value pairs, except a start position. Values are numbers, true or false.
// Read accepts no others, so that Write does not write them.
func optionsText(o engine.Options) string {
	raw, err := json.Marshal(o)
	if err != nil {
		return err.Error() // Read does not accept it
	}
	if start := engine.StartPosition(o); start != "" {
		raw = bytes.Replace(raw, []byte(`,"position":`+strconv.Quote(start)), nil, 1)
	}
	pairs := strings.NewReplacer("{", "", "}", "", `"`, "", ":", "=", ",", " ")
	return pairs.Replace(string(raw))
}

func timeText(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format(time.RFC3339)
}

func boolText(yes bool) string {
	if yes {
		return "yes"
	}
	return "no"
}

func numbersText(numbers []int) string {
	var texts []string
	for _, n := range numbers {
		texts = append(texts, strconv.Itoa(n))
	}
	return strings.Join(texts, " ")
}

// controlText returns "600+10" (seconds), "3 days" or "none".
func controlText(c clock.Control) string {
	switch {
	case c.IsUntimed():
		return "none"
	case c.Days > 0:
		return c.String()
	}
	return fmt.Sprintf("%d+%d", int(c.Initial.Seconds()), int(c.Increment.Seconds()))
}

// resultText returns each seat's share of the win: "1-0", "1/2-1/2", "0-0" after an abort.
func resultText(r *engine.Result, seats int) string {
	if r == nil {
		return unfinished
	}
	won := "1"
	if n := len(r.Winners); n > 1 {
		won = "1/" + strconv.Itoa(n)
	}
	parts := slices.Repeat([]string{"0"}, seats)
	for _, w := range r.Winners {
		parts[w] = won
	}
	return strings.Join(parts, "-")
}

// remainingText returns "0:09:58.3".
func remainingText(d time.Duration) string {
	return fmt.Sprintf("%d:%02d:%02d.%d", d/time.Hour, d/time.Minute%60, d/time.Second%60, d/clockUnit%10)
}
