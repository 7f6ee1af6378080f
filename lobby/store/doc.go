// Package store has the interface of a store, and what every store has in common: the tables, the stored forms of
// entries, results and ratings, how a match is rated and counted, and the statements that every database understands.
//
// A store for a database is a package of its own (lobby/store/sqlite). It opens the database, makes and upgrades its
// tables ([Create], [Steps]), runs transactions ([Database]), creates matches and appends entries to their logs, and says
// what its errors mean ([Failures]). The other methods of [Store] are those of types of this package, such as [Accounts],
// [Matches] and [Club]. Package storetest tests the whole.
//
// Times are stored as nanoseconds since 1970 in UTC.
package store
