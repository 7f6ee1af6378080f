package api

import (
	"cmp"
	"encoding/json"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"ayumu/lobby"
)

// ops has the operations by name. A nil answer means one without fields.
var ops map[string]func(*conn, *request) (fields, error)

func init() { // a literal would refer to itself by way of the methods
	ops = map[string]func(*conn, *request) (fields, error){
		"ping":    func(*conn, *request) (fields, error) { return nil, nil },
		"name":    (*conn).name,
		"tables":  (*conn).listTables,
		"matches": (*conn).listMatches,
		"open":    func(p *conn, r *request) (fields, error) { return p.open(r, false) },
		"bot":     (*conn).bot,
		"quick":   func(p *conn, r *request) (fields, error) { return p.open(r, true) },
		"join":    (*conn).join,
		"decline": func(p *conn, r *request) (fields, error) { return nil, p.s.Decline(r.Table) },
		"ready":   (*conn).ready,
		"cancel":  func(p *conn, r *request) (fields, error) { return nil, p.s.Cancel(r.Table) },
		"watch":   (*conn).watch,
		"unwatch": (*conn).unwatch,
		"act":     (*conn).act,
		"legal":   (*conn).legal,
		"resign":  playerOp(func(p *conn, seat *lobby.Player, r *request) error { return seat.Resign(p.ctx) }),
		"draw":    offerOp(lobby.OfferDraw),
		"undo":    offerOp(lobby.OfferUndo),
		"rematch": offerOp(lobby.OfferRematch),
		"refuse": playerOp(func(p *conn, seat *lobby.Player, r *request) error {
			return seat.Refuse(p.ctx, lobby.OfferKind(r.Kind))
		}),
		"claim":   playerOp(func(p *conn, seat *lobby.Player, r *request) error { return seat.Claim(p.ctx, r.Kind) }),
		"vote":    playerOp((*conn).vote),
		"say":     (*conn).say,
		"block":   func(p *conn, r *request) (fields, error) { return nil, p.s.Block(p.ctx, r.Name) },
		"unblock": func(p *conn, r *request) (fields, error) { return nil, p.s.Unblock(p.ctx, r.Name) },
		"blocks":  (*conn).blocks,
		"report":  (*conn).report,
		"record":  (*conn).record,
		"games":   (*conn).games,
	}
}

// playerOp returns an operation that needs a seat in the match.
func playerOp(do func(*conn, *lobby.Player, *request) error) func(*conn, *request) (fields, error) {
	return func(p *conn, r *request) (fields, error) {
		seat, err := p.s.Sit(r.Match)
		if err != nil {
			return nil, err
		}
		return nil, do(p, seat, r)
	}
}

func offerOp(kind lobby.OfferKind) func(*conn, *request) (fields, error) {
	return playerOp(func(p *conn, seat *lobby.Player, _ *request) error { return seat.Offer(p.ctx, kind) })
}

func (p *conn) name(r *request) (fields, error) {
	if r.Name != "" {
		if err := p.s.Rename(p.ctx, r.Name); err != nil {
			return nil, err
		}
	}
	return fields{"name": p.s.Account().Name}, nil
}

func (p *conn) blocks(*request) (fields, error) {
	names := []string{}
	for _, b := range p.s.Blocks() {
		names = append(names, b.Name)
	}
	return fields{"names": names}, nil
}

func (p *conn) report(r *request) (fields, error) {
	if p.services.Reporter == nil {
		return nil, newError(lobby.CodeNotAllowed, "this server has no moderators")
	}
	return nil, p.services.Reporter.Report(p.ctx, r.Name, r.Text)
}

func (p *conn) listTables(*request) (fields, error) {
	you := p.s.Account().ID
	all := []fields{}
	for _, t := range p.s.Lobby().View().TablesFor(you) {
		all = append(all, tableFields(t, you))
	}
	return fields{"tables": all}, nil
}

func (p *conn) listMatches(*request) (fields, error) {
	v := p.s.Lobby().View()
	if l := cachedMatches.Load(); l != nil && l.view == v {
		return fields{"matches": l.matches}, nil
	}
	all := []fields{}
	for _, m := range v.Matches {
		all = append(all, listingFields(m))
	}
	text, err := json.Marshal(all)
	if err == nil {
		cachedMatches.Store(&matchList{v, text})
	}
	return fields{"matches": json.RawMessage(text)}, err
}

// matchList is the answer of the operation matches for one View.
type matchList struct {
	view    *lobby.View
	matches json.RawMessage
}

// cachedMatches has the last answer, which all sessions share.
var cachedMatches atomic.Pointer[matchList]

func (p *conn) open(r *request, quick bool) (fields, error) {
	t, err := p.s.Open(p.ctx, lobby.Proposal{
		Game: r.Game, Options: r.Options, Clock: r.Clock, Rated: r.Rated, Private: r.Private && !quick, To: r.To, Quick: quick, Delay: r.Delay,
	})
	if err != nil {
		return nil, err
	}
	f := fields{"table": t.ID}
	if code := t.Code(p.s.Account().ID); code != "" {
		f["code"] = code
	}
	return f, nil
}

func (p *conn) bot(r *request) (fields, error) {
	if p.services.Bots == nil {
		return nil, newError(lobby.CodeNotAllowed, "this server has no bots")
	}
	const defaultLevel = 3
	match, err := p.services.Bots.Play(p.ctx, p.s, cmp.Or(r.Level, defaultLevel), lobby.Proposal{
		Game: r.Game, Options: r.Options, Clock: r.Clock, Rated: r.Rated, Private: r.Private, Delay: r.Delay,
	})
	return startedFields(match), err
}

func (p *conn) join(r *request) (fields, error) {
	match, err := p.s.Join(p.ctx, r.Table, r.Code)
	return startedFields(match), err
}

func (p *conn) ready(r *request) (fields, error) {
	match, err := p.s.Ready(p.ctx, r.Table)
	return startedFields(match), err
}

// startedFields returns the answer of an operation that may have started a match; the event match follows.
func startedFields(match string) fields {
	if match == "" {
		return nil
	}
	return fields{"match": match}
}

func (p *conn) watch(r *request) (fields, error) {
	if r.From != nil && *r.From < 0 {
		return nil, newError(lobby.CodeBadRequest, "from must be a version, 0 or more")
	}
	f := p.subscriptions[r.Match]
	added := f == nil
	if added {
		m, err := p.s.Lobby().Match(r.Match)
		if err != nil {
			return nil, err
		}
		if f, err = p.subscribe(m, r.Code); err != nil {
			return nil, err
		}
	}
	s := f.snapshot()
	from := s.Version
	if r.From != nil && *r.From < s.Version {
		if err := p.payHistory(s); err != nil {
			if added {
				p.unsubscribe(r.Match, f)
			}
			return nil, err
		}
		from = *r.From
	}
	if err := f.start(s, from); err != nil {
		return nil, err
	}
	p.s.WakeSelf() // the entries since then follow as events
	return snapshotFields(s, f.seat, time.Now()), nil
}

// payHistory charges the cost of sending a match from an earlier version on: whatever the version, the match
// is replayed from its beginning.
func (p *conn) payHistory(s *lobby.Snapshot) error {
	if err := p.s.Spend(lobby.WorkHistory); err != nil {
		return err
	}
	return p.s.SpendMore(lobby.WorkHistory, s.Version)
}

func (p *conn) unwatch(r *request) (fields, error) {
	f := p.subscriptions[r.Match]
	if f == nil {
		return nil, newError(lobby.CodeUnknownMatch, "you are not watching that match")
	}
	if f.spectator == nil {
		return nil, newError(lobby.CodeNotAllowed, "you are a player of that match")
	}
	p.unsubscribe(r.Match, f)
	return nil, nil
}

func (p *conn) act(r *request) (fields, error) {
	if r.Version == nil {
		return nil, newError(lobby.CodeBadRequest, "act needs the version that the turn was built on")
	}
	seat, err := p.s.Sit(r.Match)
	if err != nil {
		return nil, err
	}
	version, err := seat.Act(p.ctx, *r.Version, r.Actions)
	if err != nil {
		return nil, err
	}
	return fields{"version": version}, nil
}

// maxBegun is the maximum number of actions in a request of the operation legal; each is played first.
const maxBegun = 256

// legal answers with the legal actions of the seat to move, after the actions of an unfinished turn.
func (p *conn) legal(r *request) (fields, error) {
	if len(r.Actions) > maxBegun {
		return nil, newError(lobby.CodeBadRequest, "actions can have at most 256 entries")
	}
	if err := p.s.InDebt(lobby.WorkLegal); err != nil {
		return nil, err
	}
	s, err := p.s.SnapshotOf(r.Match, r.Code)
	if err != nil {
		return nil, err
	}
	f := fields{"version": s.Version, "legal": []string{}}
	if s.IsOver() {
		return f, nil
	}
	pos := s.Position
	for i, a := range r.Actions {
		if i > 0 && !pos.MidTurn() {
			return nil, newError(lobby.CodeIllegalAction, "the turn was over before "+strconv.Quote(lobby.CleanText(a, 30)))
		}
		if pos, err = pos.Play(strings.Join(strings.Fields(strings.ToLower(a)), " ")); err != nil {
			return nil, newError(lobby.CodeIllegalAction, err.Error())
		}
	}
	if len(r.Actions) == 0 || pos.MidTurn() {
		legal := pos.Legal()
		f["legal"] = legal
		size := 4 << 10 // the cost of the shortest list
		for _, a := range legal {
			size += len(a) + len(`"",`)
		}
		p.s.Charge(lobby.WorkLegal, size)
	}
	return f, nil
}

func (p *conn) vote(seat *lobby.Player, r *request) error {
	if r.Seat == nil {
		return newError(lobby.CodeBadRequest, "vote needs a seat")
	}
	return seat.Vote(p.ctx, *r.Seat)
}

func (p *conn) say(r *request) (fields, error) {
	if r.Match == "" {
		return nil, p.s.Say(r.Text)
	}
	if f := p.subscriptions[r.Match]; f != nil && f.spectator != nil {
		return nil, f.spectator.Say(r.Text)
	}
	seat, err := p.s.Sit(r.Match)
	if err != nil {
		if code, _ := lobby.PublicError(err); code == lobby.CodeNotAllowed {
			return nil, newError(lobby.CodeNotAllowed, "watch the match to chat with its spectators")
		}
		return nil, err
	}
	return nil, seat.Say(strings.TrimSpace(r.Text))
}
