package lobby_test

import (
	"fmt"
	"math/rand/v2"
	"net/netip"
	"slices"
	"sync"
	"testing"
	"time"

	"ayumu/engine"
	"ayumu/lobby"
	"ayumu/lobby/clock"
	"ayumu/lobby/errcode"
	"ayumu/lobby/match"
	"ayumu/lobby/table"
)

// TestAnyCourseOfEventsEndsInOneResult drives matches through random interleavings of turns, stale
// turns, offers, resignations, drops, reconnects, claims and time-outs.
func TestAnyCourseOfEventsEndsInOneResult(t *testing.T) {
	if testing.Short() {
		t.Skip("slow; left out with -short")
	}
	reasons := make(map[string]int)
	for seed := range uint64(300) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			withHarness(t, func(t *testing.T, h harness) { playRandomly(t, h, rand.New(rand.NewPCG(seed, 1)), reasons) })
		})
	}
	for _, r := range []string{"immobile", "resign", "time", "draw", "left", "abort"} {
		if reasons[r] == 0 {
			t.Errorf("no course ended by %q: %v", r, reasons)
		}
	}
}

func playRandomly(t *testing.T, h harness, r *rand.Rand, reasons map[string]int) {
	// The first random number decides how many events there are, so that some games are played to the end.
	wild := r.IntN(3)
	control := clock.Control{Initial: time.Duration(100+r.IntN(900)) * time.Second, Increment: 2 * time.Second}
	lag := func() time.Duration { return time.Duration(r.IntN(200)) * time.Millisecond }
	sessions := map[int]*lobby.Session{}
	var keys [2][]byte
	for i, name := range []string{"ana", "bob"} {
		keys[i] = []byte("key of " + name)
		a, err := h.Accounts.Register(t.Context(), name, keys[i], netip.Addr{})
		if err != nil {
			t.Fatal(err)
		}
		if sessions[i], err = h.Enter(a, lag); err != nil {
			t.Fatal(err)
		}
	}
	table, err := sessions[0].OpenTable(t.Context(), table.Proposal{Game: "ayu", Options: smallOptions, Clock: &control})
	if err != nil {
		t.Fatal(err)
	}
	id, err := sessions[1].JoinTable(t.Context(), table.ID, "")
	if err != nil {
		t.Fatal(err)
	}
	m, err := h.Match(id)
	if err != nil {
		t.Fatal(err)
	}
	for !m.Snapshot().IsOver() {
		i := r.IntN(2)
		if sessions[i] == nil {
			if r.IntN(5) == 0 {
				a, _, err := h.Accounts.ByKey(t.Context(), keys[i])
				if err != nil {
					t.Fatal(err)
				}
				sessions[i], _ = h.Enter(a, lag)
			}
			advance(time.Duration(r.IntN(20_000)) * time.Millisecond)
			continue
		}
		p, err := sessions[i].AsPlayer(id)
		if err != nil {
			t.Fatal(err)
		}
		snap := p.Snapshot()
		event := r.IntN(40)
		if event < 12 && wild == 0 && event != 1 {
			event = 20 // few events
		}
		switch event {
		case 0:
			if r.IntN(4) == 0 {
				p.Resign(t.Context())
			}
		case 1:
			if _, err := p.Act(t.Context(), snap.Version+1-2*r.IntN(2), snap.Position.Legal()); err == nil {
				t.Error("a stale turn was taken")
			}
		case 2:
			p.Offer(t.Context(), match.OfferDraw)
		case 3:
			p.Offer(t.Context(), match.OfferUndo)
		case 4:
			p.Refuse(t.Context(), match.OfferDraw)
		case 5, 6:
			if wild == 2 {
				sessions[i].Close(r.IntN(2) == 0)
				sessions[i] = nil
			}
		case 7, 9, 10, 11:
			p.Claim(t.Context(), []string{"win", "draw"}[r.IntN(2)])
		case 8:
			advance(time.Duration(r.IntN(100)) * time.Second)
		default:
			if snap.Position.Turn() == p.Seat() {
				advance(time.Duration(r.IntN(9000)) * time.Millisecond)
				legal := snap.Position.Legal()
				p.Act(t.Context(), snap.Version, []string{legal[r.IntN(len(legal))]})
			}
		}
	}
	s := m.Snapshot()
	reasons[s.Result.Reason]++
	checkLog(t, h, s)
	checkTime(t, s, control)
}

// checkLog checks that there is one result, at the end, that the store has the same log, and that the log
// leads to the live state.
func checkLog(t *testing.T, h harness, s *match.Snapshot) {
	_, log, err := h.store.Match(t.Context(), s.Info.ID)
	if err != nil || len(log) != s.Version {
		t.Fatalf("the store has %d entries of version %d: %v", len(log), s.Version, err)
	}
	ends := 0
	for i, e := range log {
		if e.Kind == match.EntryEnd {
			ends++
		}
		if i > 0 && e.At.Before(log[i-1].At) {
			t.Errorf("entry %d is older than the one before", i+1)
		}
	}
	if ends != 1 || log[len(log)-1].Kind != match.EntryEnd {
		t.Errorf("%d results in the log", ends)
	}
	ps, err := s.Positions()
	if err != nil || ps[len(ps)-1].String() != s.Position.String() {
		t.Errorf("the log folds to something else: %v", err)
	}
	if got := match.Digest(s.Position); log[len(log)-1].Digest != got {
		t.Errorf("digest %s, logged %s", got, log[len(log)-1].Digest)
	}
	at, err := s.PositionAt(len(log) / 2)
	if err != nil {
		t.Fatal(err)
	}
	sent := len(log) / 2
	err = s.EachEntry(sent, func(version int, e *match.Entry, p engine.Position) error {
		if sent++; version != sent {
			t.Errorf("version %d is read after %d", version, sent-1)
		}
		at = p
		return nil
	})
	if err != nil || at.String() != s.Position.String() || sent != s.Version {
		t.Errorf("following from the middle ends at %d, %s: %v", sent, at, err)
	}
}

// checkTime checks that charged and credited time together are the time that passed.
func checkTime(t *testing.T, s *match.Snapshot, c clock.Control) {
	var gained, credited time.Duration
	for _, e := range s.Log {
		if e.Kind == match.EntryTurn {
			gained += c.Increment
			credited += e.Credit
		}
	}
	last := s.Log[len(s.Log)-1]
	left := last.Clocks[0] + last.Clocks[1]
	charged := 2*c.Initial + gained - left
	if passed := last.At.Sub(s.Info.Started); charged+credited != passed {
		t.Errorf("%v passed, %v charged, %v credited; reason %s", passed, charged, credited, s.Result.Reason)
	}
	if slices.Min(last.Clocks) < 0 {
		t.Errorf("clocks %v", last.Clocks)
	}
}

func TestEverythingAtOnce(t *testing.T) {
	h := open(t, memoryStore(t))
	defer h.Close()
	var wg sync.WaitGroup
	for i := range 4 {
		s := h.member(fmt.Sprintf("player%c", 'a'+i))
		wg.Go(func() { actRandomly(t, h, s, rand.New(rand.NewPCG(7, uint64(i)))) })
	}
	wg.Wait()
	if err := h.CheckUserList(); err != nil {
		t.Error(err)
	}
	for _, li := range h.View().Matches {
		m, err := h.Match(li.ID)
		if err != nil {
			t.Fatal(err)
		}
		s := m.Snapshot()
		_, log, err := h.store.Match(t.Context(), li.ID)
		if err != nil || len(log) != s.Version {
			t.Errorf("match %s: version %d, %d entries in the store", li.ID, s.Version, len(log))
		}
		if ps, err := s.Positions(); err != nil || ps[len(ps)-1].String() != s.Position.String() {
			t.Errorf("match %s does not fold to its state: %v", li.ID, err)
		}
	}
}

// actRandomly calls the methods of a session in random order.
func actRandomly(t *testing.T, h harness, s *lobby.Session, r *rand.Rand) {
	ctx := t.Context()
	for range 400 {
		v := h.View()
		if len(v.Tables) > 0 && r.IntN(3) == 0 {
			s.JoinTable(ctx, v.Tables[r.IntN(len(v.Tables))].ID, "")
		}
		switch r.IntN(8) {
		case 0:
			s.OpenTable(ctx, table.Proposal{Game: "ayu", Options: smallOptions, Quick: r.IntN(4) == 0})
		case 1:
			s.Say("hello")
		case 2:
			if len(v.Matches) > 0 {
				if w, err := s.Watch(v.Matches[r.IntN(len(v.Matches))].ID, ""); err == nil {
					w.Say("go on")
					w.Close()
				}
			}
		case 3:
			if len(v.Tables) > 0 {
				s.CancelTable(ctx, v.Tables[0].ID)
			}
		}
		for _, m := range s.SeatedMatches() {
			p, err := s.AsPlayer(m.Info.ID)
			if errorCode(err) == errcode.UnknownMatch && m.Snapshot().IsOver() {
				continue // forgotten, since both have finished another
			}
			if err != nil {
				t.Error(err)
				return
			}
			snap := m.Snapshot()
			if legal := snap.Position.Legal(); len(legal) > 0 {
				_, err = p.Act(ctx, snap.Version, []string{legal[r.IntN(len(legal))]})
				if c := errorCode(err); c == errcode.IllegalAction {
					t.Errorf("a legal turn was refused: %v", err)
				}
			}
			switch r.IntN(30) {
			case 0:
				p.Offer(ctx, match.OfferDraw)
			case 1:
				p.Offer(ctx, match.OfferUndo)
			case 2:
				p.Resign(ctx)
			case 3:
				p.Offer(ctx, match.OfferRematch)
			case 4:
				p.Say("well played")
			}
		}
	}
}
