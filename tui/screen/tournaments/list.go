package tournaments

import (
	"context"
	"slices"
	"strconv"
	"time"

	tea "charm.land/bubbletea/v2"

	"ayumu/lobby"
	"ayumu/lobby/tournament"
	"ayumu/tui/op"
	"ayumu/tui/paint"
	"ayumu/tui/screen"
	"ayumu/tui/screen/dest"
	"ayumu/tui/words"
)

// row is a tournament in the list.
type row struct {
	*lobby.TournamentListing
	names tournament.Names  // of the winners; nil: it is not over
	own   *tournament.State // as the user has entered it; nil: they have not
}

// pageRows is the number of tournaments that are over in a page of the list.
const pageRows = 50

// Open lists the tournaments: those that are open or running, as they are now, and then those that are over, newest first.
func Open(sh *screen.Shell, _ dest.Tournaments) tea.Cmd {
	v := &list{sh: sh}
	v.List = &screen.List[row]{
		Name: "tournaments", Title: "Tournaments", Subtitle: sh.Config.Site, Right: func() string { return sh.Session.Account().Name },
		About: "Tournaments that are open to players, that are running, and below them those that are over. In a swiss tournament everyone plays each round against someone with about the same points; in a round robin everyone plays everyone; at tables three to six play together. · marks those that you have entered, ▸ one in which something waits for you.",
		Load:  v.load, Arrange: v.arrange, IsLive: true, OnChange: v.changed,
		ID: func(r row) any { return r.ID },
		Columns: []screen.Column[row]{
			{Width: 2, Text: v.mark, Style: func(row) paint.Style { return sh.Style.Theme.Notice }},
			{Title: "Name", Width: 17, Fills: true, Text: func(r row) string { return r.Name }},
			{Title: "Format", Width: 12, Rank: 3, Text: func(r row) string { return op.FormatTitle(r.Format) }},
			{Title: "Game", Width: 16, Rank: 2, Text: func(r row) string { return op.GamesTitle(r.Game, r.Format) }},
			{Title: "Clock", Width: 9, Rank: 4, Text: func(r row) string { return r.Clock }},
			{Title: "Players", Width: 8, Rank: 1, Text: func(r row) string { return strconv.Itoa(r.Entered) }},
			{Title: "State", Width: 20, Narrow: 16, Rank: 0, Text: v.state, Style: v.stateStyle},
		},
		Empty:  v.empty,
		Detail: v.describe,
		Status: func(int) string { return "Times are UTC." },
	}
	v.Actions = []screen.RowAction[row]{
		{Key: screen.Keys("enter space", "Enter", "open the selected tournament"), Label: "open", Rank: -3, Operation: op.Tournament.Info().Name,
			Do: func(r row) tea.Cmd { return sh.Open(dest.Tournament{ID: r.ID}) }},
		{Key: screen.Keys("y", "y", "enter the selected tournament"), Label: "enter", Rank: -2, Operation: op.EnterTournament.Info().Name, For: v.canEnter,
			Do: func(r row) tea.Cmd { return enter(sh, sh.Session.Lobby().Tournaments.Known(r.ID)) }},
		{Key: screen.Keys("n", "n", "make a tournament: swiss, round robin, or an evening at tables"), Label: "new", Rank: -1, Operation: op.NewTournament.Info().Name,
			DoAny: func() tea.Cmd { return sh.Open(dest.NewTournament{}) }},
	}
	return v.Push(sh)
}

// list is the screen that lists tournaments.
type list struct {
	*screen.List[row]
	sh   *screen.Shell
	live []string // the ids of those that were open or running at the last change
}

// load reads a page of those that are over.
func (v *list) load(ctx context.Context, _ string, after *row) (p screen.Page[row], err error) {
	in := op.TournamentsArgs{State: "closed", Limit: new(pageRows)}
	if after != nil {
		in.Before = after.ID
	}
	found, err := op.Tournaments.Run(ctx, v.sh.Visit, in)
	if err != nil {
		return p, err
	}
	for i := range found.All {
		p.Rows = append(p.Rows, row{TournamentListing: &found.All[i], names: found.Names})
	}
	p.HasMore = len(p.Rows) == pageRows
	return p, nil
}

// arrange puts those that are open or running before the first page of those that are over.
func (v *list) arrange(over []row) []row {
	if !v.IsFirstPage() {
		return over
	}
	entered := v.sh.Session.Lobby().Tournaments.Entered(v.sh.Session.Account().ID)
	own := func(id string) *tournament.State {
		i := slices.IndexFunc(entered, func(s *tournament.State) bool { return s.ID == id })
		if i < 0 {
			return nil
		}
		return entered[i]
	}
	var all []row
	for _, t := range v.sh.Session.Lobby().View().Tournaments {
		all = append(all, row{TournamentListing: t, own: own(t.ID)})
	}
	for _, r := range over {
		r.own = own(r.ID)
		all = append(all, r)
	}
	return all
}

// changed reads those that are over again when one has ended.
func (v *list) changed() tea.Cmd {
	var live []string
	for _, t := range v.sh.Session.Lobby().View().Tournaments {
		live = append(live, t.ID)
	}
	before := v.live
	v.live = live
	if slices.ContainsFunc(before, func(id string) bool { return !slices.Contains(live, id) }) {
		return v.Reload()
	}
	return nil
}

// mark marks a tournament that the user has entered.
func (v *list) mark(r row) string {
	if r.own == nil {
		return ""
	}
	me := r.own.PlayerIndex(v.sh.Session.Account().ID)
	switch p := &r.own.Players[me]; {
	case !p.IsIn():
		return ""
	case r.own.Phase == tournament.PhaseCheckIn && !p.IsCheckedIn, r.own.Running(me) != nil:
		return "▸"
	}
	return "·"
}

// state says what a tournament is doing.
func (v *list) state(r row) string {
	if r.Phase == tournament.PhaseOpen {
		if r.Start.IsZero() {
			return "open"
		}
		return "starts " + nearTime(r.Start, time.Now())
	}
	return op.ListingState(r.TournamentListing, r.names)
}

func (v *list) stateStyle(r row) paint.Style {
	if v.canEnter(r) {
		return v.sh.Style.Theme.Text
	}
	return v.sh.Style.Theme.Dim
}

// canEnter reports whether the user can try to enter a tournament.
func (v *list) canEnter(r row) bool {
	s := v.sh.Session.Lobby().Tournaments.Known(r.ID)
	return s != nil && s.IsOpenTo(v.sh.Session.Account().ID)
}

// describe describes a tournament below the list.
func (v *list) describe(r row) (about, text string) {
	about = titleOf(op.FormatTitle(r.Format)) + " · " + op.GamesTitle(r.Game, r.Format) + ", " + r.Clock + ", " + words.Mode(r.Rated)
	switch r.Phase {
	case tournament.PhaseOpen:
		if text = words.Plural(r.Entered, "player") + " entered. The organizer starts it."; !r.Start.IsZero() {
			text = words.Plural(r.Entered, "player") + " entered. It starts on " + words.Date(r.Start) + " at " + words.TimeOfDay(r.Start) + " UTC."
		}
		switch {
		case r.own != nil:
			text += " You have entered."
		case v.canEnter(r):
			text += " y: enter it."
		}
	case tournament.PhaseCheckIn:
		text = "The check-in is open. Open it and press y if you have entered."
	case tournament.PhaseClosed, tournament.PhaseCancelled:
		text = words.Date(r.Created) + ", " + words.Plural(r.Entered, "player") + ", " + op.ListingState(r.TournamentListing, r.names) + "."
	default:
		text = words.Plural(r.Entered, "player") + ", " + op.ListingState(r.TournamentListing, r.names) + "."
		if v.canEnter(r) {
			text += " Late entry is possible. y: enter it."
		}
	}
	return about, text
}

// empty says what to do where there are no tournaments.
func (v *list) empty() string {
	if v.sh.Visit.May(op.NewTournament.Info()) == nil {
		return "No tournaments yet. Press n to make one: a swiss tournament, a round robin, or an evening at tables of three and more."
	}
	return "No tournaments yet. The moderators and owners of this server make them; ask one of them in the lobby's chat."
}

// nearTime returns the time of a later moment, with its day unless that is within a day.
func nearTime(at, now time.Time) string {
	if d := at.Sub(now); d < 24*time.Hour && d > -24*time.Hour {
		return words.TimeOfDay(at)
	}
	return at.UTC().Format("2 Jan 15:04")
}
