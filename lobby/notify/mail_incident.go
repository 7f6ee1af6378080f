package notify

import "sync"

// mailIncident is a time in which the operator's mail server accepts nothing: it cannot be reached, offers no valid TLS, or
// does not accept the user or the sender. What it answers to a receiver's address or to a mail is not an incident. The zero
// value is ready for use; any goroutine may use it.
type mailIncident struct {
	mu       sync.Mutex
	failed   int             // attempts since its beginning; 0: there is none
	reported map[string]bool // the reasons that were reported
}

// maxReasons bounds the reasons that are reported in one incident.
const maxReasons = 10

// note takes over how an attempt ended: reason is why the server could not be used, "" if it could. It returns whether
// that has to be reported, and the number of attempts that have failed.
func (i *mailIncident) note(reason string) (isNews bool, failed int) {
	i.mu.Lock()
	defer i.mu.Unlock()
	if reason == "" {
		failed, i.failed, i.reported = i.failed, 0, nil
		return failed > 0, failed
	}
	i.failed++
	if i.reported[reason] || len(i.reported) >= maxReasons {
		return false, i.failed
	}
	if i.reported == nil {
		i.reported = make(map[string]bool)
	}
	i.reported[reason] = true
	return true, i.failed
}
