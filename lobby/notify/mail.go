package notify

import (
	"bytes"
	"context"
	"crypto/sha256"
	"crypto/tls"
	"crypto/x509"
	"encoding/hex"
	"errors"
	"fmt"
	"mime"
	"mime/quotedprintable"
	"net"
	"net/mail"
	"net/netip"
	"net/smtp"
	"net/textproto"
	"strings"
	"time"
	"unicode"

	"ayumu/lobby/guard"
)

// The limits of a conversation with the mail server.
const (
	mailTimeout    = 30 * time.Second
	quitTimeout    = time.Second // for the answer to QUIT, after the mail was accepted
	maxServerBytes = 256 << 10   // bytes that are read from the server, with its certificates
	maxSubject     = 200         // characters
)

// MailConfig is the operator's mail server.
type MailConfig struct {
	Server         string // HOST:PORT; with port 465 TLS from the beginning, otherwise STARTTLS
	User, Password string // "": no authentication
	From           string // the sender's address
	// Report is called when the server cannot be used, once for each reason of an incident, and with the reason "" when it
	// can be used again; failed is the number of attempts in vain since the beginning. The reason has no part of an
	// address or the password. It is called from any goroutine. Nil discards reports.
	Report func(reason string, failed int)
	// Roots are the authorities of the server's certificate; nil: those of the system.
	Roots *x509.CertPool
	// Dial connects to the server; nil: by TCP.
	Dial func(ctx context.Context, network, address string) (net.Conn, error)
}

// Mail sends messages by mail. NewMail is the constructor.
type Mail struct {
	c            MailConfig
	host, domain string // of the server; of the sender's address
	implicitTLS  bool
	incident     mailIncident
}

// NewMail returns a sender for mail, or an error for the operator.
func NewMail(c MailConfig) (*Mail, error) {
	host, port, err := net.SplitHostPort(c.Server)
	if err != nil || host == "" || port == "" {
		return nil, errors.New("the mail server is written HOST:PORT")
	}
	if err := checkMail(c.From); err != nil {
		return nil, errors.New("the sender of mail is not an address such as ayumu@example.org")
	}
	if c.Dial == nil {
		c.Dial = new(net.Dialer).DialContext
	}
	_, domain, _ := strings.Cut(c.From, "@")
	if c.Report == nil {
		c.Report = func(string, int) {}
	}
	return &Mail{c: c, host: host, domain: domain, implicitTLS: port == "465"}, nil
}

// Check implements Sender.
func (m *Mail) Check(s *Settings) error { return checkMail(s.Address) }

// Send implements Sender.
func (m *Mail) Send(ctx context.Context, s *Settings, msg *Message) (to string, err error) {
	text := msg.Text() + "\n\n-- \n" + "Notifications from " + msg.Site + ". To change or stop them: ssh " + msg.Target + " notifications\n"
	return "", m.send(ctx, s.Address, msg.ID, msg.Title(), text)
}

// SendCode implements CodeSender.
func (m *Mail) SendCode(ctx context.Context, s *Settings, site, code string) error {
	text := "Someone, probably you, asked for notifications from " + site + " to be sent to this address.\n\n" +
		"The code is " + code + ". Enter it where you entered the address. It is valid for 30 minutes.\n\n" +
		"If that was not you, ignore this mail: nothing more will be sent.\n"
	return m.send(ctx, s.Address, "code", site+": confirm your address", text)
}

// send sends a mail.
func (m *Mail) send(ctx context.Context, to, id, subject, text string) error {
	bounded, cancel := context.WithTimeout(ctx, mailTimeout)
	defer cancel()
	isUsable, err := m.deliver(bounded, to, m.compose(to, id, subject, text))
	var sent *SendError
	if err != nil && !errors.As(err, &sent) {
		if bounded.Err() != nil { // which broke the connection
			err = bounded.Err()
		}
		sent = &SendError{Text: mailCause(err)}
	}
	if !errors.Is(ctx.Err(), context.Canceled) { // whoever wanted it has gone; that says nothing about the server
		reason := ""
		if !isUsable {
			reason = sent.Text
		}
		if isNews, failed := m.incident.note(reason); isNews {
			m.c.Report(reason, failed)
		}
	}
	if sent == nil {
		return nil
	}
	return sent
}

// deliver connects to the server and gives it a mail. isUsable is set if the server has accepted the sender and has
// then answered, whatever it said about the mail.
func (m *Mail) deliver(ctx context.Context, to string, content []byte) (isUsable bool, err error) {
	tcp, err := m.c.Dial(ctx, "tcp", m.c.Server)
	switch {
	case err != nil && ctx.Err() != nil:
		return false, err
	case err != nil:
		return false, sendError("this server's mail server cannot be reached")
	}
	defer tcp.Close()
	stop := context.AfterFunc(ctx, func() {
		defer guard.Recover(func(error) {})
		tcp.Close()
	})
	defer stop()
	var conn net.Conn = &limitedConn{Conn: tcp, left: maxServerBytes}
	conf := &tls.Config{ServerName: m.host, RootCAs: m.c.Roots}
	if m.implicitTLS {
		conn = tls.Client(conn, conf)
	}
	c, err := smtp.NewClient(conn, m.host)
	if err == nil {
		err = c.Hello(m.domain)
	}
	if err == nil {
		err = m.startTLS(c, conf)
	}
	if err == nil {
		err = m.authenticate(c)
	}
	if err == nil {
		err = c.Mail(m.c.From)
	}
	if err != nil {
		return false, err
	}
	err = m.submit(c, to, content)
	var answer *textproto.Error
	var refused *SendError
	if err == nil { // the mail was accepted, whatever happens now
		_ = tcp.SetDeadline(time.Now().Add(quitTimeout))
		_ = c.Quit()
	}
	return err == nil || errors.As(err, &answer) || errors.As(err, &refused), err
}

// startTLS begins TLS, without which nothing is sent over a network, and no password at all.
func (m *Mail) startTLS(c *smtp.Client, conf *tls.Config) error {
	if m.implicitTLS {
		return nil
	}
	if ok, _ := c.Extension("STARTTLS"); ok {
		return c.StartTLS(conf)
	}
	a, err := netip.ParseAddr(m.host)
	isLocal := m.host == "localhost" || err == nil && a.IsLoopback()
	if isLocal && m.c.User == "" {
		return nil
	}
	return sendError("this server's mail server offers no TLS; report it to the operator")
}

// authenticate gives the server the user and the password, if there are any.
func (m *Mail) authenticate(c *smtp.Client) error {
	if m.c.User == "" {
		return nil
	}
	_, offered := c.Extension("AUTH")
	auth := m.auth(offered)
	if auth == nil {
		return sendError("this server's mail server does not support AUTH PLAIN or LOGIN; report it to the operator")
	}
	err := c.Auth(auth)
	var answer *textproto.Error
	if errors.As(err, &answer) && answer.Code/100 == 5 {
		return sendError("this server's mail server rejects the server's user or password (status %d); report it to the operator", answer.Code)
	}
	return err
}

// submit gives the server, which has accepted the sender, a mail, and returns nil once the server has accepted it.
func (m *Mail) submit(c *smtp.Client, to string, content []byte) error {
	err := c.Rcpt(to)
	var answer *textproto.Error
	switch {
	case errors.As(err, &answer) && answer.Code/100 == 5:
		return sendError("this server's mail server does not accept the address (status %d)", answer.Code)
	case err != nil:
		return err
	}
	w, err := c.Data()
	if err != nil {
		return err
	}
	if _, err := w.Write(content); err != nil {
		return err
	}
	return w.Close()
}

// limitedConn is a connection from which no more than some bytes can be read.
type limitedConn struct {
	net.Conn
	left int
}

var errLongAnswer = errors.New("the answers are too long")

func (c *limitedConn) Read(p []byte) (int, error) {
	if c.left <= 0 {
		return 0, errLongAnswer
	}
	n, err := c.Conn.Read(p[:min(len(p), c.left)])
	c.left -= n
	return n, err
}

// compose returns a mail with its headers. Lines end with CRLF.
func (m *Mail) compose(to, id, subject, text string) []byte {
	var b bytes.Buffer
	sum := sha256.Sum256([]byte(to + "\x00" + id))
	header := func(name, value string) { fmt.Fprintf(&b, "%s: %s\r\n", name, value) }
	header("From", (&mail.Address{Address: m.c.From}).String())
	header("To", (&mail.Address{Address: to}).String())
	header("Subject", foldSubject(subject))
	header("Date", time.Now().Format(time.RFC1123Z))
	messageID := hex.EncodeToString(sum[:16])
	if id == "code" {
		messageID += fmt.Sprintf(".%d", time.Now().UnixNano())
	}
	header("Message-ID", "<"+messageID+"@"+m.domain+">")
	header("Ayumu-Event-Id", oneLine(id))
	header("Auto-Submitted", "auto-generated")
	header("MIME-Version", "1.0")
	header("Content-Type", "text/plain; charset=utf-8")
	header("Content-Transfer-Encoding", "quoted-printable")
	b.WriteString("\r\n")
	w := quotedprintable.NewWriter(&b)
	_, _ = w.Write([]byte(strings.ReplaceAll(strings.ReplaceAll(text, "\r", ""), "\n", "\r\n")))
	_ = w.Close()
	return b.Bytes()
}

// oneLine replaces what would end a line, and other control characters, by spaces.
func oneLine(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || r == '\u2028' || r == '\u2029' {
			return ' '
		}
		return r
	}, text)
}

// foldSubject encodes a subject for its header, on lines of fewer than 100 characters.
func foldSubject(subject string) string {
	all := []rune(oneLine(strings.ToValidUTF8(subject, "\uFFFD")))
	if len(all) > maxSubject {
		all = append(all[:maxSubject-1], '…')
	}
	// Words of an encoded subject are folded at their spaces, which are not part of it. In another one, the spaces are.
	encoded := mime.QEncoding.Encode("utf-8", string(all))
	if encoded == string(all) {
		return encoded
	}
	return strings.ReplaceAll(encoded, " =?utf-8?", "\r\n =?utf-8?")
}

// mailCause returns why a mail was not sent, without the address.
func mailCause(err error) string {
	var answer *textproto.Error
	var timeout net.Error
	var certificate *tls.CertificateVerificationError
	var record tls.RecordHeaderError
	var alert tls.AlertError
	switch {
	case errors.As(err, &answer) && answer.Code/100 == 4:
		return fmt.Sprintf("this server's mail server asks to try again later (status %d)", answer.Code)
	case errors.As(err, &answer):
		return fmt.Sprintf("this server's mail server answered with status %d", answer.Code)
	case errors.As(err, &timeout) && timeout.Timeout(): // also that of a context
		return "this server's mail server did not answer in time"
	case errors.As(err, &certificate):
		return "the certificate of this server's mail server is not valid; report it to the operator"
	case errors.As(err, &record), errors.As(err, &alert):
		return "this server's mail server offers no valid TLS; report it to the operator"
	}
	return "the connection to this server's mail server broke"
}
