package api

import (
	"ayumu/lobby/notify"
	"ayumu/tui/op"
	"ayumu/tui/wire"
)

// notificationOps are the operations about notifications outside of SSH.
type notificationOps struct{ *conn }

// receiverChange is what a request changes of a receiver; fields that are nil stay as they are.
type receiverChange struct {
	Kind    *string  `json:"kind"`
	Address *string  `json:"address"`
	Format  *string  `json:"format"`
	Events  []string `json:"events"`
	Quiet   *string  `json:"quiet"`
	Zone    *string  `json:"zone"`
	Digest  *int     `json:"digest"`
}

// notifications changes the receiver if the request has one, confirms a mail address if it has a code, and answers with
// the receiver.
func (p notificationOps) notifications(r *request) (fields, error) {
	own, err := op.NotificationsOf(p.visit)
	if err != nil {
		return nil, err
	}
	switch {
	case r.Receiver != nil && r.Receiver.Kind != nil && *r.Receiver.Kind == "none":
		err = own.Remove(p.ctx)
	case r.Receiver != nil:
		err = p.change(own, r.Receiver)
	case r.Code != "":
		_, err = own.Confirm(p.ctx, r.Code)
	}
	if err != nil {
		return nil, err
	}
	now, err := own.Receiver(p.ctx)
	return fields{"receiver": wire.ReceiverOf(&now)}, err
}

func (p notificationOps) change(own notify.Own, c *receiverChange) error {
	r, err := own.Receiver(p.ctx)
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
			s.Events, err = op.ParseEvents(p.ctx, own, c.Events)
		}
	}
	if err == nil {
		_, err = own.Save(p.ctx, s)
	}
	return err
}

// set calls f with a value that is not nil.
func set[T any](v *T, f func(T)) {
	if v != nil {
		f(*v)
	}
}

// test sends a test and answers once it was acknowledged. Requests that follow wait for it, at most 15 s.
func (p notificationOps) test(*request) (fields, error) {
	own, err := op.NotificationsOf(p.visit)
	if err != nil {
		return nil, err
	}
	return nil, own.Test(p.ctx)
}
