package lobby

import (
	"context"
	"encoding/json"
	"errors"
	"maps"
	"strconv"
	"sync/atomic"

	"ayumu/lobby/cluster/rows"
	"ayumu/lobby/errcode"
	"ayumu/lobby/match"
)

// kindVacation is the kind of the rows with the vacations of players, by the ids of their accounts. They are durable and changed
// by compare-and-swap, so that all nodes agree on them.
const kindVacation = "vacation"

// vacations has the vacations of all players. newVacations is the constructor. Its methods may be called from any goroutine that
// holds no lock, of also by one that does.
type vacations struct {
	l    *Lobby
	rows atomic.Pointer[map[AccountID]vacationRow] // replaced as a whole, since most accounts have none
}

// vacationRow is a row as it was last read or written.
type vacationRow struct {
	version int64
	all     match.Vacations
}

// newVacations returns those of nobody; follow adds the rows of the store.
func newVacations(l *Lobby) *vacations {
	v := &vacations{l: l}
	v.rows.Store(new(map[AccountID]vacationRow))
	return v
}

// of returns the vacations of a player, as this node knows them.
func (v *vacations) of(id AccountID) match.Vacations { return (*v.rows.Load())[id].all }

// follow replaces the known row by one of the store, if that is newer.
func (v *vacations) follow(r rows.Row) { v.apply(r, false) }

// apply replaces the known row by r, if r is newer or was written by this node.
func (v *vacations) apply(r rows.Row, isWritten bool) {
	number, err := strconv.ParseInt(r.ID, 10, 64)
	if err != nil {
		return
	}
	id, next := AccountID(number), vacationRow{version: r.Version}
	if !r.IsDeleted() && json.Unmarshal(r.Data, &next.all) != nil {
		next.all = nil // of a later version of the server
	}
	for {
		known := v.rows.Load()
		if r.Version <= (*known)[id].version && !isWritten {
			return
		}
		after := maps.Clone(*known)
		if after == nil {
			after = make(map[AccountID]vacationRow)
		}
		after[id] = next
		if v.rows.CompareAndSwap(known, &after) {
			v.changed(id)
			return
		}
	}
}

// changed has the matches of a player look at their vacations.
func (v *vacations) changed(id AccountID) {
	v.l.mu.Lock()
	defer v.l.mu.Unlock()
	if u := v.l.users.byID[id]; u != nil {
		for _, m := range u.seatedMatches() {
			m.presenceChanged()
		}
	}
}

// remove empties the row of a deleted account.
func (v *vacations) remove(ctx context.Context, id AccountID) error {
	if len(v.of(id)) == 0 {
		return nil
	}
	return v.change(ctx, id, func(match.Vacations) (match.Vacations, error) { return match.Vacations{}, nil })
}

// change replaces the vacations of a player by the result of do, which may be called more than once.
func (v *vacations) change(ctx context.Context, id AccountID, do func(match.Vacations) (match.Vacations, error)) error {
	key := rows.Key{Kind: kindVacation, ID: strconv.FormatInt(int64(id), 10)}
	known := (*v.rows.Load())[id]
	for {
		next, err := do(known.all)
		if err != nil {
			return err
		}
		data, err := json.Marshal(next)
		if err != nil {
			return err
		}
		found, err := v.l.shared.Write(ctx, rows.Write{Key: key, Replaces: known.version, Data: data, Durable: true})
		if err == nil {
			v.apply(found[0], true)
			return nil
		}
		if !errors.Is(err, rows.ErrConflict) {
			return vacationUnavailable(err)
		}
		if found, err = v.l.shared.Read(ctx, key); err != nil {
			return vacationUnavailable(err)
		}
		known = vacationRow{} // the row does not exist: a database that failed over has lost it
		for _, r := range found {
			v.apply(r, true)
			known = (*v.rows.Load())[id]
		}
	}
}

func vacationUnavailable(cause error) error {
	return &Error{Code: CodeUnavailable, Message: "the server cannot record that now; check your vacation before you try again", Cause: cause}
}

// OwnVacation is what a user can do with their vacation.
type OwnVacation struct{ s *Session }

// Vacation returns what the user can do with their vacation.
func (o OwnAccount) Vacation() OwnVacation { return OwnVacation(o) }

// Status returns the user's vacation now.
func (o OwnVacation) Status() match.VacationStatus {
	l := o.s.l
	return l.vacations.of(o.s.Account().ID).Status(l.node.Now(), l.limits.Load().VacationDays)
}

// Begin begins a vacation that ends days from now, or moves the end of the current one there.
func (o OwnVacation) Begin(ctx context.Context, days int) (match.VacationStatus, error) {
	l := o.s.l
	return o.change(ctx, func(all match.Vacations) (match.Vacations, error) {
		return all.Begin(l.node.Now(), days, l.limits.Load().VacationDays)
	})
}

// End ends the current vacation.
func (o OwnVacation) End(ctx context.Context) (match.VacationStatus, error) {
	return o.change(ctx, func(all match.Vacations) (match.Vacations, error) { return all.End(o.s.l.node.Now()) })
}

func (o OwnVacation) change(ctx context.Context, do func(match.Vacations) (match.Vacations, error)) (match.VacationStatus, error) {
	l, id := o.s.l, o.s.Account().ID
	if id <= 0 {
		return match.VacationStatus{}, errcode.Errorf(errcode.NotAllowed, "guests have no vacations; connect with an SSH key to get an account")
	}
	if err := o.s.checkVacationRate(); err != nil {
		return match.VacationStatus{}, err
	}
	if err := l.vacations.change(ctx, id, do); err != nil {
		return match.VacationStatus{}, err
	}
	l.node.Changed()
	return o.Status(), nil
}
