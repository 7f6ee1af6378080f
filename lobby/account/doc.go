// Package account defines accounts, guests and their blocks as values.
//
// The package imports package rating, and no other package of this module.
package account
