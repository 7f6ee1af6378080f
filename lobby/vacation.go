package lobby

import (
	"context"
	"strconv"

	"ayumu/lobby/account"
	"ayumu/lobby/cluster/rows"
	"ayumu/lobby/errcode"
	"ayumu/lobby/vacation"
)

// vacations has the vacations of all players, in durable rows by the ids of their accounts. They are changed by
// compare-and-swap, so that all nodes agree on them. newVacations is the constructor. Any goroutine
// that holds no lock may call the methods, and of also one that holds some.
type vacations struct {
	l    *Lobby
	rows rows.Shared[vacation.List]
}

// newVacations returns those of nobody.
func newVacations(l *Lobby) *vacations {
	v := &vacations{l: l}
	v.rows = rows.Shared[vacation.List]{Name: "vacation", IsDurable: func(*vacation.List) bool { return true }, Apply: v.changed}
	return v
}

// of returns the vacations of a player, as this node knows them.
func (v *vacations) of(id account.ID) vacation.List {
	if all := v.rows.Get(accountRow(id)).Value; all != nil {
		return *all
	}
	return nil
}

// accountRow returns the id of the rows about an account, without the nodes that write them.
func accountRow(id account.ID) string { return strconv.FormatInt(int64(id), 10) }

// changed has the matches of a player look at their vacations.
func (v *vacations) changed(_ context.Context, row string, _ rows.State[vacation.List]) error {
	id, err := strconv.ParseInt(row, 10, 64)
	if err != nil {
		return nil // no node writes it
	}
	v.l.mu.Lock()
	defer v.l.mu.Unlock()
	if u := v.l.users.byID[account.ID(id)]; u != nil {
		for _, m := range u.seatedMatches() {
			m.checkSoon()
		}
	}
	return nil
}

// remove empties the row of a deleted account.
func (v *vacations) remove(ctx context.Context, id account.ID) error {
	if len(v.of(id)) == 0 {
		return nil
	}
	return v.change(ctx, id, func(vacation.List) (vacation.List, error) { return vacation.List{}, nil })
}

// change replaces the vacations of a player by the result of do, which may be called more than once.
func (v *vacations) change(ctx context.Context, id account.ID, do func(vacation.List) (vacation.List, error)) error {
	var refusal error
	err := v.rows.Update(ctx, accountRow(id), func(known *vacation.List) (*vacation.List, error) {
		var all vacation.List
		if known != nil {
			all = *known
		}
		all, refusal = do(all)
		return &all, refusal
	})
	if err != nil && refusal == nil {
		err = &errcode.Error{Code: errcode.Unavailable, Message: "the server cannot record that now; check your vacation before you try again", Cause: err}
	}
	return err
}

// Vacation returns the user's vacation now.
func (s *Session) Vacation() vacation.Status {
	l := s.l
	return l.vacations.of(s.Account().ID).Status(l.node.Now(), l.limits.Load().VacationDays)
}

// BeginVacation begins a vacation that ends days from now, or moves the end of the current one there.
func (s *Session) BeginVacation(ctx context.Context, days int) (vacation.Status, error) {
	l := s.l
	return s.changeVacation(ctx, func(all vacation.List) (vacation.List, error) {
		return all.Begin(l.node.Now(), days, l.limits.Load().VacationDays)
	})
}

// EndVacation ends the current vacation.
func (s *Session) EndVacation(ctx context.Context) (vacation.Status, error) {
	return s.changeVacation(ctx, func(all vacation.List) (vacation.List, error) { return all.End(s.l.node.Now()) })
}

func (s *Session) changeVacation(ctx context.Context, do func(vacation.List) (vacation.List, error)) (vacation.Status, error) {
	l, id := s.l, s.Account().ID
	if id <= 0 {
		return vacation.Status{}, errcode.Errorf(errcode.NotAllowed, "guests have no vacations; connect with an SSH key to get an account")
	}
	if err := s.checkVacationRate(); err != nil {
		return vacation.Status{}, err
	}
	if err := l.vacations.change(ctx, id, do); err != nil {
		return vacation.Status{}, err
	}
	return s.Vacation(), nil
}
