package notify

import (
	"cmp"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"net/mail"
	"net/netip"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"ayumu/lobby/account"
	"ayumu/lobby/errcode"
)

// ReceiverKind is the kind of a receiver.
type ReceiverKind string

// The kinds of receivers.
const (
	KindWebhook ReceiverKind = "webhook"
	KindMail    ReceiverKind = "mail"
)

// Preset is the form of the requests to a webhook.
type Preset string

// The presets.
const (
	PresetJSON    Preset = "json"
	PresetDiscord Preset = "discord"
	PresetSlack   Preset = "slack" // and services that accept the same
	PresetNtfy    Preset = "ntfy"
)

// Presets are all presets, the default first.
var Presets = []Preset{PresetJSON, PresetDiscord, PresetSlack, PresetNtfy}

// Event is a kind of events, of which a player can be notified.
type Event string

// The kinds of events.
const (
	EventTurn         Event = "turn"
	EventTime         Event = "time" // a quarter of the time is left
	EventChallenge    Event = "challenge"
	EventOver         Event = "over"
	EventAnnouncement Event = "announcement"
	EventReport       Event = "report" // of a player, for moderators and owners only
	EventTournament   Event = "tournament"
)

// EventCondition is a conditional move of the player that was played. It is chosen together with EventTurn.
const EventCondition Event = "condition"

// Events are all kinds of events that everybody can choose. UserService.Events returns those that an account can choose.
var Events = []Event{EventTurn, EventTime, EventChallenge, EventOver, EventAnnouncement, EventTournament}

// allEvents are those of Events and those for moderators, in the order of their bits in stored masks.
var allEvents = []Event{EventTurn, EventTime, EventChallenge, EventOver, EventAnnouncement, EventReport, EventTournament}

// eventTest is the event of a test that the player asks for. It is never stored.
const eventTest Event = "test"

// Mask returns the bit of an event, that of EventTurn for EventCondition, and 0 for one that is not stored.
func (e Event) Mask() int {
	if e == EventCondition {
		e = EventTurn
	}
	i := slices.Index(allEvents, e)
	if i < 0 {
		return 0
	}
	return 1 << i
}

// Limits of the settings.
const (
	maxAddress = 500
	maxDigest  = 48
)

// Settings are what a player has chosen. They are stored as JSON. The zero value has no receiver.
type Settings struct {
	Kind    ReceiverKind `json:"kind"`
	Address string       `json:"address"`          // a URL or a mail address; secret
	Preset  Preset       `json:"preset,omitempty"` // of a webhook
	Events  []Event      `json:"events"`
	Quiet   Quiet        `json:"quiet"`
	Zone    string       `json:"zone,omitempty"`   // of the time zone database; "": UTC
	Digest  int          `json:"digest,omitempty"` // hours that a digest collects; 0: each notification is sent at once
	Secret  string       `json:"secret,omitempty"` // with which requests to a webhook are signed

	// Of a mail address that is not yet confirmed: the digest of the code that was sent to it, until when it holds, and
	// how many wrong codes were entered.
	CodeDigest  string    `json:"code_digest,omitempty"`
	CodeExpires time.Time `json:"code_expires,omitzero"`
	CodeErrors  int       `json:"code_errors,omitempty"`
}

// Quiet are hours in which nothing is sent, by the player's time zone. From and Until are minutes after midnight; equal
// ones mean that there are none.
type Quiet struct {
	From  int `json:"from,omitempty"`
	Until int `json:"until,omitempty"`
}

// String returns "22:00-07:30", or "" if there are no quiet hours.
func (q Quiet) String() string {
	if q.From == q.Until {
		return ""
	}
	return fmt.Sprintf("%02d:%02d-%02d:%02d", q.From/60, q.From%60, q.Until/60, q.Until%60)
}

// ParseQuiet reads quiet hours such as 22:00-7:30 or 22-7; "", "off" and "none" mean that there are none.
func ParseQuiet(text string) (Quiet, error) {
	text = strings.ToLower(strings.Join(strings.Fields(text), ""))
	if text == "" || text == "off" || text == "none" {
		return Quiet{}, nil
	}
	from, until, ok := strings.Cut(text, "-")
	q := Quiet{}
	var err error
	if ok {
		q.From, err = parseClock(from)
	}
	if ok && err == nil {
		q.Until, err = parseClock(until)
	}
	if !ok || err != nil {
		return Quiet{}, refused("quiet", "quiet hours are written like 22:00-07:00, or off")
	}
	return q, nil
}

func parseClock(text string) (minutes int, err error) {
	hour, minute, _ := strings.Cut(text, ":")
	h, err := strconv.Atoi(hour)
	m := 0
	if err == nil && minute != "" {
		m, err = strconv.Atoi(minute)
	}
	if err != nil || h < 0 || h > 24 || m < 0 || m > 59 || h == 24 && m > 0 {
		return 0, errors.New("no time of day")
	}
	return (h%24)*60 + m, nil
}

// IsActive reports whether notifications may be sent to the address: a mail address has to be confirmed.
func (s *Settings) IsActive() bool { return s.Kind != "" && s.CodeDigest == "" }

// Has reports whether the player wants notifications of an event.
func (s *Settings) Has(e Event) bool { return slices.Contains(s.Events, e) }

// Mask returns the bits of the chosen events; 0 while nothing may be sent.
func (s *Settings) Mask() (mask int) {
	if !s.IsActive() {
		return 0
	}
	for _, e := range s.Events {
		mask |= e.Mask()
	}
	return mask
}

// Location returns the player's time zone.
func (s *Settings) Location() *time.Location {
	if l, err := time.LoadLocation(s.Zone); err == nil && s.Zone != "Local" {
		return l
	}
	return time.UTC
}

// check completes settings that a user has made, or returns an error for the user.
func (s *Settings) check() error {
	switch s.Kind {
	case KindWebhook:
		if s.Preset = cmp.Or(s.Preset, PresetJSON); !slices.Contains(Presets, s.Preset) {
			return refused("format", "the formats are json, discord, slack and ntfy")
		}
		if _, err := parseURL(s.Address); err != nil {
			return err
		}
	case KindMail:
		if err := checkMail(s.Address); err != nil {
			return err
		}
		s.Preset, s.Secret = "", ""
	default:
		return refused("", "notifications are sent to a webhook or by mail")
	}
	for _, e := range s.Events {
		if !slices.Contains(allEvents, e) {
			return refused("events", "the events are turn, time, challenge, over, announcement and tournament, and report for moderators")
		}
	}
	s.Events = slices.DeleteFunc(slices.Clone(allEvents), func(e Event) bool { return !slices.Contains(s.Events, e) })
	switch _, err := time.LoadLocation(s.Zone); {
	case err != nil || s.Zone == "Local" || len(s.Zone) > 60:
		return refused("zone", "unknown time zone; use one such as Europe/Berlin or UTC")
	case s.Digest < 0 || s.Digest > maxDigest:
		return refused("digest", "a digest covers 1 to 48 hours; 0 or off means none")
	case s.Quiet.From < 0 || s.Quiet.From >= 24*60 || s.Quiet.Until < 0 || s.Quiet.Until >= 24*60:
		return refused("quiet", "quiet hours are written like 22:00-07:00, or off")
	}
	return nil
}

// parseURL reads the URL of a webhook. The error is for the user, and does not contain it.
func parseURL(text string) (*url.URL, error) {
	if len(text) > maxAddress {
		return nil, refused("address", "a URL has at most 500 characters")
	}
	u, err := url.Parse(text)
	switch {
	case err != nil || text == "":
		return nil, refused("address", "that is not a URL; it begins with https://")
	case u.Scheme != "https" && u.Scheme != "http":
		return nil, refused("address", "a URL begins with https:// or http://")
	case u.Hostname() == "":
		return nil, refused("address", "the URL has no host name")
	case u.User != nil:
		return nil, refused("address", "a URL with a name and a password is not accepted; use one with a secret path")
	case u.Fragment != "":
		return nil, refused("address", "a URL with # is not accepted; leave out the # and what follows it")
	case strings.ContainsFunc(text, func(r rune) bool { return r <= ' ' || r > '~' }):
		return nil, refused("address", "a URL has only ASCII characters and no spaces; write others as %XX")
	}
	if port := u.Port(); port != "" {
		// Others belong to services that do not speak HTTP.
		if n, err := strconv.Atoi(port); err != nil || n != 80 && n != 443 && n < 1024 || n > 65535 {
			return nil, refused("address", "the port in the URL must be 80, 443, or 1024 to 65535")
		}
	}
	return u, nil
}

// checkMail returns an error for the user if a text is not a plain mail address.
func checkMail(text string) error {
	a, err := mail.ParseAddress(text)
	isPlain := !strings.ContainsFunc(text, func(r rune) bool { return r <= ' ' || r > '~' || strings.ContainsRune(`"<>(),;:\[]`, r) })
	if err != nil || a.Address != text || a.Name != "" || len(text) > 254 || !isPlain {
		return refused("address", "that is not a mail address; write one such as ana@example.org")
	}
	_, domain, _ := strings.Cut(text, "@")
	if _, err := netip.ParseAddr(domain); err == nil || !strings.Contains(domain, ".") {
		return refused("address", "that is not a mail address; write one such as ana@example.org")
	}
	return nil
}

// newSecret returns a random secret for signatures.
func newSecret() string {
	b := make([]byte, 24)
	rand.Read(b)
	return hex.EncodeToString(b)
}

// Receiver is where the notifications of an account are sent, with the state of sending.
type Receiver struct {
	Account account.ID
	Settings
	Since     time.Time // what happened before is not notified
	Failing   time.Time // since when sending fails; zero: the last attempt succeeded, or there was none
	Off       time.Time // when it was switched off, because sending had failed for FailureLimit; zero: it was not
	Attempts  int       // failures in a row
	Error     string    // why the last attempt failed; ""
	Delivered time.Time // the last acknowledgement
	Speed     Speed
	// Destination is what may be reached under many addresses of receivers, so that all of these share places: the network
	// to which the last message went or, of a new webhook, its host. "" for mail: all mails go to one server.
	Destination string
}

// FirstDestination returns Receiver.Destination of a new receiver.
func (s *Settings) FirstDestination() string {
	u, err := url.Parse(s.Address)
	if s.Kind != KindWebhook || err != nil {
		return ""
	}
	return strings.ToLower(strings.TrimSuffix(u.Hostname(), "."))
}

func refused(field, text string) error {
	return &errcode.Error{Code: errcode.BadRequest, Message: text, Field: field}
}
