// Package store has the interface of a store, and what every store has in common: the stored forms of
// entries, results and ratings, how a match is rated and counted, and the statements that every database
// understands.
//
// A store for a database is a package of its own (lobby/store/sqlite). It opens the database, makes its
// tables, runs transactions ([Database]), appends entries to logs and explains errors. Types such as
// Accounts, Matches, Archive and Club bring everything else. Package storetest tests the whole.
//
// Times are stored as nanoseconds since 1970 in UTC.
package store
