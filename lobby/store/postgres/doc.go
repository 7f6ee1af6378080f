// Package postgres implements store.Store with PostgreSQL 15 or newer.
//
// # Durability
//
// A change is durable when its method has returned nil, as far as the database is: synchronous_commit is on in
// every transaction that changes something, whatever the database's own setting, but for shared rows that are not durable
// (lobby/cluster/rows), and a database whose fsync or
// full_page_writes is off is not opened. With a synchronous standby no acknowledged change is lost if the
// database's machine is.
//
// An append to a log changes the row of its match under the condition that the log still has the end that the
// append was made for. Appends of several matches that wait are one transaction (a group commit), with a
// statement for all of them, which returns those that it has made, and at most one append for each match. An
// append with the end of a match is a transaction of its own, with the result and the ratings.
//
// # Concurrency
//
// Other processes may use the same database at the same time. Transactions are READ COMMITTED. What a
// transaction reads and then relies on is locked: accounts in the order of their ids, then matches, or by the
// statement that changes it under a condition. Deadlocks, serialization failures, violations of unique indexes
// and of foreign keys are repeated.
//
// # Failures
//
// After a broken connection a change is repeated if nothing of it can have been committed, and an append with an
// AppendID also if it can: the log shows whether it was recorded. Errors name the database, without the
// password, and the remedy. While the database is away every change fails after a few seconds, and play goes on
// when it is back.
package postgres
