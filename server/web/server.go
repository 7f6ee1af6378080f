package web

import (
	"cmp"
	"context"
	"crypto/tls"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"sync"
	"time"

	"charm.land/log/v2"

	"ayumu/lobby"
	"ayumu/lobby/bots"
	"ayumu/lobby/guard"
	"ayumu/lobby/puzzles"
	"ayumu/server/access"
	"ayumu/tui/game"
	"ayumu/tui/picture/matchpicture"
)

// Config describes a Server. It must not be changed after New.
type Config struct {
	Lobby      *lobby.Lobby
	Games      game.List
	Bots       *bots.Bots                 // nil: there are none
	Puzzles    func() *puzzles.Collection // nil: there are none
	Pictures   *matchpicture.Pictures
	Authorizer *access.Authorizer // nil: everybody may watch
	Site       func() string      // returns the server's name
	SSHTarget  string             // the server's address as typed after ssh
	URL        *url.URL           // the public address; nil: only this machine's names are served
	Proxies    []netip.Prefix     // whose X-Forwarded-For is believed
	TLS        *tls.Config        // nil: without TLS
	// MaxRequests and MaxRequestsPerAddress bound the requests that are being answered, streams included.
	MaxRequests, MaxRequestsPerAddress int
	Logger                             *log.Logger
}

// Timeouts of connections.
const (
	headerTimeout    = 5 * time.Second
	readTimeout      = 10 * time.Second // a request has no body
	writeTimeout     = 20 * time.Second // of a page, and of each event of a stream
	idleTimeout      = 60 * time.Second // between requests of a connection
	maxHeaderBytes   = 8 << 10
	heartbeat        = 15 * time.Second
	headersPerClient = 64 // connections of one address, unless it is that of a trusted proxy
)

// Server serves the pages. New is the constructor. Its methods may be called from any goroutine.
type Server struct {
	Config
	http     *http.Server
	mux      *http.ServeMux
	guard    *requestLimiter
	counts   counts
	events   game.Cache[eventKey, eventText]
	lists    cachedPage
	draining chan struct{}
	drain    sync.Once

	positions game.Cache[positionKey, *positions]
	pages     game.Cache[pageKey, *sharedPage]
}

// New returns a server that serves nothing yet.
func New(c Config) *Server {
	s := &Server{Config: c, mux: http.NewServeMux(), draining: make(chan struct{}), guard: newRequestLimiter(c.MaxRequests, c.MaxRequestsPerAddress)}
	s.positions.Capacity, s.events.Capacity, s.pages.Capacity = 64, 1024, maxPages
	for _, to := range routes {
		s.mux.HandleFunc("GET "+to.pattern, func(w http.ResponseWriter, r *http.Request) { s.answer(w, r, to.handler) })
	}
	s.http = &http.Server{
		Handler: s, ReadHeaderTimeout: headerTimeout, ReadTimeout: readTimeout, WriteTimeout: writeTimeout, IdleTimeout: idleTimeout, MaxHeaderBytes: maxHeaderBytes,
		TLSConfig: c.TLS, ErrorLog: c.Logger.StandardLog(log.StandardLogOptions{ForceLevel: log.DebugLevel}),
	}
	return s
}

// Serve serves the connections of a listener until Shutdown. It returns http.ErrServerClosed then.
func (s *Server) Serve(l net.Listener) error {
	bounded := &limitedListener{Listener: l, server: s, addresses: make(map[netip.Addr]int), max: 2 * s.MaxRequests}
	if s.TLS != nil {
		return s.http.ServeTLS(bounded, "", "")
	}
	return s.http.Serve(bounded)
}

// Shutdown ends the streams, whose readers then connect to another node or to the next server, and waits for the other
// requests until ctx ends.
func (s *Server) Shutdown(ctx context.Context) error {
	s.drain.Do(func() { close(s.draining) })
	if err := s.http.Shutdown(ctx); err != nil {
		return cmp.Or(s.http.Close(), err)
	}
	return nil
}

// route is a path that the server serves with GET and HEAD.
type route struct {
	pattern string // of http.ServeMux
	handler func(*visit) error
}

// routes are all paths. Who may see what on each is in the table of TestStatusOfEveryPath.
var routes = []route{
	{"/{$}", (*visit).index},
	{"/m/{file}", (*visit).matchFile},
	{"/m/{id}/events", (*visit).stream},
	{"/embed/m/{id}", (*visit).embed},
	{"/t/{id}", (*visit).tournament},
	{"/t/{id}/events", (*visit).tournamentStream},
	{"/u/{name}", (*visit).profile},
	{"/puzzle/{game}", (*visit).puzzle},
	{"/feed/games", (*visit).feedOfGames},
	{"/feed/u/{name}", (*visit).feedOfUser},
	{"/feed/t/{id}", (*visit).feedOfTournament},
	{"/healthz", (*visit).healthz},
	{"/assets/{file}", (*visit).asset},
	{"/favicon.ico", (*visit).favicon},
	{"/robots.txt", (*visit).robots},
	{"/", func(*visit) error { return errNotFound }},
}

// ServeHTTP implements http.Handler.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	setSecurityHeaders(w.Header(), s.URL)
	if !s.isOwnHost(r.Host) {
		s.counts.refused("host")
		http.Error(w, "this server does not serve that host", http.StatusMisdirectedRequest)
		return
	}
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		w.Header().Set("Allow", "GET, HEAD")
		http.Error(w, "method not allowed", http.StatusMethodNotAllowed)
		return
	}
	if r.ContentLength != 0 || len(r.RequestURI) > maxURL {
		w.Header().Set("Connection", "close")
		http.Error(w, "the request is too large", http.StatusRequestEntityTooLarge)
		return
	}
	addr := s.clientAddr(r)
	release, why := s.guard.admit(addr, time.Now())
	if why != "" {
		s.counts.refused(why)
		w.Header().Set("Retry-After", "2")
		http.Error(w, "too many requests; try again in a moment", http.StatusTooManyRequests)
		return
	}
	defer release()
	r = r.WithContext(context.WithValue(r.Context(), addrKey{}, addr))
	s.mux.ServeHTTP(w, r)
}

// maxURL is the maximum length of a path with its query.
const maxURL = 1024

// addrKey is the key of the client's address in the context of a request.
type addrKey struct{}

// answer runs a handler and writes its error.
func (s *Server) answer(w http.ResponseWriter, r *http.Request, h func(*visit) error) {
	defer guard.Recover(func(err error) {
		s.Logger.Error("panic in a page", "pattern", r.Pattern, "err", err)
		panic(http.ErrAbortHandler)
	})
	v := s.newVisit(w, r)
	defer v.close()
	err := v.admit()
	if err == nil {
		err = h(v)
	}
	v.writeError(err)
	s.counts.answered(v.kind)
}
