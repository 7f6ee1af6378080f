package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	mathrand "math/rand/v2"
	"net"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/crypto/ssh"

	"ayumu/engine"
	"ayumu/engine/ayu"
	"ayumu/server/servertest"
)

// What plays in a testCluster.
const (
	pairCount      = 30 // of players
	spectatorCount = 10 // on the API
	screenCount    = 30
)

// clusterOptions are those of all matches: small, so that many end.
var clusterOptions = ayu.Options{Size: 5}

// Times of the clients.
const (
	answerLimit = 20 * time.Second // a connection that does not answer is given up
	meetAgain   = 6 * time.Second  // a table or rematch that leads to no match is given up
	lookEvery   = 100 * time.Millisecond
)

// player is one side of a clusterPair, on the API.
type player struct {
	*clusterPair
	side, id int
	name     string
	key      ssh.Signer
	node     atomic.Int32   // that it is connected to, -1: none
	finished atomic.Int32   // matches that it has seen end
	state    atomic.Value   // a string for the message of a test that fails
	random   *mathrand.Rand // of its goroutine
}

// clusterPair is two players who play one match after the other.
type clusterPair struct {
	cluster *testCluster
	history *history
	players [2]*player

	mu    sync.Mutex
	table string // that the first player has opened
	match string // the last one that started
}

func (p *clusterPair) setTable(id string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.table = id
}

func (p *clusterPair) setMatch(id string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.match = id
}

func (p *clusterPair) current() (table, match string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.table, p.match
}

// newClusterPair returns pair n. Its players have names and keys, and no accounts yet.
func newClusterPair(c *testCluster, h *history, n int) *clusterPair {
	p := &clusterPair{cluster: c, history: h}
	for side := range p.players {
		p.players[side] = &player{
			clusterPair: p, side: side, id: 2*n + side, name: fmt.Sprintf("p%d%c", n, 'a'+side), key: servertest.NewKey(c.t),
			random: mathrand.New(mathrand.NewPCG(uint64(n), uint64(side))),
		}
		p.players[side].node.Store(-1)
	}
	return p
}

// clientConn is a connection of a client to a node of a cluster.
type clientConn struct {
	conn *ssh.Client
	in   io.Writer
	out  io.Reader
	node int // -1: unknown
	last int // the id of the last request
}

// open connects client number id through HAProxy, from an address that few clients share, and starts a command.
func (c *testCluster) open(ctx context.Context, addr string, id int, name string, key ssh.Signer, command string, terminal bool) (*clientConn, error) {
	ctx, cancel := context.WithTimeout(ctx, answerLimit)
	defer cancel()
	d := net.Dialer{LocalAddr: &net.TCPAddr{IP: net.IPv4(127, 1, 0, byte(1+id/8))}}
	nc, err := d.DialContext(ctx, "tcp", addr)
	if err != nil {
		return nil, errBroken
	}
	defer context.AfterFunc(ctx, func() { nc.Close() })()
	conn, channels, requests, err := ssh.NewClientConn(nc, addr, servertest.ClientConfig(name, key))
	if err != nil {
		nc.Close()
		return nil, errBroken
	}
	client := ssh.NewClient(conn, channels, requests)
	s, err := client.NewSession()
	if err != nil {
		client.Close()
		return nil, errBroken
	}
	in, err1 := s.StdinPipe()
	out, err2 := s.StdoutPipe()
	err = errors.Join(err1, err2)
	if err == nil && terminal {
		err = s.RequestPty("xterm-256color", 24, 80, ssh.TerminalModes{})
	}
	if err == nil && command == "" {
		err = s.Shell()
	} else if err == nil {
		err = s.Start(command)
	}
	if err != nil {
		client.Close()
		return nil, errBroken
	}
	return &clientConn{conn: client, in: in, out: out, node: c.haproxy.node(nc.LocalAddr())}, nil
}

// register makes an account, so that screens do not ask for a name.
func (c *testCluster) register(id int, name string, key ssh.Signer) {
	c.t.Helper()
	conn, err := c.open(c.t.Context(), c.haproxy.addr, id, name, key, "api", false)
	if err != nil {
		c.t.Fatal(err)
	}
	defer conn.close()
	<-conn.messages()
}

func (c *clientConn) close() { c.conn.Close() }

// send sends a request and returns its id.
func (c *clientConn) send(format string, args ...any) int {
	c.last++
	fmt.Fprintf(c.in, `{"id":%d,%s}`+"\n", c.last, fmt.Sprintf(format, args...)) // a broken connection is found when it is read
	return c.last
}

// messages returns what comes from the API. The channel is closed with the connection.
func (c *clientConn) messages() <-chan message {
	all := make(chan message, 1000)
	go func() {
		defer close(all)
		lines := bufio.NewScanner(c.out)
		lines.Buffer(nil, 1<<20)
		for lines.Scan() {
			var m message
			var wrongType *json.UnmarshalTypeError // the welcome's version is a text
			if err := json.Unmarshal(lines.Bytes(), &m); err != nil && !errors.As(err, &wrongType) {
				return
			}
			all <- m
		}
	}()
	return all
}

// clusterGame is a match as a client follows it.
type clusterGame struct {
	id      string
	you     int // -1: a spectator
	version int
	pos     engine.Position
	watched bool // from the beginning on
	shown   int  // the version of the snapshot, from which on entries are new
	over    bool
	due     time.Time // of the next turn
}

func newClusterGame(id string, you int) *clusterGame {
	return &clusterGame{id: id, you: you, pos: ayu.Game{}.New(clusterOptions)}
}

// follow applies a turn that has come, and checks that it follows the ones before.
func (g *clusterGame) follow(h *history, m message, node int) {
	if m.Version <= g.version {
		h.fail("match %s: version %d came after %d", g.id, m.Version, g.version)
		return
	}
	next, err := g.pos.Play(m.Actions[0])
	switch {
	case err != nil:
		h.fail("match %s: version %d: %v", g.id, m.Version, err)
		return
	case next.String() != m.Position:
		h.fail("match %s: version %d is %s, shown as %s", g.id, m.Version, next, m.Position)
	}
	if mine := g.pos.Turn() == g.you; !mine && m.Version > g.shown {
		h.sight(sighting{g.id, m.Version, time.Now(), node, g.you < 0})
	}
	h.saw(g.id, m.Version, m.Actions[0])
	g.version, g.pos = m.Version, next
}

// keepPlaying plays until ctx ends, and connects again whenever the connection breaks.
func (p *player) keepPlaying(ctx context.Context) {
	for ctx.Err() == nil {
		p.play(ctx)
		p.node.Store(-1)
		pause(ctx, time.Duration(50+p.random.IntN(300))*time.Millisecond)
	}
}

// pause waits for d or the end of ctx.
func pause(ctx context.Context, d time.Duration) {
	select {
	case <-ctx.Done():
	case <-time.After(d):
	}
}

// playing is one connection of a player.
type playing struct {
	*player
	*clientConn
	games   map[string]*clusterGame
	ready   bool // the unfinished matches are known
	first   int  // the id of the request whose answer follows them
	pending *sentTurn
	asked   int       // the id of its request
	meet    time.Time // when to look for a match again
	table   int       // the id of the request that opened a table
	joined  string    // the last table that was joined
	joining int       // the id of that request
}

// play connects and plays until the connection breaks.
func (p *player) play(ctx context.Context) {
	conn, err := p.cluster.open(ctx, p.cluster.haproxy.addr, p.id, p.name, p.key, "api", false)
	if err != nil {
		return
	}
	defer conn.close()
	s := &playing{player: p, clientConn: conn, games: make(map[string]*clusterGame)}
	p.node.Store(int32(conn.node))
	s.first = s.send(`"op":"ping"`)
	defer func() {
		if s.pending != nil { // without an answer
			p.history.add(*s.pending)
		}
	}()
	messages := conn.messages()
	look := time.NewTicker(lookEvery)
	defer look.Stop()
	heard, pinged := time.Now(), false
	for {
		select {
		case <-ctx.Done():
			if s.pending == nil { // otherwise its answer is worth waiting for
				return
			}
		default:
		}
		select {
		case m, ok := <-messages:
			if !ok {
				return
			}
			heard, pinged = time.Now(), false
			s.receive(m)
		case <-look.C:
			silence := time.Since(heard)
			switch {
			case silence > 2*answerLimit, s.pending != nil && time.Since(s.pending.sent) > answerLimit:
				return
			case silence > answerLimit && !pinged:
				s.send(`"op":"ping"`)
				pinged = true
			}
			if s.ready && ctx.Err() == nil {
				s.act()
			}
			p.state.Store(s.String())
		}
	}
}

// String describes what the player knows and does.
func (s *playing) String() string {
	text := fmt.Sprintf("on node%d, ready %t, unanswered %+v", s.clientConn.node+1, s.ready, s.pending)
	for _, g := range s.games {
		text += fmt.Sprintf(", match %s at %d, turn %d of seat %d, watched %t, over %t", g.id, g.version, g.pos.Turn(), g.you, g.watched, g.over)
	}
	return text
}

// receive takes a message.
func (s *playing) receive(m message) {
	g := s.games[m.Match]
	switch {
	case m.Re != nil && *m.Re == s.first:
		s.ready = true
	case m.Re != nil && s.pending != nil && *m.Re == s.asked:
		s.answered(m)
	case m.Re != nil && *m.Re == s.table && m.OK:
		s.setTable(m.Table)
	case m.Re != nil && *m.Re == s.joining && !m.OK: // the node does not know the table yet
		s.joined, s.meet = "", time.Now().Add(2*lookEvery)
	case m.Re != nil && m.Match != "" && m.Position != "" && g != nil:
		g.watched, g.shown = true, m.Version
		s.plan(g)
	case m.Event == "match" && !m.Over && g == nil:
		s.games[m.Match] = newClusterGame(m.Match, int(m.You.(float64)))
		s.setMatch(m.Match)
		s.setTable("")
		s.send(`"op":"watch","match":%q,"from":0`, m.Match)
	case m.Event == "turn" && g != nil && g.watched:
		g.follow(s.history, m, s.clientConn.node)
		s.plan(g)
	case m.Event == "over" && g != nil && !g.over:
		g.over = true
		s.finished.Add(1)
		s.meet = time.Now().Add(s.thinking())
		if s.id/2%2 == 0 {
			s.send(`"op":"rematch","match":%q`, g.id)
			s.meet = time.Now().Add(meetAgain)
		}
	}
}

// thinking returns how long the player thinks about a turn.
func (s *playing) thinking() time.Duration {
	return time.Duration(100+s.random.IntN(700)) * time.Millisecond
}

// plan sets when the player makes the next turn, if it is theirs.
func (s *playing) plan(g *clusterGame) { g.due = time.Now().Add(s.thinking()) }

// answered records the answer to a turn.
func (s *playing) answered(m message) {
	turn := *s.pending
	s.pending = nil
	turn.answered = time.Now()
	g := s.games[turn.match]
	switch {
	case m.OK:
		turn.outcome, turn.version = outcomeRecorded, m.Version
		s.history.saw(turn.match, m.Version, turn.action)
	case m.Error.Code == "stale_version":
		turn.outcome = outcomeStale
		g.due = time.Now().Add(3 * time.Second) // the entry that it does not know will come
	case m.Error.Code == "unavailable":
		g.due = time.Now().Add(time.Second)
	case m.Error.Code == "game_over": // the event will come
		g.due = time.Now().Add(3 * time.Second)
		return
	default:
		s.history.fail("%s in match %s: %s on %d: %s: %s", s.name, turn.match, turn.action, turn.base, m.Error.Code, m.Error.Message)
		g.due = time.Now().Add(3 * time.Second)
		return
	}
	s.history.add(turn)
}

// act does what is due: a turn, or finding the next match.
func (s *playing) act() {
	now, playing := time.Now(), false
	for _, g := range s.games {
		if g.over {
			continue
		}
		playing = true
		if s.pending != nil || !g.watched || g.pos.Turn() != g.you || now.Before(g.due) {
			continue
		}
		legal := g.pos.Legal()
		if len(legal) == 0 {
			continue
		}
		action := legal[s.random.IntN(len(legal))]
		s.asked = s.send(`"op":"act","match":%q,"version":%d,"actions":[%q]`, g.id, g.version, action)
		s.pending = &sentTurn{player: s.id, match: g.id, base: g.version, action: action, sent: now, node: s.clientConn.node,
			sameNode: s.players[1-s.side].node.Load() == int32(s.clientConn.node)}
	}
	if playing || now.Before(s.meet) {
		return
	}
	s.meet = now.Add(meetAgain)
	if s.side == 0 {
		s.table = s.send(`"op":"open","game":"ayu","options":{"size":%d,"pie":false},"clock":{"initial":900,"increment":10},"rated":%t`,
			clusterOptions.Size, s.id/2%3 > 0)
		return
	}
	if table, _ := s.current(); table != "" && table != s.joined {
		s.joining = s.send(`"op":"join","table":%q`, table)
		s.joined = table
		return
	}
	s.meet = now.Add(2 * lookEvery)
}

// keepWatching watches the matches of a pair on the API, one after the other, until ctx ends.
func (p *clusterPair) keepWatching(ctx context.Context, id int, key ssh.Signer) {
	for ctx.Err() == nil {
		p.watch(ctx, id, key)
		pause(ctx, 200*time.Millisecond)
	}
}

func (p *clusterPair) watch(ctx context.Context, id int, key ssh.Signer) {
	conn, err := p.cluster.open(ctx, p.cluster.haproxy.addr, id, fmt.Sprint("watcher", id), key, "api", false)
	if err != nil {
		return
	}
	defer conn.close()
	messages := conn.messages()
	look := time.NewTicker(lookEvery)
	defer look.Stop()
	var g *clusterGame
	asked, request := time.Now(), 0
	for {
		select {
		case <-ctx.Done():
			return
		case m, ok := <-messages:
			switch {
			case !ok:
				return
			case g == nil || m.Match != g.id:
			case m.Re != nil && *m.Re == request && m.Position != "": // a slow answer to an earlier request repeats all turns
				g.watched, g.shown = true, m.Version
			case m.Event == "turn" && g.watched:
				g.follow(p.history, m, conn.node)
			case m.Event == "over":
				g.over = true
			}
		case <-look.C:
			_, match := p.current()
			if match == "" || g != nil && g.id == match && (g.watched || time.Since(asked) < time.Second) {
				continue
			}
			g, asked = newClusterGame(match, -1), time.Now()
			request = conn.send(`"op":"watch","match":%q,"from":0`, match)
		}
	}
}

// clusterScreens measures how fast sessions with terminals come back.
type clusterScreens struct {
	mu   sync.Mutex
	back []time.Duration // from the end of a connection to the first frame of the next
}

// keepShowing keeps a screen of the lobby, or of the matches of a pair, until ctx ends.
func (s *clusterScreens) keepShowing(ctx context.Context, p *clusterPair, id int, key ssh.Signer) {
	var lost time.Time
	for ctx.Err() == nil {
		command, text := "", "quick match"
		if _, match := p.current(); match != "" && id%3 > 0 {
			command, text = "watch "+match, p.players[0].name
		}
		if p.showScreen(ctx, id, key, command, text, func() {
			if !lost.IsZero() {
				s.mu.Lock()
				s.back = append(s.back, time.Since(lost))
				s.mu.Unlock()
			}
			lost = time.Time{}
		}) || lost.IsZero() {
			lost = time.Now()
		}
		pause(ctx, 50*time.Millisecond)
	}
}

// showScreen opens a screen, calls shown when it has shown a text, and reports at its end whether it had.
func (p *clusterPair) showScreen(ctx context.Context, id int, key ssh.Signer, command, text string, shown func()) (wasShown bool) {
	conn, err := p.cluster.open(ctx, p.cluster.haproxy.addr, id, fmt.Sprint("screen", id), key, command, true)
	if err != nil {
		return false
	}
	defer conn.close()
	defer context.AfterFunc(ctx, conn.close)()
	first := time.AfterFunc(answerLimit, conn.close)
	defer first.Stop()
	var seen []byte
	buf := make([]byte, 4<<10)
	for {
		n, err := conn.out.Read(buf)
		if !wasShown {
			if seen = append(seen, buf[:n]...); bytes.Contains(seen, []byte(text)) {
				wasShown, seen = true, nil
				first.Stop()
				shown()
			}
		}
		if err != nil {
			return wasShown
		}
	}
}
