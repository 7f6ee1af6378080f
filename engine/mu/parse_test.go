package mu

import (
	"math/rand/v2"
	"strings"
	"testing"
)

// setUp returns a position at the start of a turn: all cells have the terrain base and are empty, except
// those listed as "q,r:T" or "q,r:TOWNER.MEN", separated by spaces.
func setUp(t testing.TB, players int, centres, base, cells string, seat string) *Position {
	t.Helper()
	b, err := parseBoard(centres, maxPlayers*maxSegments)
	if err != nil {
		t.Fatal(err)
	}
	b = b.completed()
	given := make(map[string]string)
	for _, c := range strings.Fields(cells) {
		name, what, _ := strings.Cut(c, ":")
		given[name] = what
	}
	var list []string
	var rights []Hex
	for i, name := range b.names {
		what, ok := given[name]
		if !ok {
			what = base
		}
		delete(given, name)
		if centre := b.centres[b.segment[i]]; strings.HasPrefix(what[1:], seat+".") && !contains(rights, centre) {
			rights = append(rights, centre)
		}
		list = append(list, name+":"+what)
	}
	if len(given) > 0 {
		t.Fatalf("not on the board: %v", given)
	}
	sortHexes(rights)
	line := "play|" + strings.Join(list, ";") + "|" + seat + "|" + string(appendHexes(nil, rights)) + "||0"
	p, err := ParsePosition(players, centres, line)
	if err != nil {
		t.Fatalf("%s: %v", line, err)
	}
	return p
}

func contains(list []Hex, h Hex) bool {
	for _, o := range list {
		if o == h {
			return true
		}
	}
	return false
}

// run plays actions of the notation, including leave, and returns the last position and all steps.
func run(t testing.TB, p *Position, actions ...string) (*Position, []Step) {
	t.Helper()
	var all []Step
	for _, text := range actions {
		next, steps, err := act(p, text)
		if err != nil {
			t.Fatalf("%s\n%v", p, err)
		}
		p, all = next, append(all, steps...)
	}
	return p, all
}

// checkCells compares cells with "q,r:T" or "q,r:TOWNER.MEN", separated by spaces.
func checkCells(t testing.TB, p *Position, cells string) {
	t.Helper()
	_, list, _ := strings.Cut(p.String(), "|")
	list, _, _ = strings.Cut(list, "|")
	have := make(map[string]bool)
	for _, c := range strings.Split(list, ";") {
		have[c] = true
	}
	for _, c := range strings.Fields(cells) {
		if !have[c] {
			t.Errorf("%s does not hold %s", p, c)
		}
	}
}

func TestParsePositionRefuses(t *testing.T) {
	const cells = "-1,0:v;-1,1:v;0,-1:v;0,0:v0.2;0,1:v;1,-1:v;1,0:v1.1"
	for _, c := range []struct {
		players       int
		centres, line string
		want          string
	}{
		{1, "0,0", "play|" + cells + "|0|0,0||0", "players must be 2 to 6"},
		{7, "0,0", "play|" + cells + "|0|0,0||0", "players must be 2 to 6"},
		{2, "", "play|" + cells + "|0|0,0||0", "expected q,r"},
		{2, "0,0;", "play|" + cells + "|0|0,0||0", "expected q,r"},
		{2, "00,0", "play|" + cells + "|0|0,0||0", "expected q,r"},
		{2, "0,0,0", "play|" + cells + "|0|0,0||0", "expected q,r"},
		{2, "145,0", "play|" + cells + "|0|0,0||0", "from -144 to 144"},
		{2, "99999999999999999999,0", "play|" + cells + "|0|0,0||0", "expected q,r"},
		{2, "0,0;1,1", "play|" + cells + "|0|0,0||0", "overlap"},
		{2, "0,0;0,0", "play|" + cells + "|0|0,0||0", "overlap"},
		{2, strings.Repeat("0,0;", 17), "play|" + cells + "|0|0,0||0", "at most 16 segments"},
		{2, "0,0", "", "six fields"},
		{2, "0,0", "play|" + cells + "|0|0,0||0|", "six fields"},
		{2, "0,0", "layout|" + cells + "|0|0,0||0", "phase play"},
		{2, "0,0", "over|" + cells + "|0|||0", "phase play"},
		{2, "0,0", "play||0|0,0||0", "has 7 cells"},
		{2, "0,0", "play|" + cells + ";2,0:v|0|0,0||0", "has 7 cells"},
		{2, "0,0", "play|" + strings.Replace(cells, "-1,1", "-1,0", 1) + "|0|0,0||0", "cell 2 is -1,1"},
		{2, "0,0", "play|" + strings.Replace(cells, "-1,1:v", "-1,1:x", 1) + "|0|0,0||0", "expected v, c or w"},
		{2, "0,0", "play|" + strings.Replace(cells, "-1,1:v", "-1,1:", 1) + "|0|0,0||0", "expected v, c or w"},
		{2, "0,0", "play|" + strings.Replace(cells, "v0.2", "v2.2", 1) + "|0|0,0||0", "expected v, c or w"},
		{2, "0,0", "play|" + strings.Replace(cells, "v0.2", "v0.0", 1) + "|0|0,0||0", "expected v, c or w"},
		{2, "0,0", "play|" + strings.Replace(cells, "v0.2", "v0.-1", 1) + "|0|0,0||0", "expected v, c or w"},
		{2, "0,0", "play|" + strings.Replace(cells, "v0.2", "v0.10000", 1) + "|0|0,0||0", "expected v, c or w"},
		{2, "0,0", "play|" + strings.Replace(cells, "v0.2", "v0", 1) + "|0|0,0||0", "expected v, c or w"},
		{2, "0,0", "play|" + strings.Replace(cells, "v0.2;0,1:v;", "c0.9000;0,1:c0.1000;", 1) + "|0|0,0||0", "at most 9999 men"},
		{2, "0,0", "play|" + cells + "|2|0,0||0", "numbers from 0 to 1"},
		{2, "0,0", "play|" + cells + "|-1|0,0||0", "numbers from 0 to 1"},
		{2, "0,0", "play|" + cells + "|0|0,0||2", "numbers from 0 to 1"},
		{2, "0,0", "play|" + cells + "|0|1,0||0", "not the centre"},
		{2, "0,0", "play|" + cells + "|0|0,0 0,0||0", "canonical"},
		{2, "0,0", "play|" + cells + "|0| 0,0||0", "not the centre"},
		{2, "0,0", "play|" + cells + "|0|0,0|0,0|0", "not a critical cell"},
		{2, "0,0", "play|" + strings.Replace(cells, "v0.2", "v0.6", 1) + "|0|0,0|0,0|0", "single critical cell"},
		{2, "0,0", "play|" + strings.Replace(cells, "v0.2", "v0.6", 1) + "|0|0,0||0", "critical and not pending"},
		{2, "0,0", "play|" + strings.ReplaceAll(cells, ":v", ":w") + "|0|0,0||0", ""},
		{2, "0,0", "play|" + strings.Replace(strings.ReplaceAll(cells, ":v", ":w"), "w0.2", "w0.9", 1) + "|0|0,0||0", "two colours"},
	} {
		p, err := ParsePosition(c.players, c.centres, c.line)
		switch {
		case c.want == "" && err != nil:
			t.Errorf("%s: %v", c.line, err)
		case c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)):
			t.Errorf("%d %s %s: %v, %v; want an error with %q", c.players, c.centres, c.line, p, err, c.want)
		}
	}
}

// TestParsePositionMidTurn parses every position of random games, including within turns and chain
// reactions: it has the same legal actions and ends the turn in the same way.
func TestParsePositionMidTurn(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	pending, still := 0, 0
	for range 400 {
		walk(t, randomPosition(t, rng), rng, 40, func(p *Position, a Action, _ *Position, _ []Step) {
			if p.phase != Play {
				return
			}
			var centres []string
			for _, h := range p.board.centres {
				centres = append(centres, h.String())
			}
			read, err := ParsePosition(p.Seats(), strings.Join(centres, ";"), p.String())
			if err != nil {
				t.Fatalf("%s\n%v", p, err)
			}
			if read.String() != p.String() || strings.Join(read.Legal(), "\n") != strings.Join(p.Legal(), "\n") {
				t.Fatalf("%s\nread as\n%s", p, read)
			}
			if !p.critical.empty() {
				pending++
			}
			if !p.oscillating.empty() {
				still++
				for i := range p.pieces {
					if p.isCritical(int16(i)) != read.isCritical(int16(i)) || p.isCritical(int16(i)) && p.oscillating.has(int16(i)) != read.oscillating.has(int16(i)) {
						t.Fatalf("%s\n%s oscillates in one of the two", p, p.board.cells[i])
					}
				}
			}
			if a.Kind == End && p.hasMoved == read.hasMoved {
				one, other := must(p.Do(a)), must(read.Do(a))
				if r, _ := one.Result(); r.Reason != "repetition" && one.String() != other.String() {
					t.Fatalf("%s\nends in\n%s\nread, in\n%s", p, one, other)
				}
			}
		})
	}
	if pending < 100 || still < 20 {
		t.Fatalf("only %d positions with a choice of explosions and %d with an oscillating section were met", pending, still)
	}
}
