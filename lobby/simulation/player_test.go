package simulation

import (
	"errors"
	"slices"
	"time"

	"ayumu/lobby/account"
	"ayumu/lobby/errcode"
	"ayumu/lobby/match"
)

// player is a person with a session on one node at a time.
type player struct {
	w     *world
	id    int
	at    *node    // nil: none
	again *command // whose outcome is unclear to the player

	awayUntil time.Duration
}

// command is a player's command.
type command struct {
	match.Command
	w          *world
	account    account.ID
	match      string
	node       *node
	life       int           // of the node
	arrivedAt  time.Duration // when it came to the node
	session    time.Duration // since when the player was there
	isSure     bool          // the node could judge it at once
	waited     bool          // something else was recorded first
	targetHere bool          // of a claim: whether the target was present by the store when it was decided

	answered   bool
	ok, lost   bool // lost: with a database that did not have it yet
	code       errcode.Code
	made       int
	recordedAt time.Duration
}

// act lets the player do something, and again later.
func (p *player) act() {
	w := p.w
	if !w.playing {
		return
	}
	w.after(w.between(100*time.Millisecond, 3*time.Second), p.act)
	switch {
	case p.at == nil:
		if w.now < p.awayUntil {
			return
		}
		n := w.nodes[w.r.IntN(len(w.nodes))]
		if n.isServing() {
			p.at = n
			n.enter(account.ID(p.id))
		}
	case w.chance(4):
		p.at.leave(account.ID(p.id), w.chance(30))
		p.disconnected()
		if w.chance(50) {
			p.awayUntil = w.now + w.between(5*time.Second, 25*time.Second)
		}
	case w.chance(6):
		p.changeVacation()
	default:
		if !p.play() || w.chance(5) { // maybe a second match at the same time
			p.seek()
		}
	}
}

// disconnected ends the session.
func (p *player) disconnected() { p.at = nil }

// play acts in a running match, if there is one.
func (p *player) play() bool {
	w, n, id := p.w, p.at, account.ID(p.id)
	var running []*replica
	for _, r := range n.matches {
		if r.state.Info.HasPlayer(id) && !r.snapshot.IsOver() {
			running = append(running, r)
		}
	}
	if len(running) == 0 {
		return false
	}
	slices.SortFunc(running, func(a, b *replica) int { return a.state.Info.Started.Compare(b.state.Info.Started) })
	r := running[w.r.IntN(len(running))]
	if c := p.again; c != nil && c.match == r.id && w.chance(70) { // the same turn, maybe on another node
		p.again = nil
		p.send(r, c.Command)
		return true
	}
	if r.state.Info.HasConditions() && r.snapshot.Position.Turn() != r.seatOf(id) && w.chance(50) {
		p.changeConditions(r)
		return true
	}
	c := p.choose(r)
	if left, timed := r.snapshot.Remaining(c.Seat, n.sharedTime()); timed && c.Kind == match.CommandTurn && w.chance(20) {
		// The player takes all the time that there is.
		w.after(left-w.between(time.Millisecond, 200*time.Millisecond), func() {
			if p.at == n && n.matches[r.id] == r && r.snapshot.Version == c.Version {
				p.send(r, c)
			}
		})
		return true
	}
	p.send(r, c)
	return true
}

// choose returns a command, mostly one that the match accepts.
func (p *player) choose(r *replica) match.Command {
	w, s := p.w, r.snapshot
	seat := r.seatOf(account.ID(p.id))
	c := match.Command{Seat: seat, Version: s.Version}
	away := slices.IndexFunc(s.Away, func(a match.Away) bool { return !a.Since.IsZero() })
	switch what := w.r.IntN(100); {
	case away >= 0 && away != seat && what < 50 && len(s.Away) > 2:
		c.Kind, c.Target = match.CommandVote, away
	case away >= 0 && away != seat && what < 50:
		c.Kind, c.Claim, c.Target = match.CommandClaim, "win", away
	case what == 50:
		c.Kind = match.CommandResign
	case what == 51 && s.CanAbort:
		c.Kind = match.CommandAbort
	case what < 55:
		c.Kind, c.Offer = match.CommandOffer, []match.OfferKind{match.OfferDraw, match.OfferUndo, match.OfferUndo}[w.r.IntN(3)]
	case what < 60 && len(s.Offers) > 0:
		c.Kind, c.Offer = match.CommandRefuse, s.Offers[0].Kind
	case s.Position.Turn() == seat && what < 97:
		c.Kind = match.CommandTurn
		choices := match.MaxActions
		if r.state.Info.HasConditions() {
			choices = 2 // of which conditions have one
		}
		c.Actions = w.turn(s.Position, choices)
	case len(s.Offers) > 0 && what < 75:
		c.Kind, c.Offer = match.CommandOffer, s.Offers[0].Kind // accepts it
	default:
		c.Kind, c.Offer = match.CommandRefuse, match.OfferUndo
	}
	return c
}

// send sends a command to the player's node.
func (p *player) send(r *replica, cmd match.Command) {
	w, n, id := p.w, p.at, account.ID(p.id)
	cmd.At = n.sharedTime()
	c := &command{
		Command: cmd, w: w, account: id, match: r.id, node: n, life: n.life, arrivedAt: w.now, session: n.sessions[id],
		isSure: !n.keeper.IsDegraded(n.local()) && n.keeper.StoreFailingSince(n.local()).IsZero() && !r.state.IsSuspended(),
	}
	w.commands = append(w.commands, c)
	r.input(match.Input{Kind: match.InputCommand, Command: &c.Command}, c)
}

// isPresent reports whether an account has a session on this node, or by the store on another that is alive.
func (n *node) isPresent(id account.ID) bool {
	s := n.w.store
	for _, o := range n.w.nodes {
		if o != n && s.presence[presenceKey{o.name, id}].here && s.w.storeTime().Sub(s.beats[o.name]) <= beatLimit {
			return true
		}
	}
	_, here := n.sessions[id]
	return here
}

// answer takes over the answer to the command, and checks it.
func (c *command) answer(err error, made int) {
	w := c.w
	c.answered, c.ok, c.made = true, err == nil, made
	var e *errcode.Error
	if errors.As(err, &e) {
		c.code = e.Code
	}
	w.seen["answer "+string(c.code)]++
	if err == nil {
		w.seen["command "+[]string{"turn", "resign", "abort", "offer", "refuse", "claim", "vote"}[c.Kind]]++
	}
	if c.Kind != match.CommandTurn {
		return
	}
	if p := w.players[c.account-1]; c.code == errcode.Unavailable {
		p.again = c
	}
	w.checkAnswer(c)
}
