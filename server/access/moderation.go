package access

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"net/netip"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"
	"unicode/utf8"

	"golang.org/x/crypto/ssh"

	"ayumu/lobby"
	"ayumu/lobby/store"
)

// Moderation carries out the commands of moderators and of the host.
type Moderation struct {
	Authorizer  *Authorizer
	Connections *Connections
	// Announce shows a notice to everybody; nil: there is nobody.
	Announce func(notice string)
	// IsGuest reports whether a guest of that name is here or was in a match that can still be seen;
	// nil: only guests who are here are known.
	IsGuest   func(name string) bool
	SSHTarget string // what people type after ssh, for invitations
}

// command is one command as somebody gives it.
type command struct {
	m     *Moderation
	ctx   context.Context
	actor string
	role  Role
	out   io.Writer
}

// commands are the commands: how many words each needs, and its words for the list.
var commands = []struct {
	action Action
	args   string
	least  int
	run    func(o command, args []string) error
}{
	{ActionInvite, "[KEYS [DURATION]]", 0, command.invite},
	{ActionMute, "NAME DURATION [REASON]", 2, command.mute},
	{ActionUnmute, "NAME", 1, func(o command, args []string) error { return o.lift(kindMute, args[0]) }},
	{ActionKick, "NAME [REASON]", 1, command.kick},
	{ActionBan, "NAME|SHA256:…|ADDRESS[/BITS] DURATION [REASON]", 2, command.ban},
	{ActionUnban, "NAME|SHA256:…|ADDRESS[/BITS]", 1, func(o command, args []string) error { return o.lift(kindBan, args[0]) }},
	{ActionBans, "", 0, command.bans},
	{ActionReports, "[AFTER]", 0, command.reports},
	{ActionCloseReport, "REPORT", 1, command.closeReport},
	{ActionCloseRoom, "lobby|watchers [DURATION [REASON]]", 1, command.closeRoom},
	{ActionOpenRoom, "lobby|watchers", 1, func(o command, args []string) error { return o.lift(kindClose, args[0]) }},
	{ActionAnnounce, "TEXT", 1, command.announce},
	{ActionAudit, "", 0, command.audit},
}

// Run carries out the words of a command that somebody gives. A refusal is a *lobby.Error.
func (m *Moderation) Run(ctx context.Context, who string, role Role, words []string, out io.Writer) error {
	if len(words) == 0 || words[0] == "help" {
		return listCommands(role, out)
	}
	for _, c := range commands {
		if string(c.action) != words[0] {
			continue
		}
		if !role.Can(c.action) {
			return notModerator(c.action)
		}
		if len(words)-1 < c.least {
			return badRequest("usage: %s", strings.TrimSpace(string(c.action)+" "+c.args))
		}
		return c.run(command{m, ctx, who, role, out}, words[1:])
	}
	return badRequest("there is no admin command %q; `admin help` lists them", lobby.CleanText(words[0], 20))
}

func listCommands(role Role, out io.Writer) error {
	any := false
	for _, c := range commands {
		if role.Can(c.action) {
			any = true
			fmt.Fprintf(out, "%s %s\n", c.action, c.args)
		}
	}
	if !any {
		return refusal("You are not a moderator.")
	}
	_, err := fmt.Fprintln(out, "DURATION is such as 30m, 12h, 7d or forever.")
	return err
}

// plural counts things: "1 session", "2 sessions".
func plural(n int, what string) string {
	if n != 1 {
		what += "s"
	}
	return fmt.Sprintf("%d %s", n, what)
}

// acts say what the actions of moderation do, after "Only moderators may" and "You cannot".
var acts = map[Action]string{
	ActionInvite: "invite players", ActionMute: "mute players", ActionUnmute: "unmute players", ActionKick: "kick players",
	ActionBan: "ban players", ActionUnban: "unban players", ActionBans: "list bans", ActionReports: "read reports", ActionCloseReport: "close reports",
	ActionCloseRoom: "close a chat room", ActionOpenRoom: "open a chat room", ActionAnnounce: "make announcements", ActionAudit: "read the audit log",
}

// notModerator refuses an action of moderation.
func notModerator(a Action) error {
	who := "moderators"
	if minRole[a] == RoleServerOwner {
		who = "owners"
	}
	return refusal("Only %s may %s.", who, acts[a])
}

// errRoleTooHigh refuses what somebody wants to do to one whose rank is not lower.
func errRoleTooHigh(a Action, other Role) error {
	article := "a"
	if other == RoleServerOwner {
		article = "an"
	}
	return refusal("You cannot %s %s %s: your rank is not above theirs.", a, article, other)
}

func badRequest(format string, args ...any) error {
	return &lobby.Error{Code: lobby.CodeBadRequest, Message: fmt.Sprintf(format, args...)}
}

// parseDuration reads how long something lasts; 0 is for good.
func parseDuration(s string) (time.Duration, error) {
	if s == "forever" {
		return 0, nil
	}
	d, err := time.ParseDuration(s)
	if days, ok := strings.CutSuffix(s, "d"); ok {
		var n int
		n, err = strconv.Atoi(days)
		d = time.Duration(min(max(n, 0), 36500)) * 24 * time.Hour
	}
	if err != nil || d <= 0 || d > 36500*24*time.Hour {
		return 0, badRequest("%q is no duration such as 30m, 12h, 7d or forever", lobby.CleanText(s, 20))
	}
	return d, nil
}

func (o command) invite(args []string) error {
	uses, lasts := 1, 7*24*time.Hour
	var err error
	if len(args) > 0 {
		if uses, err = strconv.Atoi(args[0]); err != nil {
			return badRequest("%q is no number of keys", lobby.CleanText(args[0], 20))
		}
	}
	if len(args) > 1 {
		if lasts, err = parseDuration(args[1]); err != nil {
			return err
		}
	}
	code, err := NewInvite(o.ctx, o.m.Authorizer.store, uses, lasts, o.actor)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(o.out, "For %s, until %s:\n\n  ssh -t -l %s %s\n", plural(uses, "new key"), time.Now().Add(lasts).UTC().Format("2006-01-02 15:04 UTC"), code, o.m.SSHTarget)
	return err
}

// subject is whom an order is about.
type subject struct {
	id      string // as it is kept
	name    string
	role    Role
	account lobby.AccountID // 0: none
	prefix  netip.Prefix    // invalid: none
	key     string          // fingerprint; empty: none
}

// findPerson finds somebody by name: an account, or a guest who is here.
func (o command) findPerson(name string) (subject, error) {
	o.m.Connections.mu.Lock()
	for s := range o.m.Connections.conns {
		if s.account.ID < 0 && s.account.Name == name {
			o.m.Connections.mu.Unlock()
			return subject{id: accountSubject(s.account.ID), name: name, role: RoleGuest, account: s.account.ID, prefix: lobby.Origin(s.From)}, nil
		}
	}
	o.m.Connections.mu.Unlock()
	a, err := o.m.Authorizer.store.AccountByName(o.ctx, name)
	if errors.Is(err, lobby.ErrNotFound) {
		return subject{}, badRequest("there is no account and no guest %q", lobby.CleanText(name, 30))
	}
	if err != nil {
		return subject{}, err
	}
	keys, err := o.m.Authorizer.store.Keys(o.ctx, a.ID)
	if err != nil {
		return subject{}, err
	}
	found := subject{id: accountSubject(a.ID), name: a.Name, role: RolePlayer, account: a.ID}
	for _, k := range keys {
		if key, err := ssh.ParsePublicKey(k.Wire); err == nil {
			found.role = max(found.role, o.m.Authorizer.Role(key))
		}
	}
	return found, nil
}

// findSubject is person, and keys and addresses as well. A guest is found by his address, which is
// all that lasts of him.
func (o command) findSubject(text string) (subject, error) {
	if digest, ok := strings.CutPrefix(text, "SHA256:"); ok {
		if raw, err := base64.RawStdEncoding.Strict().DecodeString(digest); err != nil || len(raw) != sha256.Size {
			return subject{}, badRequest("%q is not the fingerprint of a key. A fingerprint is SHA256: and 43 characters, as `ssh-keygen -lf FILE` prints it.", lobby.CleanText(text, 60))
		}
		return subject{id: "key " + text, name: text, role: o.m.Authorizer.roleOf(text), key: text}, nil
	}
	if p, err := netip.ParsePrefix(text); err == nil {
		return subject{id: addressSubject(p.Masked()), name: p.Masked().String(), prefix: p.Masked()}, nil
	}
	if a, err := netip.ParseAddr(text); err == nil {
		p := lobby.Origin(a)
		return subject{id: addressSubject(p), name: p.String(), prefix: p}, nil
	}
	s, err := o.findPerson(text)
	if err == nil && s.account < 0 {
		s.id, s.account = addressSubject(s.prefix), 0
	}
	return s, err
}

// roleOf returns the role of a key by its fingerprint.
func (g *Authorizer) roleOf(fingerprint string) Role {
	g.mu.Lock()
	defer g.mu.Unlock()
	for wire, e := range g.keys {
		if key, err := ssh.ParsePublicKey([]byte(wire)); err == nil && ssh.FingerprintSHA256(key) == fingerprint {
			return e.role
		}
	}
	return RolePlayer
}

func (o command) mute(args []string) error {
	s, err := o.findPerson(args[0])
	if err != nil {
		return err
	}
	_, err = o.sanction(ActionMute, kindMute, s, args[1], args[2:])
	return err
}

func (o command) ban(args []string) error {
	s, err := o.findSubject(args[0])
	if err != nil {
		return err
	}
	reason, err := o.sanction(ActionBan, kindBan, s, args[1], args[2:])
	if err != nil {
		return err
	}
	n := o.endSessions(s, "You have been banned."+reasonSuffix(reason))
	_, err = fmt.Fprintf(o.out, "%s ended\n", plural(n, "session"))
	return err
}

// How many characters are kept of what people say about others.
const (
	maxReason = 200
	maxReport = 300
)

func reasonOf(words []string) (string, error) {
	return cleanText("a reason or a notice", strings.Join(words, " "), maxReason)
}

func withReason(what, reason string) string {
	if reason == "" {
		return what
	}
	return what + ": " + reason
}

// cleanText cleans a text, and refuses one that is too long rather than keep half of what it says.
func cleanText(what, text string, limit int) (string, error) {
	clean := lobby.CleanText(text, limit+2) // which may lose a space and what follows it
	if utf8.RuneCountInString(clean) > limit {
		return "", badRequest("%s has at most %d characters; say it shorter", what, limit)
	}
	return clean, nil
}

// sanction returns the reason as it is kept.
func (o command) sanction(a Action, kind string, s subject, lasts string, words []string) (string, error) {
	d, err := parseDuration(lasts)
	if err != nil {
		return "", err
	}
	reason, err := reasonOf(words)
	if err != nil {
		return "", err
	}
	if !o.role.CanActOn(a, s.role) {
		return "", errRoleTooHigh(a, s.role)
	}
	if o.role < RoleServerOwner && s.prefix.IsValid() && s.prefix.Bits() < minPrefixBits(s.prefix.Addr()) {
		return "", refusal("Only owners may ban an address range wider than /%d.", minPrefixBits(s.prefix.Addr()))
	}
	one := store.Sanction{Kind: kind, Subject: s.id, Account: s.account, SubjectName: s.name, Reason: reason, Issuer: o.actor, Created: time.Now()}
	if d > 0 {
		one.Until = one.Created.Add(d)
	}
	if _, err := o.m.Authorizer.store.AddSanction(o.ctx, one, withReason(fmt.Sprintf("%ss %s %s", kind, s.name, untilText(one.Until)), reason)); err != nil {
		return "", err
	}
	if err := o.m.Authorizer.reloadSanctions(o.ctx); err != nil {
		return "", err
	}
	_, err = fmt.Fprintf(o.out, "%s: %s %s\n", kind, s.name, untilText(one.Until))
	return reason, err
}

// lift ends all sanctions of a kind that somebody has. An account is found by its current name.
func (o command) lift(kind, text string) error {
	all, err := o.m.Authorizer.currentSanctions(o.ctx)
	if err != nil {
		return err
	}
	n := 0
	for _, s := range all {
		if s.Kind != kind || !strings.EqualFold(s.SubjectName, text) && s.Subject != "address "+text {
			continue
		}
		if err := o.m.Authorizer.store.LiftSanction(o.ctx, s.ID, o.actor, fmt.Sprintf("lifts the %s of %s", kind, s.SubjectName), time.Now()); err != nil {
			return err
		}
		n++
	}
	if n == 0 {
		return badRequest("there is no %s of %q; `admin bans` lists them", kind, lobby.CleanText(text, 60))
	}
	_, err = fmt.Fprintf(o.out, "lifted: %s of %s\n", kind, text)
	return errors.Join(err, o.m.Authorizer.reloadSanctions(o.ctx))
}

func (o command) kick(args []string) error {
	s, err := o.findPerson(args[0])
	if err != nil {
		return err
	}
	if !o.role.CanActOn(ActionKick, s.role) {
		return errRoleTooHigh(ActionKick, s.role)
	}
	reason, err := reasonOf(args[1:])
	if err != nil {
		return err
	}
	s.prefix = netip.Prefix{} // only him
	n := o.endSessions(s, "A moderator has ended your visit."+reasonSuffix(reason))
	if n == 0 {
		return badRequest("%s is not here", s.name)
	}
	fmt.Fprintf(o.out, "%s ended\n", plural(n, "session"))
	return o.m.Authorizer.store.AddAuditEntry(o.ctx, o.actor, withReason("kicks "+s.name, reason), time.Now())
}

// endSessions ends the sessions of a subject, but nobody's whose role is not lower than the giver's.
func (o command) endSessions(sub subject, notice string) int {
	return o.m.Connections.end(notice, func(s *Connection, account lobby.Account) bool {
		if s.Role >= o.role {
			return false
		}
		return sub.account != 0 && account.ID == sub.account ||
			sub.key != "" && s.Key != nil && ssh.FingerprintSHA256(s.Key) == sub.key ||
			sub.prefix.IsValid() && sub.prefix.Contains(s.From.Unmap().WithZone(""))
	})
}

func (o command) bans([]string) error {
	all, err := o.m.Authorizer.currentSanctions(o.ctx)
	if err != nil {
		return err
	}
	w := tabwriter.NewWriter(o.out, 0, 0, 2, ' ', 0)
	for i := range all {
		if s := &all[i]; o.m.Authorizer.applies(s, s.Kind) {
			shown := s.SubjectName
			if s.OriginalName != shown {
				shown += " (was " + s.OriginalName + ")"
			}
			fmt.Fprintf(w, "%s\t%s\t%s\tby %s\t%s\n", s.Kind, shown, untilText(s.Until), s.Issuer, s.Reason)
		}
	}
	return w.Flush()
}

func (o command) announce(args []string) error {
	notice, err := reasonOf(args)
	if err != nil {
		return err
	}
	if notice == "" {
		return badRequest("there is nothing in that to say")
	}
	if o.m.Announce != nil {
		o.m.Announce(notice)
	}
	return o.m.Authorizer.store.AddAuditEntry(o.ctx, o.actor, "announces: "+notice, time.Now())
}

// maxListed is how many notes are shown at once.
const maxListed = 200

// reports lists open reports, oldest first, from the one after a given one on.
func (o command) reports(args []string) error {
	after := int64(0)
	if len(args) > 0 {
		var err error
		if after, err = strconv.ParseInt(args[0], 10, 64); err != nil {
			return badRequest("%q is not the number of a report. usage: reports [AFTER]", lobby.CleanText(args[0], 20))
		}
	}
	all, err := o.m.Authorizer.store.OpenReports(o.ctx, after, maxListed+1)
	for i, n := range all {
		if i == maxListed {
			fmt.Fprintf(o.out, "There are more. The next ones: reports %d\n", all[i-1].ID)
			break
		}
		fmt.Fprintf(o.out, "%d  %s  %s about %s: %s\n", n.ID, n.At.UTC().Format(time.DateTime), n.Actor, n.About, n.Text)
	}
	return err
}

func (o command) audit([]string) error {
	all, err := o.m.Authorizer.store.AuditLog(o.ctx, maxListed)
	for _, n := range all {
		fmt.Fprintf(o.out, "%s  %s %s\n", n.At.UTC().Format(time.DateTime), n.Actor, n.Text)
	}
	return err
}

// Report keeps what somebody who has come from an address says about another. Who has no account is
// known by the fingerprint of their key or, without one (""), by the address, since a guest's name is
// soon another.
func (m *Moderation) Report(ctx context.Context, by lobby.Account, fingerprint string, role Role, from netip.Addr, about, text string) error {
	if !role.Can(ActionReport) {
		return refusal("You cannot report from here.")
	}
	origin := lobby.Origin(from).String()
	name := by.Name
	switch {
	case by.ID <= 0 && fingerprint != "":
		name = fingerprint
	case by.ID <= 0:
		name = "guest " + origin
	}
	text, err := cleanText("a report", text, maxReport)
	if err != nil {
		return err
	}
	if text == "" || about == "" {
		return badRequest("usage: report NAME WHAT HAPPENED")
	}
	policy := m.Authorizer.Policy()
	if !m.Authorizer.reports.Allow(from, time.Now(), policy.ReportRate/60, policy.ReportBurst) {
		m.Authorizer.LimitHits.Add(hitReports)
		return &lobby.Error{Code: lobby.CodeRateLimited, Message: "many reports have come from your address just now; try again in a minute"}
	}
	if about, err = m.playerName(ctx, about); err != nil {
		return err
	}
	limit := store.ReportLimits{Person: policy.ReportsPerUser, Address: policy.ReportsPerAddress}
	db, err := m.Authorizer.store.AddReport(ctx, name, origin, about, text, limit, time.Now())
	if err == nil && !db {
		m.Authorizer.LimitHits.Add(hitReports)
		return &lobby.Error{Code: lobby.CodeRateLimited, Message: "The moderators have not read your last reports yet. Wait until they have."}
	}
	return err
}

// playerName returns the name of an account or of a guest as it is written.
func (m *Moderation) playerName(ctx context.Context, name string) (string, error) {
	if m.IsGuest != nil && m.IsGuest(name) {
		return name, nil
	}
	s, err := command{m: m, ctx: ctx}.findPerson(name)
	var unknown *lobby.Error
	if errors.As(err, &unknown) && unknown.Code == lobby.CodeBadRequest {
		return "", badRequest("There is no player called %s.", lobby.CleanText(name, 30))
	}
	return s.name, err
}
