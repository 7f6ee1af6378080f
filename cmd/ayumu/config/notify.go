package config

import (
	"errors"
	"fmt"
	"net"
	"net/netip"
	"strings"

	"ayumu/lobby/notify"
)

// Notify are the settings of notifications.
type Notify struct {
	Webhooks             bool
	Hosts, Private       []string
	MailServer, MailFrom string
	MailUser             string
	MailPasswordFile     string
	// Codes limit the mails with a code. They are no setting.
	Codes notify.CodeLimits
}

// Senders returns the senders of notifications by kind, of which there may be none. version is that of the server;
// reportMail is notify.MailConfig.Report.
func (n Notify) Senders(version string, reportMail func(reason string, failed int)) (map[notify.ReceiverKind]notify.Sender, error) {
	all := make(map[notify.ReceiverKind]notify.Sender)
	if n.Webhooks {
		all[notify.KindWebhook] = notify.NewWebhook(notify.WebhookConfig{Hosts: n.Hosts, Version: version, Private: n.PrivatePrefixes()})
	}
	if n.MailServer == "" {
		return all, nil
	}
	if (n.MailUser == "") != (n.MailPasswordFile == "") {
		return nil, errors.New("notify.mail-user and notify.mail-password-file must be set together")
	}
	c := notify.MailConfig{Server: n.MailServer, User: n.MailUser, From: n.MailFrom, Report: reportMail}
	if n.MailPasswordFile != "" {
		content, err := readFile(n.MailPasswordFile)
		if err != nil {
			return nil, fmt.Errorf("notify.mail-password-file: %w", err)
		}
		c.Password = strings.TrimRight(string(content), "\r\n")
	}
	m, err := notify.NewMail(c)
	if err != nil {
		return nil, fmt.Errorf("notify.mail-server and notify.mail-from: %w", err)
	}
	all[notify.KindMail] = m
	return all, nil
}

// PrivatePrefixes returns the addresses that are not public and to which webhooks may go.
func (n Notify) PrivatePrefixes() []netip.Prefix { return prefixes(n.Private) }

func checkMailServer(text string) error {
	if text == "" {
		return nil
	}
	if host, port, err := net.SplitHostPort(text); err != nil || host == "" || port == "" {
		return fmt.Errorf("%q is not HOST:PORT", text)
	}
	return nil
}

// checkHostName returns an error unless a text is a host name, or one with a dot in front.
func checkHostName(text string) error {
	if text == "" || strings.ContainsAny(text, "/:@* ") {
		return fmt.Errorf("%q is not a host name; write one such as discord.com, or .example.org with all names under it", text)
	}
	return nil
}
