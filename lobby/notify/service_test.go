package notify_test

import (
	"context"
	"errors"
	"fmt"
	"net/netip"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"ayumu/engine"
	"ayumu/lobby"
	"ayumu/lobby/account"
	"ayumu/lobby/clock"
	"ayumu/lobby/errcode"
	"ayumu/lobby/lobbytest"
	"ayumu/lobby/notify"
	"ayumu/lobby/notify/notifytest"
	"ayumu/lobby/store/storetest"
	"ayumu/lobby/table"
)

// receivers is a Sender that acknowledges or refuses as answer says, and keeps what it has received.
type receivers struct {
	mu           sync.Mutex
	answer       func(address, id string) error
	delay        func(address string) time.Duration
	received     []string            // "ADDRESS ID", of every attempt
	acknowledged map[string]int      // by "ADDRESS ID"
	contents     map[string][]string // by id: those of the notifications
	texts        []string
	announced    []notify.Announcement
	mail         notify.Sender // or nil
}

func (r *receivers) Check(*notify.Settings) error { return nil }

func (r *receivers) Send(ctx context.Context, s *notify.Settings, m *notify.Message) (to string, err error) {
	if r.delay != nil {
		select {
		case <-time.After(r.delay(s.Address)):
		case <-ctx.Done():
			return "", ctx.Err()
		}
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	key := s.Address + " " + m.ID
	r.received = append(r.received, key)
	r.texts = append(r.texts, m.Title()+"\n"+m.Text())
	for i := range m.Notifications {
		r.contents[m.ID] = append(r.contents[m.ID], m.Notifications[i].ID)
	}
	if r.answer != nil {
		if err := r.answer(s.Address, m.ID); err != nil {
			return "", err
		}
	}
	r.acknowledged[key]++
	return "", nil
}

func (r *receivers) announcements() []notify.Announcement {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.announced
}

func (r *receivers) announce(a []notify.Announcement) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.announced = a
}

// take returns the ids of the acknowledged messages of an address, sorted, and forgets all.
func (r *receivers) take(address string) (ids []string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for key, n := range r.acknowledged {
		if id, ok := strings.CutPrefix(key, address+" "); ok {
			for range n {
				ids = append(ids, id)
			}
			delete(r.acknowledged, key)
		}
	}
	slices.Sort(ids)
	return ids
}

var lobbyAddr = netip.MustParseAddr("192.0.2.1")

// server is a lobby with notifications, in a bubble.
type server struct {
	*lobby.Lobby
	t    *testing.T
	s    *notify.Service
	sent *receivers
	stop func()
}

// open starts a server on a store. The receivers outlive it.
func open(t *testing.T, db lobby.Store, sent *receivers, change ...func(*lobby.Config)) *server {
	t.Helper()
	if sent.acknowledged == nil {
		sent.acknowledged, sent.contents = make(map[string]int), make(map[string][]string)
	}
	may := func(_ context.Context, id account.ID) (bool, error) { return id != sent.excluded(), nil }
	senders := map[notify.ReceiverKind]notify.Sender{notify.KindWebhook: sent}
	if sent.mail != nil {
		senders[notify.KindMail] = sent.mail
	}
	s := notify.New(notify.Config{
		Store: db.(notify.Store), Match: db.Match, MayReceive: may, Announcements: sent.announcements, Senders: senders,
		Report: func(msg string, kv ...any) { t.Error(msg, kv) },
	})
	config := lobby.Config{Store: db, Correspondence: s.MatchChanged, Notices: s.TournamentNotices}
	for _, c := range change {
		c(&config)
	}
	l := lobbytest.New(t, config)
	ctx, cancel := context.WithCancel(t.Context())
	var wg sync.WaitGroup
	wg.Go(func() {
		s.Run(ctx, l.TableList, func() (string, string) { return "Go Club", "play.example.org" })
	})
	stop := func() {
		cancel()
		wg.Wait()
		l.Close()
	}
	t.Cleanup(stop)
	return &server{l, t, s, sent, stop}
}

var excludedAccount account.ID

func (r *receivers) excluded() account.ID { return excludedAccount }

// receiver stores a receiver of a player, whose address is their name, for all events.
func (h *server) receiver(s *lobby.Session, change ...func(*notify.Settings)) {
	h.t.Helper()
	settings := notify.Settings{Kind: notify.KindWebhook, Address: "https://example.org/" + s.Account().Name, Events: notify.Events}
	for _, c := range change {
		c(&settings)
	}
	if _, err := h.own(s).Save(h.t.Context(), settings); err != nil {
		h.t.Fatal(err)
	}
	synctest.Wait()
}

func (h *server) own(s *lobby.Session) notify.UserService {
	h.t.Helper()
	own, err := h.s.ForUser(s.Account(), lobbyAddr)
	if err != nil {
		h.t.Fatal(err)
	}
	return own
}

// match starts a correspondence match and returns its seats.
func (h *server) match(a, b *lobby.Session) [2]*lobby.Player {
	h.t.Helper()
	id := lobbytest.Start(h.t, a, b, table.Proposal{Game: "ayu", First: table.FirstOwner, Clock: &clock.Control{Days: 4}})
	var seats [2]*lobby.Player
	for _, s := range []*lobby.Session{a, b} {
		p, err := s.AsPlayer(id)
		if err != nil {
			h.t.Fatal(err)
		}
		seats[p.Seat()] = p
	}
	return seats
}

// turn plays the first legal action.
func (h *server) turn(seats [2]*lobby.Player) {
	h.t.Helper()
	snap := seats[0].Snapshot()
	p := seats[snap.Position.Turn()]
	if _, err := p.Act(h.t.Context(), snap.Version, snap.Position.Legal()[:1]); err != nil {
		h.t.Fatal(err)
	}
}

// want checks which messages a player has acknowledged since the last time, a little later.
func (h *server) want(what string, s *lobby.Session, ids ...string) {
	h.t.Helper()
	time.Sleep(5 * time.Second)
	synctest.Wait()
	slices.Sort(ids)
	if got := h.sent.take("https://example.org/" + s.Account().Name); !slices.Equal(got, ids) {
		h.t.Errorf("%s: %s acknowledged %q, want %q", what, s.Account().Name, got, ids)
	}
}

// TestEvents: a turn, a quarter of the time, a challenge, the end and an announcement are notified once, and again to
// nobody, also after a restart.
func TestEvents(t *testing.T) {
	if testing.Short() {
		t.Skip("four days of a lobby take half a minute with the race detector")
	}
	synctest.Test(t, func(t *testing.T) {
		db := lobbytest.Store(t)
		sent := new(receivers)
		h := open(t, db, sent)
		ana, bob := lobbytest.Member(t, h.Lobby, "ana"), lobbytest.Member(t, h.Lobby, "bob")
		h.receiver(ana)
		time.Sleep(time.Minute)
		seats := h.match(ana, bob)
		id := seats[0].Match().Info.ID
		h.want("the first turn", ana, "turn/"+id+"/0")
		h.turn(seats)
		h.want("the other's turn", ana)
		h.turn(seats)
		h.want("the next turn", ana, "turn/"+id+"/2")
		if _, err := bob.OpenTable(t.Context(), table.Proposal{Game: "ayu", To: "ana", Clock: &clock.Control{Days: 2}}); err != nil {
			t.Fatal(err)
		}
		table := h.TableList().Tables[0].ID
		h.want("a challenge", ana, "challenge/"+table)
		sent.announce([]notify.Announcement{{ID: "7", Title: "Tournament", Text: "on Sunday", At: time.Now()}, {ID: "8", At: time.Now().Add(999 * time.Hour)}})
		time.Sleep(time.Minute)
		h.want("an announcement", ana, "announcement/7")
		time.Sleep(71 * time.Hour) // of 96
		h.want("before a quarter", ana)
		time.Sleep(2 * time.Hour)
		h.want("a quarter", ana, "time/"+id+"/2")

		// Nothing is sent again by another process on the store.
		h.stop()
		h = open(t, db, sent)
		ana, bob = lobbytest.Member(t, h.Lobby, "ana"), lobbytest.Member(t, h.Lobby, "bob")
		time.Sleep(10 * time.Minute)
		h.want("after a restart", ana)
		h.want("a player without a receiver", bob)
		for i, s := range []*lobby.Session{ana, bob} {
			p, err := s.AsPlayer(id)
			if err != nil {
				t.Fatal(err)
			}
			seats[i] = p
		}
		if err := seats[1].Resign(t.Context()); err != nil {
			t.Fatal(err)
		}
		h.want("the end", ana, "over/"+id)
		if n := h.s.Counts()[notify.KindWebhook]; n.Sent != 1 || n.Failed != 0 {
			t.Errorf("counted since the restart: %+v", n)
		}
		for _, text := range []string{"It is your turn against bob (Ayu 11×11, pie, 4 days per turn). You have until ", "ssh -t play.example.org watch " + id,
			"bob challenges you: Ayu 11×11, pie, 2 days per turn, casual.\nssh -t play.example.org join " + table, "Tournament\non Sunday",
			"A quarter of your time or less is left against bob", "You have won against bob (Ayu 11×11, pie, 4 days per turn; by resignation).", "Go Club: your turn against bob\n"} {
			if !slices.ContainsFunc(sent.texts, func(s string) bool { return strings.Contains(s, text) }) {
				t.Errorf("no message says %q; they are %q", text, sent.texts)
			}
		}
	})
}

// TestChallengeIsNotified to the player who is challenged, and a table that challenges nobody to nobody.
func TestChallengeIsNotified(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := open(t, lobbytest.Store(t), new(receivers))
		ana, bob := lobbytest.Member(t, h.Lobby, "ana"), lobbytest.Member(t, h.Lobby, "bob")
		h.receiver(ana)
		h.receiver(bob)
		time.Sleep(time.Minute)
		var challenge string
		for _, to := range []string{"", "ana"} {
			table, err := bob.OpenTable(t.Context(), table.Proposal{Game: "ayu", To: to, Clock: &clock.Control{Days: 2}})
			if err != nil {
				t.Fatal(err)
			}
			challenge = "challenge/" + table.ID
		}
		h.want("a challenge", ana, challenge)
		h.want("the challenger", bob)
	})
}

// TestConditionalMovesAreNotified to the player who stored them, once, also after a restart, and not to the opponent.
func TestConditionalMovesAreNotified(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		db := lobbytest.Store(t)
		sent := new(receivers)
		h := open(t, db, sent)
		ana, bob := lobbytest.Member(t, h.Lobby, "ana"), lobbytest.Member(t, h.Lobby, "bob")
		h.receiver(ana, func(s *notify.Settings) { s.Events = []notify.Event{notify.EventTurn} })
		h.receiver(bob, func(s *notify.Settings) { s.Events = []notify.Event{notify.EventOver} })
		seats := h.match(ana, bob)
		id := seats[0].Match().Info.ID
		h.want("the first turn", ana, "turn/"+id+"/0")
		h.turn(seats)
		snap := seats[0].Snapshot()
		theirs := snap.Position.Legal()[:1]
		after, err := engine.PlayTurn(snap.Position, theirs)
		if err != nil {
			t.Fatal(err)
		}
		mine := after.Legal()[:1]
		if _, err := seats[0].AddCondition(t.Context(), snap.Version, lobby.AnyRevision, [][]string{theirs, mine}); err != nil {
			t.Fatal(err)
		}
		h.turn(seats)
		h.want("the conditional move", ana, "condition/"+id+"/3")
		h.stop()
		h = open(t, db, sent)
		ana, bob = lobbytest.Member(t, h.Lobby, "ana"), lobbytest.Member(t, h.Lobby, "bob")
		time.Sleep(10 * time.Minute)
		h.want("after a restart", ana)
		h.want("who plays nothing by a condition", bob)
		text := fmt.Sprintf("Your conditional move was played against bob (Ayu 11×11, pie, 4 days per turn): %s, in answer to %s.\nssh -t play.example.org watch %s", mine[0], theirs[0], id)
		if !slices.ContainsFunc(sent.texts, func(s string) bool { return strings.HasSuffix(s, text) }) {
			t.Errorf("no message says %q; they are %q", text, sent.texts)
		}
	})
}

// TestNothingIsLostBetweenRecordingAndStoring: turns and an end that were recorded by a process that stopped before it stored
// notifications are notified by the next one.
func TestNothingIsLostBetweenRecordingAndStoring(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		db := lobbytest.Store(t)
		sent := new(receivers)
		h := open(t, db, sent)
		ana := lobbytest.Member(t, h.Lobby, "ana")
		h.receiver(ana)
		time.Sleep(time.Minute)
		h.stop()

		// A lobby without notifications stands for one that is killed before they are stored.
		l := lobbytest.New(t, lobby.Config{Store: db})
		silent := &server{Lobby: l, t: t}
		ana = lobbytest.Member(t, l, "ana")
		bob := lobbytest.Member(t, l, "bob")
		running, ended := silent.match(ana, bob), silent.match(ana, bob)
		silent.turn(running)
		silent.turn(running)
		if err := ended[1].Resign(t.Context()); err != nil {
			t.Fatal(err)
		}
		l.Close()
		time.Sleep(48 * time.Hour)

		h = open(t, db, sent)
		ana = lobbytest.Member(t, h.Lobby, "ana")
		h.want("after the restart", ana, "turn/"+running[0].Match().Info.ID+"/2", "over/"+ended[0].Match().Info.ID)
	})
}

// TestFailingReceivers: every event is acknowledged at least once and never after that, whatever fails before; a
// receiver that fails for a week is switched off, and others get theirs meanwhile.
func TestFailingReceivers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		sent := new(receivers)
		h := open(t, lobbytest.Store(t), sent)
		ana, bob, cleo := lobbytest.Member(t, h.Lobby, "ana"), lobbytest.Member(t, h.Lobby, "bob"), lobbytest.Member(t, h.Lobby, "cleo")
		failures := make(map[string]int)
		sent.answer = func(address, id string) error {
			failures[id]++
			switch {
			case strings.HasSuffix(address, "/bob"):
				return &notify.SendError{Text: "status 500"}
			case failures[id] <= 3 && strings.HasSuffix(address, "/ana"):
				return errors.New("the connection broke")
			}
			return nil
		}
		sent.delay = func(address string) time.Duration {
			if strings.HasSuffix(address, "/bob") {
				return 40 * time.Second // the longest time
			}
			return 0
		}
		for _, s := range []*lobby.Session{ana, bob, cleo} {
			h.receiver(s)
		}
		time.Sleep(time.Minute)
		var wantAna, wantCleo []string
		for range 3 {
			seats := h.match(ana, bob)
			wantAna = append(wantAna, "turn/"+seats[0].Match().Info.ID+"/0", "turn/"+seats[0].Match().Info.ID+"/2")
			for range 2 {
				time.Sleep(time.Second)
				h.turn(seats)
			}
		}
		wantCleo = append(wantCleo, "turn/"+h.match(cleo, bob)[0].Match().Info.ID+"/0")
		h.want("a receiver beside those that fail", cleo, wantCleo...)
		time.Sleep(30 * time.Minute)
		h.want("a receiver that fails at first", ana, wantAna...)
		time.Sleep(6 * 24 * time.Hour)
		if h.s.HasStopped(bob.Account().ID) {
			t.Error("switched off before a week is over")
		}
		r, err := h.own(bob).Receiver(t.Context())
		if err != nil || r.Error != "status 500" || r.Failing.IsZero() {
			t.Errorf("what bob sees: %+v, %v", r, err)
		}
		time.Sleep(30 * time.Hour)
		if !h.s.HasStopped(bob.Account().ID) || h.s.HasStopped(ana.Account().ID) {
			t.Error("not switched off after a week")
		}
		sent.mu.Lock()
		sent.received = nil
		sent.mu.Unlock()
		h.turn(h.match(cleo, bob))
		time.Sleep(24 * time.Hour)
		sent.mu.Lock()
		for _, got := range sent.received {
			if strings.HasPrefix(got, "https://example.org/bob ") {
				t.Errorf("sent after it was switched off: %s", got)
			}
		}
		sent.answer, sent.delay = nil, nil
		sent.mu.Unlock()
		sent.take("https://example.org/ana") // the ends on time
		// A test that is acknowledged begins again.
		if err := h.own(bob).Test(t.Context()); err != nil || h.s.HasStopped(bob.Account().ID) {
			t.Errorf("the test: %v", err)
		}
		time.Sleep(time.Minute)
		sent.take("https://example.org/bob")
		next := h.match(bob, cleo)
		h.want("begun again", bob, "turn/"+next[0].Match().Info.ID+"/0")
	})
}

// TestHangingReceiversDelayNoTurn: while as many receivers hang as messages are sent at once, and more wait, turns are
// recorded and answered in no time.
func TestHangingReceiversDelayNoTurn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var hanging atomic.Int32
		sent := &receivers{delay: func(string) time.Duration {
			hanging.Add(1)
			return time.Hour
		}}
		h := open(t, lobbytest.Store(t), sent)
		var games [][2]*lobby.Player
		for i := range 10 {
			a, b := lobbytest.Member(t, h.Lobby, fmt.Sprintf("ana%d", i)), lobbytest.Member(t, h.Lobby, fmt.Sprintf("bob%d", i))
			h.receiver(a)
			h.receiver(b)
			games = append(games, h.match(a, b))
		}
		time.Sleep(5 * time.Second)
		synctest.Wait()
		begun := time.Now()
		for range 3 {
			for _, seats := range games {
				h.turn(seats)
			}
		}
		if took := time.Since(begun); took != 0 {
			t.Errorf("30 turns took %v", took)
		}
		synctest.Wait()
		// All go to one host, which has a share of 8 in the queue of the new receivers and one in that of the slow ones.
		if n := hanging.Load(); n != 16 {
			t.Errorf("%d messages are being sent, want 16", n)
		}
	})
}

// TestQuietHoursAndDigests: what is held back comes together, without what is over, and a repeated message is the same.
func TestQuietHoursAndDigests(t *testing.T) {
	synctest.Test(t, func(t *testing.T) { // begins at midnight UTC
		sent := new(receivers)
		h := open(t, lobbytest.Store(t), sent)
		ana, bob := lobbytest.Member(t, h.Lobby, "ana"), lobbytest.Member(t, h.Lobby, "bob")
		h.receiver(ana, func(s *notify.Settings) { s.Quiet, _ = notify.ParseQuiet("23-7") })
		time.Sleep(time.Minute)
		one, two, three := h.match(ana, bob), h.match(ana, bob), h.match(ana, bob)
		h.turn(one) // ana's, so that the first notification says nothing any more
		time.Sleep(6 * time.Hour)
		h.want("in the quiet hours", ana)
		fail := true
		sent.mu.Lock()
		sent.answer = func(string, string) error {
			if fail {
				fail = false
				return &notify.SendError{Text: "status 500"}
			}
			return nil
		}
		sent.mu.Unlock()
		time.Sleep(59 * time.Minute)
		h.turn(one)
		time.Sleep(2 * time.Minute)
		first, second := "turn/"+two[0].Match().Info.ID+"/0", "turn/"+three[0].Match().Info.ID+"/0"
		got := sent.take("https://example.org/ana")
		if len(got) != 2 || !strings.HasPrefix(got[0], "digest/") || got[1] != "turn/"+one[0].Match().Info.ID+"/2" {
			t.Fatalf("after the quiet hours: %q", got)
		}
		contents := sent.contents[got[0]]
		half := len(contents) / 2
		slices.Sort(contents[:half])
		slices.Sort(contents[half:])
		want := []string{first, second}
		slices.Sort(want)
		if !slices.Equal(contents[:half], want) || !slices.Equal(contents[half:], want) {
			t.Errorf("the two attempts had %q, want twice %q", contents, want)
		}

		h.receiver(ana, func(s *notify.Settings) { s.Digest = 6 })
		for _, seats := range [][2]*lobby.Player{two, three} {
			h.turn(seats)
			h.turn(seats)
			time.Sleep(time.Hour)
		}
		time.Sleep(3 * time.Hour)
		h.want("before the digest", ana)
		time.Sleep(time.Hour)
		if got := sent.take("https://example.org/ana"); len(got) != 1 || len(sent.contents[got[0]]) != 2 {
			t.Errorf("the digest: %q", got)
		}
	})
}

// TestWhoReceivesNothing: those who have left the club, deleted their account, or removed the receiver.
func TestWhoReceivesNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		sent := new(receivers)
		h := open(t, lobbytest.Store(t), sent)
		defer func() { excludedAccount = 0 }()
		ana, bob, cleo, dora := lobbytest.Member(t, h.Lobby, "ana"), lobbytest.Member(t, h.Lobby, "bob"), lobbytest.Member(t, h.Lobby, "cleo"), lobbytest.Member(t, h.Lobby, "dora")
		for _, s := range []*lobby.Session{ana, bob, cleo} {
			h.receiver(s)
		}
		time.Sleep(time.Minute)
		excludedAccount = ana.Account().ID
		if err := h.own(bob).Remove(t.Context()); err != nil {
			t.Fatal(err)
		}
		name := cleo.Account().Name
		for _, s := range []*lobby.Session{ana, bob} {
			h.match(s, dora)
		}
		if err := h.match(cleo, dora)[0].Resign(t.Context()); err != nil {
			t.Fatal(err)
		}
		if err := cleo.DeleteAccount(t.Context()); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Hour)
		synctest.Wait()
		sent.mu.Lock()
		defer sent.mu.Unlock()
		for _, got := range sent.received {
			if !strings.HasPrefix(got, "https://example.org/"+name+" ") { // before the deletion
				t.Errorf("received: %s", got)
			}
		}
	})
}

// TestOwnLimits: what a client can trigger is limited, and guests have nothing.
func TestOwnLimits(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := open(t, lobbytest.Store(t), new(receivers))
		ana := lobbytest.Member(t, h.Lobby, "ana")
		h.receiver(ana)
		count := func(do func() error) (n int) {
			for range 100 {
				err := do()
				if code, _ := lobby.PublicError(err); err != nil && code != errcode.RateLimited {
					t.Fatal(err)
				}
				if err == nil {
					n++
				}
			}
			return n
		}
		own := h.own(ana)
		if n := count(func() error { return own.Test(t.Context()) }); n != 5 {
			t.Errorf("%d tests at once", n)
		}
		settings := notify.Settings{Kind: notify.KindWebhook, Address: "https://example.org/x"}
		if n := count(func() error { _, err := own.Save(t.Context(), settings); return err }); n != 29 {
			t.Errorf("%d changes at once", n)
		}
		if _, err := h.s.ForUser(lobbytest.Guests(t, h.Lobby, 1)[0].Account(), lobbyAddr); err == nil {
			t.Error("a guest has notifications")
		}
		if _, err := (*notify.Service)(nil).ForUser(ana.Account(), lobbyAddr); err == nil {
			t.Error("a server without notifications has some")
		}
		if (*notify.Service)(nil).HasStopped(1) {
			t.Error("stopped without a service")
		}
	})
}

// mailer is a Sender for mail that keeps the codes.
type mailer struct {
	receivers
	codes []string
}

func (m *mailer) SendCode(_ context.Context, s *notify.Settings, _, code string) error {
	m.codes = append(m.codes, fmt.Sprint(s.Address, " ", code))
	return nil
}

// TestMailIsConfirmed: nothing is sent to an address before the code was entered that was sent to it.
func TestMailIsConfirmed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		db := lobbytest.Store(t)
		m := &mailer{receivers: receivers{acknowledged: make(map[string]int), contents: make(map[string][]string)}}
		s := notify.New(notify.Config{Store: db, Match: db.Match, Senders: map[notify.ReceiverKind]notify.Sender{notify.KindMail: m}})
		l := lobbytest.New(t, lobby.Config{Store: db, Correspondence: s.MatchChanged})
		ctx, cancel := context.WithCancel(t.Context())
		var wg sync.WaitGroup
		wg.Go(func() {
			s.Run(ctx, l.TableList, func() (string, string) { return "Go Club", "host" })
		})
		defer wg.Wait()
		defer cancel()
		h := &server{Lobby: l, t: t, s: s, sent: &m.receivers}
		ana, bob := lobbytest.Member(t, l, "ana"), lobbytest.Member(t, l, "bob")
		own := h.own(ana)
		r, err := own.Save(t.Context(), notify.Settings{Kind: notify.KindMail, Address: "ana@example.org", Events: notify.Events, Digest: 0})
		if err != nil || r.IsActive() || len(m.codes) != 1 {
			t.Fatalf("saved: %+v, %v, codes %q", r, err, m.codes)
		}
		// Saved once more, with other events, it is as little confirmed, and the code that was sent holds.
		for _, events := range [][]notify.Event{notify.Events, {notify.EventTurn}, notify.Events} {
			r, err = own.Save(t.Context(), notify.Settings{Kind: notify.KindMail, Address: "ana@example.org", Events: events})
			if err != nil || r.IsActive() || len(m.codes) != 1 {
				t.Fatalf("saved again: %+v, %v, codes %q", r, err, m.codes)
			}
		}
		time.Sleep(time.Minute)
		h.match(ana, bob)
		time.Sleep(time.Minute)
		if err := own.Test(t.Context()); err == nil || len(m.received) != 0 {
			t.Errorf("sent before the confirmation: %q, the test: %v", m.received, err)
		}
		code := strings.Fields(m.codes[0])[1]
		for range 4 {
			if _, err := own.Confirm(t.Context(), "00000000"); err == nil {
				t.Error("a wrong code is accepted")
			}
		}
		if r, err = own.Confirm(t.Context(), " "+strings.ToUpper(code)+" "); err != nil || !r.IsActive() || r.Secret != "" {
			t.Fatalf("confirmed: %+v, %v", r, err)
		}
		time.Sleep(time.Second)
		next := h.match(ana, bob)
		time.Sleep(5 * time.Second)
		if got := m.take("ana@example.org"); !slices.Equal(got, []string{"turn/" + next[0].Match().Info.ID + "/0"}) {
			t.Errorf("received: %q", got)
		}
		// The same address needs no other code, another does; five wrong codes or half an hour end it.
		if r, err = own.Save(t.Context(), notify.Settings{Kind: notify.KindMail, Address: "ana@example.org", Events: notify.Events, Digest: 6}); err != nil || !r.IsActive() {
			t.Errorf("changed: %+v, %v", r, err)
		}
		if r, err = own.Save(t.Context(), notify.Settings{Kind: notify.KindMail, Address: "eva@example.org"}); err != nil || r.IsActive() || len(m.codes) != 2 {
			t.Errorf("another address: %+v, %v", r, err)
		}
		code = strings.Fields(m.codes[1])[1]
		for range 5 {
			_, _ = own.Confirm(t.Context(), "00000000")
		}
		if _, err := own.Confirm(t.Context(), code); err == nil {
			t.Error("confirmed after five wrong codes")
		}
		sentCodes := 0
		for i := range 10 {
			if _, err := own.Save(t.Context(), notify.Settings{Kind: notify.KindMail, Address: fmt.Sprintf("a%d@example.org", i)}); err == nil {
				sentCodes++
			}
		}
		if sentCodes != 1 {
			t.Errorf("%d more codes were sent, want 1", sentCodes)
		}
		time.Sleep(31 * time.Minute)
		if _, err := own.Confirm(t.Context(), strings.Fields(m.codes[2])[1]); err == nil {
			t.Error("confirmed after half an hour")
		}
	})
}

// TestSecretOfAWebhook: each has a secret of its own, that nobody chooses and that other settings do not change.
func TestSecretOfAWebhook(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := open(t, lobbytest.Store(t), new(receivers))
		secret := func(s *lobby.Session, address string) string {
			t.Helper()
			r, err := h.own(s).Save(t.Context(), notify.Settings{Kind: notify.KindWebhook, Address: address, Events: notify.Events, Secret: "chosen"})
			if err != nil {
				t.Fatal(err)
			}
			return r.Secret
		}
		ana, bob := lobbytest.Member(t, h.Lobby, "ana"), lobbytest.Member(t, h.Lobby, "bob")
		first := secret(ana, "https://example.org/1")
		if len(first) < 32 {
			t.Errorf("the secret is %q", first)
		}
		if other := secret(bob, "https://example.org/1"); other == first {
			t.Errorf("two accounts have the secret %q", other)
		}
		if changed := secret(ana, "https://example.org/2"); changed != first {
			t.Errorf("with another address the secret %q has become %q", first, changed)
		}
		if err := h.own(ana).Remove(t.Context()); err != nil {
			t.Fatal(err)
		}
		if next := secret(ana, "https://example.org/1"); next == first {
			t.Errorf("after the removal the secret is %q again", next)
		}
	})
}

// TestReceiverThatWasOff: sending begins again with a test that succeeds, and nobody is told of a removed receiver that it was
// switched off.
func TestReceiverThatWasOff(t *testing.T) {
	for _, remove := range []bool{false, true} {
		synctest.Test(t, func(t *testing.T) {
			db := lobbytest.Store(t)
			s := notifytest.Service(db, new(notifytest.Sender))
			ana := storetest.Account(t, db, "ana")
			notifytest.Stop(t, db, s, ana.ID)
			own, err := s.ForUser(ana, lobbyAddr)
			if err != nil || !s.HasStopped(ana.ID) {
				t.Fatalf("stopped: %t, %v", s.HasStopped(ana.ID), err)
			}
			if remove {
				err = own.Remove(t.Context())
			} else {
				err = own.Test(t.Context())
			}
			r, err2 := own.Receiver(t.Context())
			if err != nil || err2 != nil || s.HasStopped(ana.ID) || !r.Off.IsZero() || (r.Kind == "") != remove {
				t.Errorf("removed %t: stopped %t, %+v, %v, %v", remove, s.HasStopped(ana.ID), r, err, err2)
			}
		})
	}
}
