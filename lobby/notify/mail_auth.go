package notify

import (
	"errors"
	"net/smtp"
	"slices"
	"strings"
)

// auth returns how the sender signs in at a server that offers these mechanisms: with AUTH PLAIN, or with AUTH LOGIN where
// that is not offered; nil if neither is. TLS has begun by then.
func (m *Mail) auth(offered string) smtp.Auth {
	kinds := strings.Fields(strings.ToUpper(offered))
	switch {
	case slices.Contains(kinds, "PLAIN"):
		return smtp.PlainAuth("", m.c.User, m.c.Password, m.host)
	case slices.Contains(kinds, "LOGIN"):
		return &loginAuth{answers: []string{m.c.User, m.c.Password}}
	}
	return nil
}

// loginAuth is AUTH LOGIN: the server asks for the user, then for the password. The texts with which it asks differ
// between servers.
type loginAuth struct {
	answers []string // what is still to be asked for
}

// Start implements smtp.Auth.
func (a *loginAuth) Start(server *smtp.ServerInfo) (mechanism string, first []byte, err error) {
	if !server.TLS {
		return "", nil, errors.New("AUTH LOGIN needs TLS")
	}
	return "LOGIN", nil, nil
}

// Next implements smtp.Auth.
func (a *loginAuth) Next(_ []byte, more bool) ([]byte, error) {
	if !more {
		return nil, nil
	}
	if len(a.answers) == 0 {
		return nil, errors.New("AUTH LOGIN asks for more than a user and a password")
	}
	answer := a.answers[0]
	a.answers = a.answers[1:]
	return []byte(answer), nil
}
