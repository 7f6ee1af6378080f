package lobby

import (
	"time"

	"ayumu/lobby/errcode"
	"ayumu/lobby/limit"
)

// Limits returns the current limits.
func (l *Lobby) Limits() limit.Limits { return *l.limits.Load() }

// SetLimits replaces the limits.
func (l *Lobby) SetLimits(limits limit.Limits) {
	l.limits.Store(&limits)
	l.Accounts.setLimits(&limits)
	l.Budgets.SetRequests(limit.Rate{Refill: limits.UserRequestRate, Burst: limits.UserRequestBurst})
}

// checkActionRate counts one action of the session's user, or returns an errcode.RateLimited error. Bots are not
// limited: their thinking is.
func (s *Session) checkActionRate() error {
	if s.user.deleted.Load() {
		return errDeleted
	}
	if s.Account().Bot {
		return nil
	}
	limits := s.l.limits.Load()
	s.user.mu.Lock()
	ok := s.user.actionBucket.Take(time.Now(), 1, limit.Rate{Refill: limits.ActionRate, Burst: limits.ActionBurst})
	s.user.mu.Unlock()
	if !ok {
		s.l.LimitHits.Add(limit.HitActions)
		return errcode.Errorf(errcode.RateLimited, "too many actions at once; wait a moment")
	}
	return nil
}

// checkChangeRate counts one action that changes the stored account, or returns an error.
func (s *Session) checkChangeRate() error {
	if err := s.checkActionRate(); err != nil {
		return err
	}
	return s.Spend(limit.WorkAccount)
}

// checkVacationRate counts one change of the user's vacation, or returns an error.
func (s *Session) checkVacationRate() error {
	if err := s.checkChangeRate(); err != nil {
		return err
	}
	return s.Spend(limit.WorkVacation)
}

// countLimitHit counts an error of table.State.Join or With if a limit was its reason.
func (l *Lobby) countLimitHit(err error) {
	if code, _ := PublicError(err); code == errcode.Full {
		l.LimitHits.Add(limit.HitMatchesPerUser)
	}
}

// limitError counts a hit of a limit and returns an errcode.Full error.
func (l *Lobby) limitError(id, format string, args ...any) error {
	l.LimitHits.Add(id)
	return errcode.Errorf(errcode.Full, format, args...)
}
