// Package simulation simulates several nodes of a lobby, in its tests: one goroutine, one seed, nodes made of the
// functional cores of packages match, table and cluster, a store that delays, fails and loses its newest changes, a
// bus that loses, repeats and reorders messages, clocks that drift, nodes that die and are cut off. After every step
// the invariants are checked that package match and its store promise. Some matches begin with another position or with
// a handicap.
//
// The package has no code besides its tests. They import the engine, the lobby's cores and the tests of stores, and do
// no I/O.
package simulation
