package lobby

import (
	"context"

	"ayumu/lobby/account"
	"ayumu/lobby/cluster/rows"
	"ayumu/lobby/errcode"
	"ayumu/lobby/vacation"
)

// vacations returns the vacations of a player, as this node knows them. It may be called with locks held.
func (l *Lobby) vacations(id account.ID) vacation.List {
	if known := l.rows.vacations.Get(id.String()).Value; known != nil {
		return *known
	}
	return nil
}

// followVacations has the matches of a player look at their vacations, which this node or another has recorded.
func (f follower) followVacations(_ context.Context, accountID string, _ rows.State[vacation.List]) error {
	id, ok := account.ParseID(accountID)
	if !ok {
		return nil // no node writes it
	}
	f.l.mu.Lock()
	defer f.l.mu.Unlock()
	if u := f.l.users.byID[id]; u != nil {
		u.checkMatches()
	}
	return nil
}

// removeVacations empties the row of a deleted account.
func (l *Lobby) removeVacations(ctx context.Context, id account.ID) error {
	if len(l.vacations(id)) == 0 {
		return nil
	}
	return l.changeVacations(ctx, id, func(vacation.List) (vacation.List, error) { return vacation.List{}, nil })
}

// changeVacations replaces the vacations of a player by the result of do, which may be called more than once, or returns
// its error. The caller holds no lock.
func (l *Lobby) changeVacations(ctx context.Context, id account.ID, do func(vacation.List) (vacation.List, error)) error {
	var refusal error
	err := l.rows.vacations.Update(ctx, id.String(), func(known *vacation.List) (*vacation.List, error) {
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
	return l.vacations(s.Account().ID).Status(l.node.Now(), l.limits.Load().VacationDays)
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
	if err := l.changeVacations(ctx, id, do); err != nil {
		return vacation.Status{}, err
	}
	return s.Vacation(), nil
}
