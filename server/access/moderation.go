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
	Gate     *Gate
	Presence *Presence
	// Announce shows a notice to everybody; nil: there is nobody.
	Announce func(notice string)
	// IsGuest reports whether a guest of that name is here or was in a match that can still be seen;
	// nil: only guests who are here are known.
	IsGuest func(name string) bool
	Host    string // what people type after ssh, for invitations
}

// order is one command as somebody gives it.
type order struct {
	m    *Moderation
	ctx  context.Context
	who  string
	role Role
	out  io.Writer
}

// orders are the commands: how many words each needs, and its words for the list.
var orders = []struct {
	action Action
	args   string
	least  int
	run    func(o order, args []string) error
}{
	{Invite, "[KEYS [DURATION]]", 0, order.invite},
	{Mute, "NAME DURATION [REASON]", 2, order.mute},
	{Unmute, "NAME", 1, func(o order, args []string) error { return o.lift(kindMute, args[0]) }},
	{Kick, "NAME [REASON]", 1, order.kick},
	{Ban, "NAME|SHA256:…|ADDRESS[/BITS] DURATION [REASON]", 2, order.ban},
	{Unban, "NAME|SHA256:…|ADDRESS[/BITS]", 1, func(o order, args []string) error { return o.lift(kindBan, args[0]) }},
	{Bans, "", 0, order.bans},
	{Reports, "[AFTER]", 0, order.reports},
	{Done, "REPORT", 1, order.done},
	{Shut, "lobby|watchers [DURATION [REASON]]", 1, order.shut},
	{Reopen, "lobby|watchers", 1, func(o order, args []string) error { return o.lift(kindShut, args[0]) }},
	{Announce, "TEXT", 1, order.announce},
	{Audit, "", 0, order.audit},
}

// Run carries out the words of a command that somebody gives. A refusal is a *lobby.Error.
func (m *Moderation) Run(ctx context.Context, who string, role Role, words []string, out io.Writer) error {
	if len(words) == 0 || words[0] == "help" {
		return list(role, out)
	}
	for _, c := range orders {
		if string(c.action) != words[0] {
			continue
		}
		if !role.May(c.action) {
			return notModerator(c.action)
		}
		if len(words)-1 < c.least {
			return wrong("usage: %s", strings.TrimSpace(string(c.action)+" "+c.args))
		}
		return c.run(order{m, ctx, who, role, out}, words[1:])
	}
	return wrong("there is no admin command %q; `admin help` lists them", lobby.CleanText(words[0], 20))
}

func list(role Role, out io.Writer) error {
	any := false
	for _, c := range orders {
		if role.May(c.action) {
			any = true
			fmt.Fprintf(out, "%s %s\n", c.action, c.args)
		}
	}
	if !any {
		return refuse("You are not a moderator.")
	}
	_, err := fmt.Fprintln(out, "DURATION is such as 30m, 12h, 7d or forever.")
	return err
}

// count counts things: "1 session", "2 sessions".
func count(n int, what string) string {
	if n != 1 {
		what += "s"
	}
	return fmt.Sprintf("%d %s", n, what)
}

// acts say what the actions of moderation do, after "Only moderators may" and "You cannot".
var acts = map[Action]string{
	Invite: "invite players", Mute: "mute players", Unmute: "unmute players", Kick: "kick players",
	Ban: "ban players", Unban: "unban players", Bans: "list bans", Reports: "read reports", Done: "close reports",
	Shut: "close a chat room", Reopen: "open a chat room", Announce: "make announcements", Audit: "read the audit log",
}

// notModerator refuses an action of moderation.
func notModerator(a Action) error {
	who := "moderators"
	if least[a] == Owner {
		who = "owners"
	}
	return refuse("Only %s may %s.", who, acts[a])
}

// tooHigh refuses what somebody wants to do to one whose rank is not lower.
func tooHigh(a Action, other Role) error {
	article := "a"
	if other == Owner {
		article = "an"
	}
	return refuse("You cannot %s %s %s: your rank is not above theirs.", a, article, other)
}

func wrong(format string, args ...any) error {
	return &lobby.Error{Code: lobby.BadRequest, Message: fmt.Sprintf(format, args...)}
}

// readDuration reads how long something lasts; 0 is for good.
func readDuration(s string) (time.Duration, error) {
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
		return 0, wrong("%q is no duration such as 30m, 12h, 7d or forever", lobby.CleanText(s, 20))
	}
	return d, nil
}

func (o order) invite(args []string) error {
	uses, lasts := 1, 7*24*time.Hour
	var err error
	if len(args) > 0 {
		if uses, err = strconv.Atoi(args[0]); err != nil {
			return wrong("%q is no number of keys", lobby.CleanText(args[0], 20))
		}
	}
	if len(args) > 1 {
		if lasts, err = readDuration(args[1]); err != nil {
			return err
		}
	}
	code, err := Invitations(o.ctx, o.m.Gate.kept, uses, lasts, o.who)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(o.out, "For %s, until %s:\n\n  ssh -t -l %s %s\n", count(uses, "new key"), time.Now().Add(lasts).UTC().Format("2006-01-02 15:04 UTC"), code, o.m.Host)
	return err
}

// subject is whom an order is about.
type subject struct {
	text    string // as it is kept
	shown   string
	role    Role
	account lobby.AccountID // 0: none
	prefix  netip.Prefix    // invalid: none
	key     string          // fingerprint; empty: none
}

// person finds somebody by name: an account, or a guest who is here.
func (o order) person(name string) (subject, error) {
	o.m.Presence.mu.Lock()
	for s := range o.m.Presence.stays {
		if s.account.ID < 0 && s.account.Name == name {
			o.m.Presence.mu.Unlock()
			return subject{text: accountSubject(s.account.ID), shown: name, role: Guest, account: s.account.ID, prefix: lobby.Origin(s.From)}, nil
		}
	}
	o.m.Presence.mu.Unlock()
	a, err := o.m.Gate.kept.AccountByName(o.ctx, name)
	if errors.Is(err, lobby.ErrUnknown) {
		return subject{}, wrong("there is no account and no guest %q", lobby.CleanText(name, 30))
	}
	if err != nil {
		return subject{}, err
	}
	keys, err := o.m.Gate.kept.Keys(o.ctx, a.ID)
	if err != nil {
		return subject{}, err
	}
	found := subject{text: accountSubject(a.ID), shown: a.Name, role: Player, account: a.ID}
	for _, k := range keys {
		if key, err := ssh.ParsePublicKey(k.Wire); err == nil {
			found.role = max(found.role, o.m.Gate.Role(key))
		}
	}
	return found, nil
}

// anybody is person, and keys and addresses as well. A guest is found by his address, which is
// all that lasts of him.
func (o order) anybody(text string) (subject, error) {
	if digest, ok := strings.CutPrefix(text, "SHA256:"); ok {
		if raw, err := base64.RawStdEncoding.Strict().DecodeString(digest); err != nil || len(raw) != sha256.Size {
			return subject{}, wrong("%q is not the fingerprint of a key. A fingerprint is SHA256: and 43 characters, as `ssh-keygen -lf FILE` prints it.", lobby.CleanText(text, 60))
		}
		return subject{text: "key " + text, shown: text, role: o.m.Gate.roleOf(text), key: text}, nil
	}
	if p, err := netip.ParsePrefix(text); err == nil {
		return subject{text: addressSubject(p.Masked()), shown: p.Masked().String(), prefix: p.Masked()}, nil
	}
	if a, err := netip.ParseAddr(text); err == nil {
		p := lobby.Origin(a)
		return subject{text: addressSubject(p), shown: p.String(), prefix: p}, nil
	}
	s, err := o.person(text)
	if err == nil && s.account < 0 {
		s.text, s.account = addressSubject(s.prefix), 0
	}
	return s, err
}

// roleOf returns the role of a key by its fingerprint.
func (g *Gate) roleOf(fingerprint string) Role {
	g.mu.Lock()
	defer g.mu.Unlock()
	for wire, e := range g.list {
		if key, err := ssh.ParsePublicKey([]byte(wire)); err == nil && ssh.FingerprintSHA256(key) == fingerprint {
			return e.role
		}
	}
	return Player
}

func (o order) mute(args []string) error {
	s, err := o.person(args[0])
	if err != nil {
		return err
	}
	_, err = o.sanction(Mute, kindMute, s, args[1], args[2:])
	return err
}

func (o order) ban(args []string) error {
	s, err := o.anybody(args[0])
	if err != nil {
		return err
	}
	reason, err := o.sanction(Ban, kindBan, s, args[1], args[2:])
	if err != nil {
		return err
	}
	n := o.end(s, "You have been banned."+because(reason))
	_, err = fmt.Fprintf(o.out, "%s ended\n", count(n, "session"))
	return err
}

// How many characters are kept of what people say about others.
const (
	maxReason = 200
	maxReport = 300
)

func reasonOf(words []string) (string, error) {
	return fit("a reason or a notice", strings.Join(words, " "), maxReason)
}

func withReason(what, reason string) string {
	if reason == "" {
		return what
	}
	return what + ": " + reason
}

// fit cleans a text, and refuses one that is too long rather than keep half of what it says.
func fit(what, text string, limit int) (string, error) {
	clean := lobby.CleanText(text, limit+2) // which may lose a space and what follows it
	if utf8.RuneCountInString(clean) > limit {
		return "", wrong("%s has at most %d characters; say it shorter", what, limit)
	}
	return clean, nil
}

// sanction returns the reason as it is kept.
func (o order) sanction(a Action, kind string, s subject, lasts string, words []string) (string, error) {
	d, err := readDuration(lasts)
	if err != nil {
		return "", err
	}
	reason, err := reasonOf(words)
	if err != nil {
		return "", err
	}
	if !o.role.MayTo(a, s.role) {
		return "", tooHigh(a, s.role)
	}
	if o.role < Owner && s.prefix.IsValid() && s.prefix.Bits() < widest(s.prefix.Addr()) {
		return "", refuse("Only owners may ban an address range wider than /%d.", widest(s.prefix.Addr()))
	}
	one := store.Sanction{Kind: kind, Subject: s.text, Account: s.account, Shown: s.shown, Reason: reason, Issuer: o.who, Created: time.Now()}
	if d > 0 {
		one.Until = one.Created.Add(d)
	}
	if _, err := o.m.Gate.kept.Sanction(o.ctx, one, withReason(fmt.Sprintf("%ss %s %s", kind, s.shown, until(one.Until)), reason)); err != nil {
		return "", err
	}
	if err := o.m.Gate.refresh(o.ctx); err != nil {
		return "", err
	}
	_, err = fmt.Fprintf(o.out, "%s: %s %s\n", kind, s.shown, until(one.Until))
	return reason, err
}

// lift ends all sanctions of a kind that somebody has. An account is found by its current name.
func (o order) lift(kind, text string) error {
	all, err := o.m.Gate.current(o.ctx)
	if err != nil {
		return err
	}
	n := 0
	for _, s := range all {
		if s.Kind != kind || !strings.EqualFold(s.Shown, text) && s.Subject != "address "+text {
			continue
		}
		if err := o.m.Gate.kept.Lift(o.ctx, s.ID, o.who, fmt.Sprintf("lifts the %s of %s", kind, s.Shown), time.Now()); err != nil {
			return err
		}
		n++
	}
	if n == 0 {
		return wrong("there is no %s of %q; `admin bans` lists them", kind, lobby.CleanText(text, 60))
	}
	_, err = fmt.Fprintf(o.out, "lifted: %s of %s\n", kind, text)
	return errors.Join(err, o.m.Gate.refresh(o.ctx))
}

func (o order) kick(args []string) error {
	s, err := o.person(args[0])
	if err != nil {
		return err
	}
	if !o.role.MayTo(Kick, s.role) {
		return tooHigh(Kick, s.role)
	}
	reason, err := reasonOf(args[1:])
	if err != nil {
		return err
	}
	s.prefix = netip.Prefix{} // only him
	n := o.end(s, "A moderator has ended your visit."+because(reason))
	if n == 0 {
		return wrong("%s is not here", s.shown)
	}
	fmt.Fprintf(o.out, "%s ended\n", count(n, "session"))
	return o.m.Gate.kept.Note(o.ctx, o.who, withReason("kicks "+s.shown, reason), time.Now())
}

// end ends the sessions of a subject, but nobody's whose role is not lower than the giver's.
func (o order) end(sub subject, notice string) int {
	return o.m.Presence.end(notice, func(s *Stay, account lobby.Account) bool {
		if s.Role >= o.role {
			return false
		}
		return sub.account != 0 && account.ID == sub.account ||
			sub.key != "" && s.Key != nil && ssh.FingerprintSHA256(s.Key) == sub.key ||
			sub.prefix.IsValid() && sub.prefix.Contains(s.From.Unmap().WithZone(""))
	})
}

func (o order) bans([]string) error {
	all, err := o.m.Gate.current(o.ctx)
	if err != nil {
		return err
	}
	w := tabwriter.NewWriter(o.out, 0, 0, 2, ' ', 0)
	for i := range all {
		if s := &all[i]; o.m.Gate.holds(s, s.Kind) {
			shown := s.Shown
			if s.Was != shown {
				shown += " (was " + s.Was + ")"
			}
			fmt.Fprintf(w, "%s\t%s\t%s\tby %s\t%s\n", s.Kind, shown, until(s.Until), s.Issuer, s.Reason)
		}
	}
	return w.Flush()
}

func (o order) announce(args []string) error {
	notice, err := reasonOf(args)
	if err != nil {
		return err
	}
	if notice == "" {
		return wrong("there is nothing in that to say")
	}
	if o.m.Announce != nil {
		o.m.Announce(notice)
	}
	return o.m.Gate.kept.Note(o.ctx, o.who, "announces: "+notice, time.Now())
}

// noted is how many notes are shown at once.
const noted = 200

// reports lists open reports, oldest first, from the one after a given one on.
func (o order) reports(args []string) error {
	after := int64(0)
	if len(args) > 0 {
		var err error
		if after, err = strconv.ParseInt(args[0], 10, 64); err != nil {
			return wrong("%q is not the number of a report. usage: reports [AFTER]", lobby.CleanText(args[0], 20))
		}
	}
	all, err := o.m.Gate.kept.Reports(o.ctx, after, noted+1)
	for i, n := range all {
		if i == noted {
			fmt.Fprintf(o.out, "There are more. The next ones: reports %d\n", all[i-1].ID)
			break
		}
		fmt.Fprintf(o.out, "%d  %s  %s about %s: %s\n", n.ID, n.At.UTC().Format(time.DateTime), n.Actor, n.About, n.Text)
	}
	return err
}

func (o order) audit([]string) error {
	all, err := o.m.Gate.kept.Audit(o.ctx, noted)
	for _, n := range all {
		fmt.Fprintf(o.out, "%s  %s %s\n", n.At.UTC().Format(time.DateTime), n.Actor, n.Text)
	}
	return err
}

// Report keeps what somebody who has come from an address says about another. Who has no account is
// known by where he comes from, since a guest's name is soon another.
func (m *Moderation) Report(ctx context.Context, by lobby.Account, role Role, from netip.Addr, about, text string) error {
	if !role.May(Report) {
		return refuse("You cannot report from here.")
	}
	origin := lobby.Origin(from).String()
	name := by.Name
	if by.ID <= 0 {
		name = "guest " + origin
	}
	text, err := fit("a report", text, maxReport)
	if err != nil {
		return err
	}
	if text == "" || about == "" {
		return wrong("usage: report NAME WHAT HAPPENED")
	}
	policy := m.Gate.Policy()
	if !m.Gate.reports.Take(from, time.Now(), policy.Reports/60, policy.ReportBurst) {
		m.Gate.Hits.Add(hitReports)
		return &lobby.Error{Code: lobby.RateLimited, Message: "many reports have come from your address just now; try again in a minute"}
	}
	if about, err = m.playerName(ctx, about); err != nil {
		return err
	}
	most := store.OpenReports{Person: policy.OwnReports, Address: policy.AddressReports}
	kept, err := m.Gate.kept.Report(ctx, name, origin, about, text, most, time.Now())
	if err == nil && !kept {
		m.Gate.Hits.Add(hitReports)
		return &lobby.Error{Code: lobby.RateLimited, Message: "The moderators have not read your last reports yet. Wait until they have."}
	}
	return err
}

// playerName returns the name of an account or of a guest as it is written.
func (m *Moderation) playerName(ctx context.Context, name string) (string, error) {
	if m.IsGuest != nil && m.IsGuest(name) {
		return name, nil
	}
	s, err := order{m: m, ctx: ctx}.person(name)
	var unknown *lobby.Error
	if errors.As(err, &unknown) && unknown.Code == lobby.BadRequest {
		return "", wrong("There is no player called %s.", lobby.CleanText(name, 30))
	}
	return s.shown, err
}
