package api

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"time"
	"unicode/utf8"

	"ayumu/lobby"
	"ayumu/lobby/errcode"
	"ayumu/lobby/limit"
	"ayumu/lobby/sanitize"
	"ayumu/lobby/table"
	"ayumu/tui/jsonform"
	"ayumu/tui/op"
)

// Serve serves one session until its input ends, which returns nil, ctx ends, or a write fails. While the user
// is over the budget of requests it does not read in, which may be a limit.InputDeferrer. It starts a
// goroutine that reads in and ends with the next error of in, so the owner of in must close it. It does not
// close the visit's session.
func Serve(ctx context.Context, in io.Reader, out io.Writer, c *op.Visit) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	p := &session{
		ctx: ctx, visit: c, lobbySession: c.Session, out: bufio.NewWriterSize(out, 4<<10),
		subscriptions: make(map[string]*op.Match),
	}
	c.Session.LookAtAll()
	c.SkipChat()
	a := c.Session.Account()
	you := fields{"name": a.Name, "guest": a.IsGuest()}
	if a.IsGuest() {
		you["code"] = c.Session.ReturnCode() // used as the SSH user name to resume
	}
	welcome := fields{"event": "welcome", "protocol": 1, "server": "ayumu", "version": c.Version, "you": you, "time": jsonform.Time(time.Now())}
	if c.Message != "" {
		welcome["message"] = c.Message
	}
	if c.CanSeeReports() {
		welcome["reports"] = c.OpenReports()
	}
	if c.Notify.HasStopped(a.ID) {
		welcome["notifications_off"] = true
	}
	p.write(welcome)
	p.sendUnfinished()
	if err := p.sendUnread(); err != nil {
		return err
	}
	if err := p.out.Flush(); err != nil {
		return err
	}
	deferInput := limit.DeferInput(in)
	return p.loop(ctx, readLines(ctx, in, func() error {
		return p.lobbySession.Lobby().Budgets.Await(ctx, p.lobbySession.Payer(), limit.WorkRequest, 1, deferInput)
	}))
}

// WriteClosed writes the last event, with the reason why the server ends the session. It ignores errors.
func WriteClosed(out io.Writer, notice string) {
	if b, err := json.Marshal(fields{"event": "closed", "message": notice}); err == nil {
		_, _ = out.Write(append(b, '\n'))
	}
}

// inputLine is a line of input, or an error.
type inputLine struct {
	text  []byte
	err   error
	panic any // of the reading goroutine; raised again in Serve's, where it ends only the session
}

// readLines starts a goroutine that reads one line ahead, and reads no more while await, which it calls for
// each line, waits. The goroutine ends with an error of await, with the next error of in or, if nobody
// receives, with ctx.
func readLines(ctx context.Context, in io.Reader, await func() error) <-chan inputLine {
	c := make(chan inputLine)
	go func() {
		defer close(c)
		defer func() {
			if p := recover(); p != nil {
				select {
				case c <- inputLine{panic: p}:
				case <-ctx.Done():
				}
			}
		}()
		r := bufio.NewReaderSize(in, 2<<10)
		var buf []byte
		for {
			text, err := readLine(r, buf)
			if err != nil && err != errTooLong {
				return
			}
			l := inputLine{text: bytes.Clone(text), err: err}
			if cap(text) <= 4<<10 {
				buf = text // the memory of a long line is not kept
			}
			if await() != nil {
				return
			}
			select {
			case c <- l:
			case <-ctx.Done():
				return
			}
		}
	}()
	return c
}

// session is one API session. Only Serve's goroutine uses it.
type session struct {
	ctx          context.Context
	visit        *op.Visit
	lobbySession *lobby.Session // the visit's
	out          *bufio.Writer
	limiter      rateLimiter

	subscriptions  map[string]*op.Match   // matches whose events are sent; nil: finished, without events
	tables         map[string]*table.View // the tables as last sent; nil before the first time
	tablesRevision uint64                 // TableList.TablesRevision when the tables were last compared
	lastTableEvent uint64                 // Seq of the last table event that was sent
	analyzed       *op.Analysis           // the last that was requested; nil: none
	writeErr       error                  // the first error of out
}

func (p *session) loop(ctx context.Context, lines <-chan inputLine) error {
	for p.writeErr == nil {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case l, ok := <-lines:
			switch {
			case !ok:
				return ctx.Err() // nil unless the reader has seen the end of ctx first
			case l.panic != nil:
				panic(l.panic)
			}
			p.handleLine(l)
		case <-p.lobbySession.Wakeups():
			p.sendEvents()
		}
		// One flush for all that came meanwhile; a program that waits gets everything.
		if err := p.out.Flush(); err != nil {
			return err
		}
	}
	return p.writeErr
}

// write writes one object and returns its length.
func (p *session) write(f any) int {
	b, err := json.Marshal(f)
	if err == nil {
		_, err = p.out.Write(append(b, '\n'))
	}
	if err != nil && p.writeErr == nil {
		p.writeErr = err
	}
	return len(b) + 1
}

// handleLine handles one line.
func (p *session) handleLine(l inputLine) {
	text := bytes.TrimSpace(l.text)
	if l.err == nil && len(text) == 0 {
		return
	}
	lob := p.lobbySession.Lobby()
	if !p.limiter.allow(time.Now(), len(l.text), lob.Limits()) {
		lob.LimitHits.Add(limit.HitRequests)
		p.writeError(requestID(l.text), newError(errcode.RateLimited, "more than 200 requests or 256 KiB a second; slow down"))
		return
	}
	if err := p.lobbySession.CheckDebt(limit.WorkAnswer); err != nil {
		p.writeError(requestID(l.text), err)
		return
	}
	if l.err != nil {
		p.writeError(nil, newError(errcode.BadRequest, l.err.Error()))
		return
	}
	var r struct {
		ID json.RawMessage `json:"id"`
		Op string          `json:"op"`
	}
	err := json.Unmarshal(text, &r)
	switch {
	case text[0] != '{' || !utf8.Valid(text) || !json.Valid(text):
		p.writeError(nil, newError(errcode.BadRequest, "not a JSON object in UTF-8 on one line"))
		return
	case err != nil:
		p.writeError(requestID(l.text), newError(errcode.BadRequest, op.FieldError(err)))
		return
	case !isUsableID(r.ID):
		p.writeError(nil, newError(errcode.BadRequest, "each request needs an id: a number or a string of at most 98 bytes"))
		return
	}
	answer, err := p.run(r.Op, text)
	if err != nil {
		p.writeError(r.ID, err)
		return
	}
	p.lobbySession.Charge(limit.WorkAnswer, p.writeAnswer(r.ID, answer))
}

// run runs the operation of a request, whose arguments are fields of object.
func (p *session) run(name string, object []byte) (answer any, err error) {
	o := p.visit.Operations.ForAPI(name)
	if o == nil {
		return nil, newError(errcode.BadRequest, "unknown op "+strconv.Quote(sanitize.Line(name, 30)))
	}
	if do := byHand[name]; do != nil {
		var r request
		if err := op.ParseArgs(object, &r); err != nil {
			return nil, err
		}
		f, err := do(p, &r)
		if f == nil {
			f = fields{}
		}
		return f, err
	}
	call, err := o.ParseJSON(p.visit, object)
	if err != nil {
		return nil, err
	}
	r, err := call.Run(p.ctx, p.visit)
	if err != nil {
		return nil, err
	}
	return r.JSON(), nil
}

// writeAnswer writes the answer to a request, the fields of an object, and returns its length.
func (p *session) writeAnswer(id json.RawMessage, answer any) int {
	b, err := json.Marshal(answer)
	if err == nil && (len(b) < 2 || b[0] != '{') {
		err = fmt.Errorf("an answer is %.20s, not an object", b)
	}
	if err == nil {
		p.out.WriteString(`{"re":`)
		p.out.Write(id)
		p.out.WriteString(`,"ok":true`)
		if len(b) > len("{}") {
			p.out.WriteByte(',')
		}
		p.out.Write(b[1:])
		err = p.out.WriteByte('\n')
	}
	if err != nil && p.writeErr == nil {
		p.writeErr = err
	}
	return len(`{"re":,"ok":true`) + len(id) + len(b) + 1
}

func (p *session) writeError(id json.RawMessage, err error) {
	code, message := lobby.PublicError(err)
	if id == nil {
		id = json.RawMessage("null")
	}
	f := fields{"code": code, "message": message}
	if e, ok := errors.AsType[*errcode.Error](err); ok && !e.Until.IsZero() {
		f["until"] = jsonform.Time(e.Until)
	}
	p.write(fields{"re": id, "ok": false, "error": f})
}

func newError(code errcode.Code, message string) error {
	return &errcode.Error{Code: code, Message: message}
}

// requestID returns the id of a line that could not be handled; nil if it has none.
func requestID(text []byte) json.RawMessage {
	var r struct {
		ID json.RawMessage `json:"id"`
	}
	// After a field of the wrong type Unmarshal still sets the others.
	json.Unmarshal(text, &r)
	if !isUsableID(r.ID) {
		return nil
	}
	return r.ID
}

// isUsableID reports whether an id can be returned: a string or a number of at most 100 bytes as JSON.
func isUsableID(id json.RawMessage) bool {
	var v any
	if len(id) == 0 || len(id) > 100 || json.Unmarshal(id, &v) != nil {
		return false
	}
	switch v.(type) {
	case string, float64:
		return true
	}
	return false
}
