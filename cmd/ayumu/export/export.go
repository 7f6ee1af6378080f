// Package export writes the records of a store into files.
package export

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"ayumu/lobby/match"
	"ayumu/lobby/record"
	"ayumu/lobby/store"
	"ayumu/lobby/text"
)

// interval is the time between two lines about the progress.
const interval = 2 * time.Second

// Filter selects matches for an export. The zero value selects all finished ones.
type Filter struct {
	Player, Game string // "": all
	Since, Until string // days, as time.DateOnly; "": without a bound
	Running      bool   // also those that have not ended

	from, to time.Time // of Since and Until; zero: without a bound
}

// parse reads the days.
func (f *Filter) parse() error {
	for _, day := range []struct {
		flag, text string
		at         *time.Time
	}{{"since", f.Since, &f.from}, {"until", f.Until, &f.to}} {
		if day.text == "" {
			continue
		}
		t, err := time.Parse(time.DateOnly, day.text)
		if err != nil {
			return fmt.Errorf("--%s %s is not a day such as 2006-01-02", day.flag, day.text)
		}
		*day.at = t
	}
	return nil
}

// selects reports whether a match is to be exported. A match belongs to the day on which it started (UTC).
func (f *Filter) selects(info *match.Info, log []match.Entry) bool {
	hasEnded := len(log) > 0 && log[len(log)-1].Kind == match.EntryEnd
	return (hasEnded || f.Running) &&
		(f.Game == "" || info.Game == f.Game) &&
		(f.from.IsZero() || !info.Started.Before(f.from)) &&
		(f.to.IsZero() || info.Started.Before(f.to.AddDate(0, 0, 1))) &&
		(f.Player == "" || f.hasPlayer(info))
}

// hasPlayer reports whether Player has a seat in a match.
func (f *Filter) hasPlayer(info *match.Info) bool {
	return slices.ContainsFunc(info.Seats, func(s match.Seat) bool { return strings.EqualFold(s.Name, f.Player) })
}

// Records writes records into a folder, and the progress to out.
func Records(ctx context.Context, db store.Store, f *Filter, dir string, out io.Writer) error {
	if err := f.parse(); err != nil {
		return err
	}
	// Only the folder itself is made: a path with missing folders above it is mistyped.
	if err := os.Mkdir(dir, 0o755); errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("there is no folder %s in which to make %s", filepath.Dir(dir), filepath.Base(dir))
	} else if err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	read, written, kept, last := 0, 0, 0, time.Now()
	isKnown := f.Player == ""
	err := db.AllMatches(ctx, func(info *match.Info, log []match.Entry) error {
		if read++; time.Since(last) >= interval {
			fmt.Fprintf(out, "%s read, %d written\n", text.Plural(read, "match"), written)
			last = time.Now()
		}
		isKnown = isKnown || f.hasPlayer(info)
		if !f.selects(info, log) {
			return ctx.Err()
		}
		isNew, err := writeRecord(filepath.Join(dir, info.ID+".ayumu"), record.FromLog("", info, log), f.Running)
		if err != nil {
			return fmt.Errorf("match %s: %w", info.ID, err)
		}
		if isNew {
			written++
		} else {
			kept++
		}
		return ctx.Err()
	})
	if err == nil && !isKnown {
		return fmt.Errorf("no game has a player with the name %q", f.Player)
	}
	fmt.Fprintf(out, "%s written to %s, %d already there\n", text.Plural(written, "record"), dir, kept)
	return err
}

// writeRecord writes a record into a new file, which is complete as soon as it has that name. isNew is false if the file
// exists; it is replaced only if replaces is set.
func writeRecord(path string, r *record.Record, replaces bool) (isNew bool, err error) {
	if _, err := os.Stat(path); err == nil && !replaces {
		return false, nil
	}
	file, err := os.CreateTemp(filepath.Dir(path), ".export-*")
	if err != nil {
		return false, err
	}
	defer os.Remove(file.Name()) // which fails after the renaming
	err = errors.Join(r.Write(file), file.Chmod(0o644), file.Close())
	if err == nil {
		err = os.Rename(file.Name(), path)
	}
	return err == nil, err
}
