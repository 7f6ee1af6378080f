package lobby

import (
	"context"
	"slices"
	"strings"
	"time"

	"ayumu/engine"
	"ayumu/lobby/clock"
	"ayumu/lobby/errcode"
	"ayumu/lobby/match"
	"ayumu/lobby/table"
)

// maxActions is the maximum number of actions of a submitted turn. No legal turn of any game comes near it.
const maxActions = 4096

// Player is a session's seat in a match, and the only way to act in it. Its methods may be called from any
// goroutine. They wait for the match's goroutine, but not for other sessions.
type Player struct {
	m    *Match
	s    *Session
	seat int
}

// Match returns the match.
func (p *Player) Match() *Match { return p.m }

// Seat returns the number of the seat.
func (p *Player) Seat() int { return p.seat }

// Snapshot returns the newest state, without the delay for spectators.
func (p *Player) Snapshot() *Snapshot { return p.m.liveSnapshot.Load() }

// Act submits a complete turn that was built on version, and returns the version that it made. version may
// be older than the newest if only credits follow it, since they change no position. If several errors
// apply, the first of CodeGameOver, CodeStaleVersion, CodeNotYourTurn and CodeIllegalAction is returned
// (docs/protocol.md, section 2.6). A turn that is refused changes nothing.
func (p *Player) Act(ctx context.Context, version int, actions []string) (int, error) {
	actions = slices.Clone(actions)
	for i, a := range actions {
		actions[i] = strings.Join(strings.Fields(strings.ToLower(a)), " ")
	}
	lag := p.s.lag()
	made := 0
	err := p.m.do(ctx, func(at time.Time) error {
		err := p.m.act(at, p.seat, version, actions, lag)
		made = len(p.m.log)
		if p.m.state.Result != nil {
			made-- // the end follows the turn
		}
		return err
	})
	if err != nil {
		return 0, err
	}
	return made, nil
}

// Resign resigns the game: with two players the other wins, with more the seat leaves.
func (p *Player) Resign(ctx context.Context) error {
	return p.m.do(ctx, func(at time.Time) error {
		if err := p.m.checkRunning(); err != nil {
			return err
		}
		if len(p.m.seats) == 2 {
			return p.m.endMatch(at, engine.Result{Winners: []int{1 - p.seat}, Reason: engine.ReasonResign})
		}
		if p.m.state.Position.HasLeft(p.seat) {
			return errcode.Errorf(errcode.NotAllowed, "you have already left this game")
		}
		return p.m.removeSeat(at, p.seat, engine.ReasonResign)
	})
}

// Offer makes an offer to the other seats, or accepts an open one of the same kind.
func (p *Player) Offer(ctx context.Context, kind OfferKind) error {
	if err := p.s.checkActionRate(); err != nil {
		return err
	}
	if err := p.payOffer(kind); err != nil {
		return err
	}
	return p.m.do(ctx, func(at time.Time) error { return p.m.offer(at, p.seat, kind) })
}

// payOffer charges the work of an offer: a take-back computes the position from the whole log again, and a
// rematch is a new match.
func (p *Player) payOffer(kind OfferKind) error {
	switch kind {
	case OfferUndo:
		if err := p.s.Spend(WorkUndo); err != nil {
			return err
		}
		return p.s.SpendMore(WorkUndo, p.m.liveSnapshot.Load().Version)
	case OfferRematch:
		return p.s.Spend(WorkRematch)
	}
	return nil
}

// Refuse declines an open offer of another seat, or withdraws the seat's own.
func (p *Player) Refuse(ctx context.Context, kind OfferKind) error {
	if err := p.s.checkActionRate(); err != nil {
		return err
	}
	return p.m.do(ctx, func(at time.Time) error { return p.m.refuse(at, p.seat, kind) })
}

// Claim ends a two-player match whose other player has been absent for longer than the grace. kind is "win"
// or "draw".
func (p *Player) Claim(ctx context.Context, kind string) error {
	return p.m.do(ctx, func(at time.Time) error { return p.m.claim(at, p.seat, kind) })
}

// Vote votes to remove an absent seat of a match of three or more players. The seat leaves when all other
// present players have voted for it.
func (p *Player) Vote(ctx context.Context, seat int) error {
	return p.m.do(ctx, func(at time.Time) error { return p.m.vote(at, p.seat, seat) })
}

// Say posts a line in the players' room.
func (p *Player) Say(text string) error {
	return p.s.postChat(PlayerRoom, &p.m.PlayerChat, text, p.m.wakeAll)
}

// checkRunning returns a CodeGameOver error if the match has ended.
func (m *Match) checkRunning() error {
	if m.state.Result != nil {
		return errcode.Errorf(errcode.GameOver, "the game is over")
	}
	return nil
}

func (m *Match) act(at time.Time, seat, version int, actions []string, lag time.Duration) error {
	if err := m.checkRunning(); err != nil {
		return err
	}
	if !m.onlyCreditsSince(version) {
		return errcode.Errorf(errcode.StaleVersion, "the match is at version %d, not %d", len(m.log), version)
	}
	if m.state.Position.Turn() != seat {
		return errcode.Errorf(errcode.NotYourTurn, "it is not your turn")
	}
	if len(actions) > maxActions {
		return errcode.Errorf(errcode.IllegalAction, "a turn has at most %d actions", maxActions)
	}
	pos, err := engine.PlayTurn(m.state.Position, actions)
	if err != nil {
		return &Error{Code: CodeIllegalAction, Message: err.Error()}
	}
	k := m.clock.Clone()
	credit := k.EndTurn(at, lag)
	return m.advance(at, pos, k, Entry{Kind: EntryTurn, Seat: seat, Actions: actions, Credit: credit})
}

// voidOffers ends the offers that recorded turns decline or make void. It is called before the entries are
// added to m.log, so that readers see the events before the turn.
func (m *Match) voidOffers(entries []Entry) {
	for _, e := range entries {
		if e.Kind == EntryTurn {
			m.voidOffersOf(e.At, e.Seat)
		}
	}
}

func (m *Match) voidOffersOf(at time.Time, seat int) {
	var open []Offer
	for _, o := range m.offers {
		if o.Kind != OfferUndo && o.Seat == seat {
			open = append(open, o)
			continue
		}
		m.addOfferEnd(at, seat, o)
	}
	m.offers = open
}

// addOfferEnd adds the event that a seat has ended an open offer: its own, or another's.
func (m *Match) addOfferEnd(at time.Time, seat int, o Offer) {
	kind := EventRefused
	if o.Seat == seat {
		kind = EventWithdrawn
	}
	m.addEvent(MatchEvent{At: at, Kind: kind, Seat: seat, Offer: o.Kind})
}

// advance records an entry that leads to pos, and the end if the game is over there.
func (m *Match) advance(at time.Time, pos engine.Position, k *clock.Clock, e Entry) error {
	next := match.Folded{Position: pos, TurnsMade: slices.Clone(m.state.TurnsMade)}
	if e.Kind == EntryTurn {
		next.TurnsMade[e.Seat]++
	}
	e.At, e.Clocks, e.Digest = at, k.Remaining(at), match.Digest(pos)
	entries := []Entry{e}
	if r, over := pos.Result(); over {
		k.Stop(at)
		next.Result = &r
		entries = append(entries, endEntry(at, next, k))
	}
	next.Clocks = k.Remaining(at)
	return m.commit(next, k, entries...)
}

// endMatch records a result that does not follow from the rules of the game.
func (m *Match) endMatch(at time.Time, r engine.Result) error {
	k := m.clock.Clone()
	k.Stop(at)
	next := m.state
	next.Result, next.Clocks = &r, k.Remaining(at)
	return m.commit(next, k, endEntry(at, next, k))
}

// abort records the end of the match without a winner.
func (m *Match) abort(at time.Time, reason AbortReason) error {
	k := m.clock.Clone()
	k.Stop(at)
	next := m.state
	next.Result, next.Clocks = &engine.Result{Winners: []int{}, Reason: engine.ReasonAbort}, k.Remaining(at)
	e := endEntry(at, next, k)
	e.Reason = string(reason)
	return m.commit(next, k, e)
}

// endEntry returns the EntryEnd for a state with a result.
func endEntry(at time.Time, st match.Folded, k *clock.Clock) Entry {
	e := Entry{
		Kind: EntryEnd, Seat: -1, Result: st.Result, TurnsMade: slices.Clone(st.TurnsMade),
		At: at, Clocks: k.Remaining(at), Digest: match.Digest(st.Position),
	}
	for seat := range st.TurnsMade {
		e.Sides = append(e.Sides, st.Position.Side(seat))
	}
	return e
}

// removeSeat records that a seat leaves a match of three or more players.
func (m *Match) removeSeat(at time.Time, seat int, reason string) error {
	pos, err := m.state.Position.Leave(seat)
	if err != nil {
		return &Error{Code: CodeNotAllowed, Message: err.Error()}
	}
	k := m.clock.Clone()
	k.Stop(at)
	m.away[seat], m.votes[seat] = Away{}, nil // a seat that has left cannot be away
	return m.advance(at, pos, k, Entry{Kind: EntryLeave, Seat: seat, Reason: reason})
}

func (m *Match) offer(at time.Time, seat int, kind OfferKind) error {
	if err := m.checkOffer(seat, kind); err != nil {
		return err
	}
	i := slices.IndexFunc(m.offers, func(o Offer) bool { return o.Kind == kind })
	if i < 0 {
		turns := len(match.TurnEntries(m.log))
		key := offerKey{seat, kind}
		if last, offered := m.offeredAtTurn[key]; offered && last == turns {
			return errcode.Errorf(errcode.NotAllowed, "you have already offered that; make a move before you offer it again")
		}
		m.offeredAtTurn[key] = turns
		m.offers = append(m.offers, Offer{Kind: kind, Seat: seat, At: at, Agreed: 1 << seat})
		m.addEvent(MatchEvent{At: at, Kind: EventOffered, Seat: seat, Offer: kind})
		m.publish()
		return nil
	}
	if m.offers[i].Agreed&(1<<seat) != 0 {
		return errcode.Errorf(errcode.NotAllowed, "your offer is already open")
	}
	m.offers[i].Agreed |= 1 << seat
	if !m.allAgree(m.offers[i]) {
		m.publish()
		return nil
	}
	o := m.offers[i]
	m.offers = slices.Delete(m.offers, i, i+1)
	switch kind {
	case OfferDraw:
		return m.endMatch(at, engine.Result{Winners: []int{0, 1}, Reason: engine.ReasonDraw})
	case OfferUndo:
		return m.undo(at, o.Seat)
	}
	return m.rematch()
}

// checkOffer returns why a seat cannot make or accept an offer of this kind now.
func (m *Match) checkOffer(seat int, kind OfferKind) error {
	duel := len(m.seats) == 2
	switch kind {
	case OfferDraw:
		if err := m.checkRunning(); err != nil {
			return err
		}
		if !duel {
			return errcode.Errorf(errcode.NotAllowed, "draws can only be agreed in two-player games")
		}
	case OfferUndo:
		if err := m.checkRunning(); err != nil {
			return err
		}
		if !duel || m.Info.Rated {
			return errcode.Errorf(errcode.NotAllowed, "takebacks are only possible in casual two-player games")
		}
		if m.hasBlock(seat) {
			return errcode.Errorf(errcode.NotAllowed, "takebacks are not possible in this game")
		}
		if _, open := m.openOffer(OfferUndo); !open && m.turnsToUndo(seat) == 0 {
			return errcode.Errorf(errcode.NotAllowed, "you have no turn to take back")
		}
	case OfferRematch:
		if m.state.Result == nil {
			return errcode.Errorf(errcode.NotAllowed, "a rematch can be offered once the game is over")
		}
		if m.rematchID != "" {
			return errcode.Errorf(errcode.NotAllowed, "the rematch has already started: match %s", m.rematchID)
		}
		if m.hasBlock(seat) {
			return errcode.Errorf(errcode.NotAllowed, "a rematch is not possible; find another game in the lobby")
		}
	default:
		return errcode.Errorf(errcode.BadRequest, "%q cannot be offered", kind)
	}
	return nil
}

// hasBlock reports whether the player of a seat and one of the others have a block between them.
func (m *Match) hasBlock(seat int) bool {
	return slices.ContainsFunc(m.seats, func(o *user) bool { return o != m.seats[seat] && blockedEither(o, m.seats[seat]) })
}

func (m *Match) openOffer(kind OfferKind) (Offer, bool) {
	for _, o := range m.offers {
		if o.Kind == kind {
			return o, true
		}
	}
	return Offer{}, false
}

func (m *Match) allAgree(o Offer) bool {
	for seat := range m.seats {
		if o.Agreed&(1<<seat) == 0 && !m.state.Position.HasLeft(seat) {
			return false
		}
	}
	return true
}

// refuse ends an open offer: a seat declines another's or withdraws its own.
func (m *Match) refuse(at time.Time, seat int, kind OfferKind) error {
	o, open := m.openOffer(kind)
	if !open {
		return errcode.Errorf(errcode.NotAllowed, "there is no such offer")
	}
	m.offers = slices.DeleteFunc(slices.Clone(m.offers), func(o Offer) bool { return o.Kind == kind })
	m.addOfferEnd(at, seat, o)
	m.publish()
	return nil
}

// turnsToUndo returns the number of turns to remove to take back a seat's last turn; 0: it has none.
func (m *Match) turnsToUndo(seat int) int {
	turns := match.TurnEntries(m.log)
	for n := 1; n <= len(turns); n++ {
		if e := turns[len(turns)-n]; e.Kind == EntryTurn && e.Seat == seat {
			return n
		}
	}
	return 0
}

func (m *Match) undo(at time.Time, seat int) error {
	e := Entry{Kind: EntryUndo, Seat: seat, Undone: m.turnsToUndo(seat), At: at}
	k := m.clock.Clone()
	k.Stop(at)
	e.Clocks = k.Remaining(at)
	// The digest is known after the log with the entry has been folded.
	next, err := match.FoldTurns(m.Info, append(slices.Clip(slices.Clone(m.log)), e))
	if err != nil {
		return m.l.InternalError("turn not taken back", err, "match", m.Info.ID)
	}
	e.Digest, next.Clocks = match.Digest(next.Position), e.Clocks
	return m.commit(next, k, e)
}

func (m *Match) rematch() error {
	// The seats rotate by one, so that two players exchange sides.
	seats := append(slices.Clone(m.seats[1:]), m.seats[0])
	code := ""
	if m.Info.Private {
		code = RandomCode(accountCodeBits)
	}
	id, err := m.l.createMatch(m.l.ctx, table.Terms{
		Game: m.Info.Game, Options: m.Info.Options, Control: m.Info.Control,
		Rated: m.Info.Rated, Private: m.Info.Private, Code: code, Delay: m.Info.Delay, Origin: m.origin,
	}, m.Info.ID, seats)
	if err != nil {
		return err
	}
	m.rematchID, m.nextCode = id, code
	m.publish()
	return nil
}

// Draft is a turn that a seat is preparing: actions on a version. Only the seat's own sessions see it.
// Holder is the session that changed it last; the others mirror it.
type Draft struct {
	Version int
	Actions []string
	Holder  *Session // nil: none
}

// Draft returns the seat's draft.
func (p *Player) Draft() Draft {
	p.m.spectatorMu.Lock()
	defer p.m.spectatorMu.Unlock()
	return p.m.drafts[p.seat]
}

// SetDraft replaces the seat's draft and makes this session its holder.
func (p *Player) SetDraft(version int, actions []string) error {
	if len(actions) > maxActions {
		return errcode.Errorf(errcode.IllegalAction, "a turn has at most %d actions", maxActions)
	}
	p.m.setDraft(p.seat, Draft{Version: version, Actions: slices.Clone(actions), Holder: p.s})
	return nil
}

func (m *Match) setDraft(seat int, d Draft) {
	m.spectatorMu.Lock()
	m.drafts[seat] = d
	m.spectatorMu.Unlock()
	m.seats[seat].wake()
}

// ApplyTo replays a draft on a snapshot. It returns the position after the longest legal prefix of its
// actions, that prefix, and whether actions were dropped. All actions are dropped if it is not the seat's
// turn.
func (d Draft) ApplyTo(s *Snapshot, seat int) (p engine.Position, legal []string, cut bool) {
	p = s.Position
	if s.IsOver() || p.Turn() != seat {
		return p, nil, len(d.Actions) > 0
	}
	for i, a := range d.Actions {
		next, err := p.Play(a)
		if err != nil || !next.MidTurn() && i < len(d.Actions)-1 {
			return p, d.Actions[:i], true
		}
		p = next
	}
	return p, d.Actions, false
}
