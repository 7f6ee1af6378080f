package load

import (
	"context"
	"os"
	"path/filepath"
)

// profile begins to note where ayumu's processor time goes, if that is wanted; the function it
// returns waits for the end of the profile, which is some seconds long.
func (r *run) profile(ctx context.Context, file string) (wait func()) {
	done := make(chan struct{})
	go func() {
		defer close(done)
		r.saveProfile(ctx, file, "/debug/pprof/profile?seconds=10")
	}()
	return func() { <-done }
}

// saveProfile writes a page of ayumu's metrics into the folder for profiles, if there is one. What goes
// wrong with that is said, and no more, since the load itself is none the worse for it.
func (r *run) saveProfile(ctx context.Context, file, page string) {
	if r.Profiles == "" || r.process.metrics == "" {
		return
	}
	body, err := r.process.get(ctx, page)
	if err == nil {
		err = os.WriteFile(filepath.Join(r.Profiles, file), body, 0o644)
	}
	if err != nil {
		r.logf("%s: %v", file, err)
	}
}
