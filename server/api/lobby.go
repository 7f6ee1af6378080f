package api

import (
	"ayumu/lobby"
	"ayumu/tui/op"
)

// lobbyOps are the operations for finding a game.
type lobbyOps struct{ *conn }

func (p lobbyOps) open(r *request) (fields, error) {
	return p.openTable(proposal(r))
}

func (p lobbyOps) quick(r *request) (fields, error) {
	q := proposal(r)
	q.Quick, q.Private, q.To, q.First = true, false, "", lobby.FirstRandom
	return p.openTable(q)
}

// proposal returns the table or match that a request describes.
func proposal(r *request) lobby.Proposal {
	return lobby.Proposal{Game: r.Game, Options: r.Options, Clock: r.Clock, Rated: r.Rated, Private: r.Private, To: r.To, Delay: r.Delay, First: r.First}
}

func (p lobbyOps) openTable(q lobby.Proposal) (fields, error) {
	t, err := p.s.Tables().Open(p.ctx, q)
	if err != nil {
		return nil, err
	}
	f := fields{"table": t.ID}
	if code := t.Code(p.s.Account().ID); code != "" {
		f["code"] = code
	}
	return f, nil
}

func (p lobbyOps) bot(r *request) (fields, error) {
	match, err := p.visit.PlayBot(p.ctx, r.Level, proposal(r))
	return startedFields(match), err
}

func (p lobbyOps) fill(r *request) (fields, error) {
	match, err := p.visit.FillTable(p.ctx, r.Table, r.Level, r.Seats)
	return startedFields(match), err
}

// join joins a table; with a code alone the private table that has it.
func (p lobbyOps) join(r *request) (fields, error) {
	table := r.Table
	if d, ok := p.visit.FindCode(r.Code); table == "" && ok && d.Kind == op.ToTable {
		table = d.ID
	}
	match, err := p.s.Tables().Join(p.ctx, table, r.Code)
	return startedFields(match), err
}

func (p lobbyOps) decline(r *request) (fields, error) { return nil, p.s.Tables().Decline(r.Table) }

func (p lobbyOps) cancel(r *request) (fields, error) { return nil, p.s.Tables().Cancel(r.Table) }

func (p lobbyOps) ready(r *request) (fields, error) {
	match, err := p.s.Tables().Ready(p.ctx, r.Table)
	return startedFields(match), err
}

// startedFields returns the answer of an operation that may have started a match; the event match follows.
func startedFields(match string) fields {
	if match == "" {
		return nil
	}
	return fields{"match": match}
}
