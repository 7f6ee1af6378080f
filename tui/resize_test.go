package tui

import (
	"testing"
	"testing/synctest"
	"time"
)

// TestSizesArePaced tests that a size right after another one waits, and that the newest one is used
// then.
func TestSizesArePaced(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		sizes := make(chan Size, 1)
		begun := time.Now()
		if got, ok := debounceResize(t.Context(), sizes, Size{70, 20}, begun.Add(-time.Hour)); !ok || got != (Size{70, 20}) || time.Since(begun) != 0 {
			t.Errorf("the first size is %v after %v", got, time.Since(begun))
		}
		sizes <- Size{90, 30}
		if got, ok := debounceResize(t.Context(), sizes, Size{80, 25}, begun); !ok || got != (Size{90, 30}) || time.Since(begun) != resizeInterval {
			t.Errorf("the next size is %v after %v", got, time.Since(begun))
		}
	})
}
