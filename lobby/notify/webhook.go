package notify

import (
	"bytes"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"crypto/tls"
	"encoding/hex"
	"errors"
	"io"
	"mime"
	"net"
	"net/http"
	"net/http/httptrace"
	"net/netip"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

	"ayumu/lobby/guard"
	"ayumu/lobby/limit"
)

// The limits of a request.
const (
	requestTimeout = 10 * time.Second
	answerLimit    = 5 * time.Second // for the status line, once the request was sent
	bodyTimeout    = time.Second     // for the rest of the answer, which changes nothing
	maxResponse    = 64 << 10
)

// WebhookConfig is what the operator allows.
type WebhookConfig struct {
	Hosts   []string       // the only hosts, each with its subdomains if it begins with a dot; empty: any
	Private []netip.Prefix // addresses that are allowed although they are not public
	Version string         // of the server, for the header User-Agent
	// Resolver looks names up; nil: that of the system.
	Resolver *net.Resolver
	// IsThisMachine reports whether an address is one of this machine; nil: it is looked up.
	IsThisMachine func(netip.Addr) bool
}

// Webhook sends messages by HTTP. NewWebhook is the constructor.
type Webhook struct {
	c             WebhookConfig
	isThisMachine func(netip.Addr) bool
	client        *http.Client
}

// NewWebhook returns a sender for webhooks.
func NewWebhook(c WebhookConfig) *Webhook {
	w := &Webhook{c: c, isThisMachine: c.IsThisMachine}
	if w.isThisMachine == nil {
		w.isThisMachine = isMachineAddress
	}
	dialer := &net.Dialer{Timeout: requestTimeout / 2, Control: w.checkAddress, Resolver: c.Resolver}
	w.client = &http.Client{
		Timeout:       requestTimeout,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		// Each request has a connection of its own, so that its address is checked, and none is kept.
		Transport: &http.Transport{
			Proxy: nil, DialContext: dialer.DialContext, DisableKeepAlives: true, DisableCompression: true,
			TLSHandshakeTimeout: requestTimeout / 2, ResponseHeaderTimeout: answerLimit, MaxResponseHeaderBytes: maxResponse,
		},
	}
	return w
}

// checkAddress checks the address of a connection before it is made: after names have been looked up.
func (w *Webhook) checkAddress(network, address string, _ syscall.RawConn) error {
	a, err := netip.ParseAddrPort(address)
	if err != nil || !strings.HasPrefix(network, "tcp") || !w.allows(a.Addr()) {
		return errNotPublic
	}
	return nil
}

var errNotPublic = errors.New("the address is not public")

// allows reports whether an address is public and not one of this machine, or the operator allows it.
func (w *Webhook) allows(a netip.Addr) bool {
	plain := a.Unmap().WithZone("")
	if slices.ContainsFunc(w.c.Private, func(p netip.Prefix) bool { return p.Contains(plain) }) {
		return true
	}
	return a.Zone() == "" && isPublic(plain) && !w.isThisMachine(plain)
}

// globalIPv6 has all public addresses of IPv6. What translates to IPv4 is outside of it, besides 6to4 and Teredo.
var globalIPv6 = netip.MustParsePrefix("2000::/3")

// nonPublic are the networks that are no public unicast addresses, besides those that net/netip knows and those outside
// of globalIPv6. 6to4 and Teredo are among them, because what is behind them cannot be checked.
var nonPublic = prefixes("0.0.0.0/8", "100.64.0.0/10", "192.0.0.0/24", "192.0.2.0/24", "192.88.99.0/24", "198.18.0.0/15",
	"198.51.100.0/24", "203.0.113.0/24", "240.0.0.0/4", "2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20")

func prefixes(all ...string) (parsed []netip.Prefix) {
	for _, p := range all {
		parsed = append(parsed, netip.MustParsePrefix(p))
	}
	return parsed
}

// isPublic reports whether an address is a public unicast address.
func isPublic(a netip.Addr) bool {
	return a.IsGlobalUnicast() && !a.IsPrivate() && (a.Is4() || globalIPv6.Contains(a)) &&
		!slices.ContainsFunc(nonPublic, func(p netip.Prefix) bool { return p.Contains(a) })
}

// isMachineAddress reports whether an address is one of this machine, on which services may listen that are not for
// strangers. It binds a socket to it, since a service may not be allowed to ask for the addresses of the interfaces
// (RestrictAddressFamilies without AF_NETLINK). Where any address can be bound (ip_nonlocal_bind) it has to ask.
func isMachineAddress(a netip.Addr) bool {
	if !canBind(a) {
		return false
	}
	if !canBind(netip.MustParseAddr("192.0.2.1")) { // which no machine has
		return true
	}
	own, err := net.InterfaceAddrs()
	return err != nil || slices.ContainsFunc(own, func(o net.Addr) bool {
		p, err := netip.ParsePrefix(o.String())
		return err == nil && p.Addr() == a
	})
}

func canBind(a netip.Addr) bool {
	c, err := net.ListenUDP("udp", net.UDPAddrFromAddrPort(netip.AddrPortFrom(a, 0)))
	if err == nil {
		c.Close()
	}
	return err == nil
}

// Check implements Sender.
func (w *Webhook) Check(s *Settings) error {
	u, err := parseURL(s.Address)
	if err != nil {
		return err
	}
	host := strings.ToLower(strings.TrimSuffix(u.Hostname(), "."))
	if len(w.c.Hosts) > 0 && !slices.ContainsFunc(w.c.Hosts, func(h string) bool {
		h = strings.ToLower(h)
		return h == host || strings.HasPrefix(h, ".") && (strings.HasSuffix(host, h) || host == h[1:])
	}) {
		return refused("address", "this server sends webhooks only to "+strings.Join(w.c.Hosts, ", "))
	}
	if a, err := netip.ParseAddr(host); err == nil && !w.allows(a) || host == "localhost" && !w.allows(netip.AddrFrom4([4]byte{127, 0, 0, 1})) {
		return refused("address", "the address in the URL is not public; use one that can be reached from the internet")
	}
	return nil
}

// userAgent returns the product with its version, or with the commit that it was built from, of a text such as "v1.2,
// commit 0123456789ab, 2026-11-20". A product's version is a token, so that what is none is left out.
func userAgent(version string) string {
	first, _, _ := strings.Cut(version, ",")
	first = strings.TrimPrefix(first, "commit ")
	isToken := first != "" && !strings.ContainsFunc(first, func(r rune) bool {
		return r != '.' && r != '-' && r != '+' && r != '_' && (r < '0' || r > '9') && (r < 'A' || r > 'Z') && (r < 'a' || r > 'z')
	})
	if !isToken {
		return "Ayumu"
	}
	return "Ayumu/" + first
}

// Send implements Sender.
func (w *Webhook) Send(ctx context.Context, s *Settings, m *Message) (to string, err error) {
	if err := w.Check(s); err != nil { // the operator's list may have changed
		return "", sendError("%s", publicText(err))
	}
	body, contentType := m.body(s.Preset)
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	var network destination
	ctx = httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{ConnectStart: network.connecting})
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, s.Address, bytes.NewReader(body))
	if err != nil {
		return "", sendError("the URL cannot be used")
	}
	at := strconv.FormatInt(time.Now().Unix(), 10)
	r.Header.Set("Content-Type", contentType)
	r.Header.Set("User-Agent", userAgent(w.c.Version))
	r.Header.Set("Ayumu-Event-Id", m.ID)
	r.Header.Set("Ayumu-Timestamp", at)
	r.Header.Set("Ayumu-Signature", "sha256="+Sign(s.Secret, at, body))
	if s.Preset == PresetNtfy {
		r.Header.Set("Title", mime.BEncoding.Encode("utf-8", m.Title()))
	}
	response, err := w.client.Do(r)
	if err != nil {
		return network.name(), sendError("%s", failureCause(err))
	}
	defer response.Body.Close()
	// The body is read and discarded for a while, so that the receiver sees no broken connection.
	defer time.AfterFunc(bodyTimeout, func() {
		defer guard.Recover(func(error) {})
		cancel()
	}).Stop()
	_, _ = io.CopyN(io.Discard, response.Body, maxResponse)
	switch code := response.StatusCode; {
	case code/100 == 2:
		return network.name(), nil
	case code/100 == 3:
		return network.name(), sendError("the receiver answered with a redirect (status %d), which is not followed; enter the final URL", code)
	default:
		seconds, _ := strconv.ParseFloat(response.Header.Get("Retry-After"), 64)
		seconds = min(max(seconds, 0), lastRetry.Seconds())
		return network.name(), &SendError{Text: "the receiver answered with status " + strconv.Itoa(code), RetryAfter: time.Duration(seconds * float64(time.Second))}
	}
}

// destination is the network of the last address to which a request has tried to connect. Several goroutines may connect.
type destination struct {
	mu      sync.Mutex
	network netip.Prefix
}

func (d *destination) connecting(_, address string) {
	if a, err := netip.ParseAddrPort(address); err == nil {
		d.mu.Lock()
		defer d.mu.Unlock()
		d.network = limit.Network(a.Addr())
	}
}

// name returns Receiver.Destination, "" if the request has not tried to connect.
func (d *destination) name() string {
	d.mu.Lock()
	defer d.mu.Unlock()
	if !d.network.IsValid() {
		return ""
	}
	return d.network.String()
}

// Sign returns the signature of a request: HMAC-SHA256 of the timestamp, a full stop and the body, in hexadecimal.
func Sign(secret, timestamp string, body []byte) string {
	h := hmac.New(sha256.New, []byte(secret))
	h.Write([]byte(timestamp + "."))
	h.Write(body)
	return hex.EncodeToString(h.Sum(nil))
}

// noAnswerText is the same for all ways in which a host does not answer, so that a webhook is not a port scanner.
const noAnswerText = "the receiver gave no answer; check that the host, the port and http or https in the URL are right, " +
	"that it can be reached from the internet, and that it answers within 5 seconds"

// failureCause returns why a request failed, without the address, which the texts of most errors contain.
func failureCause(err error) string {
	var dns *net.DNSError
	var certificate *tls.CertificateVerificationError
	switch {
	case errors.Is(err, errNotPublic):
		return "the host's address is not public, so nothing was sent"
	case errors.As(err, &dns):
		return "the host's name could not be looked up"
	case errors.As(err, &certificate):
		return "the host's certificate is not valid"
	}
	return noAnswerText
}
