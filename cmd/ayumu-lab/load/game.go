package load

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"time"

	"golang.org/x/crypto/ssh"

	"ayumu/engine"
	"ayumu/lobby/clock"
)

// apiClient is a client of the API.
type apiClient struct {
	conn ssh.Conn
	ch   ssh.Channel
	in   *bufio.Scanner
	id   int
	name string
}

// reply has the fields of an answer that a player needs.
type reply struct {
	Table   string `json:"table"`
	Match   string `json:"match"`
	Version int    `json:"version"`
	// Position is the one-line form.
	Position string `json:"position"`
	You      *int   `json:"you"`
	Error    *struct {
		Code, Message string
	} `json:"error"`
}

// openAPI opens the API as client i.
func (c *clients) openAPI(ctx context.Context, i int) (*apiClient, error) {
	conn, ch, err := c.connect(ctx, i)
	if err != nil {
		return nil, err
	}
	p := &apiClient{conn: conn, ch: ch, in: bufio.NewScanner(ch)}
	if err = startSession(ch, "api"); err == nil {
		err = p.welcome()
	}
	if err != nil {
		return nil, errors.Join(err, conn.Close())
	}
	return p, nil
}

func (p *apiClient) close() { _ = p.conn.Close() }

// welcome reads the first line, which has the client's name.
func (p *apiClient) welcome() error {
	var hello struct{ You struct{ Name string } }
	err := p.next(&hello)
	p.name = hello.You.Name
	return err
}

func (p *apiClient) next(into any) error {
	if !p.in.Scan() {
		return errors.Join(errors.New("the server ended an API session"), p.in.Err())
	}
	return json.Unmarshal(p.in.Bytes(), into)
}

// ask sends a request and waits for its answer. It skips earlier events.
func (p *apiClient) ask(ctx context.Context, fields map[string]any) (reply, error) {
	ctx, cancel := context.WithTimeout(ctx, waitTimeout)
	defer cancel()
	defer context.AfterFunc(ctx, p.close)()
	p.id++
	fields["id"] = p.id
	line, err := json.Marshal(fields)
	if err != nil {
		return reply{}, err
	}
	if _, err := p.ch.Write(append(line, '\n')); err != nil {
		return reply{}, err
	}
	for {
		var head struct{ Re *int }
		if err := p.next(&head); err != nil {
			return reply{}, err
		}
		if head.Re == nil || *head.Re != p.id {
			continue // an event
		}
		var r reply
		err := json.Unmarshal(p.in.Bytes(), &r)
		switch {
		case err != nil:
			return r, err
		case r.Error != nil:
			return r, fmt.Errorf("%s: %s: %s", fields["op"], r.Error.Code, r.Error.Message)
		default:
			return r, nil
		}
	}
}

// game is a match between two API clients that play random turns.
type game struct {
	players  [2]*apiClient // by seat
	match    string
	version  int
	position engine.Position
	rng      *rand.Rand
}

// startGame starts a match with options by a challenge, so that no other client can join.
func startGame(ctx context.Context, a, b *apiClient, o engine.Options, c clock.Control, rng *rand.Rand) (*game, error) {
	proposal := map[string]any{"op": "open", "game": o.Game().Name(), "options": o, "to": b.name}
	if c.IsLive() {
		proposal["clock"] = map[string]any{"initial": c.Initial.Seconds(), "increment": c.Increment.Seconds()}
	}
	table, err := a.ask(ctx, proposal)
	if err != nil {
		return nil, err
	}
	joined, err := b.ask(ctx, map[string]any{"op": "join", "table": table.Table})
	if err != nil {
		return nil, err
	}
	g := &game{players: [2]*apiClient{a, b}, match: joined.Match, position: o.Game().New(o), rng: rng}
	seats, err := g.seats(ctx)
	if err == nil && seats[0] != seats[1] {
		g.players = [2]*apiClient{g.players[seats[0]], g.players[seats[1]]}
	}
	return g, err
}

// seats returns the index of the player on each seat.
func (g *game) seats(ctx context.Context) (at [2]int, err error) {
	for i, p := range g.players {
		var r reply
		if r, err = p.ask(ctx, map[string]any{"op": "watch", "match": g.match}); err != nil {
			return at, err
		}
		if r.You == nil || *r.You < 0 || *r.You > 1 {
			return at, fmt.Errorf("match %s: no seat", g.match)
		}
		at[*r.You], g.version = i, r.Version
	}
	return at, nil
}

// checkPosition returns an error unless the match has the position that follows from the acknowledged
// turns.
func (g *game) checkPosition(ctx context.Context) error {
	r, err := g.players[0].ask(ctx, map[string]any{"op": "watch", "match": g.match})
	if err != nil {
		return err
	}
	if r.Position != g.position.String() {
		return fmt.Errorf("match %s: the position is %q, want %q", g.match, r.Position, g.position)
	}
	return nil
}

func (g *game) command() string { return "watch " + g.match }

// over reports whether the match has ended.
func (g *game) over() bool {
	_, over := g.position.Result()
	return over
}

// turn plays a random turn.
func (g *game) turn(ctx context.Context) error {
	legal := g.position.Legal()
	if len(legal) == 0 {
		return errors.New("the game is over")
	}
	action := legal[g.rng.IntN(len(legal))]
	next, err := g.position.Play(action)
	if err != nil {
		return err
	}
	r, err := g.players[g.position.Turn()].ask(ctx, map[string]any{
		"op": "act", "match": g.match, "version": g.version, "actions": []string{action},
	})
	if err != nil {
		return err
	}
	if r.Version != g.version+1 {
		return fmt.Errorf("match %s: version %d follows %d", g.match, r.Version, g.version)
	}
	g.position, g.version = next, r.Version
	return nil
}

// tick lets the clock run for a second.
func (g *game) tick(ctx context.Context) error { return sleep(ctx, time.Second) }

func (g *game) close() {
	for _, p := range g.players {
		p.close()
	}
}
