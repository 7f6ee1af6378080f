package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"reflect"
	"regexp"
	"strings"
	"testing"
	"time"

	"golang.org/x/crypto/ssh"

	"ayumu/server/servertest"
)

// TestAPIExamples runs each api block of the documents against a new server. docs/protocol.md describes
// the format of these blocks.
func TestAPIExamples(t *testing.T) {
	all := examples(t, "api")
	if len(all) < 6 {
		t.Fatalf("found only %d examples", len(all))
	}
	for _, e := range all {
		t.Run(e.where, func(t *testing.T) {
			// Seats are assigned at random, and an example has them in one order.
			for range 30 {
				d := &dialogue{t: t, p: start(t, t.TempDir()), clients: make(map[string]*speaker), ids: make(map[string]string)}
				err := d.run(e.lines)
				d.close()
				if err == nil {
					return
				}
				if !errors.Is(err, errOtherSeat) {
					t.Fatal(err)
				}
			}
			t.Fatal("the seats never were as in the document")
		})
	}
}

// errOtherSeat reports that a player has another seat than in the document.
var errOtherSeat = errors.New("the player has another seat")

// dialogue is a block that is being run.
type dialogue struct {
	t       *testing.T
	p       *process
	clients map[string]*speaker
	ids     map[string]string // the values of names with $
}

// speaker is a client in a dialogue.
type speaker struct {
	conn     *ssh.Client
	in       io.Writer   // of the API; nil before it is used
	lines    chan string // from the API
	out, err []string    // what is left of the output of the last command
	status   int         // its exit status
}

var (
	spoken   = regexp.MustCompile(`^([a-z]+)([><$!=]) (.*)$`)
	anything = strings.NewReplacer(`{…}`, `{"…":0}`, `,…}`, `,"…":0}`, `:…`, `:"…"`, `[…`, `["…"`, `,…]`, `,"…"]`)
)

func (d *dialogue) run(lines []string) error {
	for _, line := range lines {
		m := spoken.FindStringSubmatch(line)
		if m == nil {
			return fmt.Errorf("%q is not NAME and one of > < $ ! =, and text", line)
		}
		s, err := d.client(m[1])
		if err != nil {
			return err
		}
		text := m[3]
		switch m[2] {
		case ">":
			err = d.send(s, text)
		case "$":
			err = s.execute(d.fill(text))
		case "=":
			if status := fmt.Sprintf("exit status %d", s.status); status != text {
				err = fmt.Errorf("%s, want %s; %q", status, text, s.err)
			}
		case "!":
			err = d.output(&s.err, text)
		case "<":
			if s.in == nil || len(s.out) > 0 {
				err = d.output(&s.out, text)
			} else {
				err = d.expect(s, text)
			}
		}
		if err != nil {
			return fmt.Errorf("%s: %w", line, err)
		}
	}
	for name, s := range d.clients {
		if len(s.out)+len(s.err) > 0 {
			return fmt.Errorf("%s: the command also wrote %q %q", name, s.out, s.err)
		}
	}
	return nil
}

func (d *dialogue) close() {
	for _, s := range d.clients {
		s.conn.Close()
	}
	d.p.kill()
}

// client returns a client, which connects on first use: with its own key, or without one if the name
// begins with guest.
func (d *dialogue) client(name string) (*speaker, error) {
	if s := d.clients[name]; s != nil {
		return s, nil
	}
	key := servertest.NewKey(d.t)
	if strings.HasPrefix(name, "guest") {
		key = nil
	}
	c, err := ssh.Dial("tcp", d.p.addr, servertest.ClientConfig(name, key))
	if err != nil {
		return nil, err
	}
	s := &speaker{conn: c}
	d.clients[name] = s
	return s, nil
}

// fill replaces names with $ by their values.
func (d *dialogue) fill(text string) string {
	for name, value := range d.ids {
		text = strings.ReplaceAll(text, name, value)
	}
	return text
}

// send sends a line to the API, which it opens on first use.
func (d *dialogue) send(s *speaker, text string) error {
	if s.in == nil {
		session, err := s.conn.NewSession()
		if err != nil {
			return err
		}
		out, err := session.StdoutPipe()
		if err != nil {
			return err
		}
		if s.in, err = session.StdinPipe(); err != nil {
			return err
		}
		if err := session.Start("api"); err != nil {
			return err
		}
		s.lines = make(chan string, 1000)
		go func() {
			defer close(s.lines)
			lines := bufio.NewScanner(out)
			lines.Buffer(nil, 1<<20)
			for lines.Scan() {
				s.lines <- lines.Text()
			}
		}()
	}
	_, err := io.WriteString(s.in, d.fill(text)+"\n")
	return err
}

// expect waits for a line of the API and skips events before it.
func (d *dialogue) expect(s *speaker, pattern string) error {
	var want any
	if err := json.Unmarshal([]byte(anything.Replace(pattern)), &want); err != nil {
		return err
	}
	var skipped []string
	for {
		var line string
		var open bool
		select {
		case line, open = <-s.lines:
		case <-time.After(waitTimeout / 2):
		}
		if !open {
			return fmt.Errorf("came instead: %s", strings.Join(skipped, "\n"))
		}
		skipped = append(skipped, line)
		var got map[string]any
		if err := json.Unmarshal([]byte(line), &got); err != nil {
			return err
		}
		ids := maps.Clone(d.ids)
		err := same(want, got, ids)
		if err == nil {
			d.ids = ids
			return nil
		}
		if w, _ := want.(map[string]any); w["event"] == "match" && got["event"] == "match" && w["you"] != got["you"] {
			return errOtherSeat
		}
		if _, event := got["event"]; !event {
			return fmt.Errorf("the answer is %s: %w", line, err)
		}
	}
}

// same compares a value with a pattern. … matches anything; a text that begins with $ matches the same
// value everywhere.
func same(want, got any, ids map[string]string) error {
	switch w := want.(type) {
	case map[string]any:
		g, ok := got.(map[string]any)
		if !ok {
			return fmt.Errorf("%v is not an object", got)
		}
		for key, pattern := range w {
			value, ok := g[key]
			switch {
			case key == "…":
				continue
			case !ok:
				return fmt.Errorf("there is no %q", key)
			}
			if err := same(pattern, value, ids); err != nil {
				return fmt.Errorf("%s: %w", key, err)
			}
		}
		for key := range g {
			if _, more := w["…"]; !more && w[key] == nil && g[key] != nil {
				return fmt.Errorf("the document has no %q", key)
			}
		}
		return nil
	case []any:
		g, ok := got.([]any)
		more := len(w) > 0 && w[len(w)-1] == "…"
		if more {
			w = w[:len(w)-1]
		}
		if !ok || len(g) < len(w) || len(g) > len(w) && !more {
			return fmt.Errorf("%v is not a list of %d", got, len(w))
		}
		for i := range w {
			if err := same(w[i], g[i], ids); err != nil {
				return err
			}
		}
		return nil
	case string:
		g, ok := got.(string)
		switch {
		case w == "…":
			return nil
		case !ok:
		case strings.HasPrefix(w, "$") && ids[w] == "":
			ids[w] = g
			return nil
		case ids[w] == g || like(w, g):
			return nil
		}
	}
	if !reflect.DeepEqual(want, got) {
		return fmt.Errorf("%v is not %v", got, want)
	}
	return nil
}

// execute runs a command without a terminal.
func (s *speaker) execute(command string) error {
	session, err := s.conn.NewSession()
	// The session of the command before counts until its handler has returned, which is after its end was sent.
	var refused *ssh.OpenChannelError
	for deadline := time.Now().Add(waitTimeout); errors.As(err, &refused) && refused.Reason == ssh.ResourceShortage && time.Now().Before(deadline); {
		<-time.After(lookEvery)
		session, err = s.conn.NewSession()
	}
	if err != nil {
		return err
	}
	defer session.Close()
	var out, errs bytes.Buffer
	session.Stdout, session.Stderr = &out, &errs
	err = session.Run(command)
	var exit *ssh.ExitError
	switch {
	case errors.As(err, &exit):
		s.status = exit.ExitStatus()
	case err != nil:
		return err
	default:
		s.status = 0
	}
	s.out, s.err = strings.Split(strings.TrimSuffix(out.String(), "\n"), "\n"), nil
	if out.Len() == 0 {
		s.out = nil
	}
	if errs.Len() > 0 {
		s.err = strings.Split(strings.TrimSuffix(errs.String(), "\n"), "\n")
	}
	return nil
}

// output compares the next line of a command's output. A line … matches the rest.
func (d *dialogue) output(lines *[]string, pattern string) error {
	if pattern == "…" {
		*lines = nil
		return nil
	}
	if len(*lines) == 0 {
		return errors.New("there is no more output")
	}
	line := (*lines)[0]
	*lines = (*lines)[1:]
	var want, got any
	if json.Unmarshal([]byte(anything.Replace(pattern)), &want) == nil && json.Unmarshal([]byte(line), &got) == nil {
		if err := same(want, got, d.ids); err != nil {
			return fmt.Errorf("%w in %s", err, line)
		}
		return nil
	}
	if !like(d.fill(pattern), line) {
		return fmt.Errorf("it wrote %q", line)
	}
	return nil
}
