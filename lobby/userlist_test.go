package lobby

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"ayumu/lobby/account"
)

// listing returns a user with an id and a name.
func listing(id account.ID, name string) *UserListing {
	return newUserListing(account.Account{ID: id, Name: name, Bot: id%10 == 0}, "")
}

// checkUserList compares a list with its users in any order.
func checkUserList(t *testing.T, l UserList, users []*UserListing) {
	t.Helper()
	want := slices.SortedFunc(slices.Values(users), func(a, b *UserListing) int {
		if a.Bot != b.Bot {
			return map[bool]int{false: -1, true: 1}[a.Bot]
		}
		return strings.Compare(strings.ToLower(a.Name), strings.ToLower(b.Name))
	})
	if got := slices.Collect(l.All()); !slices.Equal(got, want) {
		t.Fatalf("%d users are listed, want %d, or in another order", len(got), len(want))
	}
	bots := 0
	for i, u := range want {
		if u.Bot {
			bots++
		}
		if l.At(i) != u || l.Named(strings.ToUpper(u.Name)) != u || l.Index(u.ID, u.Name) != i {
			t.Fatalf("user %d, %s, is not found", i, u.Name)
		}
	}
	if l.Len() != len(want) || l.Bots() != bots {
		t.Fatalf("%d users and %d bots, want %d and %d", l.Len(), l.Bots(), len(want), bots)
	}
	for _, chunk := range l.chunks {
		if len(chunk) == 0 || len(chunk) > maxUserChunk {
			t.Fatalf("a chunk has %d users", len(chunk))
		}
	}
}

// TestUserListReplace adds, renames and removes users in any order, and looks at an earlier list.
func TestUserListReplace(t *testing.T) {
	for seed := range uint64(3) {
		random := rand.New(rand.NewPCG(seed, 0))
		var l, earlier UserList
		var users, earlierUsers []*UserListing
		step := func(mayAdd bool) {
			switch i := random.IntN(len(users) + 1); {
			case i == len(users) || mayAdd && random.IntN(3) > 0:
				if mayAdd {
					id := account.ID(random.Int64())
					u := listing(id, fmt.Sprintf("Name%d", id))
					l, users = l.Replace(nil, u), append(users, u)
				}
			case random.IntN(4) == 0:
				u := listing(users[i].ID, fmt.Sprintf("name%d", random.Int64()))
				l = l.Replace(users[i], u)
				users[i] = u
			default:
				l = l.Replace(users[i], nil)
				users = slices.Delete(users, i, i+1)
			}
		}
		for range 4 * maxUserChunk {
			step(true)
		}
		checkUserList(t, l, users)
		earlier, earlierUsers = l, slices.Clone(users)
		for range 8 * maxUserChunk {
			step(true)
		}
		checkUserList(t, l, users)
		for len(users) > 0 {
			step(false)
			if len(users) < 5 || len(users)%50 == 0 {
				checkUserList(t, l, users)
			}
		}
		checkUserList(t, earlier, earlierUsers)
	}
}

// TestUserListChunksAreMerged: after most users have gone, there are not as many chunks as before.
func TestUserListChunksAreMerged(t *testing.T) {
	var l UserList
	var users []*UserListing
	for i := range 50 * maxUserChunk {
		u := listing(account.ID(i+1), fmt.Sprintf("name%07d", i))
		l, users = l.Replace(nil, u), append(users, u)
	}
	for i, u := range users {
		if i%maxUserChunk > 1 {
			l = l.Replace(u, nil)
		}
	}
	if n := l.Len(); n != 100 || len(l.chunks) > 10 {
		t.Errorf("%d users in %d chunks", n, len(l.chunks))
	}
}

func TestUserListSlice(t *testing.T) {
	var l UserList
	for i := range 3 * maxUserChunk {
		l = l.Replace(nil, listing(account.ID(i+1), fmt.Sprintf("name%04d", i)))
	}
	all := slices.Collect(l.All())
	for _, c := range []struct{ from, to int }{{0, 7}, {-2, 7}, {maxUserChunk - 3, maxUserChunk + 3}, {0, len(all)}, {len(all) - 2, len(all) + 5}, {len(all), len(all) + 5}, {5, 5}} {
		if got := l.Slice(c.from, c.to); !slices.Equal(got, all[max(c.from, 0):min(c.to, len(all))]) {
			t.Errorf("from %d to %d: %d users", c.from, c.to, len(got))
		}
	}
}

func TestUserListMissing(t *testing.T) {
	var l UserList
	if l.Named("ana") != nil || l.Index(1, "ana") != -1 || l.Slice(0, 5) != nil {
		t.Error("an empty list has a user")
	}
	l = l.Replace(nil, listing(1, "bob"))
	for _, name := range []string{"ana", "bo", "bobb", "zoe"} {
		if l.Named(name) != nil || l.Index(2, name) != -1 {
			t.Errorf("%s is in the list", name)
		}
	}
	if l.Index(1, "robert") != 0 {
		t.Error("a user with a new name is not found")
	}
	if bob := l.At(0); bob.Equal(nil) || !bob.Equal(listing(1, "bob")) || bob.Equal(listing(1, "rob")) || bob.Equal(newUserListing(account.Account{ID: 1, Name: "bob"}, "m1")) {
		t.Error("users are compared wrongly")
	}
}
