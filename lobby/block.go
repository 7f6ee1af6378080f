package lobby

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"time"
)

// Block is somebody whom somebody else does not want to meet. Who is blocked is not told so: what
// he says is not shown to the other, he does not see the other's tables, and what he asks of him is
// refused as it might be for other reasons.
type Block struct {
	ID   AccountID
	Name string // as it was when it was last read
	At   time.Time
}

// hasBlocked reports whether the person has blocked somebody.
func (p *user) hasBlocked(id AccountID) bool {
	all := p.blocks.Load()
	if all == nil {
		return false
	}
	_, blocked := (*all)[id]
	return blocked
}

// blockedEither reports whether one of two people has blocked the other.
func blockedEither(a, b *user) bool {
	return a.hasBlocked(b.Account().ID) || b.hasBlocked(a.Account().ID)
}

// setBlocks takes over what the store has of an account. A guest's are nowhere else than here.
func (p *user) setBlocks(a Account) {
	if a.IsGuest() {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.sessions) > 0 && p.blocks.Load() != nil {
		return // another session of his may have changed them meanwhile
	}
	all := make(map[AccountID]Block, len(a.Blocks))
	for _, b := range a.Blocks {
		all[b.ID] = b
	}
	p.blocks.Store(&all)
}

// updateBlocks replaces the blocks by a changed copy, unless change fails.
func (p *user) updateBlocks(change func(all map[AccountID]Block) error) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	all := make(map[AccountID]Block)
	if old := p.blocks.Load(); old != nil {
		maps.Copy(all, *old)
	}
	if err := change(all); err != nil {
		return err
	}
	p.blocks.Store(&all)
	return nil
}

// Blocks lists whom the person has blocked, by name.
func (s *Session) Blocks() []Block {
	all := s.user.blocks.Load()
	if all == nil {
		return nil
	}
	return slices.SortedFunc(maps.Values(*all), func(a, b Block) int { return cmp.Compare(a.Name, b.Name) })
}

// HasBlocked reports whether the person has blocked somebody.
func (s *Session) HasBlocked(id AccountID) bool { return s.user.hasBlocked(id) }

// Block blocks somebody by name: one who is here, or one who has an account. With an account it
// lasts until it is lifted; where one of the two is a guest, as long as the server runs.
func (s *Session) Block(ctx context.Context, name string) error {
	if err := s.mayStore(); err != nil {
		return err
	}
	l, me := s.l, s.Account()
	l.mu.Lock()
	other := l.userByName(name)
	l.mu.Unlock()
	var who Account
	if other != nil {
		who = other.Account()
	} else {
		var err error
		if who, err = l.AccountByName(ctx, name); err != nil {
			return err
		}
	}
	if who.ID == me.ID {
		return errorf(CodeBadRequest, "you cannot block yourself")
	}
	now := time.Now()
	err := s.user.updateBlocks(func(all map[AccountID]Block) error {
		switch _, again := all[who.ID]; {
		case again:
			return errorf(CodeBadRequest, "you have blocked %s already", who.Name)
		case len(all) >= l.limits.Load().BlocksPerUser:
			return l.limitError(HitBlocks, "you block %d people, which is the most; lift one of these first", len(all))
		}
		all[who.ID] = Block{ID: who.ID, Name: who.Name, At: now}
		return nil
	})
	if err != nil {
		return err
	}
	if !me.IsGuest() && !who.IsGuest() {
		if err := l.store.AddBlock(ctx, me.ID, who.ID, now); err != nil {
			_ = s.user.updateBlocks(func(all map[AccountID]Block) error { delete(all, who.ID); return nil })
			return err
		}
	}
	l.separate(s.user, who.ID)
	return nil
}

// Unblock lifts a block, by the name that Blocks lists.
func (s *Session) Unblock(ctx context.Context, name string) error {
	if err := s.mayStore(); err != nil {
		return err
	}
	me := s.Account()
	all := s.Blocks()
	i := slices.IndexFunc(all, func(b Block) bool { return b.Name == name })
	if i < 0 {
		return errorf(CodeBadRequest, "you have not blocked anybody called %q", CleanText(name, MaxName))
	}
	b := all[i]
	if !me.IsGuest() && b.ID > 0 {
		if err := s.l.store.RemoveBlock(ctx, me.ID, b.ID); err != nil {
			return err
		}
	}
	err := s.user.updateBlocks(func(all map[AccountID]Block) error { delete(all, b.ID); return nil })
	s.l.listsChanged()
	s.user.wake()
	return err
}

// separate takes a person and one whom he has just blocked away from tables that they share.
func (l *Lobby) separate(p *user, other AccountID) {
	l.mu.Lock()
	for _, t := range l.tables {
		sits := slices.IndexFunc(t.seated, func(o *user) bool { return o.Account().ID == other })
		switch asked := t.to != nil && t.to.Account().ID == other; {
		case t.starting:
		case t.to == p && sits >= 0:
			l.closeTable(t, EventDeclined, p)
		case t.owner() == p && asked:
			l.removeFromTable(t, p, EventWithdrawn)
		case t.owner() == p && sits >= 0:
			// To who is blocked it looks as if the table had been closed.
			l.notifyTable(t, EventWithdrawn, p, t.seated[sits])
			l.removeFromTable(t, t.seated[sits], EventWithdrawn)
		case sits >= 0 && slices.Contains(t.seated, p):
			l.removeFromTable(t, p, EventWithdrawn)
		}
	}
	l.mu.Unlock()
	l.listsChanged()
	p.wake()
}

// VisibleChat returns what was said in a room after the line with this number (0: all) by people whom
// this one has not blocked, oldest first. The slice may be shared and must not be changed.
func (s *Session) VisibleChat(room *Chat, seq uint64) []ChatLine {
	lines := room.Since(seq)
	mute := func(l ChatLine) bool { return !l.ByModerator && s.user.hasBlocked(l.AuthorID) }
	if !slices.ContainsFunc(lines, mute) {
		return lines
	}
	return slices.DeleteFunc(slices.Clone(lines), mute)
}
