package bus

import (
	"errors"
	"fmt"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/nats-io/nats.go"

	"ayumu/lobby/guard"
)

// NATSConfig says how to reach a NATS server.
type NATSConfig struct {
	// URL is nats://HOST:PORT or tls://HOST:PORT, or several with commas between them.
	URL string
	// Prefix is the first part of the subject, so that several lobbies can use one server. Empty: "ayumu".
	Prefix string
	// Node is the node's name, as the NATS server lists it.
	Node string
	// Credentials is the path of a file with the user's JWT and seed; empty: those of the URL, or none.
	Credentials string
	// CA is the path of a file with the certificates of the authorities that sign the server's; empty: those
	// of the system. Certificate and Key are the paths of the client's own; both or none.
	CA, Certificate, Key string
	// Report reports a connection that was lost or restored, and panics: a message and key-value pairs. It
	// must not block.
	Report func(msg string, keyvals ...any)
}

// natsBus is a Bus that publishes to one subject of a NATS server.
type natsBus struct {
	counters
	conn      *nats.Conn
	subject   string
	queue     chan []byte
	isFailing atomic.Bool   // a failure has been reported, and the connection has not been restored since
	done      chan struct{} // closed by Close
	wg        sync.WaitGroup
	once      sync.Once
	dead      chan struct{} // closed when the connection has ended for good
}

// OpenNATS connects to a NATS server in the background and passes the messages of other nodes to handle. It
// returns an error only if the configuration is wrong: while there is no server, messages are dropped, and
// it tries again every two seconds.
func OpenNATS(c NATSConfig, handle Handler) (Bus, error) {
	if c.Prefix == "" {
		c.Prefix = "ayumu"
	}
	if strings.ContainsAny(c.Prefix, " \t*>") || strings.HasPrefix(c.Prefix, ".") || strings.HasSuffix(c.Prefix, ".") {
		return nil, fmt.Errorf("the NATS subject prefix %q may not contain spaces, * or >, or begin or end with a dot", c.Prefix)
	}
	b := &natsBus{
		subject: c.Prefix + ".changes", queue: make(chan []byte, maxQueued),
		done: make(chan struct{}), dead: make(chan struct{}),
	}
	restored := func(*nats.Conn) {
		if b.isFailing.Swap(false) {
			c.Report("NATS connection restored")
		}
	}
	options := []nats.Option{
		nats.Name(c.Node), nats.NoEcho(), nats.RetryOnFailedConnect(true), nats.MaxReconnects(-1),
		nats.ReconnectWait(2 * time.Second), nats.ReconnectBufSize(-1), // what cannot be sent at once is too old
		nats.DisconnectErrHandler(func(_ *nats.Conn, err error) {
			if err != nil && !b.isFailing.Swap(true) { // nil: Close
				c.Report("NATS connection lost; other nodes notice changes later", "err", err)
			}
		}),
		nats.ConnectHandler(restored), nats.ReconnectHandler(restored),
		nats.ReconnectErrHandler(func(_ *nats.Conn, err error) {
			if !b.isFailing.Swap(true) {
				c.Report("NATS cannot be reached; other nodes notice changes later", "err", err)
			}
		}),
		nats.IgnoreAuthErrorAbort(), // the server's list of users may be mended while this node runs
		nats.ClosedHandler(func(*nats.Conn) { close(b.dead) }),
		nats.ErrorHandler(func(_ *nats.Conn, _ *nats.Subscription, err error) {
			if errors.Is(err, nats.ErrSlowConsumer) {
				b.dropped.Add(1)
			}
		}),
	}
	if c.Credentials != "" {
		options = append(options, nats.UserCredentials(c.Credentials))
	}
	if c.CA != "" {
		options = append(options, nats.RootCAs(c.CA))
	}
	if c.Certificate != "" || c.Key != "" {
		options = append(options, nats.ClientCert(c.Certificate, c.Key))
	}
	var err error
	if b.conn, err = nats.Connect(c.URL, options...); err != nil {
		var syntax *url.Error // which has the whole URL, and with it the password
		if errors.As(err, &syntax) {
			err = syntax.Err
		}
		return nil, fmt.Errorf("NATS at %s: %w", withoutPassword(c.URL), err)
	}
	receive := func(m *nats.Msg) {
		defer guard.Recover(func(err error) { c.Report("NATS message not handled", "err", err) })
		if len(m.Data) > MaxMessage {
			b.dropped.Add(1)
			return
		}
		b.received.Add(1)
		handle(m.Data)
	}
	sub, err := b.conn.Subscribe(b.subject, receive)
	if err == nil {
		err = sub.SetPendingLimits(maxQueued, maxQueued*MaxMessage)
	}
	if err != nil {
		b.conn.Close()
		return nil, fmt.Errorf("NATS subject %s: %w", b.subject, err)
	}
	b.wg.Add(1)
	guard.Go(func(err error) { c.Report("NATS sender stopped", "err", err) }, b.send)
	return b, nil
}

// Publish implements Bus.
func (b *natsBus) Publish(data []byte) {
	if len(data) > MaxMessage {
		b.dropped.Add(1)
		return
	}
	select {
	case b.queue <- data:
	default:
		b.dropped.Add(1)
	}
}

// send publishes queued messages until Close. It is the only goroutine that waits for the connection.
func (b *natsBus) send() {
	defer b.wg.Done()
	for {
		select {
		case <-b.done:
			return
		case data := <-b.queue:
			if !b.conn.IsConnected() || b.conn.Publish(b.subject, data) != nil {
				b.dropped.Add(1)
				continue
			}
			b.published.Add(1)
		}
	}
}

// Stats implements Bus.
func (b *natsBus) Stats() Stats {
	s := b.stats()
	s.IsConnected = b.conn.IsConnected()
	return s
}

// Close implements Bus.
func (b *natsBus) Close() {
	b.once.Do(func() {
		close(b.done)
		b.conn.Close() // which also frees a sender that waits for the connection
		b.wg.Wait()
		<-b.dead
	})
}

// withoutPassword returns the URL of a server without what may be secret in it.
func withoutPassword(servers string) string {
	var all []string
	for s := range strings.SplitSeq(servers, ",") {
		u, err := url.Parse(strings.TrimSpace(s))
		if err != nil {
			return "the configured address"
		}
		all = append(all, u.Scheme+"://"+u.Host)
	}
	return strings.Join(all, ",")
}
