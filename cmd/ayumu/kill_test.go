package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	mathrand "math/rand/v2"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"golang.org/x/crypto/ssh"

	"ayumu/cmd/games"
	"ayumu/engine"
	"ayumu/engine/ayu"
	"ayumu/lobby"
	"ayumu/lobby/match"
	"ayumu/lobby/store/sqlite"
	"ayumu/server/servertest"
)

const killCount = 50

// TestNoAcknowledgedTurnIsLostWhenTheServerIsKilled plays with 20 API clients while the server process is
// killed repeatedly.
func TestNoAcknowledgedTurnIsLostWhenTheServerIsKilled(t *testing.T) {
	if testing.Short() {
		t.Skip("slow; left out with -short")
	}
	dir := t.TempDir()
	var duels []*pairOfClients
	for i := range 10 {
		duels = append(duels, newPairOfClients(t, i))
	}
	r := mathrand.New(mathrand.NewPCG(3, 3))
	for range killCount {
		p := start(t, dir)
		playing := playAll(t, p, duels, func(*pairOfClients, int) bool { return false })
		// Long enough for clients to get in, short enough to hit them at anything they do.
		<-time.After(time.Duration(20+r.IntN(230)) * time.Millisecond)
		p.kill()
		playing.Wait()
	}
	turns := 0
	for _, d := range duels {
		for _, acked := range d.acked {
			turns += len(acked)
		}
	}
	if turns < killCount {
		t.Errorf("only %d turns were acknowledged between the kills", turns)
	}
	// Every match goes on: in peace each pair comes to an end of the game it is in.
	p := start(t, dir)
	finished := make(map[*pairOfClients][2]int32)
	for _, d := range duels {
		finished[d] = [2]int32{d.finished[0].Load(), d.finished[1].Load()}
	}
	playAll(t, p, duels, func(d *pairOfClients, side int) bool { return d.finished[side].Load() > finished[d][side] }).Wait()
	p.kill()
	db, err := sqlite.Open(t.Context(), filepath.Join(dir, sqlite.FileName), games.Rules())
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	for _, d := range duels {
		d.check(t, db)
	}
	t.Logf("%d turns were acknowledged around %d kills", turns, killCount)
}

// check compares every acknowledged turn with the data file.
func (d *pairOfClients) check(t *testing.T, db lobby.Store) {
	for id, acked := range d.acked {
		_, log, err := db.Match(t.Context(), id)
		if err != nil {
			t.Errorf("match %s: %v", id, err)
			continue
		}
		for version, action := range acked {
			if version > len(log) || log[version-1].Kind != match.EntryTurn || log[version-1].Actions[0] != action {
				t.Errorf("match %s: turn %d was acknowledged as %s, and is not in the log of %d entries", id, version, action, len(log))
			}
		}
	}
}

// playAll plays with both sides of each pair until the connection breaks or enough returns true.
func playAll(t testing.TB, p *process, duels []*pairOfClients, enough func(d *pairOfClients, side int) bool) *sync.WaitGroup {
	var playing sync.WaitGroup
	for _, d := range duels {
		for side := range d.keys {
			playing.Go(func() {
				err := d.play(p.addr, side, enough)
				if err != nil && !errors.Is(err, errBroken) {
					t.Errorf("%s: %v", d.names[side], err)
				}
			})
		}
	}
	return &playing
}

// errBroken is the end of a connection whose server is killed.
var errBroken = errors.New("the connection broke")

// pairOfClients is two clients that play each other, with the turns that the server has acknowledged.
type pairOfClients struct {
	names [2]string
	keys  [2]ssh.Signer

	// The next two are for games on one connection: they go on by rematches, and a turn comes after
	// a while that is chosen anew each time.
	rematch bool
	think   time.Duration
	arrived func(took time.Duration) // a turn reached the other side; nil: nobody asks

	mu       sync.Mutex
	acked    map[string]map[int]string // by match: the version a turn made, and its action; under mu
	sent     time.Time                 // when the last turn was; under mu
	finished [2]atomic.Int32           // matches that each side saw end
}

func newPairOfClients(t testing.TB, n int) *pairOfClients {
	d := &pairOfClients{acked: make(map[string]map[int]string)}
	for side := range d.keys {
		d.keys[side] = servertest.NewKey(t)
		d.names[side] = fmt.Sprintf("duel%c%c", 'a'+n, 'x'+side)
	}
	return d
}

// message is any object of the API.
type message struct {
	Re       *int
	OK       bool
	Event    string
	Error    struct{ Code, Message string }
	Match    string
	Table    string
	Owner    string
	Tables   []message
	You      any
	Version  int
	Turn     int
	Actions  []string
	Position string
	Over     bool
	Options  json.RawMessage
}

// client is the connection of one side.
type client struct {
	conn *ssh.Client
	in   io.Writer
	out  *bufio.Scanner
	id   int
}

func connect(addr, name string, key ssh.Signer) (*client, error) {
	conn, err := ssh.Dial("tcp", addr, servertest.ClientConfig(name, key))
	if err != nil {
		return nil, errBroken
	}
	s, err := conn.NewSession()
	if err != nil {
		conn.Close()
		return nil, errBroken
	}
	in, err1 := s.StdinPipe()
	out, err2 := s.StdoutPipe()
	if errors.Join(err1, err2, s.Start("api")) != nil {
		conn.Close()
		return nil, errBroken
	}
	c := &client{conn: conn, in: in, out: bufio.NewScanner(out)}
	c.out.Buffer(nil, 1<<20)
	return c, nil
}

func (c *client) next() (m message, err error) {
	err = c.read(&m)
	return m, err
}

// read reads the next line into v; an error is errBroken.
func (c *client) read(v any) error {
	if !c.out.Scan() {
		return errBroken
	}
	// A line that was cut off by the kill is no line. The welcome's version is a text.
	var wrongType *json.UnmarshalTypeError
	if err := json.Unmarshal(c.out.Bytes(), v); err != nil && !errors.As(err, &wrongType) {
		return errBroken
	}
	return nil
}

// send sends a request and returns its id.
func (c *client) send(format string, args ...any) (int, error) {
	c.id++
	if _, err := fmt.Fprintf(c.in, `{"id":%d,%s}`+"\n", c.id, fmt.Sprintf(format, args...)); err != nil {
		return 0, errBroken
	}
	return c.id, nil
}

// followedGame is a match as seen by one side.
type followedGame struct {
	id      string
	you     int
	watched bool // from the beginning on; earlier events are sent again
	version int
	pos     engine.Position
}

// play connects one side and plays until the connection breaks or enough returns true.
func (d *pairOfClients) play(addr string, side int, enough func(d *pairOfClients, side int) bool) error {
	c, err := connect(addr, d.names[side], d.keys[side])
	if err != nil {
		return err
	}
	defer c.conn.Close()
	r := mathrand.New(mathrand.NewPCG(uint64(side), uint64(time.Now().UnixNano())))
	const first = 1
	if _, err := c.send(`"op":"tables"`); err != nil {
		return err
	}
	var g *followedGame
	// By request. The match is kept too: where two matches of the pair come back after a kill, the answer about
	// one may come when the other is followed.
	type turn struct{ match, action string }
	asked := make(map[int]turn)
	for {
		m, err := c.next()
		if err != nil {
			return err
		}
		switch {
		case m.Re != nil && *m.Re == first && g == nil:
			// No match came back, so it takes a new one.
			if err := d.meet(c, side, m.Tables); err != nil {
				return err
			}
		case m.Re != nil && asked[*m.Re].match != "" && m.OK:
			d.acknowledged(asked[*m.Re].match, m.Version, asked[*m.Re].action)
		case m.Event == "table" && g == nil:
			if side == 1 {
				if err := d.meet(c, side, []message{m}); err != nil {
					return err
				}
			}
		case m.Event == "match" && !m.Over:
			g = &followedGame{id: m.Match, you: int(m.You.(float64)), pos: ayu.Game{}.New(ayu.Options{Size: 5})}
			if _, err := c.send(`"op":"watch","match":%q,"from":0`, g.id); err != nil {
				return err
			}
		case m.Re != nil && g != nil && m.Match == g.id && m.Position != "":
			g.watched = true
		case m.Event == "turn" && g != nil && m.Match == g.id && g.watched:
			if err := d.follow(g, m); err != nil {
				return err
			}
		case m.Event == "over" && g != nil && m.Match == g.id:
			if d.finished[side].Add(1); enough(d, side) {
				return nil
			}
			if d.rematch {
				_, err = c.send(`"op":"rematch","match":%q`, g.id)
			} else {
				err = d.meet(c, side, nil)
			}
			if err != nil {
				return err
			}
			g = nil
		}
		// A turn is due after each event turn, and at the start of a game.
		due := m.Event == "turn" || m.Re != nil && m.Position != "" && m.Version == 0
		if g == nil || !g.watched || !due || g.pos.Turn() != g.you {
			continue
		}
		if legal := g.pos.Legal(); len(legal) > 0 {
			action := legal[r.IntN(len(legal))]
			if d.think > 0 {
				<-time.After(time.Duration(r.Int64N(int64(d.think))))
			}
			d.sending()
			n, err := c.send(`"op":"act","match":%q,"version":%d,"actions":[%q]`, g.id, g.version, action)
			if err != nil {
				return err
			}
			asked[n] = turn{g.id, action}
		}
	}
}

// meet opens a table on one side and joins it on the other.
func (d *pairOfClients) meet(c *client, side int, tables []message) error {
	if side == 0 {
		_, err := c.send(`"op":"open","game":"ayu","options":{"size":5,"pie":false}`)
		return err
	}
	for _, t := range tables {
		if t.Owner == d.names[0] {
			_, err := c.send(`"op":"join","table":%q`, t.Table)
			return err
		}
	}
	return nil
}

func (d *pairOfClients) sending() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.sent = time.Now()
}

func (d *pairOfClients) acknowledged(match string, version int, action string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.acked[match] == nil {
		d.acked[match] = make(map[int]string)
	}
	d.acked[match][version] = action
}

// follow applies a turn event and compares it with the acknowledged turns.
func (d *pairOfClients) follow(g *followedGame, m message) error {
	if m.Version != g.version+1 {
		return fmt.Errorf("match %s: version %d after %d", g.id, m.Version, g.version)
	}
	next, err := g.pos.Play(m.Actions[0])
	if err != nil {
		return fmt.Errorf("match %s: version %d: %w", g.id, m.Version, err)
	}
	if next.String() != m.Position {
		return fmt.Errorf("match %s: version %d is %s, told %s", g.id, m.Version, next, m.Position)
	}
	mine := g.pos.Turn() == g.you
	g.version, g.pos = m.Version, next
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.arrived != nil && !mine {
		d.arrived(time.Since(d.sent))
	}
	if promised := d.acked[g.id][m.Version]; promised != "" && promised != m.Actions[0] {
		return fmt.Errorf("match %s: turn %d was acknowledged as %s, and is %s", g.id, m.Version, promised, m.Actions[0])
	}
	return nil
}
