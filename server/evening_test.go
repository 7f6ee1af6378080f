package server_test

import (
	"bytes"
	"context"
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"charm.land/log/v2"
	"golang.org/x/crypto/ssh"

	"ayumu/engine"
	"ayumu/engine/enginetest"
	"ayumu/engine/search"
	"ayumu/engine/search/searchtest"
	"ayumu/lobby"
	"ayumu/lobby/account"
	"ayumu/lobby/bots"
	"ayumu/lobby/club"
	"ayumu/lobby/lobbytest"
	"ayumu/lobby/notify"
	"ayumu/lobby/puzzles"
	"ayumu/lobby/puzzles/puzzlestest"
	"ayumu/lobby/store/sqlite"
	"ayumu/lobby/table"
	"ayumu/server"
	"ayumu/server/access"
	"ayumu/server/servertest"
	"ayumu/server/sshd"
	"ayumu/tui/admin"
	"ayumu/tui/game/gametest"
	"ayumu/tui/op"
)

var update = flag.Bool("update", false, "write the transcripts of testdata/evening anew")

// TestEvening plays the transcripts of testdata/evening. Each is a script with its output: what people send to a server
// over SSH, and all that it answers. A change of an answer shows as a difference, and -update writes the
// transcripts anew. To add a step, add its line and run with -update.
//
//	# text               a comment
//	without club bots    the server lacks these from the beginning: club, bots, puzzles, mail, notifications,
//	                     or guests, and is open only to members then
//	ana: line            ana connects with a terminal and opens this command; api has no terminal
//	ana: end             the input of what is open ends
//	ana: close           the connection is lost
//	ana> text            ana sends a line to what is open
//	ana? text            the same in line mode, where it is refused (TestEveningHasEverything)
//	ana$ who --json      ana runs a command without a terminal
//	ana< text            output: a line
//	ana! text            output: a line on the standard error
//	ana= text            output: how it ended, unless the exit status is 0
//	wait 10s             time passes, instead of the second after each step
//	at once              the next step follows in the same moment
//	needs regexp         the script begins again unless the output of the last step matches: for what is drawn at random
//
// A name has a key and an address; guests, whose names begin with guest, have an address only. ana.2 is ana on another
// connection. olga is an owner of the club, mona a moderator. Ids and codes are replaced by M1 (a match), T1 (a table), E1 (a tournament)
// and C1 (a code) in the order in which they appear, in what is sent as well. Objects of JSON have sorted fields, and
// the events of several matches that come together are sorted.
func TestEvening(t *testing.T) {
	for _, path := range eveningFiles(t) {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".txt"), func(t *testing.T) {
			want, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			if testing.Short() && strings.Contains(string(want), "\nneeds ") {
				return // it is played about four times, which takes the race detector as long as all others
			}
			const maxDraws = 60
			var got string
			err = errOtherDraw
			for i := 0; i < maxDraws && errors.Is(err, errOtherDraw); i++ {
				synctest.Test(t, func(t *testing.T) { got, err = playEvening(t, string(want)) })
			}
			switch {
			case err != nil:
				t.Fatal(err)
			case *update && !t.Failed():
				if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
					t.Fatal(err)
				}
			case got != string(want):
				t.Errorf("%s has changed; `go test ./server -run TestEvening -update` writes it anew:\n%s", path, firstDifference(string(want), got))
			}
		})
	}
}

func eveningFiles(t *testing.T) []string {
	t.Helper()
	files, err := filepath.Glob("testdata/evening/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatal("no transcripts", err)
	}
	return files
}

// firstDifference returns the lines around the first line that differs.
func firstDifference(want, got string) string {
	w, g := strings.Split(want, "\n"), strings.Split(got, "\n")
	i := 0
	for i < len(w) && i < len(g) && w[i] == g[i] {
		i++
	}
	part := func(mark string, lines []string) string {
		var b strings.Builder
		for _, l := range lines[min(i, len(lines)):min(i+5, len(lines))] {
			fmt.Fprintf(&b, "%s%s\n", mark, l)
		}
		return b.String()
	}
	from := max(i-5, 0)
	return fmt.Sprintf("line %d\n  %s\n%s%s", i+1, strings.Join(w[from:min(i, len(w))], "\n  "), part("- ", w), part("+ ", g))
}

// errOtherDraw reports that seats or a puzzle were drawn otherwise than a script needs.
var errOtherDraw = errors.New("what is drawn at random never was as the script needs it")

// eveningLine matches a line with a name: "ana.2> text".
var eveningLine = regexp.MustCompile(`^([a-z][0-9a-z]*(?:\.[0-9a-z]+)?)([:>?$<!=])(?: (.*))?$`)

// playEvening plays a script on a new server, which has more operations than others, and returns its transcript. It runs in a bubble, so that all times are the
// same each time.
func playEvening(t *testing.T, script string, more ...op.Operation) (transcript string, err error) {
	e := &evening{t: t, clients: make(map[string]*eveningClient), aliases: make(map[string]string), kinds: make(map[string]byte), counts: make(map[byte]int)}
	lines := strings.Split(strings.TrimSuffix(script, "\n"), "\n")
	lacks := make(map[string]bool)
	for _, line := range lines {
		if words := strings.Fields(line); len(words) > 1 && words[0] == "without" {
			for _, w := range words[1:] {
				lacks[w] = true
			}
		}
	}
	e.open(lacks, more)
	pause := time.Duration(0) // before the next line
	last := 0                 // where the last step begins in the transcript
	for i, line := range lines {
		m := eveningLine.FindStringSubmatch(line)
		word, rest, _ := strings.Cut(line, " ")
		if m != nil && strings.Contains("<!=", m[2]) {
			continue // is written anew
		}
		if line == "at once" || word == "wait" {
			pause = 0
		}
		e.pass(pause)
		pause = 0
		if m != nil || word == "wait" {
			last = len(e.out)
		}
		output := e.out[last:]
		e.out += line + "\n"
		switch {
		case m != nil:
			err = e.step(m[1], m[2], m[3])
			pause = time.Second
		case word == "wait":
			var d time.Duration
			if d, err = time.ParseDuration(rest); err == nil {
				e.pass(d)
			}
		case word == "needs":
			var needed *regexp.Regexp
			if needed, err = regexp.Compile(rest); err == nil && !needed.MatchString(output) {
				err = errOtherDraw
			}
		case line != "" && line != "at once" && word != "without" && !strings.HasPrefix(line, "#"):
			err = errors.New("not a line of a script")
		}
		if err != nil {
			return "", fmt.Errorf("line %d of the script, %q: %w, after\n%s", i+1, line, err, e.out[max(len(e.out)-1500, 0):])
		}
	}
	e.pass(pause)
	return e.out, nil
}

// evening is a script that is being played.
type evening struct {
	t       *testing.T
	l       *lobby.Lobby
	srv     *sshd.Server
	out     string
	clients map[string]*eveningClient
	streams []*eveningStream // in the order in which they were opened
	last    string           // the name of the last step

	mu      sync.Mutex
	aliases map[string]string // of ids and codes that have appeared
	kinds   map[string]byte   // of ids and codes: M, T or C
	counts  map[byte]int      // of the aliases of a kind
}

// eveningClient is a connection.
type eveningClient struct {
	*ssh.Client
	conn   net.Conn
	closed chan struct{}
}

// eveningStream is a session: line mode, the API or a command.
type eveningStream struct {
	name         string
	in           io.WriteCloser // nil: of a command without a terminal
	isAPI        bool
	out, errs    servertest.Buffer
	read, readEr int // how much of out and errs was written to the transcript
	echo         string
	done         chan error // has how the session ended
	hasEnded     bool
}

// open starts the server.
func (e *evening) open(lacks map[string]bool, more []op.Operation) {
	t := e.t
	db := lobbytest.Store(t)
	config := lobby.Config{Store: db}
	handler := &server.Handler{Games: gametest.Games, SSHTarget: "play.example.org", Version: "test", Log: log.New(io.Discard)}
	if len(more) > 0 {
		handler.Operations = op.NewOperations(slices.Concat(op.All(), admin.All(), more)...)
	}
	var service *notify.Service
	if !lacks["notifications"] {
		senders := map[notify.ReceiverKind]notify.Sender{notify.KindWebhook: eveningSender{e}}
		if !lacks["mail"] {
			senders[notify.KindMail] = eveningSender{e}
		}
		service = notify.New(notify.Config{Store: db, Match: db.Match, Senders: senders, ReadsReports: func(_ context.Context, id account.ID) (bool, error) {
			return handler.Authorizer != nil && handler.Authorizer.Club.Roles.Of(id).Has(club.PermissionReports), nil
		}})
		handler.Notify, config.Correspondence = service, service.MatchChanged
	}
	if !lacks["club"] {
		handler.Authorizer = authorizerOf(t, db, e.policy(!lacks["guests"]))
		c := handler.Authorizer.Club
		config.CheckChat, config.Deleted, config.FollowModeration = c.CheckChat, c.AccountDeleted, c.Follow
		e.l = lobbytest.New(t, config)
		c.Remove = club.RemoveFrom(e.l)
		c.Announce, c.Users, c.Share, c.SharedChat = e.l.Announce, &e.l.Accounts, e.l.ShareModeration, e.l.SharedChat
		e.background(c.RecordVisits)
	} else {
		e.l = lobbytest.New(t, config)
	}
	handler.Lobby = e.l
	if !lacks["puzzles"] {
		collection := puzzlestest.Collection(t)
		handler.Puzzles, handler.PuzzleStore = func() *puzzles.Collection { return collection }, db
	}
	if !lacks["bots"] {
		handler.Bots = e.bots(db)
	}
	if service != nil {
		e.background(func(ctx context.Context) {
			service.Run(ctx, e.l.TableList, func() (string, string) { return "Ayumu", handler.SSHTarget })
		})
	}
	var err error
	if e.srv, err = sshd.Listen(sshd.Config{Listen: []string{"127.0.0.1:0"}, HostKeys: []string{filepath.Join(t.TempDir(), "key")}, Handler: handler, Logger: handler.Log}); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		for _, c := range e.clients {
			c.Close()
		}
		if err := e.srv.Shutdown(t.Context(), "the test is over"); err != nil && t.Context().Err() == nil {
			t.Error(err)
		}
		synctest.Wait()
	})
}

// policy lists the keys of an owner and a moderator, and admits everybody else if it is open.
func (e *evening) policy(open bool) access.Policy {
	p := access.PublicPolicy()
	p.Open = open
	p.KeyFile = filepath.Join(e.t.TempDir(), "keys")
	listed := authorized(eveningKey("olga"), `role="owner"`, "olga") + authorized(eveningKey("mona"), `role="moderator"`, "mona")
	if err := os.WriteFile(p.KeyFile, []byte(listed), 0o600); err != nil {
		e.t.Fatal(err)
	}
	return p
}

// background runs f until the end of the test.
func (e *evening) background(f func(context.Context)) {
	ctx, stop := context.WithCancel(e.t.Context())
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		f(ctx)
	}()
	e.t.Cleanup(func() {
		stop()
		<-ended
	})
}

// bots returns players that play the first legal turn and believe that the seat to move wins with a chance of 75 percent.
func (e *evening) bots(db *sqlite.Store) *bots.Bots {
	think := func(ctx context.Context, p engine.Position, _ search.Options) (search.Advice, error) {
		select {
		case <-time.After(10 * time.Millisecond):
		case <-ctx.Done():
			return search.Advice{}, ctx.Err()
		}
		a := search.Advice{Chances: make([]float64, p.Seats())}
		for seat := range a.Chances {
			a.Chances[seat] = 0.25 / float64(p.Seats()-1)
		}
		a.Chances[p.Turn()] = 0.75
		for i, at := 0, p; i < 3 && i < len(p.Legal()); i, at = i+1, p {
			turn := []string{at.Legal()[i]}
			for at, _ = at.Play(turn[0]); at.MidTurn(); at, _ = at.Play(turn[len(turn)-1]) {
				turn = append(turn, at.Legal()[0])
			}
			a.Choices = append(a.Choices, search.Choice{Actions: turn, Chance: 0.7 - float64(i)/10})
		}
		return a, nil
	}
	b, err := bots.Open(e.t.Context(), bots.Config{Lobby: e.l, Store: db, Engines: searchtest.Engines(enginetest.Games, think), Report: func(msg string, keyvals ...any) { e.t.Error(msg, keyvals) }})
	if err != nil {
		e.t.Fatal(err)
	}
	e.t.Cleanup(b.Close)
	return b
}

// eveningSender acknowledges every notification but those to an address with the word fail, and learns the codes of mails.
type eveningSender struct{ e *evening }

func (s eveningSender) Check(*notify.Settings) error { return nil }

func (s eveningSender) Send(_ context.Context, to *notify.Settings, _ *notify.Message) (string, error) {
	if strings.Contains(to.Address, "fail") {
		return "", &notify.SendError{Text: "the receiver answered with status 500"}
	}
	return "", nil
}

func (s eveningSender) SendCode(_ context.Context, _ *notify.Settings, _, code string) error {
	s.e.learn('C', code)
	s.e.alias(code) // the script needs it, and it is in no output
	return nil
}

// pass lets time pass and writes what has come since the last step.
func (e *evening) pass(d time.Duration) {
	time.Sleep(d)
	synctest.Wait()
	e.collect(e.last)
	e.last = ""
}

// step does one step; pass writes what comes.
func (e *evening) step(name, kind, text string) error {
	text = e.real(text)
	var err error
	switch {
	case kind == ":" && text == "close":
		if c := e.clients[name]; c != nil {
			c.Close()
		}
		delete(e.clients, name)
	case kind == ":" && text == "end":
		i := e.opened(name)
		if i < 0 {
			return errors.New("nothing is open")
		}
		err = e.streams[i].in.Close()
	case kind == ":":
		_, err = e.start(name, text, text != "api")
	case kind == "$":
		var s *eveningStream
		if s, err = e.start(name, text, false); err == nil {
			s.in = nil
		}
	default:
		i := e.opened(name)
		if i < 0 {
			return errors.New("nothing is open")
		}
		end := "\r"
		if s := e.streams[i]; s.isAPI {
			end = "\n"
		} else {
			s.echo = text + "\r\n"
		}
		_, err = io.WriteString(e.streams[i].in, text+end)
	}
	synctest.Wait()
	e.last = name
	return err
}

// opened returns the index of what is open under a name; -1 if nothing is.
func (e *evening) opened(name string) int {
	return slices.IndexFunc(e.streams, func(s *eveningStream) bool { return s.name == name && s.in != nil && !s.hasEnded })
}

// start starts a command, with a terminal if it has one.
func (e *evening) start(name, command string, terminal bool) (*eveningStream, error) {
	c, err := e.client(name)
	if err != nil {
		return nil, err
	}
	session, err := c.NewSession()
	if err != nil {
		return nil, err
	}
	s := &eveningStream{name: name, isAPI: command == "api", done: make(chan error, 1)}
	session.Stdout, session.Stderr = &s.out, &s.errs
	if s.in, err = session.StdinPipe(); err != nil {
		return nil, err
	}
	if terminal {
		if err := session.RequestPty("xterm", 200, 500, nil); err != nil {
			return nil, err
		}
	}
	e.streams = append(e.streams, s)
	if err := session.Start(command); err != nil {
		return nil, err
	}
	go func() { s.done <- session.Wait() }()
	return s, nil
}

// client returns the connection of a name, and connects first if there is none.
func (e *evening) client(name string) (*eveningClient, error) {
	if c := e.clients[name]; c != nil {
		select {
		case <-c.closed:
		default:
			return c, nil
		}
	}
	user, _, _ := strings.Cut(name, ".")
	key := eveningKey(user)
	if strings.HasPrefix(user, "guest") {
		key = nil
	}
	digest := sha256.Sum256([]byte(user))
	ours, theirs := net.Pipe()
	conn := &bufferedConn{Conn: ours, out: make(chan []byte, 1<<12), closed: make(chan struct{})}
	go conn.pump()
	go e.srv.ServeConn(addressedConn{theirs, &net.TCPAddr{IP: net.IPv4(10, digest[0], digest[1], digest[2]), Port: 2222}})
	sc, chans, requests, err := ssh.NewClientConn(conn, "", servertest.ClientConfig(user, key))
	if err != nil {
		return nil, err
	}
	c := &eveningClient{Client: ssh.NewClient(sc, chans, requests), conn: conn, closed: make(chan struct{})}
	go func() {
		defer close(c.closed)
		_ = c.Wait()
	}()
	e.clients[name] = c
	return c, nil
}

// eveningKey returns the key of a name, which is always the same.
func eveningKey(name string) ssh.Signer {
	seed := sha256.Sum256([]byte(name))
	signer, err := ssh.NewSignerFromKey(ed25519.NewKeyFromSeed(seed[:]))
	if err != nil {
		panic(err)
	}
	return signer
}

// addressedConn is a connection from an address.
type addressedConn struct {
	net.Conn
	from net.Addr
}

func (c addressedConn) RemoteAddr() net.Addr { return c.from }

// bufferedConn is an end of a pipe whose Write does not wait for the reader, since both ends of SSH begin with writing.
type bufferedConn struct {
	net.Conn
	out    chan []byte
	closed chan struct{}
	once   sync.Once
}

func (c *bufferedConn) Write(p []byte) (int, error) {
	select {
	case c.out <- bytes.Clone(p):
		return len(p), nil
	case <-c.closed:
		return 0, io.ErrClosedPipe
	}
}

func (c *bufferedConn) pump() {
	for {
		select {
		case p := <-c.out:
			if _, err := c.Conn.Write(p); err != nil {
				return
			}
		case <-c.closed:
			return
		}
	}
}

func (c *bufferedConn) Close() error {
	c.once.Do(func() { close(c.closed) })
	return c.Conn.Close()
}

// collect writes what has come since the last call: first what the name has got who made the step.
func (e *evening) collect(first string) {
	e.learnFromLobby()
	order := slices.Clone(e.streams)
	slices.SortStableFunc(order, func(a, b *eveningStream) int {
		switch {
		case (a.name == first) == (b.name == first):
			return 0
		case a.name == first:
			return -1
		}
		return 1
	})
	for _, s := range order {
		e.write(s)
	}
	e.streams = slices.DeleteFunc(e.streams, func(s *eveningStream) bool { return s.hasEnded })
}

// isPicture reports whether an output is a file and no text: of these the transcripts have the beginning.
func isPicture(out string) bool {
	return slices.ContainsFunc([]string{"<svg ", "GIF89a", `{"version":3,`}, func(magic string) bool { return strings.HasPrefix(out, magic) })
}

// write writes the new output of a stream.
func (e *evening) write(s *eveningStream) {
	out, errs := s.out.String()[s.read:], s.errs.String()[s.readEr:]
	s.read, s.readEr = s.read+len(out), s.readEr+len(errs)
	if s.echo != "" {
		out, s.echo = strings.TrimPrefix(out, s.echo), ""
	}
	if isPicture(out) {
		out = fmt.Sprintf("%q and more\n", out[:6])
	}
	lines := outputLines(out)
	e.learnFromOutput(lines)
	if s.isAPI {
		e.sortEvents(lines)
		lines = withoutProgress(lines)
	}
	for _, l := range lines {
		l = e.aliased(l)
		if before, list, ok := strings.Cut(l, `"operations":[`); ok { // an operation a line, so that changes can be read
			end := strings.LastIndex(list, "]")
			l = before + `"operations":["below"]` + list[end+1:] + "\n" + s.name + "<   " + strings.ReplaceAll(list[:end], `,{"account":`, "\n"+s.name+`<   {"account":`)
		}
		e.out += s.name + "< " + l + "\n"
	}
	for _, l := range outputLines(errs) {
		e.out += s.name + "! " + e.aliased(l) + "\n"
	}
	select {
	case err := <-s.done:
		s.hasEnded = true
		var exit *ssh.ExitError
		switch {
		case errors.As(err, &exit):
			e.out += fmt.Sprintf("%s= exit status %d\n", s.name, exit.ExitStatus())
		case err != nil:
			e.out += s.name + "= disconnected\n"
		case s.in != nil:
			e.out += s.name + "= the session ends\n"
		}
	default:
	}
}

// outputLines returns the lines of an output: JSON with sorted fields, and visible control characters.
func outputLines(out string) (lines []string) {
	if out == "" {
		return nil
	}
	for _, l := range strings.Split(strings.TrimSuffix(out, "\n"), "\n") {
		l = strings.TrimSuffix(l, "\r")
		if sorted, ok := sortedJSON(l); ok {
			l = sorted
		} else if quoted := strconv.Quote(l); strings.ContainsFunc(l, func(r rune) bool { return r < ' ' }) {
			l = strings.ReplaceAll(quoted[1:len(quoted)-1], `\"`, `"`)
		}
		lines = append(lines, strings.TrimRight(l, " "))
	}
	return lines
}

// sortedJSON returns an object or array with sorted fields.
func sortedJSON(line string) (string, bool) {
	if !strings.HasPrefix(line, "{") && !strings.HasPrefix(line, "[") {
		return "", false
	}
	var v any
	d := json.NewDecoder(strings.NewReader(line))
	d.UseNumber()
	if d.Decode(&v) != nil {
		return "", false
	}
	var b strings.Builder
	w := json.NewEncoder(&b)
	w.SetEscapeHTML(false)
	if w.Encode(v) != nil {
		return "", false
	}
	return strings.TrimSuffix(b.String(), "\n"), true
}

// sortEvents sorts the events between two answers by their match or table, else by their kind. Those of one match stay
// in their order, but presence comes last, which the match's log does not have.
func (e *evening) sortEvents(lines []string) {
	about := func(line string) (key string, isEvent bool) {
		var o struct{ Event, Match, Table string }
		_ = json.Unmarshal([]byte(line), &o)
		switch id := o.Match + o.Table; {
		case slices.Contains([]string{"away", "back", "elsewhere"}, o.Event):
			key = e.alias(id) + " presence"
		case id != "":
			key = e.alias(id)
		default:
			key = o.Event
		}
		return key, o.Event != ""
	}
	for i := 0; i < len(lines); i++ {
		n := i
		for ; n < len(lines); n++ {
			if _, isEvent := about(lines[n]); !isEvent {
				break
			}
		}
		slices.SortStableFunc(lines[i:n], func(a, b string) int {
			x, _ := about(a)
			y, _ := about(b)
			return strings.Compare(x, y)
		})
		i = n
	}
}

// withoutProgress drops events analysis that another one follows: how many come depends on how fast they are read.
func withoutProgress(lines []string) []string {
	const progress = `"event":"analysis"`
	return slices.DeleteFunc(slices.Clone(lines), func(l string) bool {
		i := slices.Index(lines, l)
		return strings.Contains(l, progress) && i+1 < len(lines) && strings.Contains(lines[i+1], progress)
	})
}

// codeInText finds the codes in texts.
var (
	codeInText = regexp.MustCompile(`(?:code |-l |link )([0-9a-hjkmnp-tv-z]{10,20})\b`)
	guestName  = regexp.MustCompile(`\bguest-[0-9a-z]{4}\b`)
	secret     = regexp.MustCompile(`\b[0-9a-f]{48}\b`)
	wordOfID   = regexp.MustCompile(`[0-9A-Za-z-]+`)
)

// learn remembers the kind of an id or code.
func (e *evening) learn(kind byte, text string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.kinds[text] == 0 && text != "" {
		e.kinds[text] = kind
	}
}

// learnFromLobby learns the ids of tables, matches and tournaments and gives them aliases, the oldest first. Line mode does not
// print ids.
func (e *evening) learnFromLobby() {
	tables := slices.Clone(e.l.TableList().Tables)
	slices.SortStableFunc(tables, func(a, b *table.View) int { return a.Opened.Compare(b.Opened) })
	for _, t := range tables {
		e.learn('T', t.ID)
		e.alias(t.ID)
	}
	matches := slices.Clone(e.l.View().Matches)
	slices.SortStableFunc(matches, func(a, b *lobby.MatchListing) int { return a.Info.Started.Compare(b.Info.Started) })
	for _, m := range matches {
		e.learn('M', m.ID)
		e.alias(m.ID)
	}
	tournaments, err := e.l.Tournaments.List(context.Background(), lobby.TournamentQuery{Limit: 100})
	if err != nil {
		e.t.Error(err)
	}
	for _, t := range slices.Backward(tournaments) {
		e.learn('E', t.ID)
		e.alias(t.ID)
	}
}

// learnFromOutput learns ids from the fields of JSON and codes from texts.
func (e *evening) learnFromOutput(lines []string) {
	for _, l := range lines {
		var o map[string]any
		if json.Unmarshal([]byte(l), &o) == nil {
			for field, kind := range map[string]byte{"match": 'M', "table": 'T', "code": 'C'} {
				if id, ok := o[field].(string); ok {
					e.learn(kind, id)
				}
			}
			if you, ok := o["you"].(map[string]any); ok {
				code, _ := you["code"].(string)
				e.learn('C', code)
			}
		}
		for _, m := range codeInText.FindAllStringSubmatch(l, -1) {
			e.learn('C', m[1])
		}
		for _, name := range guestName.FindAllString(l, -1) {
			e.learn('g', name)
		}
	}
}

// alias returns the alias of an id, code or name of a guest; a text that is none stays.
func (e *evening) alias(text string) string {
	e.mu.Lock()
	defer e.mu.Unlock()
	kind := e.kinds[text]
	if kind == 0 {
		return text
	}
	if e.aliases[text] == "" {
		e.counts[kind]++
		e.aliases[text] = fmt.Sprintf("%c%d", kind, e.counts[kind])
		if kind == 'g' {
			e.aliases[text] = fmt.Sprintf("guest-%d", e.counts[kind])
		}
	}
	return e.aliases[text]
}

// aliased returns a line with aliases.
func (e *evening) aliased(line string) string {
	return secret.ReplaceAllString(wordOfID.ReplaceAllStringFunc(line, e.alias), "SECRET")
}

// real returns a line with ids, codes and names instead of aliases.
func (e *evening) real(line string) string {
	e.mu.Lock()
	defer e.mu.Unlock()
	return wordOfID.ReplaceAllStringFunc(line, func(word string) string {
		for text, alias := range e.aliases {
			if alias == word {
				return text
			}
		}
		return word
	})
}

// TestEveningHasEverything finds each operation of a front end in the transcripts: once where it is done, and once where
// it is refused.
func TestEveningHasEverything(t *testing.T) {
	done, refused := eveningSteps(t)
	// What is never refused, since it takes no arguments and needs nothing.
	unrefused := []string{"api blocks", "api help", "api matches", "api ping", "api puzzles", "api tables", "api users", "line announcements"}
	var names []string
	for _, o := range op.NewOperations(op.All()...).All() {
		i := o.Info()
		if line := i.On.Line.All(i.Name); len(line) > 0 { // the other names are the same
			names = append(names, "line "+line[0])
		}
		for _, name := range i.On.API.All(i.Name) {
			names = append(names, "api "+name)
		}
		for _, name := range i.On.SSH.All(i.Name) {
			names = append(names, "ssh "+name)
		}
	}
	names = append(names, eveningTable(t, "$ admin help", `^([a-z]+)`, "admin ")...)
	if len(names) < 140 {
		t.Errorf("found only %d operations", len(names))
	}
	slices.Sort(names)
	for _, name := range names {
		if !done[name] && name != "ssh join" { // which opens a screen
			t.Errorf("%s is done in no transcript", name)
		}
		switch never := slices.Contains(unrefused, name); {
		case never && refused[name]:
			t.Errorf("%s is refused in a transcript; take it off the list of those that never are", name)
		case !never && !refused[name]:
			t.Errorf("%s is refused in no transcript", name)
		}
	}
}

// eveningStep is a step of a transcript with its output.
type eveningStep struct {
	name, kind, text string
	output           []string // with the name of whoever got it
}

// readEvening returns the steps of all transcripts.
func readEvening(t *testing.T) (steps []eveningStep) {
	t.Helper()
	for _, path := range eveningFiles(t) {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(text)) {
			line = strings.TrimSuffix(line, "\n")
			m := eveningLine.FindStringSubmatch(line)
			switch {
			case m == nil:
			case !strings.Contains("<!=", m[2]):
				steps = append(steps, eveningStep{name: m[1], kind: m[2], text: m[3]})
			case len(steps) > 0:
				last := &steps[len(steps)-1]
				last.output = append(last.output, line)
			}
		}
	}
	return steps
}

// eveningSteps returns which operations are done and which are refused, each as "line who".
func eveningSteps(t *testing.T) (done, refused map[string]bool) {
	done, refused = make(map[string]bool), make(map[string]bool)
	add := func(name string, isRefused bool) {
		if isRefused {
			refused[name] = true
		} else {
			done[name] = true
		}
	}
	for _, s := range readEvening(t) {
		word, rest, _ := strings.Cut(s.text, " ")
		sub, _, _ := strings.Cut(rest, " ")
		switch {
		case s.kind == ":":
			add("ssh "+word, false)
		case s.kind == "$":
			failed := slices.ContainsFunc(s.output, func(l string) bool { return strings.HasPrefix(l, s.name+"= exit status ") })
			add("ssh "+word, failed)
			add("ssh "+word+" "+sub, failed)
			if word == "admin" {
				add("admin "+sub, failed)
			}
		case strings.HasPrefix(s.text, "{"):
			var request struct {
				ID json.RawMessage
				Op string
			}
			if json.Unmarshal([]byte(s.text), &request) != nil || len(request.ID) == 0 {
				continue
			}
			for _, l := range s.output {
				var answer struct {
					Re json.RawMessage
					OK bool
				}
				if l, ok := strings.CutPrefix(l, s.name+"< "); ok && json.Unmarshal([]byte(l), &answer) == nil && string(answer.Re) == string(request.ID) && string(answer.Re) != "null" {
					add("api "+request.Op, !answer.OK)
				}
			}
		case s.kind == ">" || s.kind == "?":
			if word == "account" && sub != "" {
				word += " " + sub
			}
			add("line "+word, s.kind == "?")
			add("line "+word+" "+sub, s.kind == "?")
		}
	}
	return done, refused
}

// eveningTable returns the names that the longest output of a command lists, each behind a prefix.
func eveningTable(t *testing.T, command, pattern, prefix string) (names []string) {
	t.Helper()
	row := regexp.MustCompile(pattern)
	for _, s := range readEvening(t) {
		if s.kind+" "+s.text != command {
			continue
		}
		var listed []string
		for _, l := range s.output {
			text, ok := strings.CutPrefix(l, s.name+"< ")
			if m := row.FindStringSubmatch(text); ok && m != nil {
				listed = append(listed, prefix+m[1])
			}
		}
		if len(listed) > len(names) {
			names = listed
		}
	}
	return names
}
