package limit

import (
	"net/netip"
	"testing"
	"time"
)

var (
	here  = netip.MustParsePrefix("192.0.2.1/32")
	there = netip.MustParsePrefix("2001:db8::/64")
)

func TestBucketsRefillAndOwe(t *testing.T) {
	b, now := NewBuckets[string](Rate{Refill: 2, Burst: 4}), time.Now()
	for i := range 5 {
		if got, want := b.Take("ana", now, 1), i < 4; got != want {
			t.Fatalf("taking token %d: %v", i+1, got)
		}
	}
	if !b.Take("bob", now, 4) || b.Take("bob", now, 1) {
		t.Error("bob has no own bucket")
	}
	if wait := b.Wait("ana", now, 1); wait.Round(time.Millisecond) != 500*time.Millisecond {
		t.Errorf("one token comes after %v", wait)
	} else if b.Wait("ana", now.Add(wait), 1) != 0 || b.Wait("ana", now.Add(wait-10), 1) == 0 {
		t.Error("the wait is not exact")
	}
	if now = now.Add(500 * time.Millisecond); !b.Take("ana", now, 1) || b.Take("ana", now, 1) {
		t.Error("not one token came in half a second")
	}
	b.GiveBack("ana", now, 1)
	if !b.Take("ana", now, 1) || b.Take("ana", now, 1) {
		t.Error("not one token was given back")
	}
	for range 10 {
		b.Charge("ana", now, 3)
	}
	if got := b.Tokens("ana", now); got != -4 {
		t.Errorf("ana owes %v tokens, want as many as a bucket holds", -got)
	}
	if wait := b.Wait("ana", now, 0); wait.Round(time.Millisecond) != 2*time.Second {
		t.Errorf("the debt is paid after %v", wait)
	}
	b.GiveBack("nobody", now, 100)
	if got := b.Tokens("nobody", now); got != 4 {
		t.Errorf("a full bucket has %v", got)
	}
	b.Take("carol", now, 1)
	b.GiveBack("carol", now, 100)
	if !b.Take("carol", now, 4) || b.Take("carol", now, 1) {
		t.Error("more was given back than a bucket holds")
	}
}

// TestFullBucketsAreForgotten uses 100,000 keys once.
func TestFullBucketsAreForgotten(t *testing.T) {
	b, now := NewBuckets[int](Rate{Refill: 1, Burst: 2}), time.Now()
	for b.Take(-1, now, 1) {
	}
	for n := range 100000 {
		now = now.Add(10 * time.Millisecond)
		b.Take(n, now, 1)
		first, second := b.Take(-1, now, 1), b.Take(-1, now, 1)
		if first && second {
			t.Fatal("a key has got more than its rate")
		}
	}
	if n := len(b.buckets); n > 2*minSweep {
		t.Errorf("%d buckets are kept", n)
	}
}

func TestBudgetChargesPersonAndAddress(t *testing.T) {
	now := time.Now()
	take := func(b *Budget, p Payer) (n int) {
		for b.Take(p, now, 1) {
			n++
		}
		return n
	}
	b := NewBudget(Rate{1, 2}, Rate{1, 5})
	ana, bob, carol := Payer{1, here}, Payer{2, here}, Payer{3, here}
	for i, want := range []int{2, 2, 1} { // the address has five
		if got := take(b, []Payer{ana, bob, carol}[i]); got != want {
			t.Errorf("person %d has %d, want %d", i+1, got, want)
		}
	}
	if got := take(b, Payer{3, there}); got != 1 {
		t.Errorf("at another address carol has %d left: was carol charged for what the address refused?", got)
	}
	if got := take(b, Payer{1, there}); got != 0 {
		t.Errorf("ana has %d at another address, and none are left", got)
	}
	b = NewBudget(Rate{1, 2}, Rate{1, 5})
	if one, other := take(b, Payer{0, here}), take(b, Payer{0, here}); one != 2 || other != 0 {
		t.Errorf("guests from one address have %d and %d, want 2 together", one, other)
	}
	if got := take(b, Payer{0, there}); got != 2 {
		t.Errorf("guests from another address have %d", got)
	}
	if !b.Take(Payer{}, now, 1000) || b.Wait(Payer{}, now, 1000) != 0 {
		t.Error("nobody is charged")
	}
	b.Charge(Payer{1, here}, now, 3)
	if n, unlimited := b.Tokens(Payer{1, here}, now); n != -1 || unlimited {
		t.Errorf("after a charge of 3 there are %v", n)
	}
	if wait := b.Wait(Payer{1, here}, now, 1); wait.Round(time.Millisecond) != 2*time.Second {
		t.Errorf("one token comes after %v", wait)
	}
}

func TestOriginIsOneClient(t *testing.T) {
	for addr, want := range map[string]string{
		"192.0.2.7": "192.0.2.7/32", "::ffff:192.0.2.7": "192.0.2.7/32",
		"2001:db8:1:2:3::4": "2001:db8:1:2::/64", "fe80::1%eth0": "fe80::/64",
	} {
		if got := Origin(netip.MustParseAddr(addr)); got.String() != want {
			t.Errorf("the origin of %s is %s, want %s", addr, got, want)
		}
	}
	for addr, want := range map[string]string{"192.0.2.7": "192.0.2.7/32", "::ffff:192.0.2.7": "192.0.2.7/32", "2001:db8:1:2:3::4": "2001:db8:1::/48"} {
		if got := Network(netip.MustParseAddr(addr)); got.String() != want {
			t.Errorf("the network of %s is %s, want %s", addr, got, want)
		}
	}
	if got := Origin(netip.Addr{}); got.IsValid() || Network(netip.Addr{}).IsValid() {
		t.Errorf("the origin of no address is %s", got)
	}
}

func TestBucketIsResized(t *testing.T) {
	var b Bucket
	now := time.Now()
	small, large := Rate{Refill: 1, Burst: 4}, Rate{Refill: 10, Burst: 20}
	if !b.Take(now, 3, small) || b.Take(now, 2, small) {
		t.Error("the zero value is not full")
	}
	if got := b.Tokens(now, large); got != 17 {
		t.Errorf("a larger bucket has %v tokens, want all but the 3 that were taken", got)
	}
	if got := b.Tokens(now, small); got != 4 {
		t.Errorf("a smaller bucket has %v tokens, want 4", got)
	}
	if wait := b.Reserve(now, 14, small); wait != 10*time.Second {
		t.Errorf("10 tokens are owed, which takes %v", wait)
	}
	if wait := b.Reserve(now.Add(10*time.Second), 0, small); wait != 0 || b.Take(now.Add(10*time.Second), 1, small) {
		t.Errorf("after the wait there is more than nothing, or %v to wait", wait)
	}
	if wait := new(Bucket).Reserve(now, 3, Rate{Refill: 1}); wait != 2*time.Second {
		t.Errorf("3 tokens of a bucket that holds one take %v", wait)
	}

	buckets := NewBuckets[string](small)
	buckets.Take("ana", now, 4)
	buckets.SetRate(Rate{Refill: 1, Burst: 5})
	if !buckets.Take("ana", now, 1) || buckets.Take("ana", now, 1) || !buckets.Take("bob", now, 5) {
		t.Error("a changed rate does not hold for all keys")
	}
}

// TestReservationsQueue has several wait for one budget, of whom one gives up.
func TestReservationsQueue(t *testing.T) {
	now := time.Now()
	b := NewBudget(Rate{Refill: 10, Burst: 20}, Rate{Refill: 20, Burst: 40})
	ana, bob := Payer{1, here}, Payer{2, here}
	for i, want := range []time.Duration{0, 0, time.Second, 2 * time.Second} {
		if wait := b.Reserve(ana, now, 10); wait.Round(time.Millisecond) != want {
			t.Errorf("reservation %d waits %v, want %v", i+1, wait, want)
		}
	}
	if wait := b.Reserve(bob, now, 10); wait.Round(time.Millisecond) != 500*time.Millisecond {
		t.Errorf("another person waits %v for what the address owes", wait)
	}
	b.GiveBack(ana, now, 10)
	if wait := b.Reserve(ana, now, 0); wait != 0 {
		t.Errorf("nothing takes %v", wait)
	}
	if n, _ := b.Tokens(ana, now); n != -10 {
		t.Errorf("after one of two has given up, %v are owed", -n)
	}
	b.SetRates(Rate{Refill: 10, Burst: 25}, Rate{Refill: 20, Burst: 45})
	if n, _ := b.Tokens(ana, now); n != -5 {
		t.Errorf("with a larger bucket %v are owed", -n)
	}
	if b.Take(ana, now.Add(time.Second), 6) || !b.Take(ana, now.Add(time.Second), 5) {
		t.Error("the debt is not paid in time")
	}
	if wait := b.Reserve(Payer{}, now, 1000); wait != 0 {
		t.Errorf("nobody waits %v", wait)
	}
}

// TestTheLargestWorkIsPossible with a full budget, which it uses up.
func TestTheLargestWorkIsPossible(t *testing.T) {
	rule := workRules[WorkRecord]
	b, p := NewBudgets(new(Hits)), Payer{Account: 7}
	if err := b.SpendMore(p, WorkRecord, 10*rule.unit*rule.account.Burst); err != nil {
		t.Errorf("a record that costs more than a full budget can never be read: %v", err)
	}
	if err := b.SpendMore(p, WorkRecord, rule.unit*rule.account.Burst); err == nil {
		t.Error("it has not used up the budget")
	}
}
