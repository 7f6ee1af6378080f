package web

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"html/template"
	"net/http"
	"net/netip"
	"strings"

	"ayumu/lobby"
	"ayumu/lobby/account"
	"ayumu/lobby/errcode"
	"ayumu/lobby/match"
	"ayumu/tui/op"
	"ayumu/tui/picture/matchpicture"
)

// visit is one request. It belongs to the goroutine of its handler.
type visit struct {
	*Server
	w       http.ResponseWriter
	r       *http.Request
	ctx     context.Context
	addr    netip.Addr
	kind    string // of the page, a label of metrics
	closed  bool   // guests may not watch here: only how to connect is served
	session *lobby.Session
}

func (s *Server) newVisit(w http.ResponseWriter, r *http.Request) *visit {
	addr, _ := r.Context().Value(addrKey{}).(netip.Addr)
	return &visit{Server: s, w: w, r: r, ctx: r.Context(), addr: addr, kind: "page"}
}

func (v *visit) close() {
	if v.session != nil {
		v.session.Close(false)
	}
}

// statusError is an error with the status of the answer.
type statusError struct {
	status  int
	message string // a sentence for the reader
}

func (e *statusError) Error() string { return e.message }

var errNotFound = &statusError{http.StatusNotFound, "There is nothing here. The game may be private or may not exist."}

// admit decides what a client may see, as for a guest over SSH: a banned address nothing but the reason, and where guests are
// not admitted only how to connect.
func (v *visit) admit() error {
	if v.Authorizer == nil {
		return nil
	}
	_, err := v.Authorizer.Admit(v.ctx, nil, v.addr, "")
	if err == nil {
		return nil
	}
	if p := v.Authorizer.Club.Policy(); p.Open && p.AllowGuests {
		if isOfProgram(v.r.URL.Path) { // also for the page with the reason
			return nil
		}
		_, message := lobby.PublicError(err)
		return &statusError{http.StatusForbidden, sentence(message)}
	}
	if v.closed = true; isOpenToAll(v.r.URL.Path) {
		return nil
	}
	return errNotFound
}

// isOpenToAll reports whether a path is served by a server that admits no guests.
func isOpenToAll(path string) bool { return path == "/" || isOfProgram(path) }

// isOfProgram reports whether a path has nothing of the club, its games and its people.
func isOfProgram(path string) bool {
	switch path {
	case "/favicon.ico", "/robots.txt", "/healthz":
		return true
	}
	return strings.HasPrefix(path, "/assets/")
}

// enter returns the session of the visit in the lobby, as a guest who is not online by that.
func (v *visit) enter() (*lobby.Session, error) {
	if v.session != nil {
		return v.session, nil
	}
	s, err := v.Lobby.EnterForCommand(v.Lobby.Accounts.NewGuest(), v.addr)
	if err != nil {
		return nil, err
	}
	s.IgnoreLists(true)
	v.session = s
	return s, nil
}

// archive returns the archive as the client sees it, whose work is charged to its address.
func (v *visit) archive() op.Archive {
	return op.Archive{Lobby: v.Lobby, Payer: lobby.NewPayer(account.ID(0), v.addr)}
}

// maxID is the maximum length of the id of a match in a path.
const maxID = 20

// isID reports whether a part of a path can be the id of a match.
func isID(s string) bool {
	return s != "" && len(s) <= maxID && strings.Trim(s, "abcdefghijklmnopqrstuvwxyz0123456789") == ""
}

// snapshot returns the newest state of a match that the client may see: of a running one as a spectator sees it, and of a
// finished one from the archive. A match that it may not see is like one that does not exist.
func (v *visit) snapshot(id string) (*match.Snapshot, error) {
	if !isID(id) {
		return nil, errNotFound
	}
	s, err := v.enter()
	if err != nil {
		return nil, err
	}
	snap, err := s.FindSnapshot(id, v.code())
	if code, _ := lobby.PublicError(err); err != nil && code == errcode.UnknownMatch {
		snap, err = v.archive().Snapshot(v.ctx, id)
	}
	if err != nil {
		return nil, err
	}
	if snap.Info.Private {
		v.hide()
	}
	return snap, nil
}

// code returns the code of a private match in the query. It is in no log, and nowhere but in links of the page itself.
func (v *visit) code() string {
	code := v.r.URL.Query().Get("code")
	if code != "" {
		v.hide()
	}
	if len(code) > 64 {
		return ""
	}
	return code
}

// hide has the answer neither stored by others nor found by search engines.
func (v *visit) hide() {
	h := v.w.Header()
	h.Set("Cache-Control", "private, no-store")
	h.Set("X-Robots-Tag", "noindex, nofollow")
}

// isHidden reports whether hide was called.
func (v *visit) isHidden() bool { return v.w.Header().Get("Cache-Control") == "private, no-store" }

// cacheFor lets others keep the answer for a number of seconds, unless it is hidden; 0: they ask each time.
func (v *visit) cacheFor(seconds int) {
	switch {
	case v.isHidden():
	case seconds == 0:
		v.w.Header().Set("Cache-Control", "no-cache")
	default:
		v.w.Header().Set("Cache-Control", fmt.Sprintf("public, max-age=%d", seconds))
	}
}

// write writes content, or only that it has not changed if the client has it.
func (v *visit) write(contentType string, content []byte) error {
	return v.writeTagged(contentType, content, entityTag(content))
}

// writeTagged is write for content whose entityTag is known.
func (v *visit) writeTagged(contentType string, content []byte, tag string) error {
	h := v.w.Header()
	h.Set("Content-Type", contentType)
	h.Set("ETag", tag)
	if !v.isHidden() && strings.Contains(v.r.Header.Get("If-None-Match"), tag) {
		v.w.WriteHeader(http.StatusNotModified)
		return nil
	}
	h.Set("Content-Length", fmt.Sprint(len(content)))
	if v.r.Method != http.MethodHead {
		_, _ = v.w.Write(content) // a client that has gone is no error
	}
	return nil
}

// page writes a page of a template.
func (v *visit) page(name string, data any) error {
	content, err := v.render(name, data)
	if err != nil {
		return err
	}
	return v.write("text/html; charset=utf-8", content)
}

func (v *visit) render(name string, data any) ([]byte, error) {
	var b bytes.Buffer
	if err := templates.ExecuteTemplate(&b, name, data); err != nil {
		return nil, v.Lobby.InternalError("page not written", err, "page", name)
	}
	return b.Bytes(), nil
}

// writeError answers with the public part of an error; nil does nothing.
func (v *visit) writeError(err error) {
	if err == nil {
		return
	}
	status, message := v.describe(err)
	h := v.w.Header()
	h.Del("ETag")
	h.Del("Content-Length")
	if status == http.StatusTooManyRequests || status == http.StatusServiceUnavailable {
		h.Set("Retry-After", "5")
	}
	h.Set("Cache-Control", "private, no-store")
	h.Set("X-Robots-Tag", "noindex, nofollow")
	content, renderErr := v.render("error.html", errorPage{v.layout(http.StatusText(status)), message, v.closed, status == http.StatusForbidden})
	if renderErr != nil || !strings.Contains(v.r.Header.Get("Accept"), "text/html") {
		h.Set("Content-Type", "text/plain; charset=utf-8")
		content = []byte(message + "\n")
	} else {
		h.Set("Content-Type", "text/html; charset=utf-8")
	}
	v.w.WriteHeader(status)
	if v.r.Method != http.MethodHead {
		_, _ = v.w.Write(content)
	}
}

type errorPage struct {
	layout
	Message  string
	IsClosed bool
	IsBanned bool
}

// describe returns the status of an error and a sentence about it.
func (v *visit) describe(err error) (status int, message string) {
	var known *statusError
	if errors.As(err, &known) {
		return known.status, known.message
	}
	if errors.Is(err, matchpicture.ErrBusy) {
		return http.StatusServiceUnavailable, sentence(matchpicture.ErrBusy.Error())
	}
	code, text := lobby.PublicError(err)
	switch code {
	case errcode.UnknownMatch, errcode.UnknownTournament, errcode.NotAllowed:
		return errNotFound.status, errNotFound.message
	case errcode.BadRequest:
		return http.StatusBadRequest, sentence(text)
	case errcode.RateLimited, errcode.Full:
		return http.StatusTooManyRequests, sentence(text)
	case errcode.Unavailable:
		return http.StatusServiceUnavailable, sentence(text)
	}
	return http.StatusInternalServerError, sentence(text)
}

// sentence returns a clause as a sentence. It is not for texts that can begin with a name.
func sentence(s string) string {
	if s == "" {
		return s
	}
	return withStop(strings.ToUpper(s[:1]) + s[1:])
}

// withStop returns a text with a full stop at its end.
func withStop(s string) string { return strings.TrimSuffix(s, ".") + "." }

// layout is what every page has.
type layout struct {
	Title       string
	Site        string
	Command     string // how to connect
	Style, Live string // paths of the style and the script
	URL         string // the public address of the page; "" without one
	Image       string // of the page, for links in messages; "": none
	Description string
	NoIndex     bool
}

func (v *visit) layout(title string) layout {
	l := layout{Title: title, Site: cmp.Or(v.siteName(), "Ayumu"), Command: "ssh " + v.SSHTarget, Style: assetPath("style.css"), Live: assetPath("live.js"), NoIndex: v.isHidden()}
	if v.URL != nil && !v.isHidden() {
		l.URL = v.URL.JoinPath(v.r.URL.Path).String()
	}
	return l
}

func (s *Server) siteName() string {
	if s.Site == nil {
		return ""
	}
	return s.Site()
}

// safeSVG marks a drawing of this server as safe: package picture has escaped what is not a number.
func safeSVG(svg string) template.HTML { return template.HTML(svg) }
