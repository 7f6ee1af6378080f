package account

import "fmt"

// RematchError is the error of a second rematch of a match.
type RematchError struct{ ID string } // of the first one

func (e *RematchError) Error() string { return "match " + e.ID + " is the rematch" }

// UnfinishedError is the error of a match of an account that plays too many others.
type UnfinishedError struct {
	Account ID
	Count   int // of its unfinished matches
}

func (e *UnfinishedError) Error() string {
	return fmt.Sprintf("account %d has %d unfinished matches", e.Account, e.Count)
}
