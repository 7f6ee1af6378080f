package jsonform

import (
	"time"

	"ayumu/lobby/notify"
)

// Receiver is where the notifications of a user are sent, and how. It has secrets of that user.
type Receiver struct {
	Kind      string   `json:"kind"` // none, webhook or mail
	Address   string   `json:"address,omitempty"`
	Format    string   `json:"format,omitempty"` // of a webhook
	Secret    string   `json:"secret,omitempty"`
	Confirmed bool     `json:"confirmed"`
	Events    []string `json:"events"`
	Quiet     string   `json:"quiet"` // "22:00-07:00", or ""
	Zone      string   `json:"zone"`
	Digest    int      `json:"digest"`
	Failing   string   `json:"failing_since,omitempty"`
	Off       string   `json:"off_since,omitempty"`
	Error     string   `json:"error,omitempty"`
	Delivered string   `json:"delivered,omitempty"` // when the last one was acknowledged
}

// NewReceiver returns a receiver as its owner sees it.
func NewReceiver(r *notify.Receiver) Receiver {
	v := Receiver{
		Kind: string(r.Kind), Address: r.Address, Format: string(r.Preset), Secret: r.Secret, Confirmed: r.IsActive(), Events: []string{},
		Quiet: r.Quiet.String(), Zone: r.Zone, Digest: r.Digest, Error: r.Error,
		Failing: timeOrEmpty(r.Failing), Off: timeOrEmpty(r.Off), Delivered: timeOrEmpty(r.Delivered),
	}
	if v.Kind == "" {
		v.Kind = "none"
	}
	if v.Zone == "" {
		v.Zone = "UTC"
	}
	for _, e := range r.Events {
		v.Events = append(v.Events, string(e))
	}
	return v
}

// timeOrEmpty returns Time of t, "" for the zero time.
func timeOrEmpty(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return Time(t)
}
