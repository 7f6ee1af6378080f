// Package simulation simulates several nodes of a lobby, in its tests: one goroutine, one seed, nodes made of the
// functional cores of packages match, table and cluster, a store that delays, fails and loses its newest changes, a
// bus that loses, repeats and reorders messages, clocks that drift, nodes that die and are cut off. After every step
// the invariants are checked that package match and its store promise. Some matches begin with another position or with
// a handicap. Runs of their own (TestTournaments) have a tournament, with players who enter, leave and do not come, whose nodes
// follow its log and make its games; they lose no recorded changes.
//
// The package has no code besides its tests, which do no I/O.
package simulation
