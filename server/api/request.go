package api

import (
	"encoding/json"
	"strconv"
	"time"

	"ayumu/engine"
	"ayumu/lobby"
	"ayumu/lobby/bots"
	"ayumu/lobby/match"
	"ayumu/tui/jsonform"
)

// request is a line of input, with the fields of all operations.
type request struct {
	ID      json.RawMessage `json:"id"`
	Op      string          `json:"op"`
	Name    string          `json:"name"`
	Game    string          `json:"game"`
	Code    string          `json:"code"`
	Match   string          `json:"match"`
	From    *int            `json:"from"`
	Version *int            `json:"version"`
	Actions []string        `json:"actions"`
	Kind    string          `json:"kind"`
	Text    string          `json:"text"`
	Player  string          `json:"player"`
	Limit   *int            `json:"limit"`
	Before  string          `json:"before"`
}

// fields is a JSON object of the output; encoding/json sorts its keys.
type fields map[string]any

type clockJSON struct {
	LeftMS int64 `json:"left_ms"`
}

func seatFields(info *match.Info, p engine.Position, builtin *bots.Bots) []jsonform.Seat {
	all := make([]jsonform.Seat, len(info.Seats))
	for i, s := range info.Seats {
		all[i] = jsonform.NewSeat(s, builtin)
		all[i].Color = p.Side(i)
	}
	return all
}

func clockFields(left []time.Duration) []clockJSON {
	all := make([]clockJSON, len(left))
	for i, d := range left {
		all[i].LeftMS = d.Milliseconds()
	}
	return all
}

// SnapshotJSON returns the snapshot of a match for somebody without a seat, as the operation watch answers with it.
func SnapshotJSON(s *match.Snapshot, now time.Time, builtin *bots.Bots) map[string]any {
	return snapshotFields(s, -1, now, builtin)
}

// EntryJSON returns the event of an entry, as the API sends it; false: it has none. kind is the value of its field event.
func EntryJSON(s *match.Snapshot, n match.FeedItem, builtin *bots.Bots) (event map[string]any, kind string, ok bool) {
	if n.Entry == nil && !n.Lost {
		return nil, "", false
	}
	f, ok := entryFields(s, n, builtin)
	if !ok {
		return nil, "", false
	}
	kind, _ = f["event"].(string)
	return f, kind, true
}

// snapshotFields returns the JSON object of a snapshot; you is the receiver's seat, -1 for a spectator.
func snapshotFields(s *match.Snapshot, you int, now time.Time, builtin *bots.Bots) fields {
	f := fields{
		"match": s.Info.ID, "game": s.Info.Game, "options": s.Info.Options, "rated": s.Info.Rated,
		"private": s.Info.Private, "seats": seatFields(s.Info, s.Position, builtin), "version": s.Version,
		"turn": s.Position.Turn(), "position": s.Position.String(), "over": s.IsOver(),
		"started": jsonform.Time(s.Info.Started),
	}
	if s.Info.IsOfTournament() {
		f["tournament"], f["round"] = s.Info.Tournament.ID, s.Info.Tournament.Round
	}
	if you >= 0 {
		f["you"] = you
		if s.Code != "" {
			f["code"] = s.Code
		}
	}
	if !s.Info.Control.IsUntimed() {
		f["clock"] = s.Info.Control
		left := make([]time.Duration, len(s.Info.Seats))
		for i := range left {
			left[i], _ = s.Remaining(i, now)
		}
		f["clocks"] = clockFields(left)
	}
	f["offers"], f["away"], f["elsewhere"], f["votes"] = offers(s), away(s), elsewhere(s), s.Votes
	if all := vacations(s); all != nil {
		f["vacations"] = all
	}
	if s.Result != nil {
		f["result"] = jsonform.NewResult(s.Result)
		f.addOutcome(s)
	}
	if d, ok := s.Position.(engine.Detailer); ok {
		for k, v := range d.Details() {
			f[k] = v
		}
	}
	return f
}

// offers returns the open offers of a snapshot.
func offers(s *match.Snapshot) []fields {
	all := []fields{}
	for _, o := range s.Offers {
		all = append(all, fields{"kind": o.Kind, "seat": o.Seat})
	}
	return all
}

// away returns the seats of a snapshot whose players are away.
func away(s *match.Snapshot) []fields {
	all := []fields{}
	for seat, a := range s.Away {
		if !a.Since.IsZero() && !s.IsOver() {
			all = append(all, awayForm(seat, a))
		}
	}
	return all
}

// elsewhere returns the seats of a snapshot whose players are elsewhere.
func elsewhere(s *match.Snapshot) []int {
	all := []int{}
	for seat := range s.Info.Seats {
		if s.IsElsewhere(seat) {
			all = append(all, seat)
		}
	}
	return all
}

func awayForm(seat int, a match.Away) fields {
	return fields{"seat": seat, "since": jsonform.Time(a.Since), "claimable": a.Claimable}
}

// addOutcome adds the rating changes of a finished match and, if it was aborted, the reason.
func (f fields) addOutcome(s *match.Snapshot) {
	type change struct {
		Before *int `json:"before"`
		After  *int `json:"after"`
	}
	var ratings []change
	for _, c := range s.Ratings {
		ratings = append(ratings, change{jsonform.RatingValue(&c.Before), jsonform.RatingValue(&c.After)})
	}
	switch {
	case ratings != nil:
		f["ratings"] = ratings
	case s.Unrated != "":
		f["unrated"] = s.Unrated
	}
	if why, seat, ok := s.Aborted(); ok && why != "" {
		if f["abort"] = why; seat >= 0 && why != match.AbortEvicted && why != match.AbortNobody {
			f["seat"] = seat
		}
	}
}

// entryFields returns the event of an entry of a match's log; ok is false for an entry without an event.
func entryFields(s *match.Snapshot, n match.FeedItem, builtin *bots.Bots) (f fields, ok bool) {
	info, e := s.Info, n.Entry
	f = fields{"match": info.ID, "version": n.Version}
	if n.Lost {
		e, f["lost"] = &match.Entry{Kind: match.EntryUndo}, true
	}
	if e.Clocks != nil {
		f["clocks"] = clockFields(e.Clocks)
	}
	switch e.Kind {
	case match.EntryTurn:
		f["event"], f["seat"], f["actions"] = "turn", e.Seat, e.Actions
		if e.Reason == match.TurnByCondition {
			f["by"] = e.Reason
		}
	case match.EntryLeave:
		f["event"], f["seat"], f["actions"], f["reason"] = "turn", e.Seat, []string{"leave " + strconv.Itoa(e.Seat)}, e.Reason
	case match.EntryUndo:
		f["event"] = "undone"
	case match.EntryEnd:
		f = fields{"event": "over", "match": info.ID, "version": n.Version, "result": jsonform.NewResult(e.Result)}
		f.addOutcome(s)
		return f, true
	default:
		return nil, false
	}
	if n.Swapped {
		f["seats"] = seatFields(info, n.Position, builtin)
	}
	f["position"], f["turn"] = n.Position.String(), n.Position.Turn()
	return f, true
}

// matchEvent returns the JSON object of an event that is not an entry of the log.
func matchEvent(info *match.Info, e *match.Event) fields {
	f := fields{"event": e.Kind, "match": info.ID, "seat": e.Seat, "by": info.Seats[e.Seat].Name}
	if e.Kind == match.EventVoted {
		f["seat"] = e.Target
		return f
	}
	f["kind"] = e.Offer
	return f
}

// chatFields returns the event of a line of chat.
func chatFields(room string, l lobby.ChatLine) fields {
	return fields{"event": "chat", "room": room, "from": l.Author, "text": l.Text, "time": jsonform.Time(l.At)}
}
