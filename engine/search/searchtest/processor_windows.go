package searchtest

import "time"

var began = time.Now()

// ProcessorTime returns the time since the program began, which a busy machine makes longer than that of the thread.
func ProcessorTime() time.Duration { return time.Since(began) }
