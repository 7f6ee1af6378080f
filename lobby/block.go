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

// shuns reports whether the person has blocked somebody.
func (p *person) shuns(id AccountID) bool {
	all := p.blocks.Load()
	if all == nil {
		return false
	}
	_, blocked := (*all)[id]
	return blocked
}

// apart reports whether one of two people has blocked the other.
func apart(a, b *person) bool { return a.shuns(b.Account().ID) || b.shuns(a.Account().ID) }

// setBlocks takes over what the store has of an account. A guest's are nowhere else than here.
func (p *person) setBlocks(a Account) {
	if a.Guest() {
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

// changeBlocks replaces the blocks by a changed copy, unless change fails.
func (p *person) changeBlocks(change func(all map[AccountID]Block) error) error {
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
	all := s.person.blocks.Load()
	if all == nil {
		return nil
	}
	return slices.SortedFunc(maps.Values(*all), func(a, b Block) int { return cmp.Compare(a.Name, b.Name) })
}

// Blocked reports whether the person has blocked somebody.
func (s *Session) Blocked(id AccountID) bool { return s.person.shuns(id) }

// Block blocks somebody by name: one who is here, or one who has an account. With an account it
// lasts until it is lifted; where one of the two is a guest, as long as the server runs.
func (s *Session) Block(ctx context.Context, name string) error {
	if err := s.mayStore(); err != nil {
		return err
	}
	l, me := s.l, s.Account()
	l.mu.Lock()
	other := l.find(name)
	l.mu.Unlock()
	var who Account
	if other != nil {
		who = other.Account()
	} else {
		var err error
		if who, err = l.Find(ctx, name); err != nil {
			return err
		}
	}
	if who.ID == me.ID {
		return fail(BadRequest, "you cannot block yourself")
	}
	now := time.Now()
	err := s.person.changeBlocks(func(all map[AccountID]Block) error {
		switch _, again := all[who.ID]; {
		case again:
			return fail(BadRequest, "you have blocked %s already", who.Name)
		case len(all) >= l.limits.Load().Blocks:
			return l.full(HitBlocks, "you block %d people, which is the most; lift one of these first", len(all))
		}
		all[who.ID] = Block{ID: who.ID, Name: who.Name, At: now}
		return nil
	})
	if err != nil {
		return err
	}
	if !me.Guest() && !who.Guest() {
		if err := l.store.SaveBlock(ctx, me.ID, who.ID, now); err != nil {
			_ = s.person.changeBlocks(func(all map[AccountID]Block) error { delete(all, who.ID); return nil })
			return err
		}
	}
	l.part(s.person, who.ID)
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
		return fail(BadRequest, "you have not blocked anybody called %q", CleanText(name, MaxName))
	}
	b := all[i]
	if !me.Guest() && b.ID > 0 {
		if err := s.l.store.DropBlock(ctx, me.ID, b.ID); err != nil {
			return err
		}
	}
	err := s.person.changeBlocks(func(all map[AccountID]Block) error { delete(all, b.ID); return nil })
	s.l.changed()
	s.person.poke()
	return err
}

// part takes a person and one whom he has just blocked away from tables that they share.
func (l *Lobby) part(p *person, other AccountID) {
	l.mu.Lock()
	for _, t := range l.tables {
		sits := slices.IndexFunc(t.seated, func(o *person) bool { return o.Account().ID == other })
		switch asked := t.to != nil && t.to.Account().ID == other; {
		case t.starting:
		case t.to == p && sits >= 0:
			l.closeTable(t, EventDeclined, p)
		case t.owner() == p && asked:
			l.stand(t, p, EventWithdrawn)
		case t.owner() == p && sits >= 0:
			// To who is blocked it looks as if the table had been closed.
			l.notifyTable(t, EventWithdrawn, p, t.seated[sits])
			l.stand(t, t.seated[sits], EventWithdrawn)
		case sits >= 0 && slices.Contains(t.seated, p):
			l.stand(t, p, EventWithdrawn)
		}
	}
	l.mu.Unlock()
	l.changed()
	p.poke()
}

// Heard returns what was said in a room after the line with this number (0: all) by people whom
// this one has not blocked, oldest first. The slice may be shared and must not be changed.
func (s *Session) Heard(room *Chat, seq uint64) []ChatLine {
	lines := room.Since(seq)
	mute := func(l ChatLine) bool { return !l.Staff && s.person.shuns(l.Who) }
	if !slices.ContainsFunc(lines, mute) {
		return lines
	}
	return slices.DeleteFunc(slices.Clone(lines), mute)
}
