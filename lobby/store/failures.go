package store

import "fmt"

// FailureKind is what an error of a database means for what is done next.
type FailureKind int

// The kinds of failures.
const (
	// FailureOther: the change has failed, and another may succeed.
	FailureOther FailureKind = iota
	// FailureConflict: the transaction was undone because of another; repeating it helps.
	FailureConflict
	// FailureConstraint: another transaction has added or removed a row meanwhile; repeating the whole change helps.
	FailureConstraint
	// FailureContent: the database works, but does not accept the change because of its content.
	FailureContent
	// FailureValue: the database cannot have a value, such as a text with the character U+0000.
	FailureValue
	// FailureConnection: the connection broke, or the database is stopping or starting. What was being committed may have
	// been committed.
	FailureConnection
	// FailureTimeout: there was no answer in time.
	FailureTimeout
	// FailureOutage: nothing was stored, and changes go on failing until the operator has helped, as on a full disk.
	FailureOutage
	// FailureDamage: what is stored is not certain any more, and nothing may be written until the operator has helped.
	FailureDamage
)

// Failure is what is known about an error of a database. The zero value knows nothing.
type Failure struct {
	Kind   FailureKind
	Advice string // for the operator: what happened and what to do; "" if the error does not say
}

// Failures are the failures of a database by its error codes.
type Failures[Code comparable] map[Code]Failure

// Find returns the failure of the first of some codes that is known. The codes are those of one error, the most exact one
// first.
func (all Failures[Code]) Find(codes ...Code) Failure {
	for _, code := range codes {
		if f, known := all[code]; known {
			return f
		}
	}
	return Failure{}
}

// Describe returns an error for the operator: the operation, the name of the database, and what is known about the error.
// Expected errors are returned as they are.
func (f Failure) Describe(op, name string, err error) error {
	switch {
	case IsExpected(err):
		return err
	case f.Advice == "":
		return fmt.Errorf("%s %s: %w", op, name, err)
	}
	return fmt.Errorf("%s %s: %s (%w)", op, name, f.Advice, err)
}
