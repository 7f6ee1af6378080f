package lobby

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

// UserListing is a user in a UserList. It must not be changed.
type UserListing struct {
	ID      account.ID
	Name    string
	Bot     bool
	Ratings map[string]rating.Rating
	Match   string // the id of a running public match in which the user plays, or empty

	key string // the name in lower case, by which users are sorted
}

// newUserListing returns a user of an account, who plays a match unless that is empty.
func newUserListing(a account.Account, match string) *UserListing {
	return &UserListing{ID: a.ID, Name: a.Name, Bot: a.Bot, Ratings: a.Ratings, Match: match, key: strings.ToLower(a.Name)}
}

// Equal reports whether two users are the same in all that is listed. Either may be nil.
func (u *UserListing) Equal(o *UserListing) bool {
	if u == nil || o == nil {
		return u == o
	}
	return u.ID == o.ID && u.Name == o.Name && u.Bot == o.Bot && u.Match == o.Match && maps.Equal(u.Ratings, o.Ratings)
}

// compare orders users: people before bots, and each of them by name. Names that differ in case only are in the order of
// the ids.
func (u *UserListing) compare(o *UserListing) int {
	if u.Bot != o.Bot {
		if o.Bot {
			return -1
		}
		return 1
	}
	return cmp.Or(cmp.Compare(u.key, o.key), cmp.Compare(u.ID, o.ID))
}

// maxUserChunk is the maximum number of users of a chunk. A change copies one chunk and the list of chunks.
const maxUserChunk = 128

// UserList is the list of the users who are online: first people, then bots, each in the order of their names, because
// where only the first names have space, people look for people. It is immutable: a change of one user
// returns another list, which shares nearly everything with it, so that an arrival costs about as much in a full lobby as
// in an empty one. The zero value is empty. Any goroutine may use it.
type UserList struct {
	chunks    [][]*UserListing // none is empty, or longer than maxUserChunk
	len, bots int
}

// Len returns the number of users.
func (l UserList) Len() int { return l.len }

// Bots returns how many of the users are bots.
func (l UserList) Bots() int { return l.bots }

// All returns the users in order.
func (l UserList) All() iter.Seq[*UserListing] {
	return func(yield func(*UserListing) bool) {
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
func (l UserList) Slice(from, to int) []*UserListing {
	var users []*UserListing
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
func (l UserList) At(i int) *UserListing { return l.Slice(i, i+1)[0] }

// Named returns the user of that name, ignoring case; nil if there is none.
func (l UserList) Named(name string) *UserListing {
	for _, bot := range []bool{false, true} {
		named := &UserListing{key: strings.ToLower(name), ID: math.MinInt64, Bot: bot}
		if u := l.at(l.search(named)); u != nil && u.key == named.key && u.Bot == bot {
			return u
		}
	}
	return nil
}

// Index returns the index of the user with an id; -1 if there is none. name should be the user's: with another one all
// users are searched.
func (l UserList) Index(id account.ID, name string) int {
	for _, bot := range []bool{false, true} {
		at := l.search(&UserListing{key: strings.ToLower(name), ID: id, Bot: bot})
		if u := l.at(at); u == nil || u.ID != id {
			continue
		}
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
func (l UserList) Replace(before, after *UserListing) UserList {
	l.chunks = slices.Clone(l.chunks)
	if before != nil {
		l.remove(before)
	}
	if after != nil {
		l.insert(after)
	}
	return l
}

// listPlace is where a user is in a list, or would be.
type listPlace struct{ chunk, i int }

// search returns the place of the first user who is not before u. It may be behind the last chunk.
func (l UserList) search(u *UserListing) listPlace {
	chunk, _ := slices.BinarySearchFunc(l.chunks, u, func(chunk []*UserListing, u *UserListing) int { return chunk[len(chunk)-1].compare(u) })
	if chunk == len(l.chunks) {
		return listPlace{chunk, 0}
	}
	i, _ := slices.BinarySearchFunc(l.chunks[chunk], u, (*UserListing).compare)
	return listPlace{chunk, i}
}

// at returns the user at a place; nil behind the last one.
func (l UserList) at(p listPlace) *UserListing {
	if p.chunk == len(l.chunks) {
		return nil
	}
	return l.chunks[p.chunk][p.i]
}

// count adds n to the numbers of users such as u.
func (l *UserList) count(u *UserListing, n int) {
	l.len += n
	if u.Bot {
		l.bots += n
	}
}

// insert adds a user. l.chunks must be its own.
func (l *UserList) insert(u *UserListing) {
	l.count(u, 1)
	p := l.search(u)
	if p.chunk == len(l.chunks) {
		if p.chunk == 0 {
			l.chunks = [][]*UserListing{{u}}
			return
		}
		p = listPlace{p.chunk - 1, len(l.chunks[p.chunk-1])}
	}
	old := l.chunks[p.chunk]
	chunk := append(append(append(make([]*UserListing, 0, len(old)+1), old[:p.i]...), u), old[p.i:]...)
	if len(chunk) <= maxUserChunk {
		l.chunks[p.chunk] = chunk
		return
	}
	half := len(chunk) / 2
	l.chunks = slices.Replace(l.chunks, p.chunk, p.chunk+1, slices.Clone(chunk[:half]), slices.Clone(chunk[half:]))
}

// remove removes a user. l.chunks must be its own.
func (l *UserList) remove(u *UserListing) {
	l.count(u, -1)
	p := l.search(u)
	chunk := slices.Concat(l.chunks[p.chunk][:p.i], l.chunks[p.chunk][p.i+1:])
	from, to := p.chunk, p.chunk+1 // the chunks that the new one replaces
	fits := func(other int) bool {
		return other >= 0 && other < len(l.chunks) && len(chunk)+len(l.chunks[other]) <= maxUserChunk/2
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
