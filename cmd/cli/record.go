package cli

import (
	"errors"
	"fmt"
	"io"
	"os"

	"ayumu/cmd/games"
	"ayumu/lobby/record"
)

// OpenRecord reads the record in the file with a name and replays it; - is stdin. The error names the file and the line.
func OpenRecord(stdin io.Reader, name string) (*record.Record, error) {
	in := stdin
	if name != "-" {
		f, err := os.Open(name)
		if err != nil {
			return nil, err
		}
		defer f.Close()
		in = f
	}
	return ReadRecord(in, name)
}

// ReadRecord is OpenRecord for an open file.
func ReadRecord(in io.Reader, name string) (*record.Record, error) {
	r, err := record.Read(in, games.Rules())
	if err == nil {
		err = r.Check()
	}
	var wrong *record.Error
	switch {
	case errors.As(err, &wrong) && wrong.Line > 0:
		return nil, fmt.Errorf("%s:%d: %s", name, wrong.Line, wrong.What)
	case err != nil:
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return r, nil
}
