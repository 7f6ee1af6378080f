package web

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"time"

	"ayumu/lobby/match"
	"ayumu/server/api"
)

// maxBehind is how many entries a reader of a stream may be behind. One that is further behind gets the newest position
// instead, so that what waits for it is bounded.
const maxBehind = 64

// eventKey identifies an entry of a match's log as spectators see it.
type eventKey struct {
	match   string
	version int
	lost    int // how often the database had lost entries
	isLost  bool
}

// eventText is an event of a stream, ready to be written; "": the entry is no event.
type eventText string

// encode returns the event of an entry. All streams share it.
func (s *Server) encode(snap *match.Snapshot, n match.FeedItem) eventText {
	return s.events.Get(eventKey{snap.Info.ID, n.Version, snap.Lost, n.Lost}, func() eventText {
		event, kind, ok := api.EntryJSON(snap, n, s.Bots)
		if !ok {
			return ""
		}
		data, err := json.Marshal(event)
		if err != nil {
			s.Logger.Error("event not written", "match", snap.Info.ID, "err", err)
			return ""
		}
		return eventText(fmt.Sprintf("id: %d\nevent: %s\ndata: %s\n\n", n.Version, kind, data))
	})
}

// stream sends the turns of a running match as server-sent events, from the version of Last-Event-ID on or from the newest. It
// ends with the match and when the server drains.
func (v *visit) stream() error {
	v.kind = "events"
	id := v.r.PathValue("id")
	if !isID(id) {
		return errNotFound
	}
	s, err := v.enter()
	if err != nil {
		return err
	}
	w, err := s.Watch(id, v.code())
	if err != nil {
		if _, err := v.snapshot(id); err != nil { // it may have ended long ago
			return err
		}
		v.w.WriteHeader(http.StatusNoContent) // nothing comes any more, and the reader need not try again
		return nil
	}
	defer w.Close()
	snap := w.Snapshot()
	from := snap.Version
	if last, err := strconv.Atoi(v.r.Header.Get("Last-Event-ID")); err == nil && last >= 0 {
		from = last
	}
	if snap.IsOver() && from >= snap.Version {
		v.w.WriteHeader(http.StatusNoContent)
		return nil
	}
	out, ok := v.startStream()
	if !ok {
		return nil
	}
	v.counts.addStream(1)
	defer v.counts.addStream(-1)
	out.follow(w, from, s.Wakeups())
	return nil
}

// startStream writes the beginning of a stream; false if the client wants nothing more, or has gone.
func (v *visit) startStream() (out *eventWriter, ok bool) {
	h := v.w.Header()
	h.Set("Content-Type", "text/event-stream; charset=utf-8")
	h.Set("Cache-Control", "no-store")
	h.Set("X-Accel-Buffering", "no")
	if v.r.Method == http.MethodHead {
		return nil, false
	}
	out = &eventWriter{v: v, rc: http.NewResponseController(v.w)}
	_ = out.rc.SetReadDeadline(time.Time{}) // the deadline of the request would end the stream
	return out, out.write("retry: 2000\n\n") == nil
}

// spectator is what a stream reads of a match.
type spectator interface{ Snapshot() *match.Snapshot }

// eventWriter writes the events of one stream.
type eventWriter struct {
	v  *visit
	rc *http.ResponseController
}

// write writes and sends text, within writeTimeout.
func (o *eventWriter) write(text string) error {
	if err := o.rc.SetWriteDeadline(time.Now().Add(writeTimeout)); err != nil {
		return err
	}
	if _, err := o.v.w.Write([]byte(text)); err != nil {
		return err
	}
	return o.rc.Flush()
}

// follow writes the entries after a version until the match is over, the client leaves, may no longer watch, or the server
// drains.
func (o *eventWriter) follow(w spectator, from int, wakeups <-chan struct{}) {
	snap := w.Snapshot()
	feed, err := match.NewFeed(snap, o.start(snap, from))
	if err != nil {
		o.v.Logger.Error("match not replayed", "match", snap.Info.ID, "err", err)
		return
	}
	seen := min(from, snap.Version)
	beat := time.NewTicker(heartbeat)
	defer beat.Stop()
	for {
		snap = w.Snapshot()
		if snap.Version-seen > maxBehind { // the client did not read for a while
			o.v.counts.sent(0, snap.Version-seen-1)
			if feed, err = match.NewFeed(snap, o.start(snap, seen)); err != nil {
				return
			}
		}
		text, events := "", 0
		err := feed.Read(snap, func(n match.FeedItem) error {
			if n.Entry != nil || n.Lost {
				seen = n.Version
				if e := o.v.encode(snap, n); e != "" {
					text, events = text+string(e), events+1
				}
			}
			return nil
		})
		if text != "" && err == nil {
			if err = o.write(text); err == nil {
				o.v.counts.sent(events, 0)
			}
		}
		if err != nil || snap.IsOver() {
			return
		}
		if !o.wait(wakeups, nil, beat.C) {
			return
		}
	}
}

// wait waits until something may have changed, or until a time of look, which can be nil; false: the client has gone or may no longer watch, or the server drains. At
// each beat it writes a comment, so that proxies and clients know that the stream is alive.
func (o *eventWriter) wait(wakeups <-chan struct{}, look, beat <-chan time.Time) bool {
	select {
	case <-wakeups:
		return true
	case <-look:
		return true
	case <-beat:
		return o.v.admit() == nil && !o.v.closed && o.write(": \n\n") == nil
	case <-o.v.draining:
		return false
	case <-o.v.ctx.Done():
		return false
	}
}

// start returns the version from which a reader that has seen an earlier one gets the entries: that one, or that before the
// newest if there are too many. A reader that has seen more than there is, of a database that has lost entries, gets the
// newest too.
func (o *eventWriter) start(snap *match.Snapshot, seen int) int {
	if seen > snap.Version || snap.Version-seen > maxBehind {
		return max(snap.Version-1, 0)
	}
	return seen
}
