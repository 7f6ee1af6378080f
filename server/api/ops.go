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

// ops are the requests that a program can make. A nil answer is an empty one.
var ops map[string]func(*program, *request) (fields, error)

func init() { // a literal would refer to itself by way of the methods
	ops = map[string]func(*program, *request) (fields, error){
		"ping":    func(*program, *request) (fields, error) { return nil, nil },
		"name":    (*program).name,
		"tables":  (*program).listTables,
		"matches": (*program).listMatches,
		"open":    func(p *program, r *request) (fields, error) { return p.open(r, false) },
		"bot":     (*program).bot,
		"quick":   func(p *program, r *request) (fields, error) { return p.open(r, true) },
		"join":    (*program).join,
		"decline": func(p *program, r *request) (fields, error) { return nil, p.s.Decline(r.Table) },
		"ready":   (*program).ready,
		"cancel":  func(p *program, r *request) (fields, error) { return nil, p.s.Cancel(r.Table) },
		"watch":   (*program).watch,
		"unwatch": (*program).unwatch,
		"act":     (*program).act,
		"legal":   (*program).legal,
		"resign":  player(func(p *program, seat *lobby.Player, r *request) error { return seat.Resign(p.ctx) }),
		"draw":    offer(lobby.OfferDraw),
		"undo":    offer(lobby.OfferUndo),
		"rematch": offer(lobby.OfferRematch),
		"refuse": player(func(p *program, seat *lobby.Player, r *request) error {
			return seat.Refuse(p.ctx, lobby.OfferKind(r.Kind))
		}),
		"claim":   player(func(p *program, seat *lobby.Player, r *request) error { return seat.Claim(p.ctx, r.Kind) }),
		"vote":    player((*program).vote),
		"say":     (*program).say,
		"block":   func(p *program, r *request) (fields, error) { return nil, p.s.Block(p.ctx, r.Name) },
		"unblock": func(p *program, r *request) (fields, error) { return nil, p.s.Unblock(p.ctx, r.Name) },
		"blocks":  (*program).blocks,
		"report":  (*program).report,
		"record":  (*program).record,
		"games":   (*program).games,
	}
}

// player makes an op of something that needs a seat at the match.
func player(do func(*program, *lobby.Player, *request) error) func(*program, *request) (fields, error) {
	return func(p *program, r *request) (fields, error) {
		seat, err := p.s.Sit(r.Match)
		if err != nil {
			return nil, err
		}
		return nil, do(p, seat, r)
	}
}

func offer(kind lobby.OfferKind) func(*program, *request) (fields, error) {
	return player(func(p *program, seat *lobby.Player, _ *request) error { return seat.Offer(p.ctx, kind) })
}

func (p *program) name(r *request) (fields, error) {
	if r.Name != "" {
		if err := p.s.Rename(p.ctx, r.Name); err != nil {
			return nil, err
		}
	}
	return fields{"name": p.s.Account().Name}, nil
}

func (p *program) blocks(*request) (fields, error) {
	names := []string{}
	for _, b := range p.s.Blocks() {
		names = append(names, b.Name)
	}
	return fields{"names": names}, nil
}

func (p *program) report(r *request) (fields, error) {
	if p.house.Office == nil {
		return nil, refusal(lobby.NotAllowed, "this server has no moderators")
	}
	return nil, p.house.Office.Report(p.ctx, r.Name, r.Text)
}

func (p *program) listTables(*request) (fields, error) {
	you := p.s.Account().ID
	all := []fields{}
	for _, t := range p.s.Lobby().View().TablesFor(you) {
		all = append(all, table(t, you))
	}
	return fields{"tables": all}, nil
}

func (p *program) listMatches(*request) (fields, error) {
	v := p.s.Lobby().View()
	if l := lastListed.Load(); l != nil && l.view == v {
		return fields{"matches": l.matches}, nil
	}
	all := []fields{}
	for _, m := range v.Matches {
		all = append(all, listing(m))
	}
	text, err := json.Marshal(all)
	if err == nil {
		lastListed.Store(&listed{v, text})
	}
	return fields{"matches": json.RawMessage(text)}, err
}

// listed is what all programs are told that ask for the matches of one View.
type listed struct {
	view    *lobby.View
	matches json.RawMessage
}

// lastListed is of the View that somebody asked for last.
var lastListed atomic.Pointer[listed]

func (p *program) open(r *request, quick bool) (fields, error) {
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

func (p *program) bot(r *request) (fields, error) {
	if p.house.Bots == nil {
		return nil, refusal(lobby.NotAllowed, "this server has no bots")
	}
	const usual = 3 // level
	match, err := p.house.Bots.Play(p.ctx, p.s, cmp.Or(r.Level, usual), lobby.Proposal{
		Game: r.Game, Options: r.Options, Clock: r.Clock, Rated: r.Rated, Private: r.Private, Delay: r.Delay,
	})
	return begun(match), err
}

func (p *program) join(r *request) (fields, error) {
	match, err := p.s.Join(p.ctx, r.Table, r.Code)
	return begun(match), err
}

func (p *program) ready(r *request) (fields, error) {
	match, err := p.s.Ready(p.ctx, r.Table)
	return begun(match), err
}

// begun is the answer of what may have started a match; the match event follows.
func begun(match string) fields {
	if match == "" {
		return nil
	}
	return fields{"match": match}
}

func (p *program) watch(r *request) (fields, error) {
	if r.From != nil && *r.From < 0 {
		return nil, refusal(lobby.BadRequest, "from is a version, 0 or more")
	}
	f := p.follows[r.Match]
	fresh := f == nil
	if fresh {
		m, err := p.s.Lobby().Match(r.Match)
		if err != nil {
			return nil, err
		}
		if f, err = p.follow(m, r.Code); err != nil {
			return nil, err
		}
	}
	s := f.see()
	from := s.Version
	if r.From != nil && *r.From < s.Version {
		if err := p.payHistory(s); err != nil {
			if fresh {
				p.drop(r.Match, f)
			}
			return nil, err
		}
		from = *r.From
	}
	if err := f.start(s, from); err != nil {
		return nil, err
	}
	p.s.Look() // the entries since then follow as events
	return snapshot(s, f.seat, time.Now()), nil
}

// payHistory charges what it costs to tell a match from an earlier version on: whatever the version,
// the game is played through from its beginning.
func (p *program) payHistory(s *lobby.Snapshot) error {
	if err := p.s.Spend(lobby.WorkHistory); err != nil {
		return err
	}
	return p.s.SpendMore(lobby.WorkHistory, s.Version)
}

func (p *program) unwatch(r *request) (fields, error) {
	f := p.follows[r.Match]
	if f == nil {
		return nil, refusal(lobby.UnknownMatch, "you do not watch that match")
	}
	if f.watcher == nil {
		return nil, refusal(lobby.NotAllowed, "you play in that match")
	}
	p.drop(r.Match, f)
	return nil, nil
}

func (p *program) act(r *request) (fields, error) {
	if r.Version == nil {
		return nil, refusal(lobby.BadRequest, "act needs the version that the turn was built on")
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

// maxBegun bounds the actions of a begun turn of which the legal ones are asked for: each has to be
// played first.
const maxBegun = 256

// legal lists the actions of the seat to move, after those of a turn that it might begin.
func (p *program) legal(r *request) (fields, error) {
	if len(r.Actions) > maxBegun {
		return nil, refusal(lobby.BadRequest, "actions has at most 256 actions")
	}
	if err := p.s.InDebt(lobby.WorkLegal); err != nil {
		return nil, err
	}
	s, err := p.s.See(r.Match, r.Code)
	if err != nil {
		return nil, err
	}
	f := fields{"version": s.Version, "legal": []string{}}
	if s.Over() {
		return f, nil
	}
	at := s.Position
	for i, a := range r.Actions {
		if i > 0 && !at.MidTurn() {
			return nil, refusal(lobby.IllegalAction, "the turn was over before "+strconv.Quote(lobby.CleanText(a, 30)))
		}
		if at, err = at.Play(strings.Join(strings.Fields(strings.ToLower(a)), " ")); err != nil {
			return nil, refusal(lobby.IllegalAction, err.Error())
		}
	}
	if len(r.Actions) == 0 || at.MidTurn() {
		legal := at.Legal()
		f["legal"] = legal
		size := 4 << 10 // what the shortest list costs
		for _, a := range legal {
			size += len(a) + len(`"",`)
		}
		p.s.Charge(lobby.WorkLegal, size)
	}
	return f, nil
}

func (p *program) vote(seat *lobby.Player, r *request) error {
	if r.Seat == nil {
		return refusal(lobby.BadRequest, "vote needs a seat")
	}
	return seat.Vote(p.ctx, *r.Seat)
}

func (p *program) say(r *request) (fields, error) {
	if r.Match == "" {
		return nil, p.s.Say(r.Text)
	}
	if f := p.follows[r.Match]; f != nil && f.watcher != nil {
		return nil, f.watcher.Say(r.Text)
	}
	seat, err := p.s.Sit(r.Match)
	if err != nil {
		if code, _ := lobby.Explain(err); code == lobby.NotAllowed {
			return nil, refusal(lobby.NotAllowed, "watch the match to speak with its watchers")
		}
		return nil, err
	}
	return nil, seat.Say(strings.TrimSpace(r.Text))
}
