package sqlite

import "context"

// Health implements store.Maintenance. The test write needs 64 KiB of space. Its failure is not reported,
// because that of the change was.
func (s *Store) Health(ctx context.Context) error {
	if _, err := s.AuditLog(ctx, 1); err != nil {
		return err
	}
	if _, err := s.WriteFailure(); err == nil {
		return nil
	}
	return s.describeError("writing a test to", s.submit(ctx, &job{do: func(t *tx) error {
		for _, query := range []string{
			"CREATE TABLE health (filler BLOB)",
			"INSERT INTO health VALUES (zeroblob(65536))", // 16 pages
			"DROP TABLE health",
		} {
			if _, err := t.sql.Exec(query); err != nil {
				return err
			}
		}
		return nil
	}}))
}

// recordWrites records the outcome of a transaction. txErr is the error that undid it, or nil.
func (s *Store) recordWrites(answers []jobResult, txErr error) {
	last, failed := txErr, 0
	for _, a := range answers {
		switch {
		case txErr != nil:
			failed++
		case isWriteFailure(a.err):
			last = a.err
			failed++
		}
	}
	if len(answers) > 0 || txErr != nil { // otherwise nothing was written
		s.RecordWrite(failed, last)
		if last == nil {
			s.reportEnd()
		}
	}
}
