package admin

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"

	"ayumu/lobby/club"
	"ayumu/lobby/sanitize"
)

func announce(ctx context.Context, e Env, args []string) error {
	return e.Moderator.Announce(ctx, strings.Join(args, " "))
}

// ParseTime parses a time: "now" or "", a duration from now such as 12h or 7d, or a date or time in UTC as 2006-01-02,
// 2006-01-02T15:04 or 2006-01-02 15:04. "forever" is the zero time.
func ParseTime(text string, now time.Time) (time.Time, error) {
	switch text {
	case "", "now":
		return now, nil
	case "forever":
		return time.Time{}, nil
	}
	for _, layout := range []string{time.DateOnly, "2006-01-02T15:04", "2006-01-02 15:04"} {
		if t, err := time.Parse(layout, text); err == nil {
			return t, nil
		}
	}
	d, err := parseDuration(text)
	if err != nil {
		return time.Time{}, badRequest("%q is not a time; use for example 7d, 2006-01-02 or 2006-01-02T15:04 (UTC)", sanitize.Line(text, 20))
	}
	return now.Add(d), nil
}

// parsePost reads the words of an announcement. Without until= it is shown for a week.
func parsePost(args []string, now time.Time) (a club.Announcement, err error) {
	a.From = now
	hasEnd := false
	for ; len(args) > 0; args = args[1:] {
		if text, ok := strings.CutPrefix(args[0], "from="); ok {
			a.From, err = ParseTime(text, now)
		} else if text, ok := strings.CutPrefix(args[0], "until="); ok {
			a.Until, err = ParseTime(text, now)
			hasEnd = true
		} else {
			break
		}
		if err != nil {
			return a, err
		}
	}
	title, text, ok := strings.Cut(strings.Join(args, " "), ": ")
	if !ok {
		return a, badRequest("usage: post [from=TIME] [until=TIME] TITLE: TEXT")
	}
	if !hasEnd {
		a.Until = a.From.Add(defaultShown)
	}
	a.Title, a.Text = title, text
	return a, nil
}

// defaultShown is the time for which an announcement is shown on entry unless its author decides otherwise.
const defaultShown = 7 * 24 * time.Hour

func post(ctx context.Context, e Env, args []string) error {
	a, err := parsePost(args, time.Now())
	if err != nil {
		return err
	}
	if a, err = e.Moderator.Post(ctx, a); err != nil {
		return err
	}
	_, err = fmt.Fprintf(e.Out, "announcement %d, shown %s\n", a.ID, ShownText(a))
	return err
}

// ShownText returns when an announcement is shown on entry: "from 2006-01-02 15:04 UTC until …".
func ShownText(a club.Announcement) string {
	return "from " + a.From.UTC().Format("2006-01-02 15:04 UTC") + " " + club.UntilText(a.Until)
}

func withdraw(ctx context.Context, e Env, args []string) error {
	id, err := strconv.ParseInt(args[0], 10, 64)
	if err != nil {
		return badRequest("%q is not the number of an announcement; the command announcements lists them", sanitize.Line(args[0], 20))
	}
	return e.Moderator.Withdraw(ctx, id)
}

// message prints the message of the day that was set from inside, or replaces it; "-" removes it.
func message(ctx context.Context, e Env, args []string) error {
	if len(args) == 0 {
		text := e.Bulletin.Message()
		if text == "" {
			text = "none is set here; that of the settings is shown, if there is one"
		}
		_, err := fmt.Fprintln(e.Out, text)
		return err
	}
	text := strings.Join(args, " ")
	if text == "-" {
		text = ""
	}
	return e.Moderator.SetMessage(ctx, text)
}
