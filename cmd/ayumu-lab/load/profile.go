package load

import (
	"context"
	"os"
	"path/filepath"
)

// profile starts a CPU profile of ayumu of 10 s, if profiles are requested. wait waits for its end.
func (r *run) profile(ctx context.Context, file string) (wait func()) {
	done := make(chan struct{})
	go func() {
		defer close(done)
		r.saveProfile(ctx, file, "/debug/pprof/profile?seconds=10")
	}()
	return func() { <-done }
}

// saveProfile writes a page of the metrics server of ayumu, or of its first node, to the folder for profiles, if there is one. Errors
// are only logged, since they do not affect the load.
func (r *run) saveProfile(ctx context.Context, file, page string) {
	if r.Profiles == "" || !r.processes.haveMetrics() {
		return
	}
	body, err := r.processes[0].get(ctx, page)
	if err == nil {
		err = os.WriteFile(filepath.Join(r.Profiles, file), body, 0o644)
	}
	if err != nil {
		r.logf("%s: %v", file, err)
	}
}
