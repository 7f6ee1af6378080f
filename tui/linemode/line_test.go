package linemode

import (
	"context"
	"io"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"
	"unicode/utf8"

	"ayumu/engine"
	"ayumu/engine/enginetest"
	"ayumu/lobby"
	"ayumu/lobby/bots"
	"ayumu/lobby/club"
	"ayumu/lobby/notify"
	"ayumu/lobby/puzzles"
	"ayumu/lobby/store/sqlite"
	"ayumu/tui/admin"
	"ayumu/tui/game/gametest"
	"ayumu/tui/op"
)

// harness is a lobby that lasts as long as a test, whose time is synctest's.
type harness struct {
	*lobby.Lobby
	t          *testing.T
	store      *sqlite.Store
	moderation club.Moderator
	club       *club.Club // whose bulletin is shown; nil: none
	siteName   string
	message    string
	bots       *bots.Bots
	puzzles    *puzzles.Collection
	notify     *notify.Service
	width      int                              // of the terminals; 0: none
	resize     chan struct{ Width, Height int } // of the terminals
}

func withHarness(t *testing.T, f func(h *harness)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		s, err := sqlite.OpenMemory(enginetest.Games)
		if err != nil {
			t.Fatal(err)
		}
		defer s.Close()
		l, err := lobby.New(t.Context(), lobby.Config{Games: enginetest.Games, Store: s})
		if err != nil {
			t.Fatal(err)
		}
		defer l.Close()
		f(&harness{Lobby: l, t: t, store: s})
	})
}

// person is a user of line mode.
type person struct {
	t      *testing.T
	in     *io.PipeWriter
	mu     sync.Mutex
	output strings.Builder
	from   int           // the length of the output that was checked already
	wrote  chan struct{} // has a value after a write
	left   op.Exit
	gone   chan struct{}
	stop   context.CancelFunc
}

func (p *person) Write(b []byte) (int, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	select {
	case p.wrote <- struct{}{}:
	default:
	}
	return p.output.Write(b)
}

// connect starts a session with a key of that name, or of a guest if it is "".
func (h *harness) connect(key, open string) *person {
	h.t.Helper()
	r, w := io.Pipe()
	ctx, stop := context.WithCancel(h.t.Context())
	p := &person{t: h.t, in: w, wrote: make(chan struct{}, 1), gone: make(chan struct{}), stop: stop}
	start, ok := op.ParseStartPoint(strings.Fields(open))
	if !ok {
		h.t.Fatalf("no start point: %q", open)
	}
	v := op.Config{Operations: op.NewOperations(append(op.All(), admin.All()...)...), Games: gametest.Games, Lobby: h.Lobby, SSHTarget: "play.example.org", StartPoint: start, Moderator: h.moderation, Bots: h.bots, Puzzles: h.puzzles, Notify: h.notify, SiteName: h.siteName, Message: h.message}
	if key != "" {
		v.Key = []byte(key)
	}
	if h.club != nil {
		v.Bulletin = &h.club.Bulletin
		v.OnEnter = func(in *lobby.Session) {
			visit := new(club.Session)
			visit.Role = club.RoleModerator
			h.club.Sessions.Add(visit)
			h.club.Sessions.SetAccount(visit, in.Account())
			h.club.Sessions.SetWake(visit, in.WakeSelf)
		}
	}
	go func() {
		p.left = Run(ctx, &Terminal{In: r, Out: p, Width: h.width, Resize: h.resize}, &v)
		r.Close()
		close(p.gone)
	}()
	h.t.Cleanup(func() {
		stop()
		<-p.gone
		if out := p.output.String(); strings.ContainsRune(out, 0x1b) {
			h.t.Errorf("an escape sequence was written: %q", out)
		}
	})
	synctest.Wait()
	return p
}

// typeLines types lines.
func (p *person) typeLines(lines ...string) {
	for _, l := range lines {
		io.WriteString(p.in, l+"\r")
		synctest.Wait()
	}
}

// waitTimeout is how long waitFor waits, in the bubble's time.
const waitTimeout = time.Minute

// waitFor fails the test unless all parts are printed in this order after the last call, within
// waitTimeout.
func (p *person) waitFor(parts ...string) {
	p.t.Helper()
	late := time.After(waitTimeout)
	for {
		synctest.Wait()
		part, output := p.missing(parts)
		if part == "" {
			return
		}
		select {
		case <-p.wrote:
		case <-late:
			p.t.Errorf("%q was not printed, or not in this order:\n%s", part, output)
			return
		}
	}
}

// missing returns the first part that has not been printed since the last successful call, and the output
// since then.
func (p *person) missing(parts []string) (lacking, output string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	output = p.output.String()[p.from:]
	rest := output
	for _, part := range parts {
		_, after, found := strings.Cut(rest, part)
		if !found {
			return part, output
		}
		rest = after
	}
	p.from = p.output.Len()
	return "", output
}

func TestFirstVisit(t *testing.T) {
	withHarness(t, func(h *harness) {
		a := h.connect("a", "")
		a.waitFor("key is new here", "Choose a name")
		a.typeLines("help", "tables", "say hello", "1ana", "ana")
		a.waitFor("Choose a name and type it", "Type quit to leave.", "tables is a command", "say is a command", "Error: a name begins with a letter.", "Welcome, ana.", "You are ana.")
		c := h.connect("c", "")
		c.typeLines("exit")
		c.waitFor("Goodbye.")
		b := h.connect("b", "")
		b.typeLines("ANA", "bob")
		b.waitFor("is taken", "You are bob.")
		again := h.connect("a", "")
		again.waitFor("You are ana.", "2 online")
		guest := h.connect("", "")
		guest.waitFor("you are a guest", "casual games of Ayu and Mu", "ssh-keygen -t ed25519", "You are guest-", "To resume after a disconnect: ssh ")
	})
}

func TestWholeGame(t *testing.T) {
	withHarness(t, func(h *harness) {
		a, b := h.connect("a", ""), h.connect("", "")
		a.typeLines("ana", "new ayu 5x5 5+5 pie=off")
		a.waitFor("Open: your table: Ayu 5x5, 5+5, casual.")
		b.typeLines("tables", "join 1")
		b.waitFor("1: ana", "Ayu 5x5, 5+5, casual", "Ayu 5x5", "Black:", "White:")
		a.waitFor("Your game with guest-", "has started.", "Black:")
		w := h.connect("w", "")
		w.typeLines("zoe", "games", "watch 1", "board", "c3", "j9")
		w.waitFor("1: ", "Ayu 5x5", "Black (X), 6 units", "a b c d e", "c3: empty.", "j9 is not on the board.")
		m := h.onlyMatch()
		for turns := 0; !m.Snapshot().IsOver(); turns++ {
			if turns > 100 {
				h.t.Fatal("the game does not end")
			}
			mover, other := b, a
			s := m.Snapshot()
			if s.Info.Seats[s.Position.Turn()].Name == "ana" {
				mover, other = a, b
			}
			move := s.Position.Legal()[0]
			from, to, _ := strings.Cut(move, "-")
			mover.typeLines(from + to)
			mover.waitFor("You move " + from + " to " + to)
			if m.Snapshot().IsOver() {
				other.waitFor(" moves "+from+" to "+to, "win")
			} else {
				other.waitFor(" moves "+from+" to "+to, "Your turn")
			}
			w.waitFor(from + " to " + to)
			if m.Snapshot().Turns != turns+1 {
				h.t.Fatalf("%s was not played", move)
			}
		}
		if m.Snapshot().Result.Reason != engine.ReasonImmobile {
			h.t.Errorf("the game ended as %+v", m.Snapshot().Result)
		}
		a.typeLines("record", "lobby", "quit")
		a.waitFor("1, ", "You are in the lobby.", "Goodbye, ana.")
		<-a.gone
		if a.left.Dropped || a.left.Err != nil {
			h.t.Errorf("ana left as %+v", a.left)
		}
		b.in.Close()
		<-b.gone
		if !b.left.Dropped {
			h.t.Error("the end of the input is no drop")
		}
	})
}

func (h *harness) onlyMatch() *lobby.Match {
	h.t.Helper()
	v := h.View()
	if len(v.Matches) != 1 {
		h.t.Fatalf("%d running matches", len(v.Matches))
	}
	m, err := h.Match(v.Matches[0].ID)
	if err != nil {
		h.t.Fatal(err)
	}
	return m
}

// pair starts a game of ana and bob and returns the one who has the first move, then the other.
func (h *harness) pair() (first, second *person, m *lobby.Match) {
	h.t.Helper()
	a, b := h.connect("a", ""), h.connect("b", "")
	a.typeLines("ana", "new 7x7 pie=off")
	b.typeLines("bob", "tables", "join 1")
	m = h.onlyMatch()
	a.waitFor()
	b.waitFor()
	if m.Info.Seats[0].Name == "ana" {
		return a, b, m
	}
	return b, a, m
}

func TestOffers(t *testing.T) {
	withHarness(t, func(h *harness) {
		first, second, m := h.pair()
		first.typeLines("draw")
		first.waitFor("You offered a draw. Type refuse to withdraw it.")
		second.waitFor("offers a draw. Type draw to accept, or refuse to decline.")
		second.typeLines("draw")
		second.waitFor("has just offered that")
		if m.Snapshot().IsOver() {
			h.t.Fatal("a fresh offer was accepted")
		}
		second.typeLines("refuse")
		first.waitFor("declined your draw offer.")
		first.typeLines("b1b2", "undo")
		first.waitFor("You move b1 to b2", "You asked for a takeback. Type refuse to withdraw it.")
		<-time.After(op.OfferGuard)
		second.typeLines("undo")
		first.waitFor("was taken back", "Your turn")
		second.typeLines("resign", "no", "resign", "yes")
		second.waitFor("Type yes to confirm", "Nothing was done.", "You resigned: ", " wins.")
		first.waitFor("You win: ")
		first.typeLines("rematch")
		<-time.After(op.OfferGuard)
		second.typeLines("rematch")
		for _, p := range []*person{first, second} {
			p.waitFor("has started.", "Ayu 7x7")
		}
		second.typeLines("claim", "claim win")
		second.waitFor("Usage: claim win|draw.", "has not been away long enough")
	})
}

func TestRefusals(t *testing.T) {
	withHarness(t, func(h *harness) {
		first, second, _ := h.pair()
		second.typeLines("b1b2")
		second.waitFor("Error: it is not your turn.")
		first.typeLines("b1b1", "a2a3", "hello", "legal b1", "legal a2", "move")
		first.waitFor("Error: ", "occupied", "Error: ", "White's", "Unknown command \"hello\"", "2 moves: b1-b2, b1-c1.", "a2 has no legal move.", "is not a move")
		first.typeLines("join nothing", "watch nothing", "new 8x8", "new 5x5 999d", "say", "b", "9")
		first.waitFor("no open table", "no game", "use a clock such as 10+5", "use a clock such as 10+5", "Usage: say TEXT.")
		w := h.connect("w", "watch "+h.onlyMatch().Info.ID)
		w.typeLines("zoe", "b1b2", "move b1b2", "resign", "status")
		w.waitFor("Black: ", "Unknown command", "Only the players", "Only the players", "1 spectator.")
	})
}

func TestChat(t *testing.T) {
	withHarness(t, func(h *harness) {
		first, second, _ := h.pair()
		w := h.connect("w", "")
		w.typeLines("zoe", "games", "watch 1")
		w.waitFor()
		first.typeLines("say good luck")
		second.waitFor("says: good luck")
		w.typeLines("say what a start")
		second.typeLines("resign", "yes")
		second.waitFor("says: what a start")
		first.typeLines("lobby")
		second.typeLines("lobby", "say hello all")
		first.waitFor("says: hello all")
		second.typeLines("say \x07once\x1b[31m more\u202e")
		first.waitFor("says: once more")
	})
}

func TestAbsenceIsPrinted(t *testing.T) {
	withHarness(t, func(h *harness) {
		first, second, m := h.pair()
		second.typeLines("quit", "yes")
		<-second.gone
		first.waitFor("has left. You can claim the game in 0:05.")
		first.waitFor("Type claim win, claim draw, or wait.")
		first.typeLines("claim draw", "no", "claim win", "yes")
		first.waitFor("You are about to claim a draw. Type yes to confirm.", "Nothing was done.", "You are about to claim the win. Type yes to confirm.", "You win: ")
		if m.Snapshot().Result.Reason != engine.ReasonLeft {
			h.t.Errorf("the game ended as %+v", m.Snapshot().Result)
		}
	})
}

// Who goes to the lobby during a live game is elsewhere until they open the board again, and their opponent reads so.
func TestElsewhereIsPrinted(t *testing.T) {
	withHarness(t, func(h *harness) {
		first, second, m := h.pair()
		name := m.Info.Seats[1].Name
		second.typeLines("lobby")
		first.waitFor(name + " is looking at something else.")
		first.typeLines("status")
		first.waitFor(name+", ", "looking at something else.")
		second.typeLines("watch " + m.Info.ID)
		first.waitFor(name + " is back.")
		if strings.Contains(first.output.String(), "has left") || strings.Contains(second.output.String(), "something else") {
			h.t.Errorf("first reads %q, second %q", first.output.String(), second.output.String())
		}
	})
}

func TestQuickAndChallenge(t *testing.T) {
	withHarness(t, func(h *harness) {
		a, b := h.connect("a", ""), h.connect("b", "")
		a.typeLines("ana", "quick", "quick", "new to bob")
		a.waitFor("Looking for an opponent.", "Search cancelled.", "there is no player \"bob\"")
		b.typeLines("bob")
		b.waitFor("You are bob.")
		a.typeLines("new 9x9 3d rated to bob")
		a.waitFor("Open: your challenge to bob: Ayu 9x9, pie, 3 days, rated.")
		b.waitFor("ana challenges you: Ayu 9x9, pie, 3 days, rated.")
		b.typeLines("decline", "new private")
		b.waitFor("Challenge declined.", "casual, code ")
		var code string
		for _, table := range h.TableList().Tables {
			code = table.Code(2)
		}
		a.typeLines("join "+code+"x", "join "+code)
		a.waitFor("no open table", "Ayu 11x11")
	})
}

func TestEveryCommandIsInTheHelp(t *testing.T) {
	withHarness(t, func(h *harness) {
		first, _, _ := h.pair()
		first.typeLines("help", "?", "rules", "rules ayu", "status", "who")
		var names []string
		for _, isHere := range []bool{true, false} { // those of a game come first in one
			for _, o := range append(op.All(), admin.All()...) {
				if i := o.Info(); i.On.Line.Reason == "" && i.Permission == "" && (i.Where != op.Anywhere) == isHere {
					names = append(names, "\n"+i.On.Line.Name(i.Name))
				}
			}
		}
		first.waitFor(append(names, "AYU", "AYU", "Your turn", "2 online")...)
	})
}

// Quick alone repeats the last search, and bot alone the last game.
func TestTheLastChoiceIsRepeated(t *testing.T) {
	withHarness(t, func(h *harness) {
		h.newBots(new(countingEngine))
		defer h.bots.Close()
		a := h.connect("a", "")
		a.typeLines("ana", "quick", "quick", "quick any 5+5 casual", "tables", "quick", "quick", "quick")
		a.waitFor("an opponent. You accept: Ayu, any clock, casual or rated.", "Search cancelled.", "any game, 5+5, casual.",
			"you are looking for an opponent: any game, 5+5, casual.", "Search cancelled.", "any game, 5+5, casual.", "Search cancelled.")
		a.typeLines("bot")
		a.waitFor("Ayu 7x7, no clock, casual.", "Moss", "Your turn.")
		if m := h.onlyMatch(); m.Info.Seats[0].Name != "ana" {
			t.Errorf("%s moves first", m.Info.Seats[0].Name)
		}
		a.typeLines("resign", "yes", "lobby", "bot heron 5x5 pie=off first=other", "resign", "yes", "lobby", "bot")
		a.waitFor("Ayu 5x5, no clock, casual.", "Heron", "resigned", "Ayu 5x5, no clock, casual.", "Heron")
	})
}

// Whom one cannot challenge is said at once, and a challenge says who moves first.
func TestChallengesInLines(t *testing.T) {
	withHarness(t, func(h *harness) {
		a, b := h.connect("a", ""), h.connect("b", "")
		a.typeLines("ana", "new to nobody", "new to ana")
		a.waitFor("there is no player \"nobody\"", "you cannot challenge yourself")
		b.typeLines("bob")
		a.typeLines("new 7x7 first=me to BOB", "new 7x7 to bob")
		a.waitFor("your challenge to bob: Ayu 7x7, pie, 10+10, casual, ana moves first.", "already sent this challenge to bob")
	})
}

func TestEditor(t *testing.T) {
	for in, want := range map[string][]string{
		"one\rtwo\r\nthree\n":        {"one", "two", "three"},
		"onx\x7fe\r":                 {"one"},
		"\x7f\x7fa\r":                {"a"},
		"gone\x15one\r":              {"one"},
		"\x1b[Aa\x1b[1;5Cb\x1bOPc\r": {"abc"},
		"é日\xff\xc3(\r":              {"é日("},
		"a\tb\x00\x07c\r":            {"a bc"},
		"half\x03":                   {interrupt},
		"\x04":                       {endOfText},
		"x\x04y\r":                   {"xy"},
	} {
		var e editor
		var got []string
		for p := []byte(in); len(p) > 0; {
			n, echo, line, done := e.feed(p)
			p = p[n:]
			if done {
				got = append(got, line)
			}
			if strings.ContainsRune(echo, 0x1b) {
				t.Errorf("%q is echoed as %q", in, echo)
			}
		}
		if strings.Join(got, "|") != strings.Join(want, "|") {
			t.Errorf("%q makes %q, not %q", in, got, want)
		}
	}
}

func FuzzEditor(f *testing.F) {
	f.Add([]byte("one\rtwo\x7f\x1b[A\xc3\xa9\x15\x03"))
	f.Fuzz(func(t *testing.T, in []byte) {
		var e editor
		for len(in) > 0 {
			n, echo, line, _ := e.feed(in)
			if n < 1 {
				t.Fatal("nothing was taken")
			}
			in = in[n:]
			if len(e.runes) > maxLine || len(e.partial) > utf8.UTFMax {
				t.Fatalf("%d characters and %d bytes are kept", len(e.runes), len(e.partial))
			}
			if strings.ContainsRune(echo, 0x1b) || strings.ContainsRune(line, 0x1b) {
				t.Fatalf("%q, %q", echo, line)
			}
		}
	})
}

// A turn wakes those who play. Nobody shows a list, so no lists may be made, which takes time for
// each match that goes on.
func TestTurnsMakeNoLists(t *testing.T) {
	withHarness(t, func(h *harness) {
		first, second, m := h.pair()
		turn := func() {
			s := m.Snapshot()
			p := []*person{first, second}[s.Position.Turn()]
			p.typeLines(strings.ReplaceAll(s.Position.Legal()[0], "-", ""))
			<-time.After(3 * time.Second) // until the lists have been told of
			synctest.Wait()
			if m.Snapshot().Turns != s.Turns+1 {
				t.Fatal("the turn was not made")
			}
		}
		turn() // with the first wake they look for challenges since they have come
		before := h.View().Builds
		for range 4 {
			turn()
		}
		if n := h.View().Builds - before - 1; n != 0 {
			t.Errorf("four turns made the lists anew %d times", n)
		}
	})
}

// faulty is input whose reading panics.
type faulty struct{}

func (faulty) Read([]byte) (int, error) { panic("a fault in the reader") }

// TestPanicOfTheReaderEndsItsSession has the goroutine that reads what is typed panic: the session ends and
// says why, and the process goes on.
func TestPanicOfTheReaderEndsItsSession(t *testing.T) {
	withHarness(t, func(h *harness) {
		left := Run(h.t.Context(), &Terminal{In: faulty{}, Out: io.Discard}, &op.Config{Games: gametest.Games, Lobby: h.Lobby})
		if !left.Dropped || left.Err == nil || !strings.Contains(left.Err.Error(), "a fault in the reader") {
			h.t.Errorf("the session ended as %+v", left)
		}
	})
}

// TestAbandonedGamesAreListedOnRequest: a game whose players are away is not offered for watching, but listed by
// games all.
func TestAbandonedGamesAreListedOnRequest(t *testing.T) {
	withHarness(t, func(h *harness) {
		a, b, w := h.connect("a", ""), h.connect("", ""), h.connect("w", "")
		a.typeLines("ana", "new ayu 5x5 pie=off")
		b.typeLines("tables", "join 1")
		w.typeLines("zoe", "games")
		w.waitFor("1: ", "Ayu 5x5, 10+10, casual, 0 turns", "the featured game.")
		a.typeLines("quit", "yes")
		b.typeLines("quit", "yes")
		<-time.After(10 * time.Second)
		w.typeLines("games")
		w.waitFor("Not listed: 1 game whose players are away; games all lists them.")
		w.typeLines("games all")
		w.waitFor("1: ", "Ayu 5x5, 10+10, casual", "its players are away.", "Type watch or play and a number")
	})
}
