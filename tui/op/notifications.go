package op

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"

	"ayumu/lobby/errcode"
	"ayumu/lobby/notify"
	"ayumu/lobby/sanitize"
	"ayumu/tui/jsonform"
	"ayumu/tui/words"
)

// UserNotifications returns the notifications of the user, or why there are none.
func (v *Visit) UserNotifications() (notify.UserService, error) {
	return v.Notify.ForUser(v.User(), v.Addr)
}

// StoppedNotice is shown on entry to a user whose receiver was switched off.
const StoppedNotice = "Your notifications were switched off because nothing could be delivered for a week. Check their settings and send a test."

// notificationCommands change the settings of notifications. Each returns the answer.
var notificationCommands = map[string]func(ctx context.Context, own notify.UserService, args []string) (string, error){
	"webhook": func(ctx context.Context, own notify.UserService, args []string) (string, error) {
		if len(args) < 1 || len(args) > 2 {
			return "", usage("notifications webhook URL [FORMAT]; the formats are json, discord, slack and ntfy")
		}
		return changeReceiver(ctx, own, func(s *notify.Settings) error {
			s.Kind, s.Address, s.Preset = notify.KindWebhook, args[0], notify.PresetJSON
			if len(args) == 2 {
				s.Preset = notify.Preset(strings.ToLower(args[1]))
			}
			return nil
		})
	},
	"mail": func(ctx context.Context, own notify.UserService, args []string) (string, error) {
		if len(args) != 1 {
			return "", usage("notifications mail ADDRESS")
		}
		return changeReceiver(ctx, own, func(s *notify.Settings) error {
			s.Kind, s.Address = notify.KindMail, args[0]
			return nil
		})
	},
	"code": func(ctx context.Context, own notify.UserService, args []string) (string, error) {
		if len(args) != 1 {
			return "", usage("notifications code CODE; the code is in the mail that was sent to the address")
		}
		_, err := own.Confirm(ctx, args[0])
		return "The address is confirmed.", err
	},
	"events": func(ctx context.Context, own notify.UserService, args []string) (string, error) {
		return changeReceiver(ctx, own, func(s *notify.Settings) error {
			events, err := ParseEvents(ctx, own, args)
			s.Events = events
			return err
		})
	},
	"quiet": func(ctx context.Context, own notify.UserService, args []string) (string, error) {
		if len(args) == 0 {
			return "", usage("notifications quiet 22:00-07:00 [ZONE], with a time zone such as Europe/Berlin, or notifications quiet off")
		}
		return changeReceiver(ctx, own, func(s *notify.Settings) (err error) {
			if n := len(args); n > 1 && strings.ContainsFunc(args[n-1], unicode.IsLetter) {
				s.Zone, args = args[n-1], args[:n-1]
			}
			s.Quiet, err = notify.ParseQuiet(strings.Join(args, ""))
			return err
		})
	},
	"zone": func(ctx context.Context, own notify.UserService, args []string) (string, error) {
		if len(args) == 0 {
			return "", usage("notifications zone ZONE, such as Europe/Berlin")
		}
		return changeReceiver(ctx, own, func(s *notify.Settings) error {
			s.Zone = strings.Join(args, "_")
			return nil
		})
	},
	"digest": func(ctx context.Context, own notify.UserService, args []string) (string, error) {
		return changeReceiver(ctx, own, func(s *notify.Settings) error {
			s.Digest = 0
			text := strings.Join(args, " ")
			if strings.EqualFold(text, "off") {
				return nil
			}
			n, err := strconv.Atoi(text)
			if err != nil {
				return usage("notifications digest HOURS, from 1 to 48, or notifications digest off")
			}
			s.Digest = n
			return nil
		})
	},
	"test": func(ctx context.Context, own notify.UserService, _ []string) (string, error) {
		return "The test was acknowledged.", own.Test(ctx)
	},
	"off": func(ctx context.Context, own notify.UserService, _ []string) (string, error) {
		return "Notifications are off. Nothing more is sent, and the address is forgotten.", own.Remove(ctx)
	},
}

func usage(text string) error {
	return &errcode.Error{Code: errcode.BadRequest, Message: "usage: " + text}
}

// NotificationsArgs are the arguments of Notifications, of which only the first that is there counts.
type NotificationsArgs struct {
	Receiver *ReceiverChange `json:"receiver"`
	Code     string          `json:"code"` // that confirms a mail address
	Change   string          `json:"change" arg:"[webhook URL FORMAT, mail ADDRESS, code CODE, events LIST, quiet HOURS, zone ZONE, digest HOURS, test, or off...]" help:"without it nothing changes"`
}

// ReceiverChange is what a program changes of a receiver; fields that are nil stay as they are.
type ReceiverChange struct {
	Kind    *string  `json:"kind"` // none removes the receiver
	Address *string  `json:"address"`
	Format  *string  `json:"format"`
	Events  []string `json:"events"`
	Quiet   *string  `json:"quiet"`
	Zone    *string  `json:"zone"`
	Digest  *int     `json:"digest"`
}

// UnmarshalJSON implements json.Unmarshaler. It refuses fields that a receiver does not have.
func (c *ReceiverChange) UnmarshalJSON(object []byte) error {
	type plain ReceiverChange
	return UnmarshalStrict("receiver", object, (*plain)(c))
}

// apply does the change.
func (c *ReceiverChange) apply(ctx context.Context, own notify.UserService) error {
	if c.Kind != nil && *c.Kind == "none" {
		return own.Remove(ctx)
	}
	r, err := own.Receiver(ctx)
	if err != nil {
		return err
	}
	s := r.Settings
	set(c.Kind, func(v string) { s.Kind = notify.ReceiverKind(v) })
	set(c.Address, func(v string) { s.Address = v })
	set(c.Format, func(v string) { s.Preset = notify.Preset(v) })
	set(c.Zone, func(v string) { s.Zone = v })
	set(c.Digest, func(v int) { s.Digest = v })
	set(c.Quiet, func(v string) { s.Quiet, err = notify.ParseQuiet(v) })
	if err == nil && c.Events != nil {
		s.Events = nil
		if len(c.Events) > 0 {
			s.Events, err = ParseEvents(ctx, own, c.Events)
		}
	}
	if err == nil {
		_, err = own.Save(ctx, s)
	}
	return err
}

// set calls f with a value that is not nil.
func set[T any](v *T, f func(T)) {
	if v != nil {
		f(*v)
	}
}

// NotificationsResult has the receiver of a user's notifications.
type NotificationsResult struct {
	receiver notify.Receiver
	own      notify.UserService
	done     string // a sentence about a typed change; "": none
	isAll    bool   // nothing is left to be said
}

// Notifications describes where the user's notifications are sent, after a change.
var Notifications = New(Spec[NotificationsArgs, NotificationsResult]{
	Info: Info{
		Name:   "notifications",
		Help:   "be notified outside Ayumu of your turns in correspondence games, challenges and more, by webhook or mail; test sends a test",
		Group:  GroupPeople,
		Effect: Changes,
		On:     On{Screen: As("settings")},
	},
	Run: func(ctx context.Context, v *Visit, in NotificationsArgs) (r NotificationsResult, err error) {
		if r.own, err = v.UserNotifications(); err != nil {
			return r, err
		}
		switch words := strings.Fields(in.Change); {
		case in.Receiver != nil:
			err = in.Receiver.apply(ctx, r.own)
		case in.Code != "":
			_, err = r.own.Confirm(ctx, in.Code)
		case len(words) > 0:
			name := strings.ToLower(words[0])
			do := notificationCommands[name]
			if do == nil {
				return r, badRequest("unknown setting %q%s; usage: notifications webhook URL FORMAT, mail ADDRESS, code CODE, events LIST, quiet HOURS, zone ZONE, digest HOURS, test, or off",
					sanitize.Line(words[0], 20), didYouMean(name, slices.Sorted(maps.Keys(notificationCommands))))
			}
			r.done, err = do(ctx, r.own, words[1:])
			r.isAll = name == "test" || name == "off"
		}
		if err == nil {
			r.receiver, err = r.own.Receiver(ctx)
		}
		return r, err
	},
	Text: func(_ *Visit, _ NotificationsArgs, r NotificationsResult) (t Text) {
		if r.done != "" {
			t.Lines = append(t.Lines, r.done)
		}
		if !r.isAll {
			t.Lines = append(t.Lines, describeReceiver(&r.receiver, r.own)...)
		}
		return t
	},
	JSON: func(_ *Visit, r NotificationsResult) any {
		return struct {
			Receiver any `json:"receiver"`
		}{jsonform.NewReceiver(&r.receiver)}
	},
})

// NotifyTest sends a test to the user's receiver of notifications, and returns once it was acknowledged.
var NotifyTest = New(Spec[None, None]{
	Info: Info{Name: "notify_test", Help: "send a test notification to yourself", Group: GroupPeople,
		On: On{Line: Not("notifications test sends one"), SSH: Not("notifications test sends one"), Screen: As("settings")}},
	Run: func(ctx context.Context, v *Visit, _ None) (None, error) {
		own, err := v.UserNotifications()
		if err == nil {
			err = own.Test(ctx)
		}
		return None{}, err
	},
	Text: func(*Visit, None, None) Text { return Say("The test was acknowledged.") },
})

// changeReceiver changes the settings of a user.
func changeReceiver(ctx context.Context, own notify.UserService, change func(*notify.Settings) error) (string, error) {
	r, err := own.Receiver(ctx)
	if err == nil {
		err = change(&r.Settings)
	}
	if err == nil && r.Kind == "" {
		err = &errcode.Error{Code: errcode.BadRequest, Message: "set a webhook or a mail address first: notifications webhook URL, or notifications mail ADDRESS"}
	}
	if err == nil {
		_, err = own.Save(ctx, r.Settings)
	}
	return "Saved.", err
}

// ParseEvents reads events by their names; all, those that the account can choose; and none.
func ParseEvents(ctx context.Context, own notify.UserService, names []string) (all []notify.Event, err error) {
	offered, err := own.Events(ctx)
	if err != nil {
		return nil, err
	}
	for _, name := range names {
		for n := range strings.FieldsFuncSeq(strings.ToLower(name), func(r rune) bool { return r == ',' }) {
			switch e := notify.Event(n); {
			case n == "all":
				all = append(all, offered...)
			case n == "none":
			case e.Mask() == 0:
				return nil, usage("notifications events LIST: all, none, or any of turn, time, challenge, over, announcement, tournament and (for moderators) report")
			default:
				all = append(all, e)
			}
		}
	}
	if len(names) == 0 {
		return nil, usage("notifications events LIST: all, none, or any of turn, time, challenge, over, announcement, tournament and (for moderators) report")
	}
	return all, nil
}

// describeReceiver describes the notifications of a user in sentences, for that user alone: the address and the secret
// are among them.
func describeReceiver(r *notify.Receiver, own notify.UserService) (all []string) {
	say := func(format string, args ...any) { all = append(all, fmt.Sprintf(format, args...)) }
	switch r.Kind {
	case "":
		say("No notifications are sent to you. Set a webhook or a mail address to be notified of your turns in correspondence games, even when you are not connected.")
		if own.CanWebhook() {
			say("To set one: notifications webhook URL, followed by discord, slack or ntfy if it belongs to one of these services.")
		}
		if own.CanMail() {
			say("To set one: notifications mail ADDRESS.")
		}
		return all
	case notify.KindMail:
		say("Notifications go by mail to %s.", r.Address)
	default:
		say("Notifications go to the webhook %s in the format %s.", r.Address, r.Preset)
		say("Requests are signed with the secret %s.", r.Secret)
	}
	var events []string
	for _, e := range r.Events {
		events = append(events, string(e))
	}
	if len(events) == 0 {
		events = []string{"none"}
	}
	say("Events: %s.", strings.Join(events, ", "))
	zone := r.Zone
	if zone == "" {
		zone = "UTC"
	}
	if quiet := r.Quiet.String(); quiet != "" {
		say("Quiet hours: %s. Time zone: %s.", quiet, zone)
	} else {
		say("No quiet hours. Time zone: %s.", zone)
	}
	if r.Digest > 0 {
		say("Digest: events within %s are sent as one message.", words.Plural(r.Digest, "hour"))
	}
	say("%s", ReceiverState(r))
	return all
}

// ReceiverState describes in a sentence whether notifications reach a user.
func ReceiverState(r *notify.Receiver) string {
	at := func(t time.Time) string { return t.In(r.Location()).Format("2 Jan 15:04") }
	switch {
	case r.Kind == "":
		return "No notifications are sent."
	case !r.IsActive():
		return "The address is not confirmed: enter the code that was sent to it."
	case !r.Off.IsZero():
		return "Switched off on " + at(r.Off) + ", because nothing could be delivered for a week: " + r.Error + ". A successful test switches them on again."
	case !r.Failing.IsZero():
		return "Delivery has failed since " + at(r.Failing) + ": " + r.Error + ". It will be tried again."
	case !r.Delivered.IsZero():
		return "The last one was acknowledged on " + at(r.Delivered) + "."
	}
	return "No notification has been sent yet."
}
