package lobby_test

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"ayumu/lobby"
	"ayumu/lobby/errcode"
	"ayumu/lobby/match"
	"ayumu/lobby/table"
)

// stallingStore is a store that can stall: what is appended meanwhile is recorded at its end, unless the caller has
// given up.
type stallingStore struct {
	lobby.Store
	end chan struct{} // closed at the end of the stall; nil: there is none
}

func (s *stallingStore) await(ctx context.Context) error {
	if s.end == nil {
		return nil
	}
	select {
	case <-s.end:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (s *stallingStore) Append(ctx context.Context, match string, after match.LogEnd, entries ...match.Entry) error {
	if err := s.await(ctx); err != nil {
		return err
	}
	return s.Store.Append(ctx, match, after, entries...)
}

func (s *stallingStore) Match(ctx context.Context, match string) (*match.Info, []match.Entry, error) {
	if err := s.await(ctx); err != nil {
		return nil, nil, err
	}
	return s.Store.Match(ctx, match)
}

// TestAnswersDoNotWaitForAStall: while the store stalls, each turn is answered after 5 s. The first may be recorded and
// is, once; those that waited behind it are not executed. After a stall that lasts longer than a call of the store the
// first is repeated.
func TestAnswersDoNotWaitForAStall(t *testing.T) {
	for _, stall := range []time.Duration{7 * time.Second, 15 * time.Second, time.Minute} {
		t.Run(stall.String(), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := &stallingStore{Store: memoryStore(t)}
				h := open(t, s)
				defer h.Close()
				seats := h.pair(h.member("ana"), h.member("bob"), table.Proposal{Options: smallOptions})
				p, legal := onTurn(seats), seats[0].Snapshot().Position.Legal()
				s.end = make(chan struct{})
				began := time.Now()
				act := func(action string) chan error {
					answered := make(chan error, 1)
					go func() {
						_, err := p.Act(context.WithoutCancel(t.Context()), 0, []string{action})
						if took := time.Since(began); took != 5*time.Second {
							t.Errorf("%s: an answer after %v", action, took)
						}
						answered <- err
					}()
					synctest.Wait()
					return answered
				}
				first := act(legal[0])
				second := act(legal[1])
				wantCode(t, "the first turn", <-first, errcode.Unavailable)
				wantCode(t, "another turn", <-second, errcode.Unavailable)
				advance(stall - 5*time.Second)
				close(s.end)
				advance(time.Minute)
				log := p.Snapshot().Log
				if len(log) == 0 || log[0].Actions[0] != legal[0] {
					t.Fatalf("the log is %+v", log)
				}
				_, err := p.Act(t.Context(), 0, legal[:1])
				wantCode(t, "the first turn again", err, errcode.StaleVersion)
				turn(t, seats)
			})
		})
	}
}
