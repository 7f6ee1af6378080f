package example

import (
	"testing"
	"time"
)

func TestEnter(t *testing.T) {
	r := Room{Limit: 3}
	if err := r.Enter(Owner); err != nil || len(r.members) != 1 {
		t.Error(err, r)
	}
}

func TestFirst(t *testing.T) {
	r := Room{members: []Role{Player, Owner}}
	if i := r.First(); i != 1 {
		t.Error(i)
	}
}

func TestEnded(t *testing.T) {
	now := time.Now()
	Ended(now, now) // without a look at what it returns
	if Ended(now.Add(time.Second), now) {
		t.Error("before the end")
	}
}

func TestQuery(t *testing.T) {
	if query != "DELETE FROM rooms WHERE ended < ?2 AND id = ?1" {
		t.Error(query)
	}
}
