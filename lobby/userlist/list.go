// Package userlist has the list of the users who are online, in the order of their names. A List is immutable:
// a change of one user returns another List, which shares nearly everything with it, so that an arrival costs
// about as much in a full lobby as in an empty one. The package has no locks and does no I/O.
package userlist

import (
	"cmp"
	"iter"
	"maps"
	"math"
	"slices"
	"strings"

	"ayumu/lobby/account"
	"ayumu/lobby/rating"
)

// User is a user in the list. It must not be changed.
type User struct {
	ID      account.ID
	Name    string
	Bot     bool
	Ratings map[string]rating.Rating
	Match   string // the id of a running public match in which the user plays, or empty

	key string // the name in lower case, by which users are sorted
}

// New returns a user of an account, who plays a match unless that is empty.
func New(a account.Account, match string) *User {
	return &User{ID: a.ID, Name: a.Name, Bot: a.Bot, Ratings: a.Ratings, Match: match, key: strings.ToLower(a.Name)}
}

// Equal reports whether two users are the same in all that is listed. Either may be nil.
func (u *User) Equal(o *User) bool {
	if u == nil || o == nil {
		return u == o
	}
	return u.ID == o.ID && u.Name == o.Name && u.Bot == o.Bot && u.Match == o.Match && maps.Equal(u.Ratings, o.Ratings)
}

// compare orders users by name. Names that differ in case only are in the order of the ids.
func (u *User) compare(o *User) int {
	return cmp.Or(cmp.Compare(u.key, o.key), cmp.Compare(u.ID, o.ID))
}

// maxChunk is the maximum number of users of a chunk. A change copies one chunk and the list of chunks.
const maxChunk = 128

// List is an immutable list of users by name. The zero value is empty. Any goroutine may use it.
type List struct {
	chunks    [][]*User // none is empty, or longer than maxChunk
	len, bots int
}

// Len returns the number of users.
func (l List) Len() int { return l.len }

// Bots returns how many of the users are bots.
func (l List) Bots() int { return l.bots }

// All returns the users in order.
func (l List) All() iter.Seq[*User] {
	return func(yield func(*User) bool) {
		for _, chunk := range l.chunks {
			for _, u := range chunk {
				if !yield(u) {
					return
				}
			}
		}
	}
}

// Slice returns the users with the indices from to to-1.
func (l List) Slice(from, to int) []*User {
	var users []*User
	for _, chunk := range l.chunks {
		if to <= 0 {
			break
		}
		if from < len(chunk) {
			users = append(users, chunk[max(from, 0):min(to, len(chunk))]...)
		}
		from, to = from-len(chunk), to-len(chunk)
	}
	return users
}

// At returns the user with index i, which must be below Len.
func (l List) At(i int) *User { return l.Slice(i, i+1)[0] }

// Named returns the user of that name, ignoring case; nil if there is none.
func (l List) Named(name string) *User {
	named := &User{key: strings.ToLower(name), ID: math.MinInt64}
	if u := l.at(l.search(named)); u != nil && u.key == named.key {
		return u
	}
	return nil
}

// Index returns the index of the user with an id; -1 if there is none. name should be the user's: with another one all
// users are searched.
func (l List) Index(id account.ID, name string) int {
	if at := l.search(&User{key: strings.ToLower(name), ID: id}); l.at(at) != nil && l.at(at).ID == id {
		for _, before := range l.chunks[:at.chunk] {
			at.i += len(before)
		}
		return at.i
	}
	i := 0
	for o := range l.All() {
		if o.ID == id {
			return i
		}
		i++
	}
	return -1
}

// Replace returns the list without the user before and with the user after, either of which may be nil. before must be
// in the list, as the same pointer.
func (l List) Replace(before, after *User) List {
	l.chunks = slices.Clone(l.chunks)
	if before != nil {
		l.remove(before)
	}
	if after != nil {
		l.insert(after)
	}
	return l
}

// place is where a user is in a list, or would be.
type place struct{ chunk, i int }

// search returns the place of the first user who is not before u. It may be behind the last chunk.
func (l List) search(u *User) place {
	chunk, _ := slices.BinarySearchFunc(l.chunks, u, func(chunk []*User, u *User) int { return chunk[len(chunk)-1].compare(u) })
	if chunk == len(l.chunks) {
		return place{chunk, 0}
	}
	i, _ := slices.BinarySearchFunc(l.chunks[chunk], u, (*User).compare)
	return place{chunk, i}
}

// at returns the user at a place; nil behind the last one.
func (l List) at(p place) *User {
	if p.chunk == len(l.chunks) {
		return nil
	}
	return l.chunks[p.chunk][p.i]
}

// count adds n to the numbers of users such as u.
func (l *List) count(u *User, n int) {
	l.len += n
	if u.Bot {
		l.bots += n
	}
}

// insert adds a user. l.chunks must be its own.
func (l *List) insert(u *User) {
	l.count(u, 1)
	p := l.search(u)
	if p.chunk == len(l.chunks) {
		if p.chunk == 0 {
			l.chunks = [][]*User{{u}}
			return
		}
		p = place{p.chunk - 1, len(l.chunks[p.chunk-1])}
	}
	old := l.chunks[p.chunk]
	chunk := append(append(append(make([]*User, 0, len(old)+1), old[:p.i]...), u), old[p.i:]...)
	if len(chunk) <= maxChunk {
		l.chunks[p.chunk] = chunk
		return
	}
	half := len(chunk) / 2
	l.chunks = slices.Replace(l.chunks, p.chunk, p.chunk+1, slices.Clone(chunk[:half]), slices.Clone(chunk[half:]))
}

// remove removes a user. l.chunks must be its own.
func (l *List) remove(u *User) {
	l.count(u, -1)
	p := l.search(u)
	chunk := slices.Concat(l.chunks[p.chunk][:p.i], l.chunks[p.chunk][p.i+1:])
	from, to := p.chunk, p.chunk+1 // the chunks that the new one replaces
	fits := func(other int) bool {
		return other >= 0 && other < len(l.chunks) && len(chunk)+len(l.chunks[other]) <= maxChunk/2
	}
	if fits(to) {
		chunk = slices.Concat(chunk, l.chunks[to])
		to++
	}
	if fits(from - 1) {
		from--
		chunk = slices.Concat(l.chunks[from], chunk)
	}
	if len(chunk) == 0 {
		l.chunks = slices.Delete(l.chunks, from, to)
		return
	}
	l.chunks = slices.Replace(l.chunks, from, to, chunk)
}
