package metrics

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"
)

// TestTheDatabaseIsMeasuredRarely asks often while measurements are slow, fail and panic: nobody waits for them, at most
// one runs in 30 s, and the first failure in a row is reported.
func TestTheDatabaseIsMeasuredRarely(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var reads, reports int
		read := func(context.Context) (int64, error) { return 0, nil }
		d := &databaseSize{
			read: func(ctx context.Context) (int64, error) {
				reads++
				return read(ctx)
			},
			report: func(string, ...any) { reports++ },
		}
		step := 0
		want := func(bytes int64, ok bool, wantReads, wantReports int) {
			t.Helper()
			step++
			synctest.Wait()
			began := time.Now()
			got, gotOK := d.latest(began)
			if time.Since(began) != 0 {
				t.Errorf("step %d: it took %v", step, time.Since(began))
			}
			synctest.Wait()
			if got != bytes || gotOK != ok || reads != wantReads || reports != wantReports {
				t.Errorf("step %d: %d, %v after %d reads and %d reports, want %d, %v, %d, %d", step, got, gotOK, reads, reports, bytes, ok, wantReads, wantReports)
			}
		}
		read = func(context.Context) (int64, error) { return 4096, nil }
		want(0, false, 1, 0)
		for range 29 {
			<-time.After(time.Second)
			want(4096, true, 1, 0)
		}
		read = func(ctx context.Context) (int64, error) {
			<-ctx.Done()
			return 0, ctx.Err()
		}
		<-time.After(time.Second)
		want(4096, true, 2, 0)
		<-time.After(sizeTimeout - time.Second)
		want(4096, true, 2, 0)
		<-time.After(time.Second)
		want(0, false, 2, 1)
		read = func(context.Context) (int64, error) { return 0, errors.New("away") }
		<-time.After(sizeInterval)
		want(0, false, 3, 1)
		read = func(context.Context) (int64, error) { panic("test") }
		<-time.After(sizeInterval)
		want(0, false, 4, 1)
		read = func(context.Context) (int64, error) { return 8192, nil }
		<-time.After(sizeInterval)
		want(0, false, 5, 1)
		want(8192, true, 5, 1)
		read = func(context.Context) (int64, error) { panic("test") }
		<-time.After(sizeInterval)
		want(8192, true, 6, 2)
		want(0, false, 6, 2)
	})
}
