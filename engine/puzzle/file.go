package puzzle

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
)

// Read reads puzzles, one JSON object on each line, up to the end of r. The error names the line.
func Read(r io.Reader) ([]Puzzle, error) {
	var all []Puzzle
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, 1<<20)
	for n := 1; lines.Scan(); n++ {
		if len(lines.Bytes()) == 0 {
			continue
		}
		var p Puzzle
		if err := json.Unmarshal(lines.Bytes(), &p); err != nil {
			return nil, fmt.Errorf("line %d: %w", n, err)
		}
		all = append(all, p)
	}
	return all, lines.Err()
}

// Write writes puzzles as Read reads them.
func Write(w io.Writer, puzzles ...Puzzle) error {
	for _, p := range puzzles {
		line, err := json.Marshal(p)
		if err != nil {
			return err
		}
		if _, err := w.Write(append(line, '\n')); err != nil {
			return err
		}
	}
	return nil
}
