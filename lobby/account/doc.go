// Package account defines accounts, guests and their blocks as values, and the codes that link a key to an account.
package account
