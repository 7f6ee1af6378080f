package api

import (
	"ayumu/lobby"
	"ayumu/lobby/conditions"
	"ayumu/tui/wire"
)

// conditionOps are the operations on conditional moves.
type conditionOps struct{ *conn }

// list answers with the armed conditions of the user's seat.
func (p conditionOps) list(r *request) (fields, error) {
	seat, err := p.s.Matches().Sit(r.Match)
	if err != nil {
		return nil, err
	}
	armed, err := seat.Conditions().Armed(p.ctx)
	if err != nil {
		return nil, err
	}
	return conditionFields(armed), nil
}

// change arms a condition, or deletes one, and answers as list does.
func (p conditionOps) change(r *request) (fields, error) {
	if r.Version == nil || (r.Turns == nil) == (r.Remove == nil) {
		return nil, newError(lobby.CodeBadRequest, "condition needs the version, and either turns or remove")
	}
	if r.Remove != nil && r.Revision == nil {
		return nil, newError(lobby.CodeBadRequest, "remove needs the revision of the conditions")
	}
	seat, err := p.s.Matches().Sit(r.Match)
	if err != nil {
		return nil, err
	}
	revision := int64(conditions.AnyRevision)
	if r.Revision != nil {
		revision = max(*r.Revision, 0)
	}
	var armed conditions.Armed
	if r.Remove != nil {
		armed, err = seat.Conditions().Remove(p.ctx, *r.Version, revision, *r.Remove)
	} else {
		armed, err = seat.Conditions().Add(p.ctx, *r.Version, revision, r.Turns)
	}
	if err != nil {
		return nil, err
	}
	return conditionFields(armed), nil
}

// conditionFields returns the answer about conditions.
func conditionFields(a conditions.Armed) fields {
	c := wire.ConditionsOf(a)
	return fields{"version": c.Version, "revision": c.Revision, "conditions": c.Conditions}
}
