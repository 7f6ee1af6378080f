package store

import "fmt"

// FirstSchema is the number of the oldest schema that is upgraded. What was made before has no releases.
const FirstSchema = 13

// Upgrade is an upgrade of a store to the schema of this program.
type Upgrade struct {
	From, To int    // schemas
	Copy     string // file with a copy of the store as it was; "" if the database's own tools make copies
}

// CheckSchema returns an error, with what to do, for a store that has content of a schema which a program with the
// schema newest cannot use.
func CheckSchema(version, newest int) error {
	switch {
	case version > newest:
		return fmt.Errorf("it was written by a newer version of ayumu (its schema is %d, this program knows %d); start that version, or restore a backup made before the update", version, newest)
	case version < FirstSchema:
		return fmt.Errorf("it was written by a version of ayumu from before the first release (its schema is %d, and this program upgrades from %d on); upgrade it first as CHANGELOG.md says under Updates", version, FirstSchema)
	}
	return nil
}
