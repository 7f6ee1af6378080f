package notify_test

import (
	"bytes"
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"mime"
	"mime/quotedprintable"
	"net"
	"net/mail"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"ayumu/lobby"
	"ayumu/lobby/lobbytest"
	"ayumu/lobby/notify"
)

var toAna = &notify.Settings{Kind: notify.KindMail, Address: "ana@example.com"}

// sendSample sends a mail to toAna and returns the error.
func sendSample(t *testing.T, m *notify.Mail) error {
	_, err := m.Send(t.Context(), toAna, &sample)
	return err
}

// wantError checks the text of the error of a sender.
func wantError(t *testing.T, what string, err error, want string) {
	t.Helper()
	var e *notify.SendError
	if !errors.As(err, &e) || !strings.Contains(e.Text, want) {
		t.Errorf("%s: %v, want %q", what, err, want)
	}
	for _, secret := range []string{toAna.Address, "pass w"} {
		if err != nil && strings.Contains(err.Error(), secret) {
			t.Errorf("%s: %q in %q", what, secret, err)
		}
	}
}

// TestMailIsSentWithTLS: with STARTTLS and with TLS from the beginning the sender, the receiver and the password reach
// the server through TLS alone.
func TestMailIsSentWithTLS(t *testing.T) {
	for _, implicit := range []bool{false, true} {
		s := (&mailServer{implicitTLS: implicit}).start(t)
		if _, err := s.sender(t).Send(t.Context(), toAna, &sample); err != nil {
			t.Fatalf("implicit %t: %v", implicit, err)
		}
		wantClear := []string{"EHLO example.org", "STARTTLS"}
		if implicit {
			wantClear = nil
		}
		wantAuth := "PLAIN " + base64.StdEncoding.EncodeToString([]byte("\x00ayumu\x00pass w\u00f6rd"))
		if !slices.Equal(s.clear, wantClear) || !slices.Equal(s.auths, []string{wantAuth}) {
			t.Errorf("implicit %t: without TLS %q; signed in with %q", implicit, s.clear, s.auths)
		}
		for _, want := range []string{"MAIL FROM:<ayumu@example.org> BODY=8BITMIME", "RCPT TO:<ana@example.com>", "DATA"} {
			if !slices.Contains(s.lines, want) {
				t.Errorf("implicit %t: %q is missing: %q", implicit, want, s.lines)
			}
		}
		m, err := mail.ReadMessage(bytes.NewReader(s.unstuffed(t)))
		if err != nil {
			t.Fatal(err)
		}
		for name, want := range map[string]string{
			"From": "<ayumu@example.org>", "To": "<ana@example.com>", "Subject": "Go Club: your turn against b_o_b",
			"Ayumu-Event-Id": "turn/m1/4", "Auto-Submitted": "auto-generated",
		} {
			if got := m.Header.Get(name); got != want {
				t.Errorf("%s: %q, want %q", name, got, want)
			}
		}
		if date, err := m.Header.Date(); err != nil || time.Since(date).Abs() > time.Minute {
			t.Errorf("Date: %v, %v", date, err)
		}
		body, err := io.ReadAll(quotedprintable.NewReader(m.Body))
		if want := "It is your turn against b_o_b"; err != nil || !strings.Contains(string(body), want) || !strings.Contains(string(body), "ssh play.example.org notifications") {
			t.Errorf("the body %q, %v", body, err)
		}
	}
}

// TestAuthLogin: a server that offers no AUTH PLAIN, as Office 365, gets the user and the password in two answers, through
// TLS; one that offers neither gets none.
func TestAuthLogin(t *testing.T) {
	for _, implicit := range []bool{false, true} {
		s := (&mailServer{implicitTLS: implicit, mechanisms: "LOGIN XOAUTH2"}).start(t)
		if _, err := s.sender(t).Send(t.Context(), toAna, &sample); err != nil {
			t.Fatalf("implicit %t: %v", implicit, err)
		}
		want := []string{"LOGIN", base64.StdEncoding.EncodeToString([]byte("ayumu")), base64.StdEncoding.EncodeToString([]byte("pass w\u00f6rd"))}
		if !slices.Equal(s.auths, want) || len(s.mails) != 1 {
			t.Errorf("implicit %t: signed in with %q, %d mails", implicit, s.auths, len(s.mails))
		}
	}
	s := (&mailServer{mechanisms: "XOAUTH2 CRAM-MD5"}).start(t)
	wantError(t, "neither", sendSample(t, s.sender(t)), "does not support AUTH PLAIN or LOGIN")
	if len(s.auths) > 0 || len(s.mails) > 0 {
		t.Errorf("signed in with %q, %d mails", s.auths, len(s.mails))
	}
	for what, answer := range map[string]string{"535 5.7.3 no": "rejects the server's user or password (status 535)", "334 VXNlcm5hbWU6": "connection to this server's mail server"} {
		// The second asks for one thing after the other, for ever.
		s := (&mailServer{mechanisms: "LOGIN", answers: func(command string) string {
			if _, _, isCommand := strings.Cut(command, " "); isCommand && !strings.HasPrefix(command, "AUTH ") || command == "STARTTLS" || command == "QUIT" || command == "*" {
				return ""
			}
			return what
		}}).start(t)
		wantError(t, what, sendSample(t, s.sender(t)), answer)
	}
}

// TestMailIncidents: that the mail server cannot be used is reported once for each reason, not for each mail, and that it
// can be used again once. What it says about an address or a mail, and a user who does not wait, are no incident.
func TestMailIncidents(t *testing.T) {
	var reports []string
	var failing atomic.Pointer[string]
	s := (&mailServer{answers: func(command string) string {
		if f := failing.Load(); f != nil {
			if at, answer, _ := strings.Cut(*f, " "); strings.HasPrefix(command, at) {
				return answer
			}
		}
		return ""
	}}).start(t)
	m := s.sender(t, func(c *notify.MailConfig) {
		c.Report = func(reason string, failed int) { reports = append(reports, fmt.Sprintf("%s %d", reason, failed)) }
	})
	for _, step := range []struct {
		answer string // a command and what the server answers; "": as usual
		mails  int
		want   []string // the reports so far
	}{
		{"", 2, nil},
		{"RCPT 550 unknown", 2, nil},
		{". 554 spam", 2, nil},
		{"AUTH 535 no", 5, []string{"this server's mail server rejects the server's user or password (status 535); report it to the operator 1"}},
		{"MAIL 451 later", 3, []string{"", "this server's mail server asks to try again later (status 451) 6"}},
		{"AUTH 535 no", 3, []string{"", ""}},
		{"RCPT 550 unknown", 2, []string{"", "", " 11"}},
		{"", 3, []string{"", "", ""}},
		{"STARTTLS 454 later", 2, []string{"", "", "", "this server's mail server asks to try again later (status 454) 1"}},
		{"", 1, []string{"", "", "", "", " 2"}},
	} {
		failing.Store(&step.answer)
		for range step.mails {
			_, _ = m.Send(t.Context(), toAna, &sample)
		}
		if len(reports) != len(step.want) || len(reports) > 0 && step.want[len(reports)-1] != "" && reports[len(reports)-1] != step.want[len(reports)-1] {
			t.Fatalf("after %q the reports are %q", step.answer, reports)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := m.Send(ctx, toAna, &sample); err == nil || len(reports) != 5 {
		t.Errorf("cancelled: %v, %q", err, reports)
	}
}

// TestUnreachableMailServerIsAnIncident checks that the operator is told of a mail server that cannot be reached, that does not
// answer, or that stops to answer after it has accepted the sender.
func TestUnreachableMailServerIsAnIncident(t *testing.T) {
	server := mailServer{noTLS: true, answers: func(command string) string {
		if strings.HasPrefix(command, "DATA") {
			return hang
		}
		return ""
	}}
	for name, dial := range map[string]func(ctx context.Context) (net.Conn, error){
		"not reached":   func(context.Context) (net.Conn, error) { return nil, errors.New("no route") },
		"never reached": func(ctx context.Context) (net.Conn, error) { <-ctx.Done(); return nil, ctx.Err() },
		"no greeting":   func(context.Context) (net.Conn, error) { here, _ := net.Pipe(); return here, nil },
		"no answer to a mail": func(context.Context) (net.Conn, error) {
			here, there := net.Pipe()
			go server.serve(there)
			return here, nil
		},
	} {
		synctest.Test(t, func(t *testing.T) {
			var reports []string
			m, err := notify.NewMail(notify.MailConfig{
				Server: "localhost:25", From: "ayumu@example.org",
				Dial:   func(ctx context.Context, _, _ string) (net.Conn, error) { return dial(ctx) },
				Report: func(reason string, failed int) { reports = append(reports, reason) },
			})
			if err != nil {
				t.Fatal(err)
			}
			if _, err := m.Send(t.Context(), toAna, &sample); err == nil || len(reports) != 1 || reports[0] != err.Error() {
				t.Errorf("%s: the error is %v, and the operator is told %q", name, err, reports)
			}
		})
	}
}

// TestPasswordIsNeverSentInClear to a server without TLS, with an invalid certificate or without a sign-in; nor is a mail.
func TestPasswordIsNeverSentInClear(t *testing.T) {
	other, _ := newCertificate(t, "other.example.org")
	local := func(c *notify.MailConfig) { c.Server = "127.0.0.1:25" }
	withoutPassword := func(c *notify.MailConfig) { c.User, c.Password = "", "" }
	for _, c := range []struct {
		what   string
		server *mailServer
		change func(*notify.MailConfig)
		want   string
	}{
		{"no STARTTLS", &mailServer{noTLS: true}, nil, "offers no TLS"},
		{"no STARTTLS, no password", &mailServer{noTLS: true}, withoutPassword, "offers no TLS"},
		{"no STARTTLS on the same machine", &mailServer{noTLS: true}, local, "offers no TLS"},
		{"STARTTLS refused", &mailServer{answers: func(command string) string {
			if command == "STARTTLS" {
				return "454 not available"
			}
			return ""
		}}, nil, "try again later (status 454)"},
		{"no TLS after STARTTLS", &mailServer{brokenTLS: true}, nil, "no valid TLS"},
		{"another host's certificate", &mailServer{certificate: &other}, nil, "certificate of this server's mail server"},
		{"another host's certificate at once", &mailServer{certificate: &other, implicitTLS: true}, nil, "certificate of this server's mail server"},
		{"an unknown authority", &mailServer{}, func(c *notify.MailConfig) { c.Roots = nil }, "certificate of this server's mail server"},
		{"no AUTH", &mailServer{noAuth: true}, nil, "does not support AUTH"},
		{"no STARTTLS, AUTH LOGIN", &mailServer{noTLS: true, mechanisms: "LOGIN"}, nil, "offers no TLS"},
	} {
		s := c.server.start(t)
		change := c.change
		if change == nil {
			change = func(*notify.MailConfig) {}
		}
		_, err := s.sender(t, change).Send(t.Context(), toAna, &sample)
		wantError(t, c.what, err, c.want)
		s.mu.Lock()
		if len(s.auths) > 0 || len(s.mails) > 0 || slices.ContainsFunc(s.clear, func(l string) bool { return !strings.HasPrefix(l, "EHLO ") && l != "STARTTLS" }) {
			t.Errorf("%s: without TLS %q, %q, %d mails", c.what, s.clear, s.auths, len(s.mails))
		}
		s.mu.Unlock()
	}
	s := (&mailServer{noTLS: true}).start(t)
	if _, err := s.sender(t, local, withoutPassword).Send(t.Context(), toAna, &sample); err != nil || len(s.mails) != 1 {
		t.Errorf("a server on the same machine without a password: %v, %d mails", err, len(s.mails))
	}
	s = (&mailServer{noAuth: true}).start(t)
	if _, err := s.sender(t, withoutPassword).Send(t.Context(), toAna, &sample); err != nil || len(s.mails) != 1 || len(s.auths) != 0 {
		t.Errorf("a server without AUTH and without a password: %v, %d mails, %q", err, len(s.mails), s.auths)
	}
}

// TestMailServerRefuses: the owner of the address is told which answer ended the attempt.
func TestMailServerRefuses(t *testing.T) {
	for _, c := range []struct{ command, answer, want string }{
		{"AUTH", "535 5.7.8 no", "rejects the server's user or password (status 535)"},
		{"AUTH", "454 4.7.0 later", "asks to try again later (status 454)"},
		{"MAIL", "553 5.7.1 no", "answered with status 553"},
		{"RCPT", "550 5.1.1 ana@example.com is unknown", "does not accept the address (status 550)"},
		{"RCPT", "451 4.7.1 greylisted", "asks to try again later (status 451)"},
		{"DATA", "552 5.3.4 full", "answered with status 552"},
		{".", "554 5.6.0 spam", "answered with status 554"},
		{"RCPT", "250 " + strings.Repeat("x", 300<<10), "connection to this server's mail server broke"},
		{"RCPT", strings.Repeat("250-x\r\n", 300<<10/7), "connection to this server's mail server broke"},
	} {
		s := (&mailServer{answers: func(command string) string {
			if strings.HasPrefix(command, c.command) {
				return c.answer
			}
			return ""
		}}).start(t)
		wantError(t, c.command+" "+c.answer[:3], sendSample(t, s.sender(t)), c.want)
	}
	refused := func(context.Context, string, string) (net.Conn, error) { return nil, errors.New("refused") }
	wantError(t, "no server", sendSample(t, (&mailServer{dial: refused}).sender(t)), "cannot be reached")
	s := (&mailServer{answers: func(command string) string {
		if command == "QUIT" {
			return "500 no"
		}
		return ""
	}}).start(t)
	if _, err := s.sender(t).Send(t.Context(), toAna, &sample); err != nil {
		t.Errorf("accepted before QUIT was refused: %v", err)
	}
}

// TestMailIsWellFormed: names, titles and texts with line ends, dots, long lines and other alphabets change nothing but
// the subject and the text.
func TestMailIsWellFormed(t *testing.T) {
	const title = "Féte\r\nBcc: victim@example.org\r\n\r\n天元 \u2028\u2029and a title that is long enough for several lines of a header, with ünïcödé in it"
	const text = ".\r\n..two\n.quit\r\nFrom here =3D Größe 碁\n"
	long := strings.Repeat("very long ", 200)
	s := (&mailServer{}).start(t)
	_, err := s.sender(t).Send(t.Context(), toAna, &notify.Message{
		ID: "announcement/1\r\nX-Injected: 1", Site: "Club\r\nX-Injected: 1", Target: "play.example.org", Zone: time.UTC,
		Notifications: []notify.Notification{{ID: "announcement/1", Event: notify.EventAnnouncement, Facts: notify.Facts{Title: title, Text: text + long}}},
	})
	if err != nil {
		t.Fatal(err)
	}
	s.mu.Lock()
	for line := range strings.SplitSeq(strings.TrimSuffix(s.mails[0], "\r\n"), "\r\n") {
		if len(line) > 100 || strings.ContainsAny(line, "\r\n") || strings.ContainsFunc(line, func(r rune) bool { return r > '~' }) {
			t.Errorf("the line %q", line)
		}
	}
	s.mu.Unlock()
	m, err := mail.ReadMessage(bytes.NewReader(s.unstuffed(t)))
	if err != nil {
		t.Fatal(err)
	}
	for name := range m.Header {
		if !slices.Contains([]string{"From", "To", "Subject", "Date", "Message-Id", "Ayumu-Event-Id", "Auto-Submitted", "Mime-Version", "Content-Type", "Content-Transfer-Encoding"}, name) {
			t.Errorf("the header %s: %q", name, m.Header[name])
		}
	}
	for name, want := range map[string]string{"Mime-Version": "1.0", "Content-Type": "text/plain; charset=utf-8", "Content-Transfer-Encoding": "quoted-printable", "Auto-Submitted": "auto-generated"} {
		if got := m.Header.Get(name); got != want {
			t.Errorf("the header %s is %q, want %q", name, got, want)
		}
	}
	subject, err := new(mime.WordDecoder).DecodeHeader(m.Header.Get("Subject"))
	if want := "Club  X-Injected: 1: Féte  Bcc: victim@example.org    天元   and a title that is long enough for several lines of a header, with ünïcödé in it"; err != nil || subject != want {
		t.Errorf("the subject %q, %v", subject, err)
	}
	body, err := io.ReadAll(quotedprintable.NewReader(m.Body))
	got := strings.ReplaceAll(string(body), "\r\n", "\n")
	if want := strings.ReplaceAll(text, "\r", "") + long; err != nil || !strings.Contains(got, want) {
		t.Errorf("the body %q, %v", got, err)
	}
}

// TestSubjectIsCut after 200 characters, not bytes.
func TestSubjectIsCut(t *testing.T) {
	s := (&mailServer{}).start(t)
	m := sample
	m.Site = strings.Repeat("碁", 300)
	if _, err := s.sender(t).Send(t.Context(), toAna, &m); err != nil {
		t.Fatal(err)
	}
	read, err := mail.ReadMessage(bytes.NewReader(s.unstuffed(t)))
	if err != nil {
		t.Fatal(err)
	}
	subject, err := new(mime.WordDecoder).DecodeHeader(read.Header.Get("Subject"))
	if want := strings.Repeat("碁", 199) + "…"; err != nil || subject != want {
		t.Errorf("the subject %q, %v", subject, err)
	}
	const rest = ": your turn against b_o_b"
	s = (&mailServer{}).start(t)
	m.Site = strings.Repeat("a", 200-len(rest))
	if _, err := s.sender(t).Send(t.Context(), toAna, &m); err != nil {
		t.Fatal(err)
	}
	if read, err = mail.ReadMessage(bytes.NewReader(s.unstuffed(t))); err != nil || read.Header.Get("Subject") != m.Site+rest {
		t.Errorf("a subject of 200 characters is %q, %v", read.Header.Get("Subject"), err)
	}
}

// TestCodesAreMailsOfTheirOwn: a mailbox does not take the second mail with a code for a copy of the first.
func TestCodesAreMailsOfTheirOwn(t *testing.T) {
	ids := make(map[string]bool)
	for range 3 {
		s := (&mailServer{}).start(t)
		if err := s.sender(t).SendCode(t.Context(), toAna, "Club", "abcd"); err != nil {
			t.Fatal(err)
		}
		m, err := mail.ReadMessage(bytes.NewReader(s.unstuffed(t)))
		if err != nil {
			t.Fatal(err)
		}
		ids[m.Header.Get("Message-Id")] = true
	}
	if len(ids) != 3 {
		t.Errorf("three mails have the ids %v", ids)
	}
}

// TestMailServerOfTheOperator: wrong settings are refused when the server starts, and no other address is sent to.
func TestMailServerOfTheOperator(t *testing.T) {
	for _, c := range []struct {
		server, from string
		ok           bool
	}{
		{"mail.example.org:25", "ayumu@example.org", true}, {"mail.example.org", "ayumu@example.org", false}, {"mail.example.org:", "ayumu@example.org", false},
		{":25", "ayumu@example.org", false}, {"", "ayumu@example.org", false}, {"mail.example.org:25", "ayumu", false}, {"mail.example.org:25", "", false},
	} {
		if _, err := notify.NewMail(notify.MailConfig{Server: c.server, From: c.from}); (err == nil) != c.ok {
			t.Errorf("%+v: %v", c, err)
		}
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	l.Close() // nobody answers there now
	m, err := notify.NewMail(notify.MailConfig{Server: l.Addr().String(), From: "ayumu@example.org"})
	if err != nil {
		t.Fatal(err)
	}
	_, err = m.Send(t.Context(), toAna, &sample)
	wantError(t, "a server that is away", err, "cannot be reached")
	for address, ok := range map[string]bool{"ana@example.org": true, "ana": false} {
		if err := m.Check(&notify.Settings{Kind: notify.KindMail, Address: address}); (err == nil) != ok {
			t.Errorf("%s: %v", address, err)
		}
	}
}

// TestConnectionThatTakesTooLong is an answer that does not come in time, not a server that cannot be reached.
func TestConnectionThatTakesTooLong(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		dial := func(ctx context.Context, _, _ string) (net.Conn, error) {
			<-ctx.Done()
			return nil, ctx.Err()
		}
		m, err := notify.NewMail(notify.MailConfig{Server: "mail.example.org:25", From: "ayumu@example.org", Dial: dial})
		if err != nil {
			t.Fatal(err)
		}
		_, err = m.Send(t.Context(), toAna, &sample)
		wantError(t, "a connection that is not made", err, "did not answer in time")
	})
}

// TestHangingMailServer: an attempt ends after 30 s wherever the server stops answering, at once with its context, and
// one second after the mail was accepted.
func TestHangingMailServer(t *testing.T) {
	for _, at := range []string{"greeting", "EHLO", "STARTTLS", "TLS", "MAIL", "RCPT", "DATA", ".", "QUIT"} {
		synctest.Test(t, func(t *testing.T) {
			s := &mailServer{noTLS: at != "TLS" && at != "STARTTLS", answers: func(command string) string {
				if strings.HasPrefix(command, at) || at == "TLS" && strings.HasPrefix(command, "\x16") {
					return hang
				}
				if at == "TLS" && command == "STARTTLS" {
					return "220 go on"
				}
				return ""
			}}
			if at == "greeting" {
				s.greeting = func(net.Conn) bool { return false }
			}
			m := s.pipeSender(t)
			for _, limit := range []time.Duration{30 * time.Second, 15 * time.Second} {
				ctx, cancel := context.WithTimeout(t.Context(), limit)
				begun := time.Now()
				_, err := m.Send(ctx, toAna, &sample)
				took := time.Since(begun)
				cancel()
				if at == "QUIT" {
					if err != nil || took != time.Second {
						t.Errorf("accepted, then no answer: %v after %v", err, took)
					}
					continue
				}
				wantError(t, at, err, "did not answer in time")
				if took != limit {
					t.Errorf("%s: ended after %v, want %v", at, took, limit)
				}
			}
			synctest.Wait()
		})
	}
}

// serverWithMail starts a server whose mail goes to s, with a player who has confirmed an address. It is called in a bubble.
func serverWithMail(t *testing.T, s *mailServer) (*server, *lobby.Session) {
	t.Helper()
	h := open(t, lobbytest.Store(t), &receivers{mail: s.pipeSender(t)})
	ana := lobbytest.Member(t, h.Lobby, "ana")
	own := h.own(ana)
	settings := *toAna
	settings.Events = notify.Events
	if _, err := own.Save(t.Context(), settings); err != nil {
		t.Fatal(err)
	}
	s.mu.Lock()
	_, code, _ := strings.Cut(s.mails[0], "The code is ")
	s.mails = nil
	s.mu.Unlock()
	code, _, _ = strings.Cut(code, ".")
	if _, err := own.Confirm(t.Context(), code); err != nil {
		t.Fatal(err)
	}
	time.Sleep(time.Minute)
	return h, ana
}

// TestUserDoesNotWaitForAHangingServer: a test, and a mail with a code, end after 15 s.
func TestUserDoesNotWaitForAHangingServer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var hangs atomic.Bool
		s := &mailServer{noTLS: true, answers: func(string) string {
			if hangs.Load() {
				return hang
			}
			return ""
		}}
		h, ana := serverWithMail(t, s)
		hangs.Store(true)
		begun := time.Now()
		if err := h.own(ana).Test(t.Context()); err == nil || !strings.Contains(err.Error(), "did not answer in time") || time.Since(begun) != 15*time.Second {
			t.Errorf("a test: %v after %v", err, time.Since(begun))
		}
		begun = time.Now()
		other := h.own(lobbytest.Member(t, h.Lobby, "bob"))
		if _, err := other.Save(t.Context(), notify.Settings{Kind: notify.KindMail, Address: "bob@example.com"}); err == nil || !strings.Contains(err.Error(), "the code could not be sent: this server's mail server did not answer in time") || time.Since(begun) != 15*time.Second {
			t.Errorf("a code: %v after %v", err, time.Since(begun))
		}
	})
}

// TestMailIsRepeatedWithItsID until the server accepts it, and not after that.
func TestMailIsRepeatedWithItsID(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var attempts atomic.Int32
		s := &mailServer{noTLS: true}
		h, ana := serverWithMail(t, s)
		s.answers = func(command string) string {
			if command != "." {
				return ""
			}
			return []string{"451 later", hang, ""}[min(attempts.Add(1)-1, 2)]
		}
		h.match(ana, lobbytest.Member(t, h.Lobby, "bob"))
		time.Sleep(2 * time.Hour)
		synctest.Wait()
		s.mu.Lock()
		defer s.mu.Unlock()
		if len(s.mails) != 3 {
			t.Fatalf("%d attempts, want 3", len(s.mails))
		}
		var first string
		for i, content := range s.mails {
			m, err := mail.ReadMessage(strings.NewReader(content))
			if err != nil {
				t.Fatal(err)
			}
			id := m.Header.Get("Message-Id")
			if i == 0 {
				first = id
			}
			if id != first || !strings.HasSuffix(id, "@example.org>") || !strings.HasPrefix(m.Header.Get("Ayumu-Event-Id"), "turn/") {
				t.Errorf("attempt %d: %s, %s; the first had %s", i+1, id, m.Header.Get("Ayumu-Event-Id"), first)
			}
		}
	})
}
