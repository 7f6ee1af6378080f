package matchpicture

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"image"
	"image/draw"
	"image/gif"
	"image/png"
	"io"
	"math/rand/v2"
	"os"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"ayumu/engine"
	"ayumu/engine/ayu"
	"ayumu/engine/mu"
	"ayumu/lobby/match"
	"ayumu/tui/game/gametest"
	"ayumu/tui/picture"
)

func seats(n int) (all []match.Seat) {
	for _, name := range []string{"ana", "bob", "cho", "dora-w-long-name", "eve", "fay"}[:n] {
		all = append(all, match.Seat{Name: name})
	}
	return all
}

// ayuMatch returns a finished match with random moves.
func ayuMatch(t testing.TB, size int) *match.Snapshot {
	t.Helper()
	info := &match.Info{ID: fmt.Sprint("ayu", size), Game: "ayu", Options: ayu.Options{Size: size}, Seats: seats(2), Started: time.Unix(1e9, 0)}
	rng := rand.New(rand.NewPCG(1, uint64(size)))
	p := info.Options.Game().New(info.Options)
	var log []match.Entry
	for {
		legal := p.Legal()
		if len(legal) == 0 {
			break
		}
		a := legal[rng.IntN(len(legal))]
		log = append(log, match.Entry{Kind: match.EntryTurn, Seat: p.Turn(), Actions: []string{a}})
		p, _ = p.Play(a)
	}
	return finished(t, info, log, p)
}

func finished(t testing.TB, info *match.Info, log []match.Entry, p engine.Position) *match.Snapshot {
	t.Helper()
	if r, over := p.Result(); over {
		log = append(log, match.Entry{Kind: match.EntryEnd, Seat: -1, Result: &r})
	}
	s, err := match.FromLog(info, log)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// muMatches returns recorded games.
func muMatches(t testing.TB) (all []*match.Snapshot) {
	t.Helper()
	f, err := os.Open("../../../engine/mu/testdata/mu-games.jsonl.gz")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	d := json.NewDecoder(z)
	for d.More() {
		var r struct {
			Players, Segments int
			Actions           []string
		}
		if err := d.Decode(&r); err != nil {
			t.Fatal(err)
		}
		all = append(all, muMatch(t, r.Players, r.Segments, r.Actions))
	}
	return all
}

func muMatch(t testing.TB, players, segments int, actions []string) *match.Snapshot {
	t.Helper()
	info := &match.Info{ID: "mu", Game: "mu", Options: mu.Options{Players: players, Segments: segments, Min: players}, Seats: seats(players), Started: time.Unix(1e9, 0)}
	p := info.Options.Game().New(info.Options)
	var log []match.Entry
	var turn []string
	for _, a := range actions {
		seat := p.Turn()
		next, err := p.Play(a)
		if err != nil { // a seat leaves
			break
		}
		turn = append(turn, a)
		if p = next; !p.MidTurn() {
			log = append(log, match.Entry{Kind: match.EntryTurn, Seat: seat, Actions: turn})
			turn = nil
		}
	}
	return finished(t, info, log, p)
}

// request returns a picture or fails.
func request(t *testing.T, p *Pictures, s *match.Snapshot, r Request) []byte {
	t.Helper()
	r.Site, r.Note = "Ayumu", "ssh play.example.org"
	b, err := p.Get(t.Context(), s, r)
	if err != nil {
		t.Fatalf("%+v: %v", r, err)
	}
	return b
}

// matches returns finished matches of both games.
func matches(t *testing.T) []*match.Snapshot {
	all := []*match.Snapshot{ayuMatch(t, 7)}
	for _, s := range muMatches(t) {
		if s.IsOver() && s.Turns < 120 {
			return append(all, s)
		}
	}
	t.Fatal("no finished game of Mu")
	return nil
}

// TestPicturesAreWhatTheirKindsAre reads every kind with a decoder of its own.
func TestPicturesAreWhatTheirKindsAre(t *testing.T) {
	for _, s := range matches(t) {
		p := NewPictures(gametest.Games)
		for _, light := range []bool{false, true} {
			svg := request(t, p, s, Request{Kind: SVG, Turn: Newest, Light: light})
			d := xml.NewDecoder(bytes.NewReader(svg))
			for _, err := d.Token(); err != io.EOF; _, err = d.Token() {
				if err != nil {
					t.Fatalf("%s: %v", s.Info.ID, err)
				}
			}
			if !bytes.Contains(svg, []byte("<title")) || bytes.Contains(svg, []byte("style=")) {
				t.Errorf("%s: the SVG has no title, or a style that a page would refuse", s.Info.ID)
			}
			img, err := png.Decode(bytes.NewReader(request(t, p, s, Request{Kind: PNG, Turn: Newest, Light: light})))
			if err != nil || img.Bounds().Dx() != 1200 || img.Bounds().Dy() != 630 {
				t.Errorf("%s: card %v, %v", s.Info.ID, img, err)
			}
		}
		b := request(t, p, s, Request{Kind: GIF})
		g, err := gif.DecodeAll(bytes.NewReader(b))
		if err != nil {
			t.Fatal(err)
		}
		if len(b) > picture.MaxGIFBytes || len(g.Image) > picture.MaxFrames || len(g.Image) <= s.Turns || g.Config.Width != DefaultSize || g.Delay[len(g.Delay)-1] != 300 {
			t.Errorf("%s: %d bytes, %d frames for %d turns, %d wide, the last for %d/100 s", s.Info.ID, len(b), len(g.Image), s.Turns, g.Config.Width, g.Delay[len(g.Delay)-1])
		}
	}
}

// TestAnimationEndsWithTheLastPosition composes all frames of an animation, which is then like the first frame of one that has
// only the last position.
func TestAnimationEndsWithTheLastPosition(t *testing.T) {
	for _, s := range matches(t) {
		g := s.Info.Game
		board, _ := gametest.Games.ByName(g)
		m, err := newReplay(s, board)
		if err != nil {
			t.Fatal(err)
		}
		frames := m.frames(picture.Dark, false, 1)
		last := func(frames []picture.Frame) *image.RGBA {
			b, err := picture.GIF(t.Context(), frames, picture.Dark, 240)
			if err != nil {
				t.Fatal(err)
			}
			all, err := gif.DecodeAll(bytes.NewReader(b))
			if err != nil {
				t.Fatal(err)
			}
			img := image.NewRGBA(image.Rect(0, 0, all.Config.Width, all.Config.Height))
			for _, f := range all.Image {
				draw.Draw(img, f.Rect, f, f.Rect.Min, draw.Over)
			}
			return img
		}
		composed, single := last(frames), last(append([]picture.Frame{frames[len(frames)-1]}, frames[len(frames)-1]))
		different := 0
		for i := range composed.Pix {
			if d := int(composed.Pix[i]) - int(single.Pix[i]); d < -48 || d > 48 { // palettes differ at edges
				different++
			}
		}
		if different > len(composed.Pix)/200 {
			t.Errorf("%s: %d of %d values differ", g, different, len(composed.Pix))
		}
	}
}

// TestLongGamesFit has a game for which a GIF with all steps would have too many frames.
func TestLongGamesFit(t *testing.T) {
	s := ayuMatch(t, 5)
	board, _ := gametest.Games.ByName("ayu")
	m, err := newReplay(s, board)
	if err != nil {
		t.Fatal(err)
	}
	n := len(m.turns)
	for len(m.turns) <= picture.MaxFrames+2 { // the same turns over and over
		m.turns, m.positions = append(m.turns, m.turns[:n]...), append(m.positions, m.positions[1:n+1]...)
	}
	b, err := m.gif(t.Context(), picture.Dark, false, 240)
	if err != nil {
		t.Fatal(err)
	}
	g, err := gif.DecodeAll(bytes.NewReader(b))
	if err != nil || len(g.Image) > picture.MaxFrames || len(g.Image) < picture.MaxFrames/3 {
		t.Errorf("%d frames, %v", len(g.Image), err)
	}
}

// TestRecordingsOfATerminal reads both versions of asciicast: the times of version 3 are the differences of those of version 2.
func TestRecordingsOfATerminal(t *testing.T) {
	s := ayuMatch(t, 5)
	p := NewPictures(gametest.Games)
	read := func(r Request) (header map[string]any, events [][]any) {
		r.Kind = Cast
		for i, line := range strings.Split(strings.TrimSpace(string(request(t, p, s, r))), "\n") {
			if i == 0 {
				if err := json.Unmarshal([]byte(line), &header); err != nil {
					t.Fatal(err)
				}
				continue
			}
			var e []any
			if err := json.Unmarshal([]byte(line), &e); err != nil || len(e) != 3 {
				t.Fatalf("%v: %s", err, line)
			}
			events = append(events, e)
		}
		return header, events
	}
	header3, events3 := read(Request{})
	header2, events2 := read(Request{V2: true})
	if header3["version"] != 3.0 || header3["term"].(map[string]any)["cols"] != 80.0 || header2["version"] != 2.0 || header2["width"] != 80.0 || header2["height"] != 24.0 {
		t.Errorf("%v\n%v", header3, header2)
	}
	if last := events3[len(events3)-1]; last[1] != "x" || last[2] != "0" || len(events2) != len(events3)-1 {
		t.Errorf("%v, and %d and %d events", last, len(events2), len(events3))
	}
	at, outputs := 0.0, 0
	for i, e := range events2 {
		at += events3[i][0].(float64)
		if d := at - e[0].(float64); d < -0.001 || d > 0.001 || e[1] != events3[i][1] || e[2] != events3[i][2] {
			t.Fatalf("event %d at %v: %v", i, at, e)
		}
		if e[1] == "o" {
			outputs++
		}
	}
	if outputs < s.Turns {
		t.Errorf("%d outputs of %d turns", outputs, s.Turns)
	}
}

// TestAPictureIsMadeOnce asks for the same pictures from many goroutines.
func TestAPictureIsMadeOnce(t *testing.T) {
	s, p := ayuMatch(t, 5), NewPictures(gametest.Games)
	var wg sync.WaitGroup
	for i := range 200 {
		wg.Go(func() {
			if _, err := p.Get(t.Context(), s, Request{Kind: SVG, Turn: i % 4}); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	if made, _ := p.Made(); made != 4 {
		t.Errorf("%d pictures were made, not 4", made)
	}
}

// TestPicturesAreBounded fills the queue: what does not fit is refused and does not wait.
func TestPicturesAreBounded(t *testing.T) {
	s, p := ayuMatch(t, 15), NewPictures(gametest.Games)
	for range maxWorking {
		p.cache.slots <- struct{}{} // others are at work
	}
	var wg sync.WaitGroup
	for turn := range maxWaiting {
		wg.Go(func() { _, _ = p.Get(t.Context(), s, Request{Kind: SVG, Turn: turn}) })
	}
	for waiting := 0; waiting < maxWaiting; {
		p.cache.mu.Lock()
		waiting = p.cache.waiting
		p.cache.mu.Unlock()
		runtime.Gosched()
	}
	if _, err := p.Get(t.Context(), s, Request{Kind: SVG, Turn: maxWaiting + 1}); !errors.Is(err, ErrBusy) {
		t.Errorf("a picture beyond the queue: %v", err)
	}
	for range maxWorking {
		<-p.cache.slots
	}
	wg.Wait()
	if made, refused := p.Made(); made != maxWaiting || refused != 1 {
		t.Errorf("%d made, %d refused", made, refused)
	}
}

// TestOldPicturesAreDropped keeps the memory of pictures bounded.
func TestOldPicturesAreDropped(t *testing.T) {
	c := cache{entries: make(map[key]*entry), slots: make(chan struct{}, 1)}
	for i := range 100 {
		if _, err := c.get(t.Context(), key{version: i}, func(context.Context) ([]byte, error) { return make([]byte, maxCached/10), nil }); err != nil {
			t.Fatal(err)
		}
	}
	if c.bytes > maxCached || len(c.entries) > 10 || c.entries[key{version: 99}] == nil {
		t.Errorf("%d entries of %d bytes", len(c.entries), c.bytes)
	}
}

// TestRequestsOutsideOfBounds are refused with a reason.
func TestRequestsOutsideOfBounds(t *testing.T) {
	s, p := ayuMatch(t, 5), NewPictures(gametest.Games)
	running, err := match.FromLog(s.Info, s.Log[:3])
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		s    *match.Snapshot
		r    Request
		want error
	}{
		{s, Request{Kind: SVG, Turn: s.Turns + 1}, ErrNoTurn}, {s, Request{Kind: SVG, Turn: -2}, ErrNoTurn},
		{s, Request{Kind: SVG, Size: 100000}, ErrSize}, {s, Request{Kind: GIF, Size: 1}, ErrSize}, {running, Request{Kind: GIF}, ErrRunning},
	} {
		if _, err := p.Get(t.Context(), c.s, c.r); !errors.Is(err, c.want) {
			t.Errorf("%+v: %v", c.r, err)
		}
	}
	if b := request(t, p, running, Request{Kind: SVG, Turn: Newest}); !bytes.Contains(b, []byte("Turn 3")) {
		t.Errorf("a running game: %s", b[:300])
	}
}
