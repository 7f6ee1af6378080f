package op

import (
	"fmt"
	"io"
	"strconv"
	"strings"
	"text/tabwriter"

	"ayumu/engine"
	"ayumu/tui/game"
	"ayumu/tui/words"
)

// Text is a result as people read it: sentences, then a position or a list.
type Text struct {
	Lines []string // sentences, each a line; "" separates paragraphs
	Board *Board   // nil: no position
	Rows  *Rows    // nil: no list
}

// Board is a position of a game. SSH draws it, line mode describes it.
type Board struct {
	Game     game.Game
	Position engine.Position
}

// Say returns a text of one sentence.
func Say(format string, args ...any) Text { return Text{Lines: []string{fmt.Sprintf(format, args...)}} }

// Rows is a list. SSH writes it as a table, line mode each row as a sentence.
type Rows struct {
	// Kind is what the rows are, for commands of line mode that take the number of a row; "": rows have no numbers.
	Kind    RowKind
	Columns []Column
	Rows    []Row
	Empty   string // the sentence without rows: "No open tables."
	// Next are the words that list what follows, "" if there is nothing: "members bob".
	Next string
}

// RowKind is what the rows of a list are.
type RowKind string

// The kinds of rows with numbers.
const (
	RowTable      RowKind = "table"
	RowMatch      RowKind = "match"    // that is running
	RowFinished   RowKind = "finished" // match
	RowKey        RowKind = "key"
	RowTournament RowKind = "tournament"
)

// Numbered returns what a number stands for in the last list of a kind; ok is false if the word is no number of it.
func (v *Visit) Numbered(kind RowKind, word string) (id string, ok bool) {
	n, err := strconv.Atoi(word)
	if listed := v.Listed[kind]; err == nil && strconv.Itoa(n) == word && n >= 1 && n <= len(listed) {
		return listed[n-1], true
	}
	return "", false
}

// idOf returns the id that a word means: a number of the last list of a kind, otherwise the word. Where there are lists, a
// small number has to be of the last one.
func (v *Visit) idOf(kind RowKind, word string) (string, error) {
	if id, ok := v.Numbered(kind, word); ok {
		return id, nil
	}
	if n, err := strconv.Atoi(word); err == nil && len(word) <= 3 && v.Listed != nil {
		return "", badRequest("the last list of %ss has no number %d", kind, n)
	}
	return word, nil
}

// Column is a column of a list.
type Column struct {
	Title     string // above the column of a table; without any title the table has no line of titles
	Phrase    string // of a value in a sentence: "last seen %s"; "": the value alone
	TableOnly bool   // it has no place in a sentence, such as an id, for which line mode has the number of the row
}

// Row is a row of a list, with the value of each column; "" has no place in a sentence.
type Row struct {
	ID      string // what its number stands for
	Heading string // a line above the row, of it and those that follow; "": none
	Values  []string
}

// Sentence returns a row as a sentence without its end: the values, separated by commas, or by a space after a colon.
func (l *Rows) Sentence(r Row) string {
	text := ""
	for i, v := range r.Values {
		if v == "" || l.Columns[i].TableOnly {
			continue
		}
		if phrase := l.Columns[i].Phrase; phrase != "" {
			v = fmt.Sprintf(phrase, v)
		}
		switch {
		case strings.HasSuffix(text, ":"):
			text += " "
		case text != "":
			text += ", "
		}
		text += v
	}
	return text
}

// WriteText writes the result of an operation: sentences, a position as a drawing, and a list as a table.
func WriteText(out io.Writer, text Text) error {
	for _, l := range text.Lines {
		if _, err := fmt.Fprintln(out, l); err != nil {
			return err
		}
	}
	if b := text.Board; b != nil {
		if _, err := fmt.Fprintf(out, "\n%s\n", words.Diagram(b.Position)); err != nil {
			return err
		}
	}
	rows := text.Rows
	if rows == nil {
		return nil
	}
	if len(rows.Rows) == 0 && rows.Empty != "" {
		_, err := fmt.Fprintln(out, rows.Empty)
		return err
	}
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	var titles []string
	for _, c := range rows.Columns {
		titles = append(titles, c.Title)
	}
	if strings.Join(titles, "") != "" && len(rows.Rows) > 0 {
		fmt.Fprintln(w, strings.Join(titles, "\t"))
	}
	for i, r := range rows.Rows {
		if r.Heading != "" {
			_ = w.Flush() // its error comes again
			if i > 0 {
				fmt.Fprintln(out)
			}
			fmt.Fprintln(out, r.Heading)
		}
		fmt.Fprintln(w, strings.TrimRight(strings.Join(r.Values, "\t"), "\t"))
	}
	if err := w.Flush(); err != nil || rows.Next == "" {
		return err
	}
	_, err := fmt.Fprintf(out, "There are more. Next: %s\n", rows.Next)
	return err
}
