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
	"ayumu/lobby/club"
	"ayumu/lobby/limit"
	"ayumu/lobby/sanitize"
)

// Moderation runs the commands of moderators and of the operator. Its methods may be called from any
// goroutine.
type Moderation struct {
	Authorizer  *Authorizer
	Connections *Connections
	// Announce displays a notice to everybody; nil: nobody can see it.
	Announce func(notice string)
	// IsGuest reports whether a guest of that name is online or has a seat of a match in memory; nil: only
	// online guests are known.
	IsGuest   func(name string) bool
	SSHTarget string // what users type after ssh, for invitations
}

// command is one command and who gives it.
type command struct {
	m     *Moderation
	ctx   context.Context
	actor string
	role  Role
	out   io.Writer
}

// commands are the commands, with their arguments for the usage and the minimum number of arguments.
var commands = []struct {
	action  Action
	args    string
	minArgs int
	run     func(c command, args []string) error
}{
	{ActionInvite, "[KEYS [DURATION]]", 0, command.invite},
	{ActionMute, "NAME DURATION [REASON]", 2, command.mute},
	{ActionUnmute, "NAME", 1, func(c command, args []string) error { return c.lift(club.KindMute, args[0]) }},
	{ActionKick, "NAME [REASON]", 1, command.kick},
	{ActionBan, "NAME|SHA256:…|ADDRESS[/BITS] DURATION [REASON]", 2, command.ban},
	{ActionUnban, "NAME|SHA256:…|ADDRESS[/BITS]", 1, func(c command, args []string) error { return c.lift(club.KindBan, args[0]) }},
	{ActionBans, "", 0, command.bans},
	{ActionReports, "[AFTER]", 0, command.reports},
	{ActionCloseReport, "REPORT", 1, command.closeReport},
	{ActionCloseRoom, "lobby|watchers [DURATION [REASON]]", 1, command.closeRoom},
	{ActionOpenRoom, "lobby|watchers", 1, func(c command, args []string) error { return c.lift(club.KindClose, args[0]) }},
	{ActionAnnounce, "TEXT", 1, command.announce},
	{ActionAudit, "", 0, command.audit},
}

// Run runs the words of a command that an actor gives, and writes its result to out. A refusal is a
// *lobby.Error.
func (m *Moderation) Run(ctx context.Context, actor string, role Role, words []string, out io.Writer) error {
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
		if len(words)-1 < c.minArgs {
			return badRequest("usage: %s", strings.TrimSpace(string(c.action)+" "+c.args))
		}
		return c.run(command{m, ctx, actor, role, out}, words[1:])
	}
	return badRequest("there is no admin command %q; `admin help` lists them", sanitize.Line(words[0], 20))
}

func listCommands(role Role, out io.Writer) error {
	found := false
	for _, c := range commands {
		if role.Can(c.action) {
			found = true
			fmt.Fprintf(out, "%s %s\n", c.action, c.args)
		}
	}
	if !found {
		return refusal("You are not a moderator.")
	}
	_, err := fmt.Fprintln(out, "DURATION is for example 30m, 12h, 7d or forever.")
	return err
}

// plural returns n and a noun: "1 session", "2 sessions".
func plural(n int, noun string) string {
	if n != 1 {
		noun += "s"
	}
	return fmt.Sprintf("%d %s", n, noun)
}

// acts are the actions in words that follow "Only moderators may" and "You cannot".
var acts = map[Action]string{
	ActionInvite: "invite players", ActionMute: "mute players", ActionUnmute: "unmute players", ActionKick: "kick players",
	ActionBan: "ban players", ActionUnban: "unban players", ActionBans: "list bans", ActionReports: "read reports", ActionCloseReport: "close reports",
	ActionCloseRoom: "close a chat room", ActionOpenRoom: "open a chat room", ActionAnnounce: "make announcements", ActionAudit: "read the audit log",
}

// notModerator returns the error of an action for which the role is too low.
func notModerator(a Action) error {
	roles := "moderators"
	if minRole[a] == RoleServerOwner {
		roles = "owners"
	}
	return refusal("Only %s may %s.", roles, acts[a])
}

// errRoleTooHigh returns the error of an action against a user whose role is not lower.
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

// parseDuration parses a duration such as 30m, 12h or 7d; "forever" is 0.
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
		return 0, badRequest("%q is not a duration such as 30m, 12h, 7d or forever", sanitize.Line(s, 20))
	}
	return d, nil
}

func (c command) invite(args []string) error {
	uses, validity := 1, 7*24*time.Hour
	var err error
	if len(args) > 0 {
		if uses, err = strconv.Atoi(args[0]); err != nil {
			return badRequest("%q is not a number of keys", sanitize.Line(args[0], 20))
		}
	}
	if len(args) > 1 {
		if validity, err = parseDuration(args[1]); err != nil {
			return err
		}
	}
	code, err := NewInvite(c.ctx, c.m.Authorizer.store, uses, validity, c.actor)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(c.out, "For %s, until %s:\n\n  ssh -t -l %s %s\n", plural(uses, "new key"), time.Now().Add(validity).UTC().Format("2006-01-02 15:04 UTC"), code, c.m.SSHTarget)
	return err
}

// subject is what a command is about: an account, a guest, a key or an address.
type subject struct {
	id      string // the stored form
	name    string
	role    Role
	account lobby.AccountID // 0: none
	prefix  netip.Prefix    // invalid: none
	key     string          // a fingerprint; empty: none
}

// findPerson finds an account or an online guest by name.
func (c command) findPerson(name string) (subject, error) {
	c.m.Connections.mu.Lock()
	for s := range c.m.Connections.conns {
		if s.account.ID < 0 && s.account.Name == name {
			c.m.Connections.mu.Unlock()
			return subject{id: accountSubject(s.account.ID), name: name, role: RoleGuest, account: s.account.ID, prefix: limit.Origin(s.From)}, nil
		}
	}
	c.m.Connections.mu.Unlock()
	a, err := c.m.Authorizer.store.AccountByName(c.ctx, name)
	if errors.Is(err, lobby.ErrNotFound) {
		return subject{}, badRequest("there is no account and no guest %q", sanitize.Line(name, 30))
	}
	if err != nil {
		return subject{}, err
	}
	keys, err := c.m.Authorizer.store.Keys(c.ctx, a.ID)
	if err != nil {
		return subject{}, err
	}
	found := subject{id: accountSubject(a.ID), name: a.Name, role: RolePlayer, account: a.ID}
	for _, k := range keys {
		if key, err := ssh.ParsePublicKey(k.Wire); err == nil {
			found.role = max(found.role, c.m.Authorizer.Role(key))
		}
	}
	return found, nil
}

// findSubject finds what findPerson does, and keys and addresses. A guest is represented by their address,
// because the name does not last.
func (c command) findSubject(text string) (subject, error) {
	if digest, ok := strings.CutPrefix(text, "SHA256:"); ok {
		if raw, err := base64.RawStdEncoding.Strict().DecodeString(digest); err != nil || len(raw) != sha256.Size {
			return subject{}, badRequest("%q is not the fingerprint of a key. A fingerprint is SHA256: and 43 characters, as `ssh-keygen -lf FILE` prints it.", sanitize.Line(text, 60))
		}
		return subject{id: "key " + text, name: text, role: c.m.Authorizer.roleOf(text), key: text}, nil
	}
	if p, err := netip.ParsePrefix(text); err == nil {
		return subject{id: addressSubject(p.Masked()), name: p.Masked().String(), prefix: p.Masked()}, nil
	}
	if a, err := netip.ParseAddr(text); err == nil {
		p := limit.Origin(a)
		return subject{id: addressSubject(p), name: p.String(), prefix: p}, nil
	}
	s, err := c.findPerson(text)
	if err == nil && s.account < 0 {
		s.id, s.account = addressSubject(s.prefix), 0
	}
	return s, err
}

// roleOf returns the role of a key by its fingerprint.
func (a *Authorizer) roleOf(fingerprint string) Role {
	a.mu.Lock()
	defer a.mu.Unlock()
	for wire, e := range a.keys {
		if key, err := ssh.ParsePublicKey([]byte(wire)); err == nil && ssh.FingerprintSHA256(key) == fingerprint {
			return e.role
		}
	}
	return RolePlayer
}

func (c command) mute(args []string) error {
	s, err := c.findPerson(args[0])
	if err != nil {
		return err
	}
	_, err = c.sanction(ActionMute, club.KindMute, s, args[1], args[2:])
	return err
}

func (c command) ban(args []string) error {
	s, err := c.findSubject(args[0])
	if err != nil {
		return err
	}
	reason, err := c.sanction(ActionBan, club.KindBan, s, args[1], args[2:])
	if err != nil {
		return err
	}
	n := c.endSessions(s, "You have been banned."+reasonSuffix(reason))
	_, err = fmt.Fprintf(c.out, "%s ended\n", plural(n, "session"))
	return err
}

// Maximum numbers of characters.
const (
	maxReason = 200
	maxReport = 300
)

func reasonOf(words []string) (string, error) {
	return cleanText("a reason or a notice", strings.Join(words, " "), maxReason)
}

func withReason(action, reason string) string {
	if reason == "" {
		return action
	}
	return action + ": " + reason
}

// cleanText cleans a text. It returns an error for one that is too long, instead of cutting it.
func cleanText(label, text string, limit int) (string, error) {
	clean := sanitize.Line(text, limit+2) // more than limit, to see whether it is cut
	if utf8.RuneCountInString(clean) > limit {
		return "", badRequest("%s has at most %d characters; shorten it", label, limit)
	}
	return clean, nil
}

// sanction stores a sanction and returns the cleaned reason.
func (c command) sanction(a Action, kind club.Kind, s subject, duration string, words []string) (string, error) {
	d, err := parseDuration(duration)
	if err != nil {
		return "", err
	}
	reason, err := reasonOf(words)
	if err != nil {
		return "", err
	}
	if !c.role.CanActOn(a, s.role) {
		return "", errRoleTooHigh(a, s.role)
	}
	if c.role < RoleServerOwner && s.prefix.IsValid() && s.prefix.Bits() < minPrefixBits(s.prefix.Addr()) {
		return "", refusal("Only owners may ban an address range wider than /%d.", minPrefixBits(s.prefix.Addr()))
	}
	sn := club.Sanction{Kind: kind, Subject: s.id, Account: s.account, SubjectName: s.name, Reason: reason, Issuer: c.actor, Created: time.Now()}
	if d > 0 {
		sn.Until = sn.Created.Add(d)
	}
	if _, err := c.m.Authorizer.store.AddSanction(c.ctx, sn, withReason(fmt.Sprintf("%ss %s %s", kind, s.name, untilText(sn.Until)), reason)); err != nil {
		return "", err
	}
	if err := c.m.Authorizer.reloadSanctions(c.ctx); err != nil {
		return "", err
	}
	_, err = fmt.Fprintf(c.out, "%s: %s %s\n", kind, s.name, untilText(sn.Until))
	return reason, err
}

// lift lifts all sanctions of a kind of a subject. An account is found by its current name.
func (c command) lift(kind club.Kind, text string) error {
	all, err := c.m.Authorizer.currentSanctions(c.ctx)
	if err != nil {
		return err
	}
	n := 0
	for _, s := range all {
		if s.Kind != kind || !strings.EqualFold(s.SubjectName, text) && s.Subject != "address "+text {
			continue
		}
		if err := c.m.Authorizer.store.LiftSanction(c.ctx, s.ID, c.actor, fmt.Sprintf("lifts the %s of %s", kind, s.SubjectName), time.Now()); err != nil {
			return err
		}
		n++
	}
	if n == 0 {
		return badRequest("there is no %s of %q; `admin bans` lists them", kind, sanitize.Line(text, 60))
	}
	_, err = fmt.Fprintf(c.out, "lifted: %s of %s\n", kind, text)
	return errors.Join(err, c.m.Authorizer.reloadSanctions(c.ctx))
}

func (c command) kick(args []string) error {
	s, err := c.findPerson(args[0])
	if err != nil {
		return err
	}
	if !c.role.CanActOn(ActionKick, s.role) {
		return errRoleTooHigh(ActionKick, s.role)
	}
	reason, err := reasonOf(args[1:])
	if err != nil {
		return err
	}
	s.prefix = netip.Prefix{} // not others at the address
	n := c.endSessions(s, "A moderator has ended your session."+reasonSuffix(reason))
	if n == 0 {
		return badRequest("%s is not online", s.name)
	}
	fmt.Fprintf(c.out, "%s ended\n", plural(n, "session"))
	return c.m.Authorizer.store.AddAuditEntry(c.ctx, club.AuditEntry{At: time.Now(), Actor: c.actor, Action: withReason("kicks "+s.name, reason)})
}

// endSessions ends the sessions of a subject whose role is lower than that of the command's actor.
func (c command) endSessions(sub subject, notice string) int {
	return c.m.Connections.end(notice, func(s *Connection, account lobby.Account) bool {
		if s.Role >= c.role {
			return false
		}
		return sub.account != 0 && account.ID == sub.account ||
			sub.key != "" && s.Key != nil && ssh.FingerprintSHA256(s.Key) == sub.key ||
			sub.prefix.IsValid() && sub.prefix.Contains(s.From.Unmap().WithZone(""))
	})
}

func (c command) bans([]string) error {
	all, err := c.m.Authorizer.currentSanctions(c.ctx)
	if err != nil {
		return err
	}
	w := tabwriter.NewWriter(c.out, 0, 0, 2, ' ', 0)
	for i := range all {
		if s := &all[i]; c.m.Authorizer.applies(s, s.Kind) {
			shown := s.SubjectName
			if s.OriginalName != shown {
				shown += " (was " + s.OriginalName + ")"
			}
			fmt.Fprintf(w, "%s\t%s\t%s\tby %s\t%s\n", s.Kind, shown, untilText(s.Until), s.Issuer, s.Reason)
		}
	}
	return w.Flush()
}

func (c command) announce(args []string) error {
	notice, err := reasonOf(args)
	if err != nil {
		return err
	}
	if notice == "" {
		return badRequest("the announcement is empty")
	}
	if c.m.Announce != nil {
		c.m.Announce(notice)
	}
	return c.m.Authorizer.store.AddAuditEntry(c.ctx, club.AuditEntry{At: time.Now(), Actor: c.actor, Action: "announces: " + notice})
}

// maxListed is the number of lines in one answer.
const maxListed = 200

// reports lists open reports with an id above AFTER, oldest first.
func (c command) reports(args []string) error {
	after := int64(0)
	if len(args) > 0 {
		var err error
		if after, err = strconv.ParseInt(args[0], 10, 64); err != nil {
			return badRequest("%q is not the number of a report. usage: reports [AFTER]", sanitize.Line(args[0], 20))
		}
	}
	all, err := c.m.Authorizer.store.OpenReports(c.ctx, after, maxListed+1)
	for i, n := range all {
		if i == maxListed {
			fmt.Fprintf(c.out, "There are more. Next: reports %d\n", all[i-1].ID)
			break
		}
		fmt.Fprintf(c.out, "%d  %s  %s about %s: %s\n", n.ID, n.At.UTC().Format(time.DateTime), n.Reporter, n.About, n.Text)
	}
	return err
}

func (c command) audit([]string) error {
	all, err := c.m.Authorizer.store.AuditLog(c.ctx, maxListed)
	for _, n := range all {
		fmt.Fprintf(c.out, "%s  %s %s\n", n.At.UTC().Format(time.DateTime), n.Actor, n.Action)
	}
	return err
}

// Report stores a report by a user at an address about another. A user without an account is recorded by the
// fingerprint of their key or, without a key (""), by their address, because a guest's name does not last.
func (m *Moderation) Report(ctx context.Context, by lobby.Account, fingerprint string, role Role, from netip.Addr, about, text string) error {
	if !role.Can(ActionReport) {
		return refusal("You cannot report from here.")
	}
	origin := limit.Origin(from).String()
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
	if from.IsValid() && !m.Authorizer.reports.Take(limit.Origin(from), time.Now(), 1) {
		m.Authorizer.LimitHits.Add(hitReports)
		return &lobby.Error{Code: lobby.CodeRateLimited, Message: "too many reports from your address; try again in a minute"}
	}
	if about, err = m.playerName(ctx, about); err != nil {
		return err
	}
	limits := club.ReportLimits{Reporter: policy.ReportsPerUser, Origin: policy.ReportsPerAddress}
	stored, err := m.Authorizer.store.AddReport(ctx, club.Report{At: time.Now(), Reporter: name, About: about, Text: text}, origin, limits)
	if err == nil && !stored {
		m.Authorizer.LimitHits.Add(hitReports)
		return &lobby.Error{Code: lobby.CodeRateLimited, Message: "The moderators have not read your earlier reports yet. Try again later."}
	}
	return err
}

// playerName returns the name of an account or of a guest, as that is written.
func (m *Moderation) playerName(ctx context.Context, name string) (string, error) {
	if m.IsGuest != nil && m.IsGuest(name) {
		return name, nil
	}
	s, err := command{m: m, ctx: ctx}.findPerson(name)
	var unknown *lobby.Error
	if errors.As(err, &unknown) && unknown.Code == lobby.CodeBadRequest {
		return "", badRequest("There is no player %s.", sanitize.Line(name, 30))
	}
	return s.name, err
}
