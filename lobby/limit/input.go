package limit

import "io"

// InputDeferrer is an optional interface of a client's input. A reader that will not read for a while because
// a budget is used up calls DeferInput, possibly more than once, before it waits.
type InputDeferrer interface {
	io.Reader
	DeferInput()
}

// DeferInput returns the method of that name if in is an InputDeferrer, else a function that does nothing.
func DeferInput(in io.Reader) func() {
	if d, ok := in.(InputDeferrer); ok {
		return d.DeferInput
	}
	return func() {}
}
