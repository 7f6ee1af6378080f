package club

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"ayumu/lobby"
	"ayumu/lobby/account"
	"ayumu/lobby/errcode"
	"ayumu/lobby/limit"
	"ayumu/lobby/sanitize"
)

// Report records a user without an account by the fingerprint of their key or, without a key, by their
// address, because a guest's name does not last.
func (m moderator) Report(ctx context.Context, about, text string) error {
	if !m.actor.Role.Has(PermissionReport) {
		return refusal("you cannot report from here")
	}
	origin := limit.Origin(m.actor.Addr)
	reporter := m.actor.Name
	if a := m.actor.account(); a.ID > 0 {
		reporter = a.Name
	} else if reporter == "" {
		reporter = "guest " + origin.String()
	} else if name := m.club.keyList().name(reporter); name != "" {
		reporter = name + " (" + reporter + ")"
	}
	text, err := cleanText("a report", text, maxReport)
	if err != nil {
		return err
	}
	if text == "" || about == "" {
		return badRequest("usage: report NAME TEXT")
	}
	c := m.club
	if m.actor.Addr.IsValid() && !c.reports.Take(origin, time.Now(), 1) {
		c.LimitHits.Add(hitReports)
		return &errcode.Error{Code: errcode.RateLimited, Message: "too many reports from your address; try again in a minute"}
	}
	var evidence Evidence
	if !isPuzzleReport(about) {
		var id account.ID
		if about, id, err = playerName(ctx, c, about); err != nil {
			return err
		}
		evidence = c.evidence(m.actor.account().ID, id)
	}
	policy := c.Policy()
	r := Report{At: time.Now(), Reporter: reporter, About: about, Text: text, Evidence: evidence}
	stored, err := c.store.AddReport(ctx, r, origin.String(), ReportLimits{Reporter: policy.ReportsPerUser, Origin: policy.ReportsPerAddress})
	if err == nil && !stored {
		c.LimitHits.Add(hitReports)
		return &errcode.Error{Code: errcode.RateLimited, Message: "the moderators have not read your earlier reports yet; try again later"}
	}
	if err != nil {
		return err
	}
	_ = c.Bulletin.reload(ctx) // the report is stored; the store reports its failures
	return nil
}

// puzzleSubject begins what a report of a puzzle is about. No name of a player has a space.
const puzzleSubject = "puzzle "

// PuzzleReport returns what a report of the puzzle with an ID is about.
func PuzzleReport(id string) string { return puzzleSubject + id }

// isPuzzleReport reports whether a report is about a puzzle.
func isPuzzleReport(about string) bool {
	id, ok := strings.CutPrefix(about, puzzleSubject)
	_, err := hex.DecodeString(id)
	return ok && err == nil && len(id) == 8
}

// playerName returns the name of an account or of a guest, as that is written, and its id. A name of the list of keys
// without an account has the id 0.
func playerName(ctx context.Context, c *Club, name string) (string, account.ID, error) {
	if id, ok := c.users().GuestByName(name); ok {
		return name, id, nil
	}
	s, err := c.findUser(ctx, name)
	if isBadRequest(err) {
		if listed := c.keyList().findName(name); listed != "" {
			return listed, 0, nil
		}
		return "", 0, badRequest("there is no player %q", sanitize.Line(name, 30))
	}
	return s.name, s.account, err
}

// evidence returns what the reporter could see of a user.
func (c *Club) evidence(reporter, about account.ID) (e Evidence) {
	if c.SharedChat == nil || about == 0 {
		return e
	}
	var lines []lobby.ChatLine
	e.Match, e.Room, lines = c.SharedChat(reporter, about)
	for _, l := range lines {
		e.Chat = append(e.Chat, EvidenceLine{l.At.UTC(), l.Author, l.Text})
	}
	return e
}

// IsZero reports whether there is none.
func (e Evidence) IsZero() bool { return e.Match == "" && len(e.Chat) == 0 }

// Subject returns whom a report is about, and in which match: "bob (match k3f9q2a)".
func (r *Report) Subject() string {
	if r.Evidence.Match == "" {
		return r.About
	}
	return r.About + " (match " + r.Evidence.Match + ")"
}

// Lines returns the lines of chat with their times, in UTC.
func (e Evidence) Lines() (all []string) {
	for _, l := range e.Chat {
		all = append(all, fmt.Sprintf("%s %s: %s", l.At.UTC().Format("15:04"), l.From, l.Text))
	}
	return all
}

func (m moderator) Reports(ctx context.Context, after int64, limit int) ([]Report, error) {
	if err := m.Permit(PermissionReports); err != nil {
		return nil, err
	}
	return m.club.store.OpenReports(ctx, after, limit)
}

func (m moderator) CountReports(ctx context.Context) (int, error) {
	if err := m.Permit(PermissionReports); err != nil {
		return 0, err
	}
	return m.club.store.CountReports(ctx)
}

func (m moderator) CloseReport(ctx context.Context, id int64) error {
	if err := m.Permit(PermissionCloseReports); err != nil {
		return err
	}
	err := m.club.store.CloseReport(ctx, id, m.actor.name(), fmt.Sprintf("resolves report %d", id), time.Now())
	if errors.Is(err, errcode.ErrNotFound) {
		return badRequest("there is no open report %q; `admin reports` lists them", strconv.FormatInt(id, 10))
	}
	if err != nil {
		return err
	}
	return m.club.Bulletin.reload(ctx)
}

// AllReports lists all open reports, oldest first.
func AllReports(ctx context.Context, m Moderator) (all []Report, err error) {
	const page = 200
	for after := int64(0); ; after = all[len(all)-1].ID {
		next, err := m.Reports(ctx, after, page)
		all = append(all, next...)
		if err != nil || len(next) < page {
			return all, err
		}
	}
}
