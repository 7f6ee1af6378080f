package main

import (
	"cmp"
	"context"
	"strconv"

	"charm.land/log/v2"

	"ayumu/cmd/ayumu/config"
	"ayumu/cmd/cli"
	"ayumu/lobby"
	"ayumu/lobby/account"
	"ayumu/lobby/club"
	"ayumu/lobby/guard"
	"ayumu/lobby/limit"
	"ayumu/lobby/notify"
	"ayumu/lobby/store"
	"ayumu/server"
	"ayumu/server/access"
)

// notifier runs the notifications of a server.
type notifier struct {
	service *notify.Service // nil: the settings allow none
	logger  *log.Logger
}

// newNotifier returns the notifications that the settings allow.
func newNotifier(c *config.Config, db store.Store, who *access.Authorizer, logger *log.Logger) (notifier, error) {
	senders, err := c.Notify.Senders(cli.Version(), func(reason string, failed int) {
		if reason == "" {
			logger.Info("mail is sent again", "server", c.Notify.MailServer, "failed", failed)
			return
		}
		logger.Error("mail cannot be sent; check notify.mail-server and its user", "server", c.Notify.MailServer, "err", reason)
	})
	if err != nil || len(senders) == 0 {
		return notifier{}, err
	}
	mayReceive := func(ctx context.Context, id account.ID) (bool, error) {
		keys, err := db.Keys(ctx, id)
		if err != nil {
			return false, err
		}
		return who.MayEnter(ctx, id, keys)
	}
	announcements := func() (all []notify.Announcement) {
		for _, a := range who.Club.Bulletin.Current() {
			all = append(all, notify.Announcement{ID: strconv.FormatInt(a.ID, 10), Title: a.Title, Text: a.Text, At: a.Appeared()})
		}
		return all
	}
	reports := func(ctx context.Context) (all []notify.Report, err error) {
		open, err := db.OpenReports(ctx, 0, 500)
		for _, r := range open {
			all = append(all, notify.Report{ID: r.ID, At: r.At, By: r.Reporter, About: r.About, Text: r.Text})
		}
		return all, err
	}
	readsReports := func(ctx context.Context, id account.ID) (bool, error) {
		keys, err := db.Keys(ctx, id)
		role := who.Club.Roles.Of(id)
		for _, k := range keys {
			role = max(role, who.Club.Role(k.Wire))
		}
		return role.Has(club.PermissionReports), err
	}
	service := notify.New(notify.Config{
		Store: db, Match: db.Match, MayReceive: mayReceive, Announcements: announcements, Reports: reports, ReadsReports: readsReports, Senders: senders, CodeLimits: &c.Notify.Codes,
		Report: func(msg string, keyvals ...any) { logger.Error(msg, keyvals...) },
	})
	return notifier{service, logger}, nil
}

// limitHits returns the counters of exceeded limits; none without notifications.
func (n notifier) limitHits() []*limit.Hits {
	if n.service == nil {
		return nil
	}
	return []*limit.Hits{&n.service.LimitHits}
}

// start sends notifications until ctx ends. The function that it returns waits for the end.
func (n notifier) start(ctx context.Context, l *lobby.Lobby, h *server.Handler) (wait func()) {
	if n.service == nil {
		return func() {}
	}
	ctx, stop := context.WithCancel(ctx)
	site := func() (string, string) { return cmp.Or(h.Branding().Name, "Ayumu"), h.SSHTarget }
	ended := make(chan struct{})
	guard.Go(reportPanic(n.logger, "notifications"), func() {
		defer close(ended)
		n.service.Run(ctx, l.TableList, site)
	})
	return func() {
		stop()
		<-ended
	}
}
