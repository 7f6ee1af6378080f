package puzzles

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	"ayumu/engine/puzzle"
	"ayumu/lobby/errcode"
)

// DailyLen is the number of the daily puzzles of a game.
const DailyLen = 5

// maxLadderRating is the rating above which a puzzle is no daily one: hardly anyone would solve it.
const maxLadderRating = 1800

// newLadder returns the puzzles of a game in steps of rising difficulty, from each of which Daily takes one: the puzzles up to
// maxLadderRating in DailyLen parts of about the same size. With too few puzzles each is a step.
func newLadder(all []*puzzle.Puzzle) (steps [][]*puzzle.Puzzle) {
	fit := slices.DeleteFunc(slices.Clone(all), func(p *puzzle.Puzzle) bool { return p.InitialRating() > maxLadderRating })
	if len(fit) < DailyLen {
		fit = slices.Clone(all)
	}
	slices.SortFunc(fit, func(a, b *puzzle.Puzzle) int {
		return cmp.Or(cmp.Compare(a.InitialRating(), b.InitialRating()), strings.Compare(a.ID, b.ID))
	})
	n := min(DailyLen, len(fit))
	for i := range n {
		steps = append(steps, fit[i*len(fit)/n:(i+1)*len(fit)/n])
	}
	return steps
}

// ladderRound is the number of days after which the puzzles of each step come in another order, about eleven years. Daily goes
// through the days of a round up to today: a microsecond for each.
const ladderRound = 4096

// Daily returns the daily puzzles of a game on the day of now in UTC, "": of the first one that has puzzles: DailyLen of them if
// there are as many, the easiest first, and the same for everybody. None is the puzzle of the day or gives away another one if
// that can be avoided, and none comes again before all others of its step that may come. The errors are those of OfDay.
func (c *Collection) Daily(game string, now time.Time) ([]*puzzle.Puzzle, error) {
	ofDay, err := c.OfDay(game, now)
	if err != nil {
		return nil, err
	}
	today := dayOf(now)
	first := today - today%ladderRound
	var queues [][]*puzzle.Puzzle // the puzzles of each step, the next one first
	for step, all := range c.ladders[ofDay.Game] {
		queue := slices.Clone(all)
		rng := rand.New(rand.NewPCG(uint64(first), uint64(step)))
		rng.Shuffle(len(queue), func(i, j int) { queue[i], queue[j] = queue[j], queue[i] })
		queues = append(queues, queue)
	}
	ofDays := c.daily[ofDay.Game]
	order := ofDayOrder(len(ofDays), first)
	used := make([]*puzzle.Puzzle, 0, 1+len(queues))
	for day := first; day <= today; day++ {
		if day%len(ofDays) == 0 {
			order = ofDayOrder(len(ofDays), day)
		}
		used = append(used[:0], ofDays[order[day%len(ofDays)]])
		for _, queue := range queues {
			at := slices.IndexFunc(queue, func(p *puzzle.Puzzle) bool {
				return !slices.ContainsFunc(used, func(o *puzzle.Puzzle) bool { return isSimilar(o, p) })
			})
			if at < 0 {
				at = max(slices.IndexFunc(queue, func(p *puzzle.Puzzle) bool { return p != used[0] }), 0)
			}
			p := queue[at]
			copy(queue[at:], queue[at+1:])
			queue[len(queue)-1] = p
			used = append(used, p)
		}
	}
	return used[1:], nil
}

// DailyCount returns the number of daily puzzles of a game.
func (c *Collection) DailyCount(game string) int { return len(c.ladders[game]) }

// DailyResult is what a user has made of a daily puzzle.
type DailyResult byte

// The results, as the line for sharing has them. None of them is a colour.
const (
	DailyOpen   DailyResult = '.' // not answered
	DailySolved DailyResult = '+' // by the first answer of the day, without a hint
	DailyFailed DailyResult = '-'
)

// DailyResults are the results of a user on one day in a game. They are stored with the settings of the account.
type DailyResults struct {
	Day     int    `json:"day"`     // since 1970 in UTC
	Results string `json:"results"` // a DailyResult for each puzzle
}

// On returns the results on the day of a time, with n puzzles: those of another day are gone.
func (r DailyResults) On(now time.Time, n int) DailyResults {
	if r.Day != dayOf(now) || len(r.Results) != n {
		return DailyResults{dayOf(now), strings.Repeat(string(DailyOpen), n)}
	}
	return r
}

// With returns the results after a try of the puzzle with an index; the first one counts.
func (r DailyResults) With(index int, solved bool) DailyResults {
	if DailyResult(r.Results[index]) != DailyOpen {
		return r
	}
	all := []byte(r.Results)
	if all[index] = byte(DailyFailed); solved {
		all[index] = byte(DailySolved)
	}
	r.Results = string(all)
	return r
}

// Date returns the day as a time in UTC.
func (r DailyResults) Date() time.Time { return time.Unix(0, 0).UTC().Add(time.Duration(r.Day) * day) }

// Solved returns the number of puzzles that were solved.
func (r DailyResults) Solved() int { return strings.Count(r.Results, string(DailySolved)) }

// IsBegun reports whether a puzzle has a result.
func (r DailyResults) IsBegun() bool { return strings.Trim(r.Results, string(DailyOpen)) != "" }

// IsComplete reports whether each puzzle has a result.
func (r DailyResults) IsComplete() bool { return !strings.Contains(r.Results, string(DailyOpen)) }

// FirstOpen returns the index of the first puzzle without a result; -1: all have one.
func (r DailyResults) FirstOpen() int { return strings.IndexByte(r.Results, byte(DailyOpen)) }

// errNoDaily is the error for a number that no daily puzzle has.
var errNoDaily = errcode.Errorf(errcode.BadRequest, "the daily puzzles have the numbers 1 to %d", DailyLen)

// NewDailyTry returns a try of the daily puzzle with a number, from 1, on the day of now. The error is errcode.BadRequest if there
// is none with this number, or one of Daily.
func (c *Collection) NewDailyTry(game string, number int, now time.Time) (Try, error) {
	all, err := c.Daily(game, now)
	if err != nil {
		return Try{}, err
	}
	if number < 1 || number > len(all) {
		return Try{}, errNoDaily
	}
	t := c.NewTry(all[number-1])
	t.Mode, t.Game, t.Number = ModeDaily, t.Puzzle.Game, number
	return t, nil
}
