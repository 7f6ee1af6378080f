package lobby

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"time"

	"ayumu/lobby/account"
	"ayumu/lobby/errcode"
	"ayumu/lobby/limit"
	"ayumu/lobby/sanitize"
	"ayumu/lobby/table"
	"ayumu/lobby/text"
)

// blockedEither reports whether one of two users has blocked the other.
func blockedEither(a, b *user) bool {
	return a.blocks.Has(b.Account().ID) || b.blocks.Has(a.Account().ID)
}

// Blocks lists the users whom the session's user has blocked, by name.
func (s *Session) Blocks() []account.Block {
	return slices.SortedFunc(maps.Values(s.user.blocks.All()), func(a, b account.Block) int { return cmp.Compare(a.Name, b.Name) })
}

// HasBlocked reports whether the session's user has blocked the account.
func (s *Session) HasBlocked(id account.ID) bool { return s.user.blocks.Has(id) }

// Block blocks the user of that name, who must be online or have an account. Between accounts a block lasts
// until Unblock; if one of the two is a guest, until the server restarts.
func (s *Session) Block(ctx context.Context, name string) error {
	if err := s.checkChangeRate(); err != nil {
		return err
	}
	l, me := s.l, s.Account()
	l.mu.Lock()
	other := l.lists.user(name)
	l.mu.Unlock()
	var target account.Account
	if other != nil {
		target = other.Account()
	} else {
		var err error
		if target, err = l.Accounts.ByName(ctx, name); err != nil {
			return err
		}
	}
	if target.ID == me.ID {
		return errcode.Errorf(errcode.BadRequest, "you cannot block yourself")
	}
	block := account.Block{ID: target.ID, Name: target.Name, At: time.Now()}
	err := s.user.blocks.Update(func(all map[account.ID]account.Block) error {
		switch _, known := all[target.ID]; {
		case known:
			return errcode.Errorf(errcode.BadRequest, "you have already blocked %s", target.Name)
		case len(all) >= l.limits.Load().BlocksPerUser:
			return l.limitError(limit.HitBlocks, "you have blocked %s, which is the limit; unblock one first", text.Plural(len(all), "player"))
		}
		all[target.ID] = block
		return nil
	})
	if err != nil {
		return err
	}
	if !me.IsGuest() && !target.IsGuest() {
		if err := l.store.AddBlock(ctx, me.ID, target.ID, block.At); err != nil {
			_ = s.user.blocks.Update(func(all map[account.ID]account.Block) error { delete(all, target.ID); return nil })
			return err
		}
		// The account may have been read meanwhile, without the block.
		_ = s.user.blocks.Update(func(all map[account.ID]account.Block) error { all[target.ID] = block; return nil })
	}
	l.Accounts.notifyNodes(s.user)
	l.separate(s.user, target.ID)
	return nil
}

// Unblock removes the block of the user with exactly that name in Blocks.
func (s *Session) Unblock(ctx context.Context, name string) error {
	if err := s.checkChangeRate(); err != nil {
		return err
	}
	me := s.Account()
	all := s.Blocks()
	i := slices.IndexFunc(all, func(b account.Block) bool { return b.Name == name })
	if i < 0 {
		return errcode.Errorf(errcode.BadRequest, "you have not blocked a player named %q", sanitize.Line(name, account.MaxName))
	}
	b := all[i]
	if !me.IsGuest() && b.ID > 0 {
		if err := s.l.store.RemoveBlock(ctx, me.ID, b.ID); err != nil {
			return err
		}
	}
	err := s.user.blocks.Update(func(all map[account.ID]account.Block) error { delete(all, b.ID); return nil })
	s.l.Accounts.notifyNodes(s.user)
	s.l.lists.tablesChanged()
	s.user.wake()
	return err
}

// separate removes u and an account that u has just blocked from tables that they share.
func (l *Lobby) separate(u *user, other account.ID) {
	l.changeTables(l.ctx, func(t table.State) table.Change { return t.Separate(u.Account().ID, other) })
	l.lists.tablesChanged()
	u.wake()
}

// VisibleChat returns the lines of a room with a Seq above seq, without those of users whom the session's
// user has blocked, oldest first. The slice may be shared and must not be changed.
func (s *Session) VisibleChat(room *Chat, seq uint64) []ChatLine {
	lines := room.Since(seq)
	mute := func(l ChatLine) bool { return !l.ByModerator && s.user.blocks.Has(l.AuthorID) }
	if !slices.ContainsFunc(lines, mute) {
		return lines
	}
	return slices.DeleteFunc(slices.Clone(lines), mute)
}
