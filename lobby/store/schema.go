package store

import "fmt"

// FirstSchema is the number of the oldest schema that is upgraded. What was made before has no releases.
const FirstSchema = 13

// The steps from each schema to the next, from FirstSchema on, as far as they are the same in every database. A step
// never changes.
const (
	ToSchema14 = `
ALTER TABLE sanctions ADD COLUMN issuer_role TEXT NOT NULL DEFAULT '';
ALTER TABLE reports ADD COLUMN evidence TEXT NOT NULL DEFAULT '';
ALTER TABLE receivers ADD COLUMN kind TEXT NOT NULL DEFAULT 'webhook';
ALTER TABLE receivers ADD COLUMN speed INTEGER NOT NULL DEFAULT 0;
ALTER TABLE receivers ADD COLUMN destination TEXT NOT NULL DEFAULT '';
UPDATE receivers SET kind = 'mail' WHERE settings LIKE '{"kind":"mail"%';
DROP INDEX receivers_due;
CREATE INDEX receivers_due ON receivers (kind, speed, due) WHERE due IS NOT NULL;
ALTER TABLE seats ADD COLUMN fault BOOLEAN NOT NULL DEFAULT FALSE;
CREATE INDEX seats_faults ON seats (account, return, ended) WHERE fault;
`
	// ToSchema15 gives tables and columns the words of docs/glossary.md.
	ToSchema15 = `
ALTER TABLE accounts RENAME COLUMN look TO skeleton;
ALTER TABLE reserved RENAME COLUMN look TO skeleton;
ALTER TABLE reserved RENAME TO reserved_names;
ALTER TABLE ratings RENAME COLUMN settled TO established;
ALTER TABLE matches RENAME COLUMN unrated TO unrated_reason;
ALTER TABLE matches RENAME COLUMN conditions TO conditions_version;
ALTER TABLE matches RENAME COLUMN prior TO rematch_of;
DROP INDEX matches_prior;
CREATE UNIQUE INDEX matches_rematch_of ON matches (rematch_of) WHERE rematch_of <> '';
ALTER TABLE seats RENAME COLUMN before TO rating_before;
ALTER TABLE seats RENAME COLUMN after TO rating_after;
ALTER TABLE seats RENAME COLUMN return TO return_digest;
ALTER TABLE invites RENAME COLUMN uses TO uses_left;
ALTER TABLE invites RENAME TO invitations;
ALTER TABLE members RENAME COLUMN invite TO invitation;
ALTER TABLE sanctions RENAME COLUMN shown TO subject_name;
ALTER TABLE audit RENAME COLUMN deed TO action;
ALTER TABLE reports RENAME COLUMN actor TO reporter;
ALTER TABLE receivers RENAME COLUMN lease TO leased_until;
ALTER TABLE receivers RENAME COLUMN claims TO lease_token;
`
	// ToSchema16 adds tournaments. Their tables differ in the types of each database.
	ToSchema16 = `
ALTER TABLE matches ADD COLUMN tournament_round INTEGER NOT NULL DEFAULT 0;
ALTER TABLE matches ADD COLUMN tournament_table INTEGER NOT NULL DEFAULT 0;
ALTER TABLE matches ADD COLUMN first_turn BIGINT NOT NULL DEFAULT 0;
ALTER TABLE matches ADD COLUMN no_vacation BOOLEAN NOT NULL DEFAULT FALSE;
`
	// ToSchema16Indexes follow the tables of tournaments.
	ToSchema16Indexes = `
CREATE INDEX tournaments_created ON tournaments (created, id);
CREATE INDEX tournaments_unsettled ON tournaments (id) WHERE NOT settled;
`
)

// Upgrade is an upgrade of a store to the schema of this program.
type Upgrade struct {
	From, To int    // schemas
	Copy     string // file with a copy of the store as it was; "" if the database's own tools make copies
}

// Steps returns the statements that give a database of a schema, 0 for an empty one, the newest: create, or those of the
// steps that it lacks; none if it has the newest. For one of a schema that this program cannot use it returns an error,
// with what to do.
func Steps(version int, create string, upgrades []string) ([]string, error) {
	newest := FirstSchema + len(upgrades)
	switch {
	case version == 0:
		return []string{create}, nil
	case version > newest:
		return nil, fmt.Errorf("it was written by a newer version of ayumu (its schema is %d, this program knows %d); start that version, or restore a backup made before the update", version, newest)
	case version < FirstSchema:
		return nil, fmt.Errorf("it was written by a version of ayumu from before the first release (its schema is %d, and this program upgrades from %d on); upgrade it first as CHANGELOG.md says under Updates", version, FirstSchema)
	}
	return upgrades[version-FirstSchema:], nil
}
