// Package metrics serves Prometheus metrics, a health check and profiles over HTTP. No label value is
// chosen by a client, so the number of series is bounded. It has no authentication and is meant for a
// loopback address.
package metrics

import (
	"context"
	"fmt"
	"net/http"
	"net/http/pprof"
	"regexp"
	"runtime"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"ayumu/lobby"
	"ayumu/lobby/limit"
	"ayumu/lobby/measure"
	"ayumu/lobby/notify"
	"ayumu/server/sshd"
	"ayumu/server/web"
)

// Source has the functions that Handler reads the values from.
type Source struct {
	// Version is the version of the program, in one line.
	Version string
	Server  func() sshd.Stats
	Lobby   *lobby.Lobby
	// LimitHits are further counters of limits. Their keys become label values.
	LimitHits []*limit.Hits
	// WriteFailures returns the number of failed writes to the store.
	WriteFailures func() uint64
	// AcceptFailures return the number of failed accepts of each listener, by its name.
	AcceptFailures map[string]func() uint64
	// Notifications returns the counters of notifications by the kind of receiver. Without them it returns none.
	Notifications func() map[notify.ReceiverKind]notify.Counts
	// DatabaseSize returns the size of the database in bytes. It is called at most every 30 s, from a goroutine that no
	// request waits for. Nil: there is none.
	DatabaseSize func(ctx context.Context) (int64, error)
	// Web returns the counts of the web pages. Nil: there are none.
	Web func() web.Stats
	// Report reports errors to the operator: a message and key-value pairs. It may be called from any goroutine.
	Report func(msg string, keyvals ...any)
	// Healthy returns an error that describes why the server is unhealthy, or nil.
	Healthy func() error

	size *databaseSize // set by Handler
}

// Handler serves /metrics, /health and /debug/pprof/.
func Handler(s Source) http.Handler {
	s.size = &databaseSize{read: s.DatabaseSize, report: s.Report}
	r := prometheus.NewRegistry()
	goroutines := collectors.NewGoCollector(collectors.WithGoCollectorRuntimeMetrics(lockWaits))
	r.MustRegister(goroutines, collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}), s)
	mux := http.NewServeMux()
	mux.Handle("GET /metrics", promhttp.HandlerFor(r, promhttp.HandlerOpts{MaxRequestsInFlight: 4, Timeout: 10 * time.Second}))
	mux.Handle("GET /health", HealthHandler(s.Healthy))
	mux.HandleFunc("GET /debug/pprof/", pprof.Index)
	mux.HandleFunc("GET /debug/pprof/profile", pprof.Profile)
	return mux
}

// HealthHandler serves /health: status 200, or 503 with the error of healthy.
func HealthHandler(healthy func() error) http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /health", func(w http.ResponseWriter, _ *http.Request) {
		if err := healthy(); err != nil {
			w.WriteHeader(http.StatusServiceUnavailable)
			fmt.Fprintln(w, err)
			return
		}
		fmt.Fprintln(w, "ok")
	})
	return mux
}

// lockWaits selects the total time for which goroutines have waited for mutexes.
var lockWaits = collectors.GoRuntimeMetricsRule{Matcher: regexp.MustCompile(`^/sync/mutex/wait/total:seconds$`)}

func describe(name, help string, labels ...string) *prometheus.Desc {
	return prometheus.NewDesc("ayumu_"+name, help, labels, nil)
}

var (
	build          = describe("build_info", "The version of the program. The value is 1.", "version", "go")
	connections    = describe("connections", "Open connections.")
	handshakes     = describe("unauthenticated_connections", "Connections whose client is not yet authenticated.")
	sessions       = describe("sessions", "Running sessions.")
	rejected       = describe("rejected_connections_total", "Connections that the limits rejected.")
	limitHits      = describe("limit_hits_total", "How often a limit was exceeded, or a connection closed for a reason.", "limit")
	users          = describe("users", "Users online, bots included.")
	tables         = describe("open_tables", "Open tables.")
	matches        = describe("matches", "Running matches.")
	replicas       = describe("replicas", "Matches in memory, of which some may have ended.")
	spectators     = describe("spectators", "Sessions that watch a match.")
	writeFailures  = describe("write_failures_total", "Failed writes to the store.")
	acceptFailures = describe("accept_failures_total", "Connections that could not be accepted, for example for lack of file descriptors.", "listener")
	notified       = describe("notifications_sent_total", "Notifications that a receiver has acknowledged, several in one message counted once.", "kind")
	notNotified    = describe("notifications_failed_total", "Attempts to send notifications that failed.", "kind")
	turns          = describe("turns_total", "Turns that this server has recorded.")
	finished       = describe("matches_finished_total", "Matches that this server has ended with a result, without those aborted.")
	newAccounts    = describe("new_accounts_total", "Accounts that this server has created.")
	databaseBytes  = describe("database_bytes", "Size of the database, measured at most every 30 s.")
	appends        = describe("append_seconds", "How long the store took for an append to the log of a match.")
	conflicts      = describe("append_conflicts_total", "Appends that lost to another node's.")
	unclear        = describe("append_unclear_total", "Appends of which the store could not say whether they are recorded.")
	lag            = describe("notification_lag_seconds", "Time from the message about a change on another node until the change is read here.")
	polls          = describe("poll_seconds", "How long it took to read what other nodes have changed.")
	nodes          = describe("nodes", "Nodes that are alive, this one included.")
	heartbeat      = describe("heartbeat_age_seconds", "Time since the last heartbeat that the database has.")
	busConnected   = describe("nats_connected", "Whether there is a connection to NATS, 0 or 1.")
	webRequests    = describe("web_requests_total", "Answers of the web pages.", "kind")
	webRefused     = describe("web_refused_total", "Requests and connections of the web pages that a limit refused, or a foreign Host.", "limit")
	webActive      = describe("web_active_requests", "Requests of the web pages that are being answered, streams of events included.")
	webStreams     = describe("web_streams", "Open streams of events.")
	webEvents      = describe("web_events_total", "Events sent in streams.")
	webSkipped     = describe("web_skipped_total", "Events that slow readers of streams did not get.")
	webPictures    = describe("web_pictures_total", "Pictures of matches that were made, for web pages and commands.")
	webBusy        = describe("web_pictures_refused_total", "Pictures that were refused because too many were being made.")
	busMessages    = describe("nats_messages_total", "Messages to other nodes and from them.", "kind")
)

// Describe implements prometheus.Collector.
func (s Source) Describe(out chan<- *prometheus.Desc) {
	for _, d := range []*prometheus.Desc{build, connections, handshakes, sessions, rejected, limitHits, users, tables, matches, replicas, spectators,
		writeFailures, acceptFailures, notified, notNotified, turns, finished, newAccounts, databaseBytes, appends, conflicts, unclear, lag, polls, nodes, heartbeat, busConnected, busMessages,
		webRequests, webRefused, webActive, webStreams, webEvents, webSkipped, webPictures, webBusy} {
		out <- d
	}
}

// Collect implements prometheus.Collector.
func (s Source) Collect(out chan<- prometheus.Metric) {
	gauge := func(d *prometheus.Desc, n int) {
		out <- prometheus.MustNewConstMetric(d, prometheus.GaugeValue, float64(n))
	}
	stats, view := s.Server(), s.Lobby.View()
	out <- prometheus.MustNewConstMetric(build, prometheus.GaugeValue, 1, s.Version, runtime.Version())
	gauge(connections, stats.Connections)
	gauge(handshakes, stats.Handshakes)
	gauge(sessions, stats.Sessions)
	gauge(users, view.Users.Len())
	gauge(tables, len(view.Tables))
	gauge(matches, len(view.Matches))
	gauge(replicas, s.Lobby.MatchCount())
	n := 0
	for _, m := range view.Matches {
		n += m.Spectators
	}
	gauge(spectators, n)
	count := func(d *prometheus.Desc, n uint64, labels ...string) {
		out <- prometheus.MustNewConstMetric(d, prometheus.CounterValue, float64(n), labels...)
	}
	durations := func(d *prometheus.Desc, c measure.Counts) {
		out <- prometheus.MustNewConstHistogram(d, c.Number, c.Sum.Seconds(), c.UpTo)
	}
	count(rejected, stats.Rejected)
	count(writeFailures, s.WriteFailures())
	for listener, failures := range s.AcceptFailures {
		count(acceptFailures, failures(), listener)
	}
	for kind, n := range s.Notifications() {
		count(notified, n.Sent, string(kind))
		count(notNotified, n.Failed, string(kind))
	}
	count(turns, s.Lobby.Appends.Turns.Load())
	count(finished, s.Lobby.Appends.Finished.Load())
	count(newAccounts, s.Lobby.Accounts.Registrations.Created())
	if bytes, ok := s.size.latest(time.Now()); ok {
		out <- prometheus.MustNewConstMetric(databaseBytes, prometheus.GaugeValue, float64(bytes))
	}
	durations(appends, s.Lobby.Appends.Latency.Counts())
	count(conflicts, s.Lobby.Appends.Conflicts.Load())
	count(unclear, s.Lobby.Appends.Unclear.Load())
	if s.Web != nil {
		w := s.Web()
		for kind, n := range w.Requests {
			count(webRequests, n, kind)
		}
		for why, n := range w.Refused {
			count(webRefused, n, why)
		}
		gauge(webActive, w.Active)
		gauge(webStreams, w.Streams)
		count(webEvents, w.Events)
		count(webSkipped, w.Skipped)
		count(webPictures, uint64(w.Pictures))
		count(webBusy, uint64(w.Busy))
	}
	if node := s.Lobby.Node(); node != nil {
		n := node.Stats()
		durations(lag, n.Lag)
		durations(polls, n.Polls)
		gauge(nodes, n.Alive)
		out <- prometheus.MustNewConstMetric(heartbeat, prometheus.GaugeValue, n.SinceBeat.Seconds())
		if n.HasBus {
			connected := 0
			if n.Bus.IsConnected {
				connected = 1
			}
			gauge(busConnected, connected)
			count(busMessages, n.Bus.Published, "published")
			count(busMessages, n.Bus.Received, "received")
			count(busMessages, n.Bus.Dropped, "dropped")
		}
	}
	all := stats.LimitHits
	if all == nil {
		all = make(map[string]uint64)
	}
	for _, h := range s.LimitHits {
		for limit, n := range h.All() {
			all[limit] += n // two components can count the same limit
		}
	}
	for limit, n := range all {
		count(limitHits, n, limit)
	}
}
